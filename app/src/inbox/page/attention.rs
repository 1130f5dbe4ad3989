//! What the inbox shows around the items: key figures, and the open alerts by rule.

use contract::{evaluation::Verdict, id::TenantId, time::Timestamp};
use leptos::prelude::*;

use crate::{
    decision::counts::columns,
    inbox::{
        view::{Attention, RuleAlerts},
        words,
    },
    rule::chart::log,
    text::{
        number::{counted, limited, whole},
        query::DecisionQuery,
        time, url,
    },
    ui::{
        badge::SeverityChip,
        chart::{self, KeyFigure},
        list::table,
        time::Age,
    },
};

/// Renders the key figures. `mine` is the number of items that need the user's action.
pub(super) fn figures(
    tenant: TenantId,
    now: Timestamp,
    mine: usize,
    attention: &Attention,
) -> AnyView {
    let (before, current) = (attention.previous_decisions, attention.decisions());
    let [from, to] = attention.span;
    let oldest = attention.oldest;
    let oldest = oldest.map(|since| time::span(now.millis().saturating_sub(since.millis())));
    let [changed_from, changed_to] =
        [before, current].map(|number| (number > 0).then(|| chart::to_float(number)));
    let period_ms = to.millis() - from.millis();
    let figure =
        |label, number, trend, href| KeyFigure { label, number, trend, href, values: Vec::new() };
    let decisions = log(tenant, from, to, &[]);
    chart::figures(vec![
        figure(words::NEEDS_ACTION, counted(mine as u64), words::oldest(oldest), None),
        figure(
            words::OPEN_ALERTS,
            limited(attention.open_alerts),
            words::critical(attention.critical_alerts),
            Some(url::alerts(tenant)),
        ),
        figure(
            words::DECISIONS,
            whole(current),
            chart::change_of(changed_to, changed_from, period_ms),
            Some(decisions),
        ),
        figure(
            words::DEAD_DELIVERIES,
            limited(attention.dead_deliveries),
            words::dead_since(attention.dead_since.map(time::minute)),
            Some(url::dead_deliveries(tenant)),
        ),
    ])
}

/// Renders the decisions of the last 24 hours by hour and verdict, if there are any.
pub(super) fn decisions(tenant: TenantId, attention: &Attention) -> Option<AnyView> {
    let step_ms = attention.step_ms;
    let [from, to] = attention.span;
    let query = DecisionQuery::default();
    let columns = columns(tenant, &query, step_ms, attention.bars.clone());
    let lists = Verdict::ALL.map(|verdict| log(tenant, from, to, &[("verdict", verdict.as_str())]));
    let times = chart::times(step_ms, from, to);
    let caption = chart::each_bar(step_ms);
    (attention.decisions() > 0).then(|| {
        view! {
            <section class="stack" aria-labelledby="decisions-by-hour">
                <h2 id="decisions-by-hour">{words::DECISIONS}</h2>
                {chart::legend("inbox", &columns, lists)}
                {chart::histogram("inbox", words::DECISIONS, columns, times, caption)}
            </section>
        }
        .into_any()
    })
}

/// Renders the rules with open alerts, each with a link to its alerts.
pub(super) fn alerts_by_rule(
    tenant: TenantId,
    now: Timestamp,
    attention: Attention,
) -> Option<AnyView> {
    use crate::inbox::words::RULES_HEAD as HEAD;
    let path = url::alerts(tenant);
    let all = words::all_alerts(attention.open_alerts);
    let row = {
        let path = path.clone();
        move |RuleAlerts { code, name, severity, open, newest }: RuleAlerts| {
            let href = url::with_query(&path, &[("rule", &code)]);
            let code_below = name
                .is_some()
                .then(|| view! { <bdi class="font-mono text-muted">{code.clone()}</bdi> });
            view! {
                <tr>
                    <td data-label=HEAD[0]>
                        <SeverityChip severity />
                    </td>
                    <th scope="row" data-label=HEAD[1]>
                        <a href=href>
                            <bdi class="breaks">{name.unwrap_or(code)}</bdi>
                        </a>
                        " "
                        {code_below}
                    </th>
                    <td data-label=HEAD[2] class="tabular-nums">
                        {limited(open)}
                    </td>
                    <td data-label=HEAD[3]>
                        <Age at=newest now />
                    </td>
                </tr>
            }
        }
    };
    (!attention.rules.is_empty()).then(|| {
        view! {
            <section aria-labelledby="alerts-by-rule">
                <div class="card-head">
                    <h2 id="alerts-by-rule">{words::ALERTS_BY_RULE}</h2>
                    <a class="text-xs" href=path>
                        {all}
                    </a>
                </div>
                {table(words::ALERTS_BY_RULE, HEAD, attention.rules, row)}
            </section>
        }
        .into_any()
    })
}
