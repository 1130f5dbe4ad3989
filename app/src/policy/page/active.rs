//! The rules of the active version.

use contract::{
    analytics::{Analytics, RuleAnalytics},
    id::TenantId,
};
use leptos::prelude::*;

use crate::{
    policy::{
        view::{PolicyPage as Policy, VersionRow},
        words::{self, page as strings},
    },
    rule::{load::log, markup::RulePages, view::RuleLine},
    text::{number::whole, query::DecisionQuery, url},
    ui::{badge::SeverityChip, chart::share, list::table, sentence::sentence, time::Minute},
    version::words as version_words,
};

/// Returns the number of rules of the active version.
pub(super) fn rule_count(policy: &Policy) -> usize {
    usize::try_from(policy.active_rules.total).unwrap_or(usize::MAX)
}

/// The heading of the active version, with a link to it.
fn active_heading(policy: &Policy, version: &VersionRow) -> AnyView {
    let href = url::version(policy.tenant, policy.row.id, version.version);
    let rules = policy.active_rules.count();
    view! {
        <div class="card-head">
            <h2 id="active-version">{words::ACTIVE} " " <a href=href>"v" {version.version}</a></h2>
            <p class="text-muted text-xs">
                {rules} ", " {words::SINCE} " " <Minute at=version.last.at />
            </p>
        </div>
    }
    .into_any()
}

#[component]
fn NoActiveVersion() -> impl IntoView {
    view! {
        <section class="card">
            <h2>{words::ACTIVE}</h2>
            <p class="text-muted">{words::NO_ACTIVE}</p>
        </section>
    }
}

/// The active version with its first rules as sentences, each with its violations in the last 30 days.
#[component]
pub(super) fn ActiveVersion(policy: Policy) -> impl IntoView {
    let Some(version) = policy.active() else {
        return view! { <NoActiveVersion /> }.into_any();
    };
    let heading = active_heading(&policy, version);
    let (tenant, id, number) = (policy.tenant, policy.row.id, version.version);
    let more = rule_count(&policy).saturating_sub(policy.active_rules.rules.len());
    let more = (more > 0).then(|| {
        view! {
            <p>
                <a class="button" href=url::policy_tab(tenant, id, "rules")>
                    {strings::more_rules(more)}
                </a>
            </p>
        }
    });
    let recent = policy.recent;
    let max = recent.rules.iter().map(|rule| rule.violated).max().unwrap_or_default();
    let row = |rule: RuleLine| {
        let href = url::rule(tenant, id, number, &rule.code);
        let result = recent.rules.iter().find(|result| result.rule_code == rule.code);
        let violated = violated(tenant, &recent, result, max);
        view! { <RuleRow href rule violated /> }
    };
    let rules = table(words::ACTIVE, strings::RULES_HEAD, policy.active_rules.rules, row);
    view! {
        <section class="stack active-rules" aria-labelledby="active-version">
            {heading}
            {rules}
            <p class="text-muted text-xs">{strings::VIOLATED_HELP}</p>
            {more}
        </section>
    }
    .into_any()
}

#[component]
fn RuleRow(href: String, rule: RuleLine, violated: AnyView) -> impl IntoView {
    use strings::RULES_HEAD as HEAD;
    let inactive =
        (!rule.is_active).then(|| view! { <span class="plain">{version_words::INACTIVE}</span> });
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=href>
                    <bdi>{rule.name.clone().unwrap_or_else(|| rule.code.clone())}</bdi>
                </a>
                " "
                {rule.name.is_some().then(|| view! { <bdi class="rule-code">{rule.code}</bdi> })}
                {inactive}
                <span class="block text-xs text-muted">{sentence(rule.sentence)}</span>
            </th>
            <td data-label=HEAD[1]>
                <SeverityChip severity=rule.severity />
            </td>
            <td data-label=HEAD[2]>{violated}</td>
        </tr>
    }
}

/// Renders how often a rule was violated, as a part of `max`, with a link to the decisions.
fn violated(
    tenant: TenantId,
    recent: &Analytics,
    rule: Option<&RuleAnalytics>,
    max: i64,
) -> AnyView {
    let Some(rule) = rule else {
        return view! { <span class="text-muted">{strings::NOT_CONSIDERED}</span> }.into_any();
    };
    if rule.evaluated == 0 {
        return view! { <span class="text-muted">{strings::NEVER_APPLIED}</span> }.into_any();
    }
    let number = if rule.violated > 0 {
        let query = DecisionQuery {
            policy: recent.policy_id.to_string(),
            rule: rule.rule_code.clone(),
            ..DecisionQuery::default()
        };
        let href = log(tenant, recent.from, recent.to, query);
        let label = strings::violations_of(&rule.rule_code, rule.violated);
        view! {
            <a href=href aria-label=label>
                {whole(rule.violated)}
            </a>
        }
        .into_any()
    } else {
        whole(0).into_any()
    };
    view! { <span class="share tabular-nums">{share(rule.violated, max)} {number}</span> }
        .into_any()
}

/// All rules of the active version.
#[component]
pub(super) fn Rules(policy: Policy) -> impl IntoView {
    let Some(version) = policy.active() else {
        return view! { <NoActiveVersion /> }.into_any();
    };
    let heading = active_heading(&policy, version);
    let path = url::policy_tab(policy.tenant, policy.row.id, "rules");
    view! { <section class="card">{heading} <RulePages path page=policy.active_rules /></section> }
        .into_any()
}
