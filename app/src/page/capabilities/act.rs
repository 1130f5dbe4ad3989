//! Carrying and revoking a grant: what it is, what follows, and one press.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use super::{actions, chain, state, terms, version};
use crate::{
    api::capability::{CarryGrant, RevokeGrant, read_grant},
    page::params,
    problem::Problem,
    text::{url, words},
    ui::{heading::Heading, load::load, problem::ProblemNote},
    view::capability::{GrantAct, GrantPage, GrantRow, GrantState},
};

/// `/t/{tenant}/capabilities/{grant}/carry`
#[component]
pub(crate) fn CarryPage() -> impl IntoView {
    view! { <ActPage act=GrantAct::Carry/> }
}

/// `/t/{tenant}/capabilities/{grant}/revoke`
#[component]
pub(crate) fn RevokeGrantPage() -> impl IntoView {
    view! { <ActPage act=GrantAct::Revoke/> }
}

#[component]
fn ActPage(act: GrantAct) -> impl IntoView {
    let (tenant, grant) = (params::tenant(), params::grant());
    let page = Resource::new(
        move || (tenant(), grant(), act),
        async |(tenant, grant, act)| read_grant(tenant?, grant?, act).await,
    );
    view! { {load(page, move |page| view! { <Sheet act page/> }.into_any())} }
}

#[component]
fn Sheet(act: GrantAct, page: GrantPage) -> impl IntoView {
    use words::capability as say;
    let GrantPage { tenant, row, may_act, refused } = page;
    let title = match act {
        GrantAct::Carry => say::carry(&row.name),
        GrantAct::Revoke => say::revoke(&row.name),
    };
    let form = may_act.then(|| match act {
        GrantAct::Carry => carry(tenant, &row),
        GrantAct::Revoke => revoke(tenant, &row),
    });
    view! {
        <div class="card sheet roomy stack">
            <Heading title/>
            {refused.map(|problem: Problem| view! { <ProblemNote problem/> })}
            <Facts tenant row/>
            {form}
            <p>
                <a href=url::grants(tenant)>{say::BACK}</a>
            </p>
        </div>
    }
}

#[component]
fn Facts(tenant: TenantId, row: GrantRow) -> impl IntoView {
    use words::capability::{CHAIN, HEAD};
    view! {
        <dl class="facts">
            <dt>{HEAD[1]}</dt>
            <dd>{version(tenant, &row)}</dd>
            <dt>{HEAD[2]}</dt>
            <dd>{actions(&row.actions)}</dd>
            <dt>{HEAD[3]}</dt>
            <dd>{state(&row)}</dd>
            <dt>{HEAD[4]}</dt>
            <dd>{terms(&row)}</dd>
            <dt>{CHAIN}</dt>
            <dd>{chain(row.links)}</dd>
        </dl>
    }
}

fn carry(tenant: TenantId, row: &GrantRow) -> AnyView {
    use words::capability as say;
    if !row.state.may_be_carried() {
        return view! { <p>{say::NOT_CARRIED}</p> }.into_any();
    }
    let Some(successor) = row.successor else {
        return view! { <p>{say::NO_SUCCESSOR}</p> }.into_any();
    };
    view! {
        <form method="post" action=CarryGrant::url() class="stack" data-once="">
            <input type="hidden" name="tenant" value=tenant.to_string()/>
            <input type="hidden" name="id" value=row.id.to_string()/>
            <input type="hidden" name="version" value=successor/>
            <p>{say::CARRY_SAYS}</p>
            <div class="row">
                <button class="primary">{say::carry_to(successor)}</button>
            </div>
        </form>
    }
    .into_any()
}

fn revoke(tenant: TenantId, row: &GrantRow) -> AnyView {
    use words::capability as say;
    if row.state == GrantState::Revoked {
        return view! { <p>{say::REVOKED_BEFORE}</p> }.into_any();
    }
    view! {
        <form method="post" action=RevokeGrant::url() class="stack" data-once="">
            <input type="hidden" name="tenant" value=tenant.to_string()/>
            <input type="hidden" name="id" value=row.id.to_string()/>
            <p>{say::REVOKE_FINAL}</p>
            <div class="row">
                <button class="danger">{say::REVOKE}</button>
            </div>
        </form>
    }
    .into_any()
}
