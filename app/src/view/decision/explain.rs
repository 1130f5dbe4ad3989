//! Why a decision came out as it did: every rule of every policy, and how it fared.

use std::collections::BTreeMap;

use contract::{
    decision::{EvaluatedPolicy, EvaluatedRule},
    evaluation::{EvaluationResult, Violation},
    id::PolicyId,
    json::Value,
    rule::{Rule, Severity},
};
use serde::{Deserialize, Serialize};

use crate::text::{number::count, rule, sentence::Sentence, verdict};

/// The rules that decided, by policy and code.
pub type RuleBook = BTreeMap<(PolicyId, String), Rule>;

/// A policy, and how each of its rules fared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explained {
    /// The policy.
    pub policy: PolicyId,
    /// Its name.
    pub name: String,
    /// The version that decided.
    pub version: u32,
    /// Whether it only watched.
    pub shadow: bool,
    /// Its active rules: violations, then rules that did not apply, then the rest; each in rule
    /// order.
    pub rules: Vec<RuleFate>,
}

/// A rule, and how it fared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleFate {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: Option<String>,
    /// How bad a violation is; absent when the rule is not known any more.
    pub severity: Option<Severity>,
    /// What it asks for.
    pub sentence: Option<Sentence>,
    /// How it fared.
    pub fate: Fate,
}

/// How a rule fared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fate {
    /// At least one check failed.
    Violated(Vec<Finding>),
    /// Its gate did not match; why.
    NotApplicable(String),
    /// Every check held.
    Passed,
}

impl Fate {
    const fn order(&self) -> u8 {
        match self {
            Self::Violated(_) => 0,
            Self::NotApplicable(_) => 1,
            Self::Passed => 2,
        }
    }
}

/// One failing check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// A sentence for people.
    pub reason: String,
    /// The code for programs.
    pub code: String,
    /// The field that failed.
    pub field: Option<String>,
    /// What the context had.
    pub actual: Option<String>,
    /// What the rule asks for.
    pub expected: Option<String>,
}

impl From<&Violation> for Finding {
    fn from(violation: &Violation) -> Self {
        Self {
            reason: violation.reason.clone(),
            code: violation.reason_code.as_str().to_owned(),
            field: violation.field.clone(),
            actual: violation.actual_value.as_ref().map(Value::to_canonical),
            expected: violation.expected_value.as_ref().map(plain),
        }
    }
}

/// What a rule asks for is written for people when it is a text, so it goes without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_canonical(), str::to_owned)
}

/// How many rules fared how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Rules with a violation.
    pub violated: usize,
    /// Rules that did not apply.
    pub not_applicable: usize,
    /// Rules that held.
    pub passed: usize,
}

impl Counts {
    /// Counts the rules of `policies`.
    pub fn of(policies: &[Explained]) -> Self {
        let mut counts = Self::default();
        for rule in policies.iter().flat_map(|policy| &policy.rules) {
            match rule.fate {
                Fate::Violated(_) => counts.violated += 1,
                Fate::NotApplicable(_) => counts.not_applicable += 1,
                Fate::Passed => counts.passed += 1,
            }
        }
        counts
    }

    /// All of them.
    pub const fn all(self) -> usize {
        self.violated + self.not_applicable + self.passed
    }
}

/// Every rule of every evaluated policy; policies that only watched come last.
pub fn policies(
    evaluated: &[EvaluatedPolicy],
    result: &EvaluationResult,
    book: &RuleBook,
) -> Vec<Explained> {
    let explain = |policy| explained(policy, result, book);
    let mut policies: Vec<_> = evaluated.iter().map(explain).collect();
    policies.sort_by_key(|policy| policy.shadow);
    policies
}

fn explained(policy: &EvaluatedPolicy, result: &EvaluationResult, book: &RuleBook) -> Explained {
    let fates = policy.rules.iter().map(|rule| {
        let known = book.get(&(policy.policy_id, rule.code.clone()));
        let found = violations(result, policy.policy_id, &rule.code);
        RuleFate {
            code: rule.code.clone(),
            name: rule.name.clone(),
            severity: found.first().map(|found| found.severity).or(known.map(|rule| rule.severity)),
            sentence: known.map(rule::sentence),
            fate: fate(policy.policy_id, rule, result, &found),
        }
    });
    let mut rules: Vec<_> = fates.collect();
    rules.sort_by_key(|rule| rule.fate.order());
    Explained {
        policy: policy.policy_id,
        name: policy.policy_name.clone(),
        version: policy.version,
        shadow: policy.shadow_mode,
        rules,
    }
}

fn violations<'a>(
    result: &'a EvaluationResult,
    policy: PolicyId,
    code: &str,
) -> Vec<&'a Violation> {
    let of_rule = |found: &&Violation| found.policy_id == policy && found.rule_code == code;
    result.violations.iter().filter(of_rule).collect()
}

fn fate(
    policy: PolicyId,
    rule: &EvaluatedRule,
    result: &EvaluationResult,
    found: &[&Violation],
) -> Fate {
    if !found.is_empty() {
        return Fate::Violated(found.iter().map(|found| Finding::from(*found)).collect());
    }
    let gate =
        result.na_rules.iter().find(|na| na.policy_id == policy && *na.rule_code == *rule.code);
    gate.map_or(Fate::Passed, |na| Fate::NotApplicable(na.reason.to_string()))
}

/// Why the verdict is what it is, in one sentence; then how many rules fared how.
pub fn why(
    evaluated: &[EvaluatedPolicy],
    result: &EvaluationResult,
    counts: Counts,
) -> Vec<String> {
    let counting = result.violations.iter().filter(|found| !found.is_shadow);
    let worst = counting.clone().map(|found| found.severity).max();
    let reason = match worst {
        Some(worst) => {
            let same: Vec<_> = counting.filter(|found| found.severity == worst).collect();
            let adjective = verdict::severity(worst).to_lowercase();
            let (one, many) = (format!("{adjective} violation"), format!("{adjective} violations"));
            let place = place(evaluated, &same);
            format!("{} in {place}.", count(same.len(), &one, &many))
        }
        None if result.violations.is_empty() => "No rule is violated.".to_owned(),
        None => "Only policies in shadow mode are violated; they did not count.".to_owned(),
    };
    let split = format!(
        "{}: {} passed, {}, {} not applicable.",
        count(counts.all(), "rule", "rules"),
        counts.passed,
        count(counts.violated, "violated", "violated"),
        counts.not_applicable,
    );
    vec![reason, split]
}

/// The policy that all of `found` belong to, or how many policies they belong to.
fn place(evaluated: &[EvaluatedPolicy], found: &[&Violation]) -> String {
    let mut ids: Vec<_> = found.iter().map(|found| found.policy_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let named = evaluated.iter().find(|policy| ids == [policy.policy_id]);
    named.map_or_else(
        || count(ids.len(), "policy", "policies"),
        |policy| format!("{} v{}", policy.policy_name, policy.version),
    )
}

#[cfg(test)]
mod tests;
