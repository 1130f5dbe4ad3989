//! The overview of a tenant: four charts, and the pending work.

use leptos::prelude::*;

use crate::{
    api::overview::read_overview,
    text::messages,
    ui::{empty::FirstDecision, heading::Heading, load::load, params},
    view::overview::{OverviewPage as Page, OverviewQuery},
};

/// `/t/{tenant}`
#[component]
pub(crate) fn OverviewPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(OverviewQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            Ok((tenant, read_overview(tenant, query).await?))
        },
        |(tenant, page)| {
            let content = match page {
                Page::New => view! { <FirstDecision tenant /> }.into_any(),
                Page::Drawn(html) => view! { <div class="stack" inner_html=html></div> }.into_any(),
            };
            view! {
                <Heading title=messages::overview::TITLE />
                {content}
            }
            .into_any()
        },
    )
}
