//! The list of hosted forms, and the form to create one.

use contract::id::{PolicyId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{CreateForm as CreateHostedForm, list_forms},
    markup::FormBadge,
    view::{FormRow, FormsPage as FormList, NewForm},
    words,
};
use crate::{
    problem::Problem,
    text::url,
    ui::{
        create_form::CreateForm,
        field::{HintedField, TextField, options},
        heading::Heading,
        list::{older_than, table_or_empty},
        load::load,
        params,
    },
};

/// `/t/{tenant}/forms`
#[component]
pub(crate) fn FormsPage() -> impl IntoView {
    let (tenant, cursor) = (params::tenant(), params::query("cursor"));
    load(
        move || (tenant(), cursor()),
        async |(tenant, cursor)| list_forms(tenant?, cursor).await,
        |page| view! { <FormsContent page /> }.into_any(),
    )
}

#[component]
fn FormsContent(page: FormList) -> impl IntoView {
    let tenant = page.tenant;
    let older = older_than(&url::forms(tenant), page.rows.next_cursor);
    let (policies, rejected) = (page.policies, page.refused);
    let create = page.may_write.then(|| view! { <Create tenant policies rejected /> });
    let row = move |row| view! { <Row tenant row /> };
    let empty = [words::EMPTY, words::EMPTY_NEXT];
    view! {
        <Heading title=words::TITLE />
        {create}
        {table_or_empty(words::TITLE, words::HEAD, page.rows.items, row, empty)}
        {older}
    }
}

/// The form to create a hosted form. `rejected` is the input of a rejected attempt, with its error.
#[component]
fn Create(
    tenant: TenantId,
    policies: Vec<(PolicyId, String)>,
    rejected: Option<(Problem, NewForm)>,
) -> impl IntoView {
    use super::words as strings;
    let (problem, form) = rejected.unzip();
    let form = form.unwrap_or_default();
    let unavailable = policies.is_empty().then_some(strings::NO_POLICY);
    let choices = policies.iter().map(|(id, name)| (id.to_string(), name.as_str()));
    let choices = options(choices, &form.policy);
    view! {
        <CreateForm label=strings::CREATE action=CreateHostedForm::url() tenant problem unavailable>
            <TextField label=strings::NAME name="form[title]" value=form.title required=true />
            <label class="field">
                <span>{strings::POLICY}</span>
                <select name="form[policy]" required=true>
                    {choices}
                </select>
            </label>
            <HintedField
                label=strings::DECISION_TYPE
                hint=strings::TYPE_HINT
                name="form[decision_type]"
                id="decision-type"
                value=form.decision_type
            />
        </CreateForm>
    }
}

#[component]
fn Row(tenant: TenantId, row: FormRow) -> impl IntoView {
    use super::words::HEAD;
    let (policy, name) = row.policy;
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=url::form(tenant, row.id) data-row="">
                    <bdi>{row.title}</bdi>
                </a>
                <span class="text-muted">{words::access(row.access)}</span>
            </th>
            <td data-label=HEAD[1]>
                <a href=url::policy(tenant, policy)>
                    <bdi>{name}</bdi>
                </a>
            </td>
            <td data-label=HEAD[2]>
                <FormBadge is_published=row.is_published />
            </td>
            <td data-label=HEAD[3]>{words::language(row.language)}</td>
            <td data-label=HEAD[4] class="tabular-nums">
                {row.submissions}
            </td>
            <td data-label=HEAD[5] class="tabular-nums">
                {words::budget_left(row.left, row.window)}
            </td>
        </tr>
    }
}
