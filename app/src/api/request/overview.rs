//! The overview, rendered as HTML on the server, so the browser needs no chart code.

mod charts;

use contract::{id::TenantId, scope::Right};
use governance::{
    Cx,
    access::permission,
    insight::{
        inbox,
        rollup::{self, CurrentTotals, Span},
    },
};
use leptos::prelude::*;

use super::{alert, into_problem, webhook};
use crate::{
    markup::icon::{Icon, icon},
    problem::Problem,
    text::{
        messages::overview::{TITLE, chart as strings},
        number::counted,
        url,
    },
    view::overview::{OverviewPage, OverviewQuery},
};

/// Returns the charts for a range. An invalid range returns a message instead of charts.
pub(in crate::api) async fn read(
    cx: &Cx,
    tenant: TenantId,
    query: &OverviewQuery,
) -> Result<OverviewPage, Problem> {
    let path = url::overview(tenant);
    let Some((from, to)) = query.ends(cx.now) else {
        let fault = note(strings::BAD_RANGE, "alert");
        return Ok(render((ranges(&path, query), fault)));
    };
    let overview = into_problem(rollup::overview(cx, Span::new(from, to)).await)?;
    if overview.is_new {
        return Ok(OverviewPage::New);
    }
    let behind = overview.is_behind.then(|| note(strings::INCOMPLETE, "status"));
    let counts = counts(cx, tenant, overview.current_totals).await?;
    let charts = charts::all(tenant, &overview, current_totals(counts));
    Ok(render((ranges(&path, query), behind, charts)))
}

fn render(parts: impl RenderHtml) -> OverviewPage {
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

/// Renders the available ranges: links, and two date fields for a custom range.
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
                <input type="date" name=name value=value.to_owned() required=true />
            </label>
        }
    };
    view! {
        <div class="ranges">
            <nav aria-label=strings::RANGE class="tabs">
                <ul class="plain-list row">{strings::RANGES.map(link).collect_view()}</ul>
            </nav>
            <form method="get" action=path.to_owned() class="filters" aria-label=strings::RANGE>
                <input type="hidden" name="range" value="custom" />
                {day(strings::FROM_DAY, "from", &query.from)}
                {day(strings::TO_DAY, "to", &query.to)}
                <button>{strings::SHOW}</button>
            </form>
        </div>
    }
    .into_any()
}

/// A current number, and the link to the list of the counted items.
struct Count {
    label: &'static str,
    number: u64,
    list: String,
}

/// Returns the current numbers, independent of the range. Includes only numbers whose page the user can open.
async fn counts(cx: &Cx, tenant: TenantId, totals: CurrentTotals) -> Result<Vec<Count>, Problem> {
    let count = |label, number, list| Count { label, number, list };
    let mut counts = Vec::new();
    if cx.role().is_some_and(|role| role.has(Right::Operate)) {
        let own = into_problem(inbox::actionable_count(cx).await)?;
        let own = u64::try_from(own).unwrap_or(u64::MAX);
        counts.push(count(strings::NEEDS_ACTION, own, url::inbox(tenant)));
    }
    let open = into_problem(alert::open(cx).await)?;
    counts.push(count(strings::OPEN_ALERTS, open, url::alerts(tenant)));
    if cx.tenant(permission::READ_DELIVERIES).is_ok() {
        counts.push(count(
            strings::DEAD_DELIVERIES,
            webhook::dead(cx).await,
            url::dead_deliveries(tenant),
        ));
    }
    let shadow = totals.shadow_policies.unsigned_abs();
    counts.push(count(strings::SHADOW_POLICIES, shadow, url::shadow_policies(tenant)));
    let waiting = totals.waiting_versions.unsigned_abs();
    counts.push(count(strings::WAITING, waiting, url::policies(tenant)));
    Ok(counts)
}

fn current_totals(counts: Vec<Count>) -> AnyView {
    let count = |Count { label, number, list }: Count| {
        view! {
            <li>
                <a href=list>
                    <strong>{counted(number)}</strong>
                    {label}
                </a>
            </li>
        }
    };
    view! {
        <section
            class="card status-note"
            aria-label=format!("{TITLE}: {}", strings::CURRENT_STATUS)
        >
            <h2>{strings::CURRENT_STATUS}</h2>
            <ul class="plain-list">{counts.into_iter().map(count).collect_view()}</ul>
        </section>
    }
    .into_any()
}
