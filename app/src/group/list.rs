//! The list of policy groups, and the form to create one.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{CreateGroup, list_groups},
    page::Fields,
    view::{GroupForm, GroupRow, GroupsPage as GroupList},
    words,
};
use crate::{
    problem::Problem,
    text::url,
    ui::{
        empty::Empty,
        heading::Heading,
        list::{older_than, table},
        load::load,
        panel::submit,
        params,
        problem::ProblemNote,
        time::Ago,
    },
};

/// `/t/{tenant}/groups`
#[component]
pub(crate) fn GroupsPage() -> impl IntoView {
    let (tenant, cursor) = (params::tenant(), params::query("cursor"));
    load(
        move || (tenant(), cursor()),
        async |(tenant, cursor)| list_groups(tenant?, cursor).await,
        |page| view! { <GroupsContent page /> }.into_any(),
    )
}

#[component]
fn GroupsContent(page: GroupList) -> impl IntoView {
    let tenant = page.tenant;
    let older = older_than(&url::groups(tenant), page.rows.next_cursor);
    let rejected = page.refused;
    let create = page.may_write.then(|| view! { <CreateForm tenant rejected /> });
    let list = if page.rows.items.is_empty() {
        view! { <Empty title=words::EMPTY text=words::EMPTY_NEXT /> }.into_any()
    } else {
        table(words::TITLE, words::HEAD, page.rows.items, move |row| view! { <Row tenant row /> })
    };
    view! {
        <Heading title=words::TITLE />
        {create}
        {list}
        {older}
    }
}

/// The form to create a group. `rejected` is the input of a rejected attempt, with its error.
#[component]
fn CreateForm(tenant: TenantId, rejected: Option<(Problem, GroupForm)>) -> impl IntoView {
    let open = rejected.is_some();
    let (problem, form) = rejected.unzip();
    view! {
        <details class="card disclosure" open=open>
            <summary data-key="n">{words::CREATE}</summary>
            <form method="post" action=CreateGroup::url() class="stack" data-once="">
                {problem.map(|problem| view! { <ProblemNote problem /> })}
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <Fields form=form.unwrap_or_default() />
                {submit("primary", words::CREATE)}
            </form>
        </details>
    }
}

#[component]
fn Row(tenant: TenantId, row: GroupRow) -> impl IntoView {
    use super::words::HEAD;
    let description = (!row.description.is_empty()).then(|| view! { <bdi>{row.description}</bdi> });
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=url::group(tenant, row.id) data-row="">
                    <bdi>{row.name}</bdi>
                </a>
                <bdi class="font-mono text-muted">{row.code}</bdi>
            </th>
            <td data-label=HEAD[1]>{description}</td>
            <td data-label=HEAD[2]>
                <Ago at=row.updated_at />
            </td>
        </tr>
    }
}
