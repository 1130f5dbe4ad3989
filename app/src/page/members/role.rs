//! Changing a member's role: the role, what happens to the person's API keys, and one press.

use leptos::{prelude::*, server_fn::ServerFn};

use super::keys::KeysField;
use crate::{
    api::member::{ChangeRole, read_role},
    page::params,
    text::{url, words},
    ui::{field::SelectField, heading::Heading, load::load, problem::ProblemNote},
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
    view! { {load(page, |page| view! { <Sheet page/> }.into_any())} }
}

#[component]
fn Sheet(page: MemberPage) -> impl IntoView {
    use words::member as say;
    let MemberPage { tenant, row, keys, kept } = page;
    let chosen = kept.as_ref().map(|kept| kept.text.clone()).filter(|text| !text.is_empty());
    let chosen = chosen.unwrap_or_else(|| row.role.as_str().to_owned());
    view! {
        <div class="card sheet roomy stack">
            <Heading title=say::change(&row.name)/>
            {kept.map(|kept| view! { <ProblemNote problem=kept.problem/> })}
            <dl class="facts">
                <dt>{say::EMAIL}</dt>
                <dd>
                    <bdi>{row.email}</bdi>
                </dd>
                <dt>{say::ROLE_NOW}</dt>
                <dd>{words::role(row.role)}</dd>
            </dl>
            <form method="post" action=ChangeRole::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=row.id.to_string()/>
                <SelectField
                    label=say::ROLE
                    name="role"
                    choices=say::ROLES.to_vec()
                    value=chosen
                    required=true
                />
                <KeysField keys says=say::KEYS_OF_CHANGED/>
                <p>{say::CHANGE_SAYS}</p>
                <div class="row">
                    <button class="primary">{say::CHANGE}</button>
                </div>
            </form>
            <p>
                <a href=url::members(tenant)>{say::BACK}</a>
            </p>
        </div>
    }
}
