//! The list of hosted forms, and the form of a new one.

use contract::id::{PolicyId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use super::params;
use crate::{
    api::hosted::{CreateForm, list_forms},
    problem::Problem,
    text::{url, words},
    ui::{
        badge::FormBadge,
        empty::Empty,
        field::{HintedField, TextField},
        heading::Heading,
        load::load,
        problem::ProblemNote,
    },
    view::hosted::{FormRow, FormsPage as Shown, NewForm},
};

/// `/t/{tenant}/forms`
#[component]
pub(crate) fn FormsPage() -> impl IntoView {
    let (tenant, cursor) = (params::tenant(), params::query("cursor"));
    let page = Resource::new(
        move || (tenant(), cursor()),
        async |(tenant, cursor)| list_forms(tenant?, cursor).await,
    );
    view! { {load(page, |page| view! { <List page/> }.into_any())} }
}

#[component]
fn List(page: Shown) -> impl IntoView {
    let tenant = page.tenant;
    let older = page.rows.next_cursor.map(|cursor| {
        let href = url::with_query(&url::forms(tenant), &[("cursor", &cursor)]);
        view! { <a class="button" href=href>{words::OLDER}</a> }
    });
    let (policies, refused) = (page.policies, page.refused);
    let create = page.may_write.then(|| view! { <CreateCard tenant policies refused/> });
    let list = if page.rows.items.is_empty() {
        view! { <Empty title=words::hosted::EMPTY text=words::hosted::EMPTY_NEXT/> }.into_any()
    } else {
        view! { <Rows tenant rows=page.rows.items/> }.into_any()
    };
    view! {
        <Heading title=words::hosted::TITLE/>
        {create}
        {list}
        {older}
    }
}

/// `refused` is what was typed before, and why no form was made of it.
#[component]
fn CreateCard(
    tenant: TenantId,
    policies: Vec<(PolicyId, String)>,
    refused: Option<(Problem, NewForm)>,
) -> impl IntoView {
    use words::hosted as say;
    let open = refused.is_some();
    let (problem, form) = refused.unzip();
    let form = form.unwrap_or_default();
    let chosen = form.policy.clone();
    let option = move |(id, name): (PolicyId, String)| {
        let id = id.to_string();
        let selected = id == chosen;
        view! { <option value=id selected=selected>{name}</option> }
    };
    let content = if policies.is_empty() {
        view! { <p>{say::NO_POLICY}</p> }.into_any()
    } else {
        view! {
            <form method="post" action=CreateForm::url() class="stack" data-once="">
                {problem.map(|problem| view! { <ProblemNote problem/> })}
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <TextField label=say::NAME name="form[title]" value=form.title required=true/>
                <label class="field">
                    <span>{say::POLICY}</span>
                    <select name="form[policy]" required=true>
                        {policies.into_iter().map(option).collect_view()}
                    </select>
                </label>
                <HintedField
                    label=say::DECISION_TYPE
                    hint=say::TYPE_HINT
                    name="form[decision_type]"
                    id="decision-type"
                    value=form.decision_type
                />
                <div class="row">
                    <button class="primary">{say::CREATE}</button>
                </div>
            </form>
        }
        .into_any()
    };
    view! {
        <details class="card disclosure" open=open>
            <summary data-key="n">{say::CREATE}</summary>
            {content}
        </details>
    }
}

#[component]
fn Rows(tenant: TenantId, rows: Vec<FormRow>) -> impl IntoView {
    let row = move |row| view! { <Row tenant row/> };
    view! {
        <table class="list">
            <caption class="sr-only">{words::hosted::TITLE}</caption>
            <thead>
                <tr>{words::hosted::HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn Row(tenant: TenantId, row: FormRow) -> impl IntoView {
    use words::hosted::HEAD;
    let (policy, name) = row.policy;
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=url::form(tenant, row.id) data-row="">
                    <bdi>{row.title}</bdi>
                </a>
                <span class="text-muted">{words::hosted::access(row.access)}</span>
            </th>
            <td data-label=HEAD[1]>
                <a href=url::policy(tenant, policy)>
                    <bdi>{name}</bdi>
                </a>
            </td>
            <td data-label=HEAD[2]>
                <FormBadge is_published=row.is_published/>
            </td>
            <td data-label=HEAD[3] class="tabular-nums">
                {row.submissions}
            </td>
            <td data-label=HEAD[4] class="tabular-nums">
                {words::hosted::left(row.left, row.window)}
            </td>
        </tr>
    }
}
