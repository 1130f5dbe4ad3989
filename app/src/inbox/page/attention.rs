//! What the inbox shows around the items: key figures, and the open alerts by rule.

use contract::{id::TenantId, time::Timestamp};
use leptos::prelude::*;

use crate::{
    inbox::{
        view::{Attention, RuleAlerts},
        words,
    },
    overview::words as overview_words,
    rule::load as rule_load,
    text::{
        number::{counted, whole},
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
    let [from, to] = attention.span;
    let [before, current] = attention.decisions;
    let oldest = attention.oldest;
    let oldest = oldest.map(|since| time::span(now.millis().saturating_sub(since.millis())));
    let [changed_from, changed_to] =
        [before, current].map(|number| (number > 0).then(|| chart::to_float(number)));
    let period_ms = to.millis() - from.millis();
    let figure =
        |label, number, trend, href| KeyFigure { label, number, trend, href, values: Vec::new() };
    let decisions = rule_load::log(tenant, from, to, DecisionQuery::default());
    chart::figures(vec![
        figure(words::NEEDS_ACTION, counted(mine as u64), words::oldest(oldest), None),
        figure(
            words::OPEN_ALERTS,
            counted(attention.open_alerts),
            words::critical(attention.critical_alerts),
            Some(url::alerts(tenant)),
        ),
        figure(
            words::DECISIONS,
            whole(current),
            overview_words::figure::change(changed_to, changed_from, period_ms),
            Some(decisions),
        ),
        figure(
            words::DEAD_DELIVERIES,
            counted(attention.dead_deliveries),
            words::dead_since(attention.dead_since.map(time::minute)),
            Some(url::dead_deliveries(tenant)),
        ),
    ])
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
                        {counted(open)}
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
