//! Page that changes a member's role, and revokes or transfers the member's API keys.

use leptos::{prelude::*, server_fn::ServerFn};

use super::keys::KeysField;
use crate::{
    api::member::{ChangeRole, read_role},
    text::{messages, url},
    ui::{field::SelectField, heading::Heading, load::load, params, problem::ProblemNote},
    view::member::MemberPage,
};

/// `/t/{tenant}/members/{user}/role`
#[component]
pub(crate) fn ChangeRolePage() -> impl IntoView {
    let (tenant, user) = (params::tenant(), params::user());
    let page = Resource::new(
        move || (tenant(), user()),
        async |(tenant, user)| read_role(tenant?, user?).await,
    );
    view! { {load(page, |page| view! { <ChangeRoleContent page /> }.into_any())} }
}

#[component]
fn ChangeRoleContent(page: MemberPage) -> impl IntoView {
    use messages::member as strings;
    let seen = page.seen();
    let MemberPage { tenant, row, keys, rejected } = page;
    let role =
        rejected.as_ref().map(|rejected| rejected.text.clone()).filter(|text| !text.is_empty());
    let role = role.unwrap_or_else(|| row.role.as_str().to_owned());
    view! {
        <div class="card panel roomy stack">
            <Heading title=strings::change(&row.name) />
            {rejected.map(|rejected| view! { <ProblemNote problem=rejected.problem /> })}
            <dl class="facts">
                <dt>{strings::EMAIL}</dt>
                <dd>
                    <bdi>{row.email}</bdi>
                </dd>
                <dt>{strings::ROLE_NOW}</dt>
                <dd>{messages::role(row.role)}</dd>
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
                <KeysField keys help=strings::KEYS_OF_CHANGED />
                <p>{strings::CHANGE_HELP}</p>
                <div class="row">
                    <button class="primary">{strings::CHANGE}</button>
                </div>
            </form>
            <p>
                <a href=url::members(tenant)>{strings::BACK}</a>
            </p>
        </div>
    }
}
