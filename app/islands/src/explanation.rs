//! The explanation of a decision: every rule of every policy, with its result.

#[cfg(feature = "ssr")]
pub mod load;
pub mod rules;

#[cfg(test)]
mod tests;

use contract::{
    decision::{EvaluatedPolicy, EvaluatedRule},
    evaluation::{EvaluationResult, Violation},
    rule::SourceRef,
};

use crate::{prelude::*, text::rule};

pub const VIOLATION: &str = "Violation:";
pub const NOT_APPLICABLE: &str = "Not applicable";
pub const PASS: &str = "Passed:";
pub const EVALUATED_AT: &str = "Evaluated at";

pub fn duration(duration: &str) -> String {
    format!("in {duration}")
}

/// The evaluated rules, by policy and code.
pub type RuleBook = BTreeMap<(PolicyId, String), Rule>;

/// A policy, and the results of its rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyExplanation {
    pub policy: PolicyId,
    pub name: String,
    /// The evaluated version.
    pub version: u32,
    pub shadow: bool,
    /// Its active rules: first violated rules, then rules that did not apply, then passed rules; each group
    /// in rule order.
    pub rules: Vec<RuleExplanation>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleExplanation {
    pub code: String,
    pub name: Option<String>,
    /// The severity of a violation; absent if the rule is unknown.
    pub severity: Option<Severity>,
    /// The rule as a sentence.
    pub sentence: Option<Sentence>,
    /// The source of a violated rule.
    pub source: Option<SourceRef>,
    /// The gate of a violated rule of a recorded decision.
    pub gate: Option<GateResult>,
    pub status: ExplainedStatus,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ExplainedStatus {
    /// At least one check failed.
    Violated(Vec<Finding>),
    /// Its gate did not match. Contains the reason.
    NotApplicable(String),
    /// Every check passed.
    Passed,
}

impl RuleExplanation {
    pub const fn is_violated(&self) -> bool {
        matches!(self.status, ExplainedStatus::Violated(_))
    }
}

/// A gate or a part of it, with its result. Groups that do not match are conditions without parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GateResult {
    Condition {
        sentence: Sentence,
        /// The value of the field in the context; `None` for a group.
        actual: Option<String>,
        matches: bool,
    },
    /// A group that matches: all of its parts, or any of them.
    All(Vec<GateResult>),
    Any(Vec<GateResult>),
}

impl ExplainedStatus {
    const fn order(&self) -> u8 {
        match self {
            Self::Violated(_) => 0,
            Self::NotApplicable(_) => 1,
            Self::Passed => 2,
        }
    }
}

/// One failed check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// A sentence for users.
    pub reason: String,
    /// The reason code.
    pub code: String,
    /// The field that failed the check.
    pub field: Option<String>,
    /// The value in the context.
    pub actual: Option<String>,
    /// The value that the rule requires.
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

/// Formats an expected value or a field. A string is shown without quotes.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_canonical(), str::to_owned)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub violated: usize,
    pub not_applicable: usize,
    pub passed: usize,
}

impl std::ops::Sub for Counts {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            violated: self.violated - other.violated,
            not_applicable: self.not_applicable - other.not_applicable,
            passed: self.passed - other.passed,
        }
    }
}

impl Counts {
    /// Counts the rules of `policies`.
    pub fn of(policies: &[PolicyExplanation]) -> Self {
        let mut counts = Self::default();
        for rule in policies.iter().flat_map(|policy| &policy.rules) {
            match rule.status {
                ExplainedStatus::Violated(_) => counts.violated += 1,
                ExplainedStatus::NotApplicable(_) => counts.not_applicable += 1,
                ExplainedStatus::Passed => counts.passed += 1,
            }
        }
        counts
    }

    pub const fn all(self) -> usize {
        self.violated + self.not_applicable + self.passed
    }
}

