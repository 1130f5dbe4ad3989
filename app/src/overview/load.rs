//! The overview, rendered as HTML on the server, so the browser needs no chart code.

mod charts;
mod figures;

use contract::{
    id::{PolicyId, TenantId},
    scope::{Right, Role},
    time::Timestamp,
};
use governance::{
    Cx,
    insight::{
        inbox::Counts,
        rollup::{self, CurrentTotals, Overview, Span},
    },
};
use leptos::prelude::*;

use super::{
    view::{GettingStarted, OverviewPage, OverviewQuery, SHARE},
    words::{TITLE, chart as strings},
};
use crate::{
    frame::navigation::NavigationPage,
    problem::Problem,
    request::into_problem,
    rule::load as rule_load,
    text::{
        number::limited,
        query::{DecisionQuery, ListQuery as _},
        url,
    },
    ui::{
        field::TextField,
        filter_menu::{FieldMenu, others},
        icon::{Icon, icon},
    },
};

/// Returns the charts for a range. An invalid range returns a message instead of charts.
pub(crate) async fn read(
    cx: &Cx,
    tenant: TenantId,
    query: &OverviewQuery,
) -> Result<OverviewPage, Problem> {
    let path = url::overview(tenant);
    let Some((from, to)) = query.ends(cx.now) else {
        let error = note(strings::BAD_RANGE, "alert");
        let ranges = ranges(&path, query).to_html();
        return Ok(OverviewPage::Drawn { ranges, charts: error.to_html(), policies: Vec::new() });
    };
    let policy = query.policy();
    let overview = into_problem(rollup::overview(cx, Span::new(from, to), policy).await)?;
    if overview.is_new {
        return Ok(OverviewPage::New(getting_started(cx, overview.current_totals)));
    }
    let counts = crate::request::counts(cx).await?;
    let units = ["", SHARE].map(|unit| query.filtered(&path, "unit", unit));
    let page = Page { tenant, overview, policy, units, is_share: query.is_share() };
    let figures = page.figures(cx, &counts);
    let behind = page.overview.is_behind.then(|| note(strings::INCOMPLETE, "status"));
    let current = current_totals(current_counts(tenant, &counts, page.overview.current_totals));
    let charts = page.charts(current);
    Ok(OverviewPage::Drawn {
        ranges: ranges(&path, query).to_html(),
        charts: (behind, figures, charts).to_html(),
        policies: page.overview.policies,
    })
}

fn getting_started(cx: &Cx, totals: CurrentTotals) -> GettingStarted {
    let role = cx.role().unwrap_or(Role::Viewer);
    GettingStarted {
        done: [totals.has_policy, totals.has_active_policy, totals.has_api_key],
        may_create_policies: role.has(Right::Author),
        may_create_api_keys: NavigationPage::ApiKeys.is_permitted(role),
    }
}

/// The content of the page.
struct Page {
    tenant: TenantId,
    overview: Overview,
    /// The only policy whose decisions are counted; `None` for all.
    policy: Option<PolicyId>,
    /// The addresses of the page with counts and with shares.
    units: [String; 2],
    is_share: bool,
}

impl Page {
    /// Returns the address of the counted decisions with a verdict; an empty verdict means all.
    fn list(&self, from: Timestamp, to: Timestamp, verdict: &str) -> String {
        let policy = self.policy.map(|policy| policy.to_string()).unwrap_or_default();
        let verdict = verdict.to_owned();
        rule_load::log(
            self.tenant,
            from,
            to,
            DecisionQuery { verdict, policy, ..Default::default() },
        )
    }
}

pub(crate) fn note(text: &'static str, role: &'static str) -> AnyView {
    view! {
        <div class="note warn" role=role>
            {icon(Icon::Warn)}
            <p>{text}</p>
        </div>
    }
    .into_any()
}

/// Renders the available ranges: links, and a menu with two date fields for a custom range. The current one is
/// marked.
pub(crate) fn ranges(path: &str, query: &OverviewQuery) -> AnyView {
    let is_custom = query.range == "custom";
    let link = |(range, word): (&'static str, &'static str)| {
        let pairs = [("policy", query.policy.as_str()), ("range", range), ("unit", &query.unit)];
        let href = url::with_query(path, &pairs);
        let current = (query.range == range).then_some("page");
        view! {
            <a href=href aria-current=current>
                {word}
            </a>
        }
    };
    let day = |label: &'static str, name: &'static str, value: &str| {
        let value = if is_custom { value.to_owned() } else { String::new() };
        view! { <TextField label name kind="date" value required=true /> }.into_any()
    };
    let days = [day(strings::FROM_DAY, "from", &query.from), day(strings::TO_DAY, "to", &query.to)];
    let mut others = others(query, &["range", "from", "to"]);
    others.push(("range", "custom".to_owned()));
    view! {
        <div class="range-bar">
            <nav aria-label=strings::RANGE class="segmented">
                {strings::RANGES.map(link).collect_view()}
            </nav>
            <FieldMenu
                label=strings::CUSTOM
                path=path.to_owned()
                others
                is_current=is_custom
                is_last=true
            >
                {days}
            </FieldMenu>
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
fn current_counts(tenant: TenantId, work: &Counts, totals: CurrentTotals) -> Vec<Count> {
    let count = |label, number, list| Count { label, number, list };
    let dead = work
        .dead_deliveries
        .map(|dead| count(strings::DEAD_DELIVERIES, dead, url::dead_deliveries(tenant)));
    let shadow = totals.shadow_policies.unsigned_abs();
    let others = [
        count(strings::SHADOW_POLICIES, shadow, url::shadow_policies(tenant)),
        count(strings::WAITING, work.waiting_versions, url::policies(tenant)),
    ];
    dead.into_iter().chain(others).collect()
}

fn current_totals(counts: Vec<Count>) -> AnyView {
    let count = |Count { label, number, list }: Count| {
        view! {
            <li>
                <a href=list>
                    <strong>{limited(number)}</strong>
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
