//! The overview of a tenant: key figures, charts and the current status, or the steps up to the first decision.

mod charts;
mod figures;
mod range;

use governance::insight::{
    inbox::Counts,
    rollup::{self, CurrentTotals, Overview, Span},
};
use page_kit::prelude::*;
use rules::rule::chart::log;

pub(crate) use self::range::{BAD_RANGE, ChartQuery};
use crate::navigation::NavigationPage;

const TITLE: &str = "Overview";
pub(crate) const VERDICTS: &str = "Verdicts over time";
pub(crate) const INCOMPLETE: &str =
    "Decisions are still being counted; the newest ones are missing here.";
/// The number of a figure without decisions.
pub(crate) const NO_NUMBER: &str = "–";

/// `/t/{tenant}`
pub(crate) async fn overview() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let path = url::overview(tenant);
    let query = ChartQuery::read(path.clone(), &[]);
    let Some((from, to)) = query.ends(cx.now) else {
        return Ok(page(&query, warning(BAD_RANGE, "alert")));
    };
    let policy = query.policy();
    let overview = rollup::overview(&cx, Span::new(from, to), policy).await?;
    if overview.is_new {
        let steps = view! {
            <Heading title=TITLE />
            {getting_started(&cx, tenant, overview.current_totals)}
        };
        return Ok(steps.into_any());
    }
    let counts = request::counts(&cx).await?;
    let query = ChartQuery::read(path, &overview.policies);
    let charts = Charts { tenant, overview, policy, query: &query };
    let behind = charts.overview.is_behind.then(|| warning(INCOMPLETE, "status"));
    let current = current_totals(tenant, &counts, charts.overview.current_totals);
    let content = view! {
        {behind}
        {charts.figures(&cx, &counts)}
        {charts.charts(current)}
    };
    Ok(page(&query, content.into_any()))
}

fn page(query: &ChartQuery, content: AnyView) -> AnyView {
    any_view! {
        <div class="page-head">
            <Heading title=TITLE />
            {query.policies()}
            <div class="push">{query.ranges()}</div>
        </div>
        <div class="stack">{content}</div>
    }
}

/// What the charts of the page show.
struct Charts<'a> {
    tenant: TenantId,
    overview: Overview,
    /// The only policy whose decisions are counted; `None` for all.
    policy: Option<PolicyId>,
    query: &'a ChartQuery,
}

impl Charts<'_> {
    /// Returns the address of the counted decisions with a verdict; an empty verdict means all.
    fn list(&self, from: Timestamp, to: Timestamp, verdict: &str) -> String {
        let policy = self.policy.map(|policy| policy.to_string()).unwrap_or_default();
        log(self.tenant, from, to, &[("verdict", verdict), ("policy", &policy)])
    }
}

/// Renders a note above the charts.
pub(crate) fn warning(text: &'static str, role: &'static str) -> AnyView {
    note(Tone::Warn, Some(role), text)
}

/// Renders the current numbers, independent of the range, each with the link to the list of the counted items. Includes
/// only numbers whose page the user can open.
fn current_totals(tenant: TenantId, work: &Counts, totals: CurrentTotals) -> AnyView {
    const CURRENT: &str = "Current status";
    let count = |(label, number, list): (&'static str, u64, String)| {
        view! {
            <li>
                <a href=list>
                    <strong>{limited(number)}</strong>
                    {label}
                </a>
            </li>
        }
    };
    let dead = work
        .dead_deliveries
        .map(|dead| count(("Dead deliveries to webhooks", dead, url::dead_deliveries(tenant))));
    let shadow = totals.shadow_policies.unsigned_abs();
    let others = [
        ("Active policies in shadow mode", shadow, url::shadow_policies(tenant)),
        ("Versions waiting for a ratifier", work.waiting_versions, url::policies(tenant)),
    ];
    any_view! {
        <section class="card status-note" aria-label=format!("{TITLE}: {CURRENT}")>
            <h2>{CURRENT}</h2>
            <ul class="plain-list">{dead} {others.map(count).collect_view()}</ul>
        </section>
    }
}

/// The title and the text of a step, whether it is done, and the page on which it is done.
type Step = (&'static str, &'static str, bool, Option<String>);

/// Renders the checklist of a tenant without decisions.
fn getting_started(cx: &Cx, tenant: TenantId, totals: CurrentTotals) -> AnyView {
    let role = cx.role().unwrap_or(Role::Viewer);
    let may_create_keys = NavigationPage::ApiKeys.is_permitted(role);
    let steps: [Step; 4] = [
        (
            "Create a policy",
            "A policy defines the rules for one or more decision types.",
            totals.has_policy,
            role.has(Right::Author).then(|| url::new_policy(tenant)),
        ),
        (
            "Ratify and activate a version",
            "A person who did not write the version ratifies it. It takes effect when it is activated.",
            totals.has_active_policy,
            Some(url::policies(tenant)),
        ),
        (
            "Create an API key",
            "Each service records decisions with its own key.",
            totals.has_api_key,
            may_create_keys.then(|| url::keys(tenant)),
        ),
        (
            "Record a decision",
            "Send the request below. GOVERN_KEY is one of your API keys. The charts appear with the first decision.",
            false,
            None,
        ),
    ];
    let done = steps.iter().filter(|(_, _, is_done, _)| *is_done).count();
    let progress = format!("{done} of {} done", steps.len());
    any_view! {
        <section class="card stack">
            <div class="card-head">
                <h2>"Getting started"</h2>
                <span class="plain">{progress}</span>
            </div>
            <ol class="checklist">{(1..).zip(steps).map(step).collect_view()}</ol>
            {code_block(curl::record(tenant), "First request")}
        </section>
    }
}

fn step((number, (title, text, is_done, href)): (usize, Step)) -> AnyView {
    let mark = if is_done {
        any_view! {
            {icon(Icon::Allow)}
            <span class="sr-only">"Done"</span>
        }
    } else {
        number.to_string().into_any()
    };
    let title = match href.filter(|_| !is_done) {
        Some(href) => any_view! { <a href=href>{title}</a> },
        None => title.into_any(),
    };
    any_view! {
        <li>
            <span class="step-mark" class:done=is_done>
                {mark}
            </span>
            <div>
                <h3>{title}</h3>
                <p class="text-muted">{text}</p>
            </div>
        </li>
    }
}
