//! The rules of a decision with their results: why each violated rule applies, and what failed.

use governance::deciding::decision::GateTrace;
use islands::explanation::{
    ExplainedStatus, GateResult, PolicyExplanation, RuleBook, RuleExplanation, plain,
    rules::{failed_check, gate_reason, policy_title},
};
use page_kit::{prelude::*, text::rule};
use rules::rule::markup::source_line;

use super::Decision;

/// Evaluates the gates of the violated rules against the recorded context.
pub(super) fn add_gates(policies: &mut [PolicyExplanation], book: &RuleBook, context: &Value) {
    let Some(fields) = context.get("fields").and_then(Value::as_object) else { return };
    for policy in policies {
        let id = policy.policy;
        let is_violated = |rule: &&mut RuleExplanation| rule.is_violated();
        for rule in policy.rules.iter_mut().filter(is_violated) {
            let recorded = book.get(&(id, rule.code.clone()));
            let gate = recorded.and_then(|recorded| recorded.when.as_ref());
            let trace = gate.and_then(|gate| GateTrace::new(gate, fields));
            rule.gate = trace.as_ref().map(gate_result);
        }
    }
}

fn gate_result(trace: &GateTrace) -> GateResult {
    let parts = || trace.parts.iter().map(gate_result).collect();
    let is_group = !trace.parts.is_empty();
    if is_group && trace.matches {
        let is_all = trace.gate.get("all").is_some();
        return if is_all { GateResult::All(parts()) } else { GateResult::Any(parts()) };
    }
    let actual = trace.actual.as_ref().map_or_else(|| "not given".to_owned(), plain);
    GateResult::Condition {
        sentence: rule::gate_sentence(&trace.gate),
        actual: (!is_group).then_some(actual),
        matches: trace.matches,
    }
}

/// The rules that the tab in the address selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    All,
    Violated,
    /// Rules whose gate did not match.
    NotApplicable,
    Passed,
}

impl Shown {
    /// Parses the value in the address; any other value means all rules.
    fn parse(value: &str) -> Self {
        match value {
            "violations" => Self::Violated,
            "na" => Self::NotApplicable,
            "passed" => Self::Passed,
            _ => Self::All,
        }
    }

    fn of(rule: &RuleExplanation) -> Self {
        match rule.status {
            ExplainedStatus::Violated(_) => Self::Violated,
            ExplainedStatus::NotApplicable(_) => Self::NotApplicable,
            ExplainedStatus::Passed => Self::Passed,
        }
    }

    fn includes(self, other: Self) -> bool {
        self == Self::All || self == other
    }
}

/// Renders the rules by policy. Policies in shadow mode are in a section of their own.
pub(super) fn rules(decision: &Decision) -> AnyView {
    let Decision { record, counts, .. } = decision;
    let tenant = record.tenant_id;
    let shown = Shown::parse(&page::query("show"));
    let tab = |(name, label, number): (&'static str, &'static str, usize)| {
        let href = url::with_query(&url::decision(tenant, record.id), &[("show", name)]);
        let current = (Shown::parse(name) == shown).then_some("true");
        view! {
            <a href=href aria-current=current data-noscroll="">
                {label}
                " "
                <span class="tabular-nums">{number}</span>
            </a>
        }
    };
    let tabs = [
        ("", "All", counts.all()),
        ("violations", "Violations", counts.violated),
        ("na", "Not applicable", counts.not_applicable),
        ("passed", "Passed", counts.passed),
    ];
    let (shadow, counted): (Vec<_>, Vec<_>) =
        decision.policies.iter().partition(|policy| policy.shadow);
    let policy = |policy: &PolicyExplanation| {
        let verdict = (policy.policy == record.policy.id).then_some(record.decision);
        policy_node(decision, policy, shown, verdict)
    };
    let shadow = (!shadow.is_empty()).then(|| {
        view! {
            <section class="stack" aria-labelledby="shadow">
                <h2 id="shadow">"Shadow mode"</h2>
                {shadow.into_iter().map(policy).collect_view()}
            </section>
        }
    });
    any_view! {
        <section class="stack" aria-labelledby="rules">
            <div class="card-head">
                <h2 id="rules">"Rules"</h2>
                <nav class="segmented" aria-label="Rules">
                    {tabs.map(tab)}
                </nav>
            </div>
            {counted.into_iter().map(policy).collect_view()}
        </section>
        {shadow}
    }
}

