//! Creating a policy, and editing its settings.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{CreatePolicy, EditPolicy, read_policy_form},
    view::PolicyFormPage,
};
use crate::{
    policy::list_words as policy_list_words,
    text::{messages, url},
    ui::{
        field::options,
        form_errors::{ErrorSummary, FormField, field_error, invalid},
        heading::Heading,
        load::load,
        panel::{Crumb, submit_or_cancel},
        params,
        problem::ProblemNote,
    },
};

/// `/t/{tenant}/policies/new`
#[component]
pub(crate) fn NewPolicyPage() -> impl IntoView {
    let tenant = params::tenant();
    load(
        tenant,
        async |tenant| read_policy_form(tenant?, None).await,
        |page| view! { <PolicyFormContent page /> }.into_any(),
    )
}

/// `/t/{tenant}/policies/{policy}/details`
#[component]
pub(crate) fn EditPolicyPage() -> impl IntoView {
    let (tenant, policy) = (params::tenant(), params::policy());
    load(
        move || (tenant(), policy()),
        async |(tenant, policy)| read_policy_form(tenant?, Some(policy?)).await,
        |page| view! { <PolicyFormContent page /> }.into_any(),
    )
}

#[component]
fn PolicyFormContent(page: PolicyFormPage) -> impl IntoView {
    use super::words as strings;
    let (title, action, submit, back) = if let Some(id) = page.policy {
        let title = strings::title(&page.name);
        (title, EditPolicy::url(), strings::SAVE, url::policy(page.tenant, id))
    } else {
        let title = strings::NEW.to_owned();
        (title, CreatePolicy::url(), strings::CREATE, url::policies(page.tenant))
    };
    let id = page.policy.map(|id| {
        view! { <input type="hidden" name="policy" value=id.to_string() /> }
    });
    let seen = page.policy.map(|_| {
        view! { <input type="hidden" name="form[seen]" value=page.form.seen.clone() /> }
    });
    let errors = page.errors.clone();
    let tab = messages::title_with_errors(&title, errors.len());
    view! {
        <Crumb href=url::policies(page.tenant) label=policy_list_words::TITLE />
        <Heading title=tab>{title}</Heading>
        <form method="post" action=action class="card panel roomy stack" novalidate>
            {page.problem.clone().map(|problem| view! { <ProblemNote problem /> })}
            {(!errors.is_empty())
                .then(|| view! { <ErrorSummary errors labels=&strings::FIELDS /> })}
            <input type="hidden" name="tenant" value=page.tenant.to_string() />
            {id}
            {seen}
            <Fields page />
            {submit_or_cancel(submit, back)}
        </form>
    }
}

#[component]
fn Fields(page: PolicyFormPage) -> impl IntoView {
    use super::words as strings;
    let PolicyFormPage { policy, groups, form, errors, .. } = page;
    let is_new = policy.is_none();
    let form_errors = StoredValue::new(errors);
    let field = |name, member, label, hint| FormField { form_errors, name, member, label, hint };
    let groups = groups.into_iter().map(|(id, name)| (id.to_string(), name));
    let groups = std::iter::once((String::new(), strings::NO_GROUP.to_owned())).chain(groups);
    let groups = options(groups, &form.group);
    let checkbox = |id: &'static str, name: &'static str, label: &'static str, checked: bool| {
        view! {
            <label class="checkbox" id=id>
                <input type="checkbox" name=format!("form[{name}]") value="yes" checked=checked />
                <span>{label}</span>
            </label>
        }
    };
    view! {
        {field("code", "code", strings::CODE, strings::CODE_HINT).line(form.code, !is_new)}
        {field("name", "name", strings::NAME, "").line(form.name, false)}
        {field("description", "description", strings::DESCRIPTION, "").area(form.description)}
        {field("types", "decision_types", strings::TYPES, strings::TYPES_HINT).area(form.types)}
        <div class="field">
            <label for="policy_group_id">{strings::GROUP}</label>
            <select
                id="policy_group_id"
                name="form[group]"
                aria-describedby="policy_group_id-error"
                aria-invalid=invalid(form_errors, "policy_group_id")
            >
                {groups}
            </select>
            {field_error(form_errors, "policy_group_id")}
        </div>
        {field("refs", "regulatory_refs", strings::REFS, strings::REFS_HINT).area(form.refs)}
        {checkbox("shadow_mode", "shadow", strings::SHADOW, form.shadow.is_some())}
        {checkbox("inheritable", "inheritable", strings::INHERITABLE, form.inheritable.is_some())}
    }
}
