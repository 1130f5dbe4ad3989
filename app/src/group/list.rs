//! The list of policy groups, and the form to create one.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{CreateGroup, list_groups},
    page::Fields,
    view::{GroupRow, GroupsPage as GroupList},
    words,
};
use crate::{
    text::{number::whole, url},
    ui::{
        create_form::CreateForm,
        heading::Heading,
        list::{older_than, table_or_empty},
        load::load,
        params,
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
    let create = page.may_write.then(|| {
        let (problem, form) = page.refused.unzip();
        view! {
            <CreateForm label=words::CREATE action=CreateGroup::url() tenant problem>
                <Fields form=form.unwrap_or_default() />
            </CreateForm>
        }
    });
    let row = move |row| view! { <Row tenant row /> };
    let empty = [words::EMPTY, words::EMPTY_NEXT];
    view! {
        <Heading title=words::TITLE />
        {create}
        {table_or_empty(words::TITLE, words::HEAD, page.rows.items, row, empty)}
        {older}
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
            <td data-label=HEAD[2] class="tabular-nums">
                {whole(row.policies)}
            </td>
            <td data-label=HEAD[3]>
                <Ago at=row.updated_at />
            </td>
        </tr>
    }
}
