//! The analytics of one policy and its rules: three charts over all its versions.

use contract::{
    id::{PolicyId, TenantId},
    text::isolated,
};
use leptos::prelude::*;

use super::act::read_analytics;
use crate::{
    overview::view::OverviewQuery,
    policy,
    text::url,
    ui::{heading::Heading, load::load, panel::Crumb, params},
};

/// `/t/{tenant}/policies/{policy}/analytics`
#[component]
pub(crate) fn AnalyticsPage() -> impl IntoView {
    let (tenant, policy) = (params::tenant(), params::policy());
    let query = params::filters(OverviewQuery::read);
    load(
        move || (tenant(), policy(), query()),
        async |(tenant, policy, query)| {
            let (tenant, policy) = (tenant?, policy?);
            let (name, ranges, charts) = read_analytics(tenant, policy, query).await?;
            Ok((tenant, policy, name, ranges, charts))
        },
        |(tenant, policy, name, ranges, charts)| {
            view! { <AnalyticsContent tenant policy name ranges charts /> }.into_any()
        },
    )
}

#[component]
fn AnalyticsContent(
    tenant: TenantId,
    policy: PolicyId,
    name: String,
    ranges: String,
    charts: String,
) -> impl IntoView {
    view! {
        <Crumb
            href=url::policies(tenant)
            label=policy::TITLE
            inner=(url::policy(tenant, policy), name.clone())
        />
        <div class="page-head">
            <Heading title=format!("Analytics of {}", isolated(&name)) />
            <div class="push" inner_html=ranges></div>
        </div>
        <div class="stack" inner_html=charts></div>
    }
}
