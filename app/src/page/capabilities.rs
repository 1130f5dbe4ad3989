//! Authoring grants: the list, the form of a new one, and the only sight of its key.

mod act;
mod issue;

use contract::id::TenantId;
use leptos::prelude::*;

pub(crate) use self::act::{CarryPage, RevokeGrantPage};
use self::issue::IssueForm;
use super::{keys::Who, params};
use crate::{
    api::capability::list_grants,
    text::{number::count, url, words},
    ui::{
        badge::GrantBadge, code::Digest, empty::Empty, heading::Heading, load::load,
        shown_once::ShownOnce, time::Minute,
    },
    view::{
        capability::{GrantRow, GrantState, GrantsPage as Shown, Link},
        kept::Made,
    },
};

/// `/t/{tenant}/capabilities`
#[component]
pub(crate) fn GrantsPage() -> impl IntoView {
    let (tenant, cursor) = (params::tenant(), params::query("cursor"));
    let version = params::query("version");
    let page = Resource::new(
        move || (tenant(), cursor(), version()),
        async |(tenant, cursor, version)| list_grants(tenant?, cursor, version).await,
    );
    view! { {load(page, |page| view! { <List page/> }.into_any())} }
}

#[component]
fn List(page: Shown) -> impl IntoView {
    let tenant = page.tenant;
    let path = url::grants(tenant);
    let older = page.rows.next_cursor.map(|cursor| {
        let href = url::with_query(&path, &[("cursor", &cursor)]);
        view! { <a class="button" href=href>{words::OLDER}</a> }
    });
    let is_empty = page.rows.items.is_empty();
    let may_act = page.offer.is_some();
    let form = page.offer.map(|offer| view! { <IssueForm tenant offer open=is_empty/> });
    let list = if is_empty {
        view! { <Empty title=words::capability::EMPTY text=words::capability::EMPTY_NEXT/> }
            .into_any()
    } else {
        view! { <Rows tenant rows=page.rows.items may_act/> }.into_any()
    };
    view! {
        <Heading title=words::capability::TITLE/>
        <p class="lead">{words::capability::LEAD}</p>
        {page.made.map(|made| view! { <Made tenant made/> })}
        {form}
        {list}
        {older}
    }
}

/// The key, this once.
#[component]
fn Made(tenant: TenantId, made: Made) -> impl IntoView {
    view! {
        <ShownOnce
            says=words::capability::made(&made.name)
            secret=made.secret
            what=words::capability::SECRET
            note=words::keys::SECRET_SAYS
            page=url::grants(tenant)
            done=words::keys::SAVED
        />
    }
}

#[component]
fn Rows(tenant: TenantId, rows: Vec<GrantRow>, may_act: bool) -> impl IntoView {
    let row = move |row| view! { <Row tenant row may_act/> };
    view! {
        <table class="list">
            <caption class="sr-only">{words::capability::TITLE}</caption>
            <thead>
                <tr>{words::capability::HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn Row(tenant: TenantId, row: GrantRow, may_act: bool) -> impl IntoView {
    use words::capability::HEAD;
    // What is revoked is over: then the cell stays empty.
    let acts = (may_act && row.state != GrantState::Revoked)
        .then(|| view! { <Acts tenant row=row.clone()/> });
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <bdi class="font-semibold">{row.name.clone()}</bdi>
            </th>
            <td data-label=HEAD[1]>{version(tenant, &row)}</td>
            <td data-label=HEAD[2]>{actions(&row.actions)}</td>
            <td data-label=HEAD[3]>{state(&row)}</td>
            <td data-label=HEAD[4]>{terms(&row)}</td>
            <td data-label=HEAD[5]>
                <details class="disclosure">
                    <summary>{count(row.links.len(), "grant", "grants")}</summary>
                    {chain(row.links)}
                </details>
            </td>
            <td data-label=HEAD[6]>{acts}</td>
        </tr>
    }
}

/// What can be done with a grant that is not revoked.
#[component]
fn Acts(tenant: TenantId, row: GrantRow) -> impl IntoView {
    let may_carry = row.state.may_be_carried() && row.successor.is_some();
    let carry = may_carry.then(|| {
        let label = words::capability::carry(&row.name);
        view! {
            <a class="button" href=url::carry_grant(tenant, row.id) aria-label=label>
                {words::capability::CARRY}
            </a>
        }
    });
    let label = words::capability::revoke(&row.name);
    view! {
        <div class="row">
            {carry}
            <a class="button" href=url::revoke_grant(tenant, row.id) aria-label=label>
                {words::capability::REVOKE}
            </a>
        </div>
    }
}

/// The version that a grant names, and its policy.
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

/// What a grant allows, behind the number of things.
fn actions(actions: &[String]) -> impl IntoView + use<> {
    let action = |word: &String| {
        let says = words::capability::action(word).to_owned();
        view! {
            <li>
                {says} " " <code class="text-muted text-xs">{word.clone()}</code>
            </li>
        }
    };
    view! {
        <details class="disclosure">
            <summary>{count(actions.len(), "act", "acts")}</summary>
            <ul class="plain-list">{actions.iter().map(action).collect_view()}</ul>
        </details>
    }
}

/// Whether a grant opens anything; of a revoked one, who ended it.
fn state(row: &GrantRow) -> impl IntoView + use<> {
    let who = |(by, at)| view! { <div><Who by at/></div> };
    let revoked = row.revoked.clone().map(who);
    view! {
        <div>
            <GrantBadge state=row.state/>
            {revoked}
        </div>
    }
}

/// How much of a grant is used, and between which instants it holds.
fn terms(row: &GrantRow) -> impl IntoView + use<> {
    use words::capability as say;
    let (from, until) = (row.not_before, row.expires_at);
    let and_until = if from.is_some() { say::AND_UNTIL } else { say::UNTIL };
    let always = (from.is_none() && until.is_none()).then_some(say::ALWAYS);
    let from = from.map(|at| view! { {say::FROM} " " <Minute at/> " " });
    let until = until.map(|at| view! { {and_until} " " <Minute at/> });
    view! {
        <div>
            <div class="tabular-nums">{say::uses(row.uses, row.max_uses)}</div>
            <div class="text-muted">{from} {until} {always}</div>
        </div>
    }
}

/// The grants of a chain, the first one first.
fn chain(links: Vec<Link>) -> impl IntoView {
    let link = |link: Link| {
        let (by, at) = link.issued;
        view! {
            <li>
                <div class="row">
                    <span class="font-semibold tabular-nums">"v" {link.version}</span>
                    <Who by at/>
                </div>
                <Digest digest=link.digest what=words::capability::DIGEST/>
            </li>
        }
    };
    view! { <ol class="timeline">{links.into_iter().map(link).collect_view()}</ol> }
}
