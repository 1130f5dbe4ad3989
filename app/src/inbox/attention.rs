//! What the inbox shows around the items: key figures, and the open alerts by rule.

use decisions::decision::counts::columns;
use governance::insight::{
    inbox::{self, Attention, Counts, RuleAlerts},
    rollup::{self, RecentDecisions, Span},
};
use page_kit::{
    prelude::*,
    ui::chart::{self, KeyFigure},
};
use rules::rule::chart::log;

use super::{NEEDS_ACTION, SHOW_ALL, item::OPEN};

const DECISIONS: &str = "Decisions in 24 hours";

/// Renders the key figures, and if there are any, the decisions of the last 24 hours and the open alerts by rule. `mine` is
/// the number of items that need the user's action, `oldest` the start of the waiting time of the first one.
pub(super) async fn read(
    cx: &Cx,
    tenant: TenantId,
    counts: &Counts,
    mine: usize,
    oldest: Option<Timestamp>,
) -> Result<(Option<AnyView>, Option<AnyView>, Option<AnyView>), Problem> {
    let attention = inbox::attention(cx).await?;
    let span = Span::new(cx.now.plus_millis(-DAY_MS), cx.now);
    let recent = rollup::recent(cx, span).await?;
    let waiting = [
        figure(NEEDS_ACTION, counted(mine as u64), oldest_text(oldest, cx.now), None),
        figure(
            "Open alerts",
            limited(counts.open_alerts),
            match attention.critical_alerts {
                0 => "none critical".to_owned(),
                alerts => format!("{} critical", limited(alerts)),
            },
            Some(url::alerts(tenant)),
        ),
    ];
    let dead = figure(
        "Dead deliveries",
        limited(counts.dead_deliveries.unwrap_or_default()),
        attention
            .dead_since
            .map_or_else(|| "none to retry".to_owned(), |at| format!("since {}", time::minute(at))),
        Some(url::dead_deliveries(tenant)),
    );
    let decided: i64 = recent.verdicts.iter().map(|(.., decisions)| decisions).sum();
    let figures =
        waiting.into_iter().chain([decision_figure(tenant, span, &recent, decided), dead]);
    let figures = chart::figures(figures.collect());
    let decisions = (decided > 0).then(|| decisions(tenant, span, &recent));
    Ok((Some(figures), decisions, alerts_by_rule(tenant, cx.now, counts, &attention)))
}

fn figure(label: &'static str, number: String, trend: String, href: Option<String>) -> KeyFigure {
    KeyFigure { label, number, trend, href, values: Vec::new() }
}

fn oldest_text(oldest: Option<Timestamp>, now: Timestamp) -> String {
    let age = oldest.map(|since| time::span(now.millis().saturating_sub(since.millis())));
    age.map_or_else(|| "nothing is waiting".to_owned(), |age| format!("oldest for {age}"))
}

/// Returns the number of decisions of the last 24 hours, compared with the 24 hours before.
fn decision_figure(
    tenant: TenantId,
    Span { from, to, .. }: Span,
    recent: &RecentDecisions,
    decided: i64,
) -> KeyFigure {
    let [before, now] =
        [recent.previous, decided].map(|number| (number > 0).then(|| chart::to_float(number)));
    let trend = chart::change_of(now, before, to.millis() - from.millis());
    let href = log(tenant, from, to, &[]);
    figure(DECISIONS, whole(decided), trend, Some(href))
}

/// Renders the decisions of the last 24 hours by hour and verdict.
fn decisions(tenant: TenantId, span: Span, recent: &RecentDecisions) -> AnyView {
    let Span { from, to, step_ms } = span;
    let columns = columns(tenant, &[], span, &recent.verdicts);
    let lists = Verdict::ALL.map(|verdict| log(tenant, from, to, &[("verdict", verdict.as_str())]));
    any_view! {
        <section class="stack" aria-labelledby="decisions-by-hour">
            <h2 id="decisions-by-hour">{DECISIONS}</h2>
            {chart::legend("inbox", &columns, lists)}
            {chart::histogram(
                "inbox",
                DECISIONS,
                columns,
                chart::times(step_ms, from, to),
                chart::each_bar(step_ms),
            )}
        </section>
    }
}

/// Renders the rules with open alerts, each with a link to its alerts.
fn alerts_by_rule(
    tenant: TenantId,
    now: Timestamp,
    counts: &Counts,
    attention: &Attention,
) -> Option<AnyView> {
    const TITLE: &str = "Open alerts by rule";
    if attention.rules.is_empty() {
        return None;
    }
    let path = url::alerts(tenant);
    let table = Table::new(TITLE)
        .select("Severity", |rule: &RuleAlerts| severity_chip(rule.severity))
        .column("Rule", |rule| {
            let (name, code) = (rule.name.clone(), rule.rule_code.clone());
            let href = url::with_query(&path, &[("rule", &code)]);
            let code_below = name
                .is_some()
                .then(|| view! { <bdi class="font-mono text-muted">{code.clone()}</bdi> });
            view! {
                <a href=href>
                    <bdi class="breaks">{name.unwrap_or(code)}</bdi>
                </a>
                " "
                {code_below}
            }
        })
        .numbers(OPEN, |rule| limited(rule.open))
        .column("Newest", |rule| age(rule.newest, now))
        .of(&attention.rules);
    let all = format!("{SHOW_ALL} ({})", limited(counts.open_alerts));
    Some(any_view! {
        <section aria-labelledby="alerts-by-rule">
            <div class="card-head">
                <h2 id="alerts-by-rule">{TITLE}</h2>
                <a class="text-xs" href=path>
                    {all}
                </a>
            </div>
            {table}
        </section>
    })
}
