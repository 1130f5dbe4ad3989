//! Creating a policy, and editing its settings.

use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::policy_form::{CreatePolicy, EditPolicy, read_policy_form},
    text::{messages, url},
    ui::{
        field::options,
        form_errors::{ErrorSummary, FormField, field_error},
        heading::Heading,
        load::load,
        panel::{Crumb, submit_or_cancel},
        params,
        problem::ProblemNote,
    },
    view::policy_form::PolicyFormPage,
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
    let title = match page.policy {
        Some(_) => messages::policy_form::title(&page.name),
        None => messages::policy_form::NEW.to_owned(),
    };
    let action = if page.policy.is_some() { EditPolicy::url() } else { CreatePolicy::url() };
    let submit = if page.policy.is_some() {
        messages::policy_form::SAVE
    } else {
        messages::policy_form::CREATE
    };
    let back = match page.policy {
        Some(id) => url::policy(page.tenant, id),
        None => url::policies(page.tenant),
    };
    let id = page.policy.map(|id| {
        view! { <input type="hidden" name="policy" value=id.to_string() /> }
    });
    let seen = page.policy.map(|_| {
        view! { <input type="hidden" name="form[seen]" value=page.form.seen.clone() /> }
    });
    let errors = page.faults.clone();
    let tab = messages::title_with_faults(&title, errors.len());
    view! {
        <Crumb href=url::policies(page.tenant) label=messages::policies::TITLE />
        <Heading title=tab>{title}</Heading>
        <form method="post" action=action class="card panel roomy stack" novalidate>
            {page.problem.clone().map(|problem| view! { <ProblemNote problem /> })}
            {(!errors.is_empty())
                .then(|| view! { <ErrorSummary errors labels=&messages::policy_form::FIELDS /> })}
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
    let PolicyFormPage { policy, groups, form, faults: errors, .. } = page;
    let is_new = policy.is_none();
    let form_errors = StoredValue::new(errors);
    let field = |name, member, label, hint| FormField { form_errors, name, member, label, hint };
    let groups = groups.into_iter().map(|(id, name)| (id.to_string(), name));
    let groups =
        std::iter::once((String::new(), messages::policy_form::NO_GROUP.to_owned())).chain(groups);
    let groups = options(groups, &form.group);
    let checkbox = |name: &'static str, label: &'static str, checked: bool| {
        view! {
            <label class="checkbox" id=if name == "shadow" { "shadow_mode" } else { name }>
                <input type="checkbox" name=format!("form[{name}]") value="yes" checked=checked />
                <span>{label}</span>
            </label>
        }
    };
    view! {
        {field("code", "code", messages::policy_form::CODE, messages::policy_form::CODE_HINT)
            .line(form.code, !is_new)}
        {field("name", "name", messages::policy_form::NAME, "").line(form.name, false)}
        {field("description", "description", messages::policy_form::DESCRIPTION, "")
            .area(form.description)}
        {field(
                "types",
                "decision_types",
                messages::policy_form::TYPES,
                messages::policy_form::TYPES_HINT,
            )
            .area(form.types)}
        <div class="field">
            <label for="policy_group_id">{messages::policy_form::GROUP}</label>
            <select id="policy_group_id" name="form[group]">
                {groups}
            </select>
            {field_error(form_errors, "policy_group_id")}
        </div>
        {field(
                "refs",
                "regulatory_refs",
                messages::policy_form::REFS,
                messages::policy_form::REFS_HINT,
            )
            .area(form.refs)}
        {checkbox("shadow", messages::policy_form::SHADOW, form.shadow.is_some())}
        {checkbox("inheritable", messages::policy_form::INHERITABLE, form.inheritable.is_some())}
    }
}