/// Explains every rule of every evaluated policy. Policies in shadow mode come last.
pub fn policies(
    evaluated: &[EvaluatedPolicy],
    result: &EvaluationResult,
    book: &RuleBook,
) -> Vec<PolicyExplanation> {
    let explain = |policy| explain_policy(policy, result, book);
    let mut policies: Vec<_> = evaluated.iter().map(explain).collect();
    policies.sort_by_key(|policy| policy.shadow);
    policies
}

fn explain_policy(
    policy: &EvaluatedPolicy,
    result: &EvaluationResult,
    book: &RuleBook,
) -> PolicyExplanation {
    let explanations = policy.rules.iter().map(|rule| {
        let known = book.get(&(policy.policy_id, rule.code.clone()));
        let violations = violations(result, policy.policy_id, &rule.code);
        RuleExplanation {
            code: rule.code.clone(),
            name: rule.name.clone(),
            severity: violations
                .first()
                .map(|violation| violation.severity)
                .or(known.map(|rule| rule.severity)),
            sentence: known.map(rule::sentence),
            source: known
                .filter(|_| !violations.is_empty())
                .and_then(|rule| rule.source_ref.clone()),
            gate: None,
            status: explain_rule(policy.policy_id, rule, result, &violations),
        }
    });
    let mut rules: Vec<_> = explanations.collect();
    rules.sort_by_key(|rule| rule.status.order());
    PolicyExplanation {
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
    let of_rule =
        |violation: &&Violation| violation.policy_id == policy && violation.rule_code == code;
    result.violations.iter().filter(of_rule).collect()
}

fn explain_rule(
    policy: PolicyId,
    rule: &EvaluatedRule,
    result: &EvaluationResult,
    violations: &[&Violation],
) -> ExplainedStatus {
    if !violations.is_empty() {
        return ExplainedStatus::Violated(
            violations.iter().map(|violation| Finding::from(*violation)).collect(),
        );
    }
    let gate =
        result.na_rules.iter().find(|na| na.policy_id == policy && *na.rule_code == *rule.code);
    gate.map_or(ExplainedStatus::Passed, |na| ExplainedStatus::NotApplicable(na.reason.to_string()))
}

/// Returns the reason for the verdict as a sentence, and the counts of rule results as a sentence.
pub fn summary(
    evaluated: &[EvaluatedPolicy],
    result: &EvaluationResult,
    counts: Counts,
) -> Vec<String> {
    let counting = result.violations.iter().filter(|violation| !violation.is_shadow);
    let worst = counting.clone().map(|violation| violation.severity).max();
    let reason = match worst {
        Some(worst) => {
            let same: Vec<_> = counting.filter(|violation| violation.severity == worst).collect();
            let adjective = verdict::severity(worst).to_lowercase();
            let (one, many) = (format!("{adjective} violation"), format!("{adjective} violations"));
            let policies = policies_of(evaluated, &same);
            format!("{} in {policies}.", count(same.len(), &one, &many))
        }
        None if result.violations.is_empty() => "No rule is violated.".to_owned(),
        None => {
            "Only policies in shadow mode are violated; they do not affect the verdict.".to_owned()
        }
    };
    let breakdown = format!(
        "{}: {} passed, {}, {} not applicable.",
        count(counts.all(), "rule", "rules"),
        counts.passed,
        count(counts.violated, "violated", "violated"),
        counts.not_applicable,
    );
    vec![reason, breakdown]
}

/// Returns the policy that all of `violations` belong to, or the number of policies that they belong to.
fn policies_of(evaluated: &[EvaluatedPolicy], violations: &[&Violation]) -> String {
    let mut ids: Vec<_> = violations.iter().map(|violation| violation.policy_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let only = evaluated.iter().find(|policy| ids == [policy.policy_id]);
    only.map_or_else(
        || count(ids.len(), "policy", "policies"),
        |policy| format!("{} v{}", isolated(&policy.policy_name), policy.version),
    )
}
