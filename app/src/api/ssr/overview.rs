//! What the overview is made of, drawn as HTML: the browser gets the charts and no code for them.

mod charts;

use contract::id::TenantId;
use governance::{
    Cx,
    rollup::{self, Overview, Span},
};
use leptos::prelude::*;

use super::answer;
use crate::{
    problem::Problem,
    text::{
        number::whole,
        url,
        words::overview::{TITLE, chart as say},
    },
    ui::icon::{Icon, icon},
    view::overview::{OverviewPage, OverviewQuery},
};

/// The charts of a range. A range that is none shows no charts, and says so.
pub(in crate::api) async fn read(
    cx: &Cx,
    tenant: TenantId,
    query: &OverviewQuery,
) -> Result<OverviewPage, Problem> {
    let path = url::overview(tenant);
    let Some((from, to)) = query.ends(cx.now) else {
        let fault = note(say::BAD_RANGE, "alert");
        return Ok(drawn((ranges(&path, query), fault)));
    };
    let overview = answer(rollup::overview(cx, Span::of(from, to)).await)?;
    if overview.is_new {
        return Ok(OverviewPage::New);
    }
    let behind = overview.is_behind.then(|| note(say::BEHIND, "status"));
    let charts = charts::all(tenant, &overview, standing(tenant, &overview));
    Ok(drawn((ranges(&path, query), behind, charts)))
}

fn drawn(parts: impl RenderHtml) -> OverviewPage {
    OverviewPage::Drawn(parts.to_html())
}

pub(super) fn note(text: &'static str, role: &'static str) -> AnyView {
    view! {
        <div class="note warn" role=role>
            {icon(Icon::Warn)}
            <p>{text}</p>
        </div>
    }
    .into_any()
}

/// The ranges to choose from: links, and two days for one's own.
pub(super) fn ranges(path: &str, query: &OverviewQuery) -> AnyView {
    let link = |(range, word): (&'static str, &'static str)| {
        let href = url::with_query(path, &[("range", range)]);
        let current = (query.range == range).then_some("page");
        view! {
            <li>
                <a href=href aria-current=current>
                    {word}
                </a>
            </li>
        }
    };
    let day = |label: &'static str, name: &'static str, value: &str| {
        view! {
            <label class="field">
                <span>{label}</span>
                <input type="date" name=name value=value.to_owned() required=true/>
            </label>
        }
    };
    view! {
        <div class="ranges">
            <nav aria-label=say::RANGE class="tabs">
                <ul class="plain-list row">{say::RANGES.map(link).collect_view()}</ul>
            </nav>
            <form method="get" action=path.to_owned() class="filters" aria-label=say::RANGE>
                <input type="hidden" name="range" value="custom"/>
                {day(say::FROM_DAY, "from", &query.from)}
                {day(say::TO_DAY, "to", &query.to)}
                <button>{say::SHOW}</button>
            </form>
        </div>
    }
    .into_any()
}

/// What stands at this moment, whatever the range.
fn standing(tenant: TenantId, overview: &Overview) -> AnyView {
    let standing = overview.standing;
    let counts = [
        (say::WAITING, standing.waiting_versions),
        (say::SHADOW_POLICIES, standing.shadow_policies),
    ];
    let count = |(word, number): (&'static str, i64)| {
        view! {
            <li>
                <a href=url::policies(tenant)>
                    <strong>{whole(number)}</strong>
                    {word}
                </a>
            </li>
        }
    };
    view! {
        <section class="card standing" aria-label=format!("{TITLE}: {}", say::STANDING)>
            <h2>{say::STANDING}</h2>
            <ul class="plain-list">{counts.map(count).collect_view()}</ul>
        </section>
    }
    .into_any()
}
