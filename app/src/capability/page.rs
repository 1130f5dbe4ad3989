//! Authoring capabilities: the list, the form to issue one, and the one-time display of its key.

mod act;
mod issue;

use contract::id::TenantId;
use leptos::prelude::*;

pub(crate) use self::act::{CarryPage, RevokeGrantPage};
use self::issue::IssueForm;
use super::{
    act::list_grants,
    view::{GrantRow, GrantState, GrantsPage as CapabilityList, Link},
    words,
};
use crate::{
    key::Attribution,
    text::{number::count, url},
    ui::{
        badge::badge,
        code::Digest,
        heading::Heading,
        icon::Icon,
        list::{older_than, table_or_empty},
        load::load,
        one_time_secret::OneTimeSecretBox,
        params,
        time::Minute,
    },
};

/// `/t/{tenant}/capabilities`
#[component]
pub(crate) fn GrantsPage() -> impl IntoView {
    let (tenant, cursor) = (params::tenant(), params::query("cursor"));
    let version = params::query("version");
    load(
        move || (tenant(), cursor(), version()),
        async |(tenant, cursor, version)| list_grants(tenant?, cursor, version).await,
        |page| view! { <CapabilitiesContent page /> }.into_any(),
    )
}

#[component]
fn CapabilitiesContent(page: CapabilityList) -> impl IntoView {
    let tenant = page.tenant;
    let path = url::grants(tenant);
    let older = older_than(&path, page.rows.next_cursor);
    let is_empty = page.rows.items.is_empty();
    let may_act = page.offer.is_some();
    let form = page.offer.map(|form_data| view! { <IssueForm tenant form_data open=is_empty /> });
    let row = move |row| view! { <Row tenant row may_act /> };
    let empty = [words::EMPTY, words::EMPTY_NEXT];
    let list = table_or_empty(words::TITLE, words::HEAD, page.rows.items, row, empty);
    let secret = page.secret.map(|secret| {
        view! {
            <OneTimeSecretBox
                title=words::issued(&secret.name)
                secret=secret.secret
                what=words::SECRET
                note="Copy the key now. It will not be shown again."
                page=path
                done="I have copied it"
            />
        }
    });
    view! {
        <Heading title=words::TITLE />
        <p class="intro">{words::INTRO}</p>
        {secret}
        {form}
        {list}
        {older}
    }
}

#[component]
fn Row(tenant: TenantId, row: GrantRow, may_act: bool) -> impl IntoView {
    use super::words::HEAD;
    let row_actions = (may_act && row.state != GrantState::Revoked)
        .then(|| view! { <RowActions tenant row=row.clone() /> });
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <bdi class="font-semibold">{row.name.clone()}</bdi>
            </th>
            <td data-label=HEAD[1]>{version(tenant, &row)}</td>
            <td data-label=HEAD[2]>{actions(&row.actions)}</td>
            <td data-label=HEAD[3]>{state(&row)}</td>
            <td data-label=HEAD[4]>{validity(&row)}</td>
            <td data-label=HEAD[5]>
                <details class="disclosure">
                    <summary>{count(row.links.len(), "grant", "grants")}</summary>
                    {grant_lineage(row.links)}
                </details>
            </td>
            <td data-label=HEAD[6]>{row_actions}</td>
        </tr>
    }
}

/// The actions for a capability that is not revoked.
#[component]
fn RowActions(tenant: TenantId, row: GrantRow) -> impl IntoView {
    let can_carry_over = row.state.may_be_carried() && row.successor.is_some();
    let carry_link = can_carry_over.then(|| {
        let label = words::carry(&row.name);
        view! {
            <a class="button" href=url::carry_grant(tenant, row.id) aria-label=label>
                {words::CARRY}
            </a>
        }
    });
    let label = words::revoke(&row.name);
    view! {
        <div class="row">
            {carry_link} <a class="button" href=url::revoke_grant(tenant, row.id) aria-label=label>
                {words::REVOKE}
            </a>
        </div>
    }
}

/// Renders the version that a capability covers, and its policy.
fn version(tenant: TenantId, row: &GrantRow) -> AnyView {
    let number = format!("v{}", row.version);
    let Some((code, name)) = row.policy_named.clone() else {
        return view! { <span class="text-muted">{number}</span> }.into_any();
    };
    view! {
        <div>
            <a href=url::version(tenant, row.policy, row.version)>
                <bdi class="font-mono">{code}</bdi>
                " "
                {number}
            </a>
            <div>
                <bdi class="text-muted">{name}</bdi>
            </div>
        </div>
    }
    .into_any()
}

/// Renders the permitted actions, collapsed under their number.
fn actions(actions: &[String]) -> impl IntoView + use<> {
    let action = |name: &String| {
        let label = words::action(name).to_owned();
        view! { <li>{label} " " <code class="text-muted text-xs">{name.clone()}</code></li> }
    };
    view! {
        <details class="disclosure">
            <summary>{count(actions.len(), "action", "actions")}</summary>
            <ul class="plain-list">{actions.iter().map(action).collect_view()}</ul>
        </details>
    }
}

/// Renders the status of a capability and, if it is revoked, who revoked it.
fn state(row: &GrantRow) -> impl IntoView + use<> {
    let revoked_by = |(by, at)| {
        view! {
            <div>
                <Attribution by at />
            </div>
        }
    };
    let revoked = row.revoked.clone().map(revoked_by);
    view! {
        <div>
            <GrantBadge state=row.state />
            {revoked}
        </div>
    }
}

/// Renders the use count of a capability and its validity period.
fn validity(row: &GrantRow) -> impl IntoView + use<> {
    use super::words as strings;
    let (from, until) = (row.not_before, row.expires_at);
    let and_until = if from.is_some() { strings::AND_UNTIL } else { strings::UNTIL };
    let always = (from.is_none() && until.is_none()).then_some(strings::ALWAYS);
    let from = from.map(|at| {
        view! {
            {strings::FROM}
            " "
            <Minute at />
            " "
        }
    });
    let until = until.map(|at| {
        view! {
            {and_until}
            " "
            <Minute at />
        }
    });
    view! {
        <div>
            <div class="tabular-nums">{strings::uses(row.uses, row.max_uses)}</div>
            <div class="text-muted">{from} {until} {always}</div>
        </div>
    }
}

/// Renders the grants, oldest first.
fn grant_lineage(links: Vec<Link>) -> impl IntoView {
    let link = |link: Link| {
        let (by, at) = link.issued;
        view! {
            <li>
                <div class="row">
                    <span class="font-semibold tabular-nums">"v" {link.version}</span>
                    <Attribution by at />
                </div>
                <Digest digest=link.digest what=words::DIGEST />
            </li>
        }
    };
    view! { <ol class="timeline">{links.into_iter().map(link).collect_view()}</ol> }
}

/// The status of an authoring capability.
#[component]
fn GrantBadge(state: GrantState) -> impl IntoView {
    let (tone, drawing) = match state {
        GrantState::Live => ("allow", Icon::Allow),
        GrantState::NotYetValid | GrantState::Expired => ("na", Icon::Wait),
        GrantState::Exhausted => ("warn", Icon::Dash),
        GrantState::Revoked => ("na", Icon::History),
        GrantState::Missing | GrantState::Broken => ("deny", Icon::Warn),
    };
    badge(tone, drawing, state.label())
}
