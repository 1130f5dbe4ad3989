//! The overview of a policy: the version on its way to activation, the active rules, and facts.

use contract::analytics::{RuleAnalytics, VerdictBucket};
use page_kit::{
    prelude::*,
    text::verdict::stage_meaning,
    ui::chart::{share, start, verdict_spark},
};
use rules::rule::{chart::log, view::RuleLine};

use super::{Detail, active_heading, no_active_version};
use crate::{
    policy::{ACTIVE, GOVERNS, governed_types},
    version::lifecycle::{StepKind, phase_list},
};

/// The number of rules that the overview shows.
const RULES_SHOWN: usize = 8;

pub(super) fn overview(detail: &Detail) -> AnyView {
    any_view! {
        {lifecycle(detail)}
        <div class="with-rail">
            <div class="stack">{active_rules(detail)}</div>
            <aside class="rail">{recent(detail)} {facts(detail)}</aside>
        </div>
    }
}

/// Renders the version on its way to activation with its phases, or a note that no draft is open.
fn lifecycle(detail: &Detail) -> AnyView {
    let Some(row) = detail.upcoming() else {
        return any_view! {
            <section class="card">
                <h2>"Open draft"</h2>
                <p class="text-muted">"No draft is open."</p>
            </section>
        };
    };
    let stage: VersionStage = row.stage;
    let number = row.version.version;
    let href = url::version(detail.tenant, detail.policy.id, number);
    let replaced = detail.active().map(|active| active.version.version);
    let reason = row.version.change_reason.clone();
    any_view! {
        <section class="card flush lifecycle" aria-labelledby="open-version">
            <div class="compare-head">
                <h2 id="open-version">
                    <a href=href>{format!("Version {number}")}</a>
                </h2>
                <span class="tag">"r" {row.version.draft_revision}</span>
                {stage_badge(stage)}
                <span class="text-muted text-xs">{stage_meaning(stage)}</span>
            </div>
            {reason.map(|reason| view! { <div class="pad">{quote(reason)}</div> })}
            {phase_list(stage, &row.steps, replaced)}
        </section>
    }
}

/// Renders the active version with its first rules as sentences, each with its violations in the last 30 days.
fn active_rules(detail: &Detail) -> AnyView {
    let Some(active) = detail.active() else { return no_active_version() };
    let (tenant, id, number) = (detail.tenant, detail.policy.id, active.version.version);
    let rules: Vec<_> = detail.rules().iter().take(RULES_SHOWN).map(RuleLine::from).collect();
    let more = detail.rules().len().saturating_sub(rules.len());
    let more = (more > 0).then(|| {
        view! {
            <p>
                <a class="button" href=url::policy_tab(tenant, id, "rules")>
                    {format!("Show {}", count(more, "more rule", "more rules"))}
                </a>
            </p>
        }
    });
    let table = Table::new(ACTIVE)
        .column("Rule", |rule: &RuleLine| {
            let inactive =
                (!rule.is_active).then(|| view! { <span class="plain">"Inactive"</span> });
            let RuleLine { code, name, sentence: text, .. } = rule.clone();
            let href = url::rule(tenant, id, number, &code);
            let own_code =
                name.is_some().then(|| view! { <bdi class="rule-code">{code.clone()}</bdi> });
            view! {
                <a href=href>
                    <bdi>{name.unwrap_or(code)}</bdi>
                </a>
                " "
                {own_code}
                {inactive}
                <span class="block text-xs text-muted">{sentence(text)}</span>
            }
        })
        .column("Severity", |rule| severity_chip(rule.severity))
        .column("Violated", |rule| violated(detail, &rule.code));
    any_view! {
        <section class="stack active-rules" aria-labelledby="active-version">
            {active_heading(detail, active)}
            {table.of(&rules)}
            <p class="text-muted text-xs">
                "Violated: decisions of the last 30 days (UTC) that violate a rule with this code, in any version and also in shadow mode."
            </p>
            {more}
        </section>
    }
}

/// Renders how often a rule was violated, as a part of the highest number, with a link to the decisions.
fn violated(detail: &Detail, code: &str) -> AnyView {
    let none = |text: &'static str| any_view! { <span class="text-muted">{text}</span> };
    let recent = &detail.recent;
    let Some(rule) = recent.rules.iter().find(|rule| rule.rule_code == code) else {
        return none("No decisions");
    };
    if rule.evaluated == 0 {
        return none("Never applied");
    }
    let number = if rule.violated > 0 {
        let policy = recent.policy_id.to_string();
        let filters = [("policy", &*policy), ("rule", code)];
        let href = log(detail.tenant, recent.from, recent.to, &filters);
        let violations = usize::try_from(rule.violated).unwrap_or_default();
        let violations = count(violations, "violation", "violations");
        let label = format!("{violations} of {}", contract::text::isolated(code));
        any_view! {
            <a href=href aria-label=label>
                {whole(rule.violated)}
            </a>
        }
    } else {
        whole(0).into_any()
    };
    let max = recent.rules.iter().map(|rule| rule.violated).max().unwrap_or_default();
    any_view! { <span class="share tabular-nums">{share(rule.violated, max)} {number}</span> }
}

