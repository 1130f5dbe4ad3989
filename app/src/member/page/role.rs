//! Page that changes a member's role, and revokes or transfers the member's API keys.

use leptos::{prelude::*, server_fn::ServerFn};

use super::keys::KeysField;
use crate::{
    member::{
        act::{ChangeRole, read_role},
        view::MemberPage,
    },
    text::{messages, url},
    ui::{
        facts::fact,
        field::SelectField,
        load::load,
        panel::{Panel, submit},
        params,
    },
};

/// `/t/{tenant}/members/{user}/role`
#[component]
pub(crate) fn ChangeRolePage() -> impl IntoView {
    let (tenant, user) = (params::tenant(), params::user());
    load(
        move || (tenant(), user()),
        async |(tenant, user)| read_role(tenant?, user?).await,
        |page| view! { <ChangeRoleContent page /> }.into_any(),
    )
}

#[component]
fn ChangeRoleContent(page: MemberPage) -> impl IntoView {
    use crate::member::words as strings;
    let seen = page.seen();
    let MemberPage { tenant, row, keys, rejected } = page;
    let role =
        rejected.as_ref().map(|rejected| rejected.text.clone()).filter(|text| !text.is_empty());
    let role = role.unwrap_or_else(|| row.role.as_str().to_owned());
    view! {
        <Panel
            title=strings::change(&row.name)
            problem=rejected.map(|rejected| rejected.problem)
            back=url::members(tenant)
            back_label=strings::BACK
            is_confirmation=true
        >
            <dl class="facts">
                {fact(strings::EMAIL, view! { <bdi>{row.email}</bdi> })}
                {fact(strings::ROLE_NOW, messages::role(row.role))}
            </dl>
            <form method="post" action=ChangeRole::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=row.id.to_string() />
                <input type="hidden" name="seen" value=seen />
                <SelectField
                    label=strings::ROLE
                    name="role"
                    choices=strings::ROLES.to_vec()
                    value=role
                    required=true
                />
                <KeysField keys help=strings::keys_of_changed />
                <p>{strings::CHANGE_HELP}</p>
                {submit("primary", strings::CHANGE)}
            </form>
        </Panel>
    }
}
