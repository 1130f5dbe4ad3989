//! Pages that carry over or revoke a capability.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use super::{actions, grant_lineage, state, validity, version};
use crate::{
    capability::{
        act::{CarryGrant, RevokeGrant, read_grant},
        view::{GrantAct, GrantPage, GrantRow, GrantState},
    },
    text::url,
    ui::{
        facts::fact,
        load::load,
        panel::{Panel, submit},
        params,
    },
};

/// `/t/{tenant}/capabilities/{grant}/carry`
#[component]
pub(crate) fn CarryPage() -> impl IntoView {
    view! { <ActionPage action=GrantAct::Carry /> }
}

/// `/t/{tenant}/capabilities/{grant}/revoke`
#[component]
pub(crate) fn RevokeGrantPage() -> impl IntoView {
    view! { <ActionPage action=GrantAct::Revoke /> }
}

#[component]
fn ActionPage(action: GrantAct) -> impl IntoView {
    let (tenant, grant) = (params::tenant(), params::grant());
    load(
        move || (tenant(), grant(), action),
        async |(tenant, grant, action)| read_grant(tenant?, grant?, action).await,
        move |page| view! { <CapabilityContent action page /> }.into_any(),
    )
}

#[component]
fn CapabilityContent(action: GrantAct, page: GrantPage) -> impl IntoView {
    use crate::capability::words as strings;
    let GrantPage { tenant, row, may_act, refused: problem } = page;
    let title = match action {
        GrantAct::Carry => strings::carry(&row.name),
        GrantAct::Revoke => strings::revoke(&row.name),
    };
    let form = may_act.then(|| match action {
        GrantAct::Carry => carry_over_form(tenant, &row),
        GrantAct::Revoke => revoke_form(tenant, &row),
    });
    view! {
        <Panel title problem back=url::grants(tenant) back_label=strings::BACK>
            <Facts tenant row />
            {form}
        </Panel>
    }
}

#[component]
fn Facts(tenant: TenantId, row: GrantRow) -> impl IntoView {
    use crate::capability::words::{CHAIN, HEAD};
    view! {
        <dl class="facts">
            {fact(HEAD[1], version(tenant, &row))} {fact(HEAD[2], actions(&row.actions))}
            {fact(HEAD[3], state(&row))} {fact(HEAD[4], validity(&row))}
            {fact(CHAIN, grant_lineage(row.links))}
        </dl>
    }
}

fn carry_over_form(tenant: TenantId, row: &GrantRow) -> AnyView {
    use crate::capability::words as strings;
    if !row.state.may_be_carried() {
        return view! { <p>{strings::NOT_CARRIED}</p> }.into_any();
    }
    let Some(successor) = row.successor else {
        return view! { <p>{strings::NO_SUCCESSOR}</p> }.into_any();
    };
    view! {
        <form method="post" action=CarryGrant::url() class="stack" data-once="">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=row.id.to_string() />
            <input type="hidden" name="version" value=successor />
            <p>{strings::CARRY_HELP}</p>
            {submit("primary", strings::carry_to(successor))}
        </form>
    }
    .into_any()
}

fn revoke_form(tenant: TenantId, row: &GrantRow) -> AnyView {
    use crate::capability::words as strings;
    if row.state == GrantState::Revoked {
        return view! { <p>{strings::REVOKED_BEFORE}</p> }.into_any();
    }
    view! {
        <form method="post" action=RevokeGrant::url() class="stack" data-once="">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=row.id.to_string() />
            <p>{strings::REVOKE_FINAL}</p>
            {submit("danger", strings::REVOKE)}
        </form>
    }
    .into_any()
}