/// Returns the number of decisions in the last 30 days, of all or with a verdict.
fn decisions(detail: &Detail, verdict: Option<Verdict>) -> i64 {
    let of_bucket = |bucket: &VerdictBucket| match verdict {
        Some(verdict) => bucket.verdicts.get(&verdict).copied().unwrap_or_default(),
        None => bucket.decisions,
    };
    detail.recent.buckets.iter().map(of_bucket).sum()
}

/// Returns whether a rule of the active version was considered in the last 30 days and never applied.
fn never_applied(rule: &RuleAnalytics, rules: &[Rule]) -> bool {
    let is_current = rules.iter().any(|own| own.is_active() && own.code == rule.rule_code);
    is_current && rule.evaluated == 0 && rule.na > 0
}

/// Renders the decisions of the last 30 days, if there are any, and the rules that never applied.
fn recent(detail: &Detail) -> Option<AnyView> {
    let (tenant, id, recent) = (detail.tenant, detail.policy.id, &detail.recent);
    let all = decisions(detail, None);
    if all == 0 {
        return None;
    }
    let part = |verdict: Verdict| {
        let part = decisions(detail, Some(verdict));
        fact(verdict.as_str(), format!("{}, {}", whole(part), exact_rate(part, all)))
    };
    let number = detail.active().map_or(0, |active| active.version.version);
    let never = recent.rules.iter().filter(|rule| never_applied(rule, detail.rules()));
    let never = never.map(|rule| {
        let code = rule.rule_code.clone();
        let href = url::rule(tenant, id, number, &code);
        view! {
            <li>
                <a class="font-mono" href=href>
                    <bdi>{code}</bdi>
                </a>
            </li>
        }
    });
    let never: Vec<_> = never.collect();
    let never = (!never.is_empty())
        .then(|| fact("Never applied", view! { <ul class="plain-list">{never}</ul> }));
    let days: Vec<_> = recent.buckets.iter().map(|day| day.verdicts.clone()).collect();
    let [first, last] = [recent.from, recent.to.plus_millis(-1)].map(|at| start(DAY_MS, at));
    Some(any_view! {
        <section class="card recent" aria-labelledby="recent">
            <div class="card-head">
                <h2 id="recent">"Last 30 days"</h2>
                <a class="text-xs" href=url::analytics(tenant, id)>
                    "Analytics"
                </a>
            </div>
            {verdict_spark(&days)}
            <p class="axis">
                <span>{first}</span>
                <span>{last}</span>
            </p>
            <dl>
                {fact("Decisions", whole(all))} {part(Verdict::Deny)} {part(Verdict::Review)}
                {never}
            </dl>
        </section>
    })
}

fn facts(detail: &Detail) -> AnyView {
    let Detail { policy, group, complete, .. } = detail;
    let types = governed_types(policy);
    let ratified = detail.active().and_then(|active| {
        let step = active.steps.iter().find(|step| step.what == StepKind::Ratified)?.clone();
        Some(fact("Ratified", minute_by(step.at, step.by)))
    });
    let group = group.clone().map(|(id, name)| {
        let link = view! {
            <a href=url::group(detail.tenant, id)>
                <bdi>{name}</bdi>
            </a>
        };
        fact("Group", link)
    });
    let reference = |reference: &String| {
        view! {
            <li>
                <bdi>{reference.clone()}</bdi>
            </li>
        }
    };
    let references: Vec<_> = policy.regulatory_refs.iter().map(reference).collect();
    let references = (!references.is_empty())
        .then(|| fact("Regulatory references", view! { <ul class="plain-list">{references}</ul> }));
    let digest = complete.as_ref().map(|version| {
        let (digest, what) = (version.rules_digest.clone(), "Rules digest");
        fact(what, short_digest(digest, what))
    });
    any_view! {
        <section class="card">
            <h2>"About"</h2>
            <dl>
                {fact(GOVERNS, view! { <bdi>{types}</bdi> })} {group} {references} {ratified}
                {digest} <dt>"Created"</dt>
                <dd>{minute_by(policy.created_at, policy.created_by.clone())}</dd>
            </dl>
        </section>
    }
}