/// Renders a policy and those of its rules that are shown, with the verdict if the policy determined it.
fn policy_node(
    decision: &Decision,
    policy: &PolicyExplanation,
    shown: Shown,
    verdict: Option<Verdict>,
) -> AnyView {
    let tenant = decision.tenant();
    let not_counted = policy
        .shadow
        .then(|| view! { <span class="text-muted text-xs">"Shadow mode: not counted."</span> });
    let rules = |kind: Shown| -> Vec<RuleExplanation> {
        let rules = policy.rules.iter();
        let is_shown = |rule: &&RuleExplanation| shown.includes(kind) && Shown::of(rule) == kind;
        rules.filter(is_shown).cloned().collect()
    };
    let violated = rules(Shown::Violated).into_iter().enumerate();
    let violated = violated.map(|(index, rule)| violated_rule(rule, index == 0));
    let groups = [(Shown::NotApplicable, "na", Icon::Dash), (Shown::Passed, "allow", Icon::Tick)];
    let groups = groups.into_iter().filter_map(|(kind, tone, drawing)| {
        let rules = rules(kind);
        (!rules.is_empty()).then(|| rule_group(kind, rules, (tone, drawing), shown == kind))
    });
    let shown_rules: Vec<_> = violated.chain(groups).collect();
    let none = shown_rules
        .is_empty()
        .then(|| view! { <p class="text-muted">"No rule of this policy."</p> });
    let verdict = verdict.map(|verdict| {
        view! {
            <VerdictBadge verdict />
            "from"
        }
    });
    any_view! {
        <div class="policy-node">
            <h3>
                {verdict} {policy_title(tenant, policy.policy, policy.name.clone(), policy.version)}
                {mode_badge(policy.shadow)} {not_counted}
            </h3>
            <ul class="rule-list">{shown_rules}</ul>
            {none}
        </div>
    }
}

/// Renders a violated rule with its failed checks. `open` shows why it applies.
fn violated_rule(rule: RuleExplanation, open: bool) -> AnyView {
    let ExplainedStatus::Violated(findings) = rule.status else { return ().into_any() };
    let findings = findings.into_iter().map(failed_check).collect_view();
    let gate = match rule.gate {
        Some(gate) => gate_tree(gate, open),
        None if rule.sentence.is_some() => {
            any_view! { <p class="text-muted">"This rule has no gate. It applies to every decision."</p> }
        }
        None => ().into_any(),
    };
    any_view! {
        <li>
            <details class="rule-card deny" open>
                <summary>
                    <span class="mark">
                        {icon(Icon::Cross)} <span class="sr-only">"Violation:"</span>
                    </span>
                    <span class="grow">
                        {name_of(rule.name)} <bdi class="rule-code">{rule.code}</bdi>
                    </span>
                    {rule.severity.map(severity_chip)}
                </summary>
                <div class="rule-body">
                    {findings} {gate}
                    {rule.sentence.map(|text| view! { <p class="text-muted">{sentence(text)}</p> })}
                    {rule.source.map(source_line)}
                </div>
            </details>
        </li>
    }
}

/// Renders the name of a rule, if it has one.
fn name_of(name: Option<String>) -> Option<AnyView> {
    let name = name?;
    Some(any_view! {
        <bdi class="font-semibold">{name}</bdi>
        " "
    })
}

/// Renders the rules of a policy that passed or did not apply, folded unless their tab is selected.
fn rule_group(
    kind: Shown,
    rules: Vec<RuleExplanation>,
    (tone, drawing): (&'static str, Icon),
    open: bool,
) -> AnyView {
    let result = if kind == Shown::Passed { "passed" } else { "not applicable" };
    let title = format!("{} {result}", count(rules.len(), "rule", "rules"));
    let row = |rule: RuleExplanation| {
        let reason = match rule.status {
            ExplainedStatus::NotApplicable(reason) => Some(gate_reason(reason)),
            ExplainedStatus::Violated(_) | ExplainedStatus::Passed => None,
        };
        view! {
            <li>
                {name_of(rule.name)} <bdi class="rule-code">{rule.code}</bdi> {reason}
                {rule.sentence.map(|text| view! { <p class="text-muted">{sentence(text)}</p> })}
            </li>
        }
    };
    any_view! {
        <li>
            <details class=format!("rule-card {tone}") open=open>
                <summary>
                    <span class="mark">{icon(drawing)}</span>
                    <span class="grow">{title}</span>
                    {icon(Icon::Down)}
                </summary>
                <div class="rule-body">
                    <ul>{rules.into_iter().map(row).collect_view()}</ul>
                </div>
            </details>
        </li>
    }
}

/// Renders the gate of a rule as a tree, with the result of each part. A group that does not match is one line.
fn gate_tree(gate: GateResult, open: bool) -> AnyView {
    any_view! {
        <details class="disclosure" open=open>
            <summary>"Why this rule applies"</summary>
            <ul class="gate">{gate_part(gate)}</ul>
        </details>
    }
}

fn gate_part(gate: GateResult) -> AnyView {
    let group = |title: &'static str, parts: Vec<GateResult>| {
        any_view! {
            <li>
                <p class="gate-group">{title}</p>
                <ul>{parts.into_iter().map(gate_part).collect_view()}</ul>
            </li>
        }
    };
    match gate {
        GateResult::All(parts) => group("All of", parts),
        GateResult::Any(parts) => group("Any of", parts),
        GateResult::Condition { sentence: text, actual, matches } => {
            let (class, drawing, label) = if matches {
                ("gate-yes", Icon::Tick, "Met:")
            } else {
                ("gate-no", Icon::Dash, "Not met:")
            };
            let actual = actual.map(|actual| {
                view! { <span class="text-muted">"Actual:" " " <bdi class="value">{actual}</bdi></span> }
            });
            any_view! {
                <li class=class>
                    {icon(drawing)} <span class="sr-only">{label}</span>
                    <span>{sentence(text)} " " {actual}</span>
                </li>
            }
        }
    }
}
