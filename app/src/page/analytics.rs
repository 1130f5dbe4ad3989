//! The analytics of one policy and its rules: three charts over all its versions.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use crate::{
    api::analytics::read_analytics,
    markup::icon::{Icon, icon},
    text::{messages, url},
    ui::{heading::Heading, load::load, params},
    view::overview::OverviewQuery,
};

/// `/t/{tenant}/policies/{policy}/analytics`
#[component]
pub(crate) fn AnalyticsPage() -> impl IntoView {
    let (tenant, policy) = (params::tenant(), params::policy());
    let query = use_query_map();
    let query = move || OverviewQuery::read(|name| query.with(|query| query.get(name)));
    load(
        move || (tenant(), policy(), query()),
        async |(tenant, policy, query)| {
            let (tenant, policy) = (tenant?, policy?);
            let (name, charts) = read_analytics(tenant, policy, query).await?;
            Ok((tenant, policy, name, charts))
        },
        |(tenant, policy, name, charts)| {
            view! { <AnalyticsContent tenant policy name charts /> }.into_any()
        },
    )
}

#[component]
fn AnalyticsContent(
    tenant: TenantId,
    policy: PolicyId,
    name: String,
    charts: String,
) -> impl IntoView {
    view! {
        <nav class="crumbs" aria-label=messages::menu::CRUMBS>
            <a href=url::policies(tenant)>{messages::policies::TITLE}</a>
            {icon(Icon::Next)}
            <a href=url::policy(tenant, policy)>
                <bdi>{name.clone()}</bdi>
            </a>
        </nav>
        <Heading title=messages::policy::analytics(&name) />
        <div class="stack" inner_html=charts></div>
    }
}
