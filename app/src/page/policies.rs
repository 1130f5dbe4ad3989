//! The list of policies.

use contract::id::TenantId;
use leptos::prelude::*;

use crate::{
    api::policy::list_policies,
    text::{messages, url},
    ui::{
        badge::ModeBadge,
        empty::{Empty, NothingMatches},
        field::{SelectField, TextField},
        heading::Heading,
        list::{FilterForm, table},
        load::load,
        params,
        time::Second,
    },
    view::{
        policy::{PolicyRow, PolicyRows},
        query::PolicyQuery,
    },
};

/// `/t/{tenant}/policies`
#[component]
pub(crate) fn PoliciesPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(PolicyQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            let (rows, may_write) = list_policies(tenant, query.clone()).await?;
            Ok((tenant, query, rows, may_write))
        },
        |(tenant, query, rows, may_write)| {
            view! { <PoliciesContent tenant query rows may_write /> }.into_any()
        },
    )
}

#[component]
fn PoliciesContent(
    tenant: TenantId,
    query: PolicyQuery,
    rows: PolicyRows,
    may_write: bool,
) -> impl IntoView {
    let path = url::policies(tenant);
    let older = rows.next_cursor.as_deref().map(|cursor| query.address(&path, cursor));
    let has_filters = query.has_filters();
    let list = if rows.items.is_empty() && has_filters {
        view! { <NothingMatches clear=path.clone() /> }.into_any()
    } else if rows.items.is_empty() {
        view! { <Empty title=messages::policies::EMPTY text=messages::policies::EMPTY_NEXT /> }
            .into_any()
    } else {
        table(
            messages::policies::TITLE,
            messages::policies::HEAD,
            rows.items,
            move |row| view! { <Row tenant row /> },
        )
    };
    view! {
        <div class="page-head">
            <Heading title=messages::policies::TITLE />
            {may_write
                .then(|| {
                    view! {
                        <a class="button primary push" href=url::new_policy(tenant) data-key="n">
                            {messages::policy_form::NEW}
                        </a>
                    }
                })}
        </div>
        <Filters path query />
        {list}
        {older
            .map(|href| {
                view! {
                    <a class="button" href=href>
                        {messages::OLDER}
                    </a>
                }
            })}
    }
}

#[component]
fn Filters(path: String, query: PolicyQuery) -> impl IntoView {
    let is_filtered = query.has_filters();
    view! {
        <FilterForm path is_filtered>
            <TextField label=messages::policies::SEARCH name="q" value=query.q />
            <TextField label=messages::policies::TYPE name="type" value=query.decision_type />
            <SelectField
                label=messages::policies::STATE
                name="state"
                choices=messages::policies::STATES.to_vec()
                value=query.state
            />
        </FilterForm>
    }
}

#[component]
fn Row(tenant: TenantId, row: PolicyRow) -> impl IntoView {
    use messages::policies::HEAD;
    let types = row.governed_types();
    let active = match row.active_version {
        Some(version) => view! { <span class="tabular-nums">"v" {version}</span> }.into_any(),
        None => {
            view! { <span class="text-muted">{messages::policies::NOT_ACTIVE}</span> }.into_any()
        }
    };
    let draft = row.draft_version.map(|version| {
        let href = url::version(tenant, row.id, version);
        view! {
            <a class="tabular-nums" href=href>
                "v"
                {version}
            </a>
        }
    });
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=url::policy(tenant, row.id) data-row="">
                    <bdi>{row.name}</bdi>
                </a>
                <bdi class="font-mono text-muted">{row.code}</bdi>
            </th>
            <td data-label=HEAD[1]>
                <bdi>{types}</bdi>
            </td>
            <td data-label=HEAD[2]>{active}</td>
            <td data-label=HEAD[3]>{draft}</td>
            <td data-label=HEAD[4]>
                <ModeBadge shadow=row.shadow_mode />
            </td>
            <td data-label=HEAD[5]>
                <Second at=row.updated_at />
            </td>
        </tr>
    }
}
