//! Search results.

use leptos::prelude::*;

use super::{
    act::search,
    view::{DecisionResult, ResultGroup, SearchPage as Results, SearchResult},
    words,
};
use crate::{
    frame::words as frame_words,
    text::url,
    ui::{badge::VerdictBadge, heading::Heading, load::load, params, time::Minute},
};

/// `/t/{tenant}/search`
#[component]
pub(crate) fn SearchPage() -> impl IntoView {
    let (tenant, text) = (params::tenant(), params::query("q"));
    load(
        move || (tenant(), text()),
        async |(tenant, text)| search(tenant?, text).await,
        |page| view! { <SearchContent page /> }.into_any(),
    )
}

#[component]
fn SearchContent(page: Results) -> impl IntoView {
    let content = if page.text.is_empty() || page.is_empty() {
        let title = if page.text.is_empty() {
            words::NO_TEXT.to_owned()
        } else {
            words::no_results(&page.text)
        };
        view! {
            <div class="empty">
                <p class="font-semibold">{title}</p>
                <p class="text-muted">{words::SCOPE}</p>
            </div>
        }
        .into_any()
    } else {
        let tenant = page.tenant;
        let decision = move |decision: DecisionResult| {
            let label = decision.id.to_string();
            view! {
                <li>
                    <a href=url::decision(tenant, decision.id) data-row="">
                        <code>{label}</code>
                        <span class="row text-muted">
                            <VerdictBadge verdict=decision.verdict />
                            <bdi>{decision.decision_type}</bdi>
                            <Minute at=decision.recorded_at />
                        </span>
                    </a>
                </li>
            }
        };
        let decisions = (!page.decisions.is_empty()).then(|| {
            let rows = page.decisions.into_iter().map(decision).collect_view().into_any();
            section(words::DECISIONS, rows)
        });
        let groups = page.groups.into_iter().map(group).collect_view();
        view! {
            {decisions}
            {groups}
        }
        .into_any()
    };
    view! {
        <Heading title=words::TITLE />
        <form method="get" action=url::search(page.tenant) class="filters" role="search">
            <input
                type="search"
                name="q"
                value=page.text
                aria-label=frame_words::SEARCH
                class="grow"
                autocomplete="off"
                spellcheck="false"
            />
            <button class="primary">{words::TITLE}</button>
        </form>
        {content}
    }
}

fn group(group: ResultGroup) -> AnyView {
    let row = |result: SearchResult| {
        view! {
            <li>
                <a href=result.href data-row="">
                    <bdi>{result.label}</bdi>
                    {result.detail.map(|detail| view! { <bdi class="text-muted">{detail}</bdi> })}
                </a>
            </li>
        }
    };
    section(group.kind.title(), group.results.into_iter().map(row).collect_view().into_any())
}

fn section(title: &'static str, rows: AnyView) -> AnyView {
    view! {
        <section class="stack">
            <h2>{title}</h2>
            <ul class="choices card">{rows}</ul>
        </section>
    }
    .into_any()
}
