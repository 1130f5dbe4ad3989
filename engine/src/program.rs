//! Programs: the rules of a policy snapshot, compiled for repeated evaluation.

use std::sync::Arc;

use contract::{
    error::FieldError,
    id::PolicyId,
    json::{Object, Value},
    read::{FieldErrors, JsonPath},
    rule,
};

use crate::{
    field::SlotTable,
    gate::Gate,
    index::RuleIndex,
    rule::{Condition, Rule, When},
};

/// The rules of one policy of a snapshot.
#[derive(Clone, Copy, Debug)]
pub struct PolicyRules<'a> {
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// Whether the policy is in shadow mode.
    pub shadow_mode: bool,
    /// The rules in authored order, including inactive rules.
    pub rules: &'a [rule::Rule],
}

/// The compiled active rules of a policy snapshot.
#[derive(Debug)]
pub struct Program {
    pub(crate) names: SlotTable,
    pub(crate) rules: Vec<Rule>,
    pub(crate) index: RuleIndex,
    /// Whether there is at least one policy and all are in shadow mode.
    pub(crate) is_shadow: bool,
    /// An upper bound of the steps for one byte of the longest text.
    steps_per_byte: usize,
    /// The comparisons of fields with each other.
    comparisons: usize,
    /// The steps to read an element of a list, or a byte of a text in it.
    element_steps: usize,
}

/// The steps to read an element for all rules that check lists.
const ELEMENT_STEPS: usize = 16;

/// The error for a rule that cannot be evaluated. Rules accepted by [`crate::parse::read_rules`] do not cause
/// it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("rule `{rule_code}` of policy {policy_id} cannot be evaluated{}", list(errors))]
pub struct CompileError {
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The code of the rule.
    pub rule_code: String,
    /// The errors, with JSON Pointers into the rule.
    pub errors: Vec<FieldError>,
}

/// The code of the error for patterns that exceed the limit of [`Program::compile_within`].
const TOO_LARGE: &str = "too_large";

impl CompileError {
    fn too_large(policy: &PolicyRules<'_>, rule: &rule::Rule) -> Self {
        let message = "needs more memory than all patterns together may use";
        let error = FieldError::new("/condition", TOO_LARGE, message);
        let rule_code = rule.code.clone();
        Self { policy_id: policy.policy_id, rule_code, errors: vec![error] }
    }

    /// Returns whether the rules are valid, but exceed the limit of [`Program::compile_within`].
    pub fn is_too_large(&self) -> bool {
        self.errors.iter().any(|error| error.code == TOO_LARGE)
    }
}

impl Program {
    /// Compiles the policies of a snapshot in their order.
    ///
    /// # Errors
    /// Returns the first rule whose condition or gate is not valid.
    pub fn compile(policies: &[PolicyRules<'_>]) -> Result<Self, CompileError> {
        Self::compile_within(policies, usize::MAX)
    }

    /// Compiles the policies of a snapshot of unknown origin, whose compiled patterns may use `pattern_bytes_max`.
    ///
    /// # Errors
    /// Returns the first rule whose condition or gate is not valid, or whose pattern exceeds the limit.
    pub fn compile_within(
        policies: &[PolicyRules<'_>],
        pattern_bytes_max: usize,
    ) -> Result<Self, CompileError> {
        let mut names = SlotTable::default();
        let mut rules: Vec<Rule> = Vec::new();
        let mut bytes_left = pattern_bytes_max;
        for policy in policies {
            for rule in policy.rules.iter().filter(|rule| rule.is_active()) {
                let compiled = compile(policy, rule, &mut names)?;
                bytes_left = bytes_left
                    .checked_sub(compiled.condition.pattern_bytes())
                    .ok_or_else(|| CompileError::too_large(policy, rule))?;
                rules.push(compiled);
            }
        }
        let index = RuleIndex::new(&rules, names.slot_count());
        let is_shadow = !policies.is_empty() && policies.iter().all(|policy| policy.shadow_mode);
        let steps_per_byte = rules.iter().map(steps_per_byte).fold(0, usize::saturating_add);
        let comparisons = rules.iter().map(|rule| rule.condition.comparisons());
        let comparisons = comparisons.fold(0, usize::saturating_add);
        let checks_lists = rules.iter().any(|rule| rule.condition.checks_lists());
        let element_steps = if checks_lists { ELEMENT_STEPS } else { 0 };
        Ok(Self { names, rules, index, is_shadow, steps_per_byte, comparisons, element_steps })
    }

    /// Returns the program without its gate index, so that every gate is evaluated. For comparisons only.
    #[must_use]
    pub fn without_index(self) -> Self {
        Self { index: RuleIndex::match_all(self.rules.len()), ..self }
    }

    /// Returns an upper bound of the steps of an evaluation of `fields`: for each byte of the longest text, the
    /// states of each pattern and one step for each other read of a field; the comparisons of fields, and the elements
    /// of lists.
    pub fn steps(&self, fields: &Object) -> u64 {
        let longest = fields.iter().map(|(_, value)| longest_text(value)).max().unwrap_or(0);
        let elements = fields.iter().map(|(_, value)| list_size(value));
        let elements = elements.fold(0, usize::saturating_add).saturating_mul(self.element_steps);
        let reads = to_u64(self.steps_per_byte).saturating_mul(to_u64(longest));
        reads.saturating_add(to_u64(self.comparisons.saturating_add(elements)))
    }

    /// Returns the memory of the compiled patterns in bytes.
    pub fn pattern_bytes(&self) -> usize {
        let bytes = self.rules.iter().map(|rule| rule.condition.pattern_bytes());
        bytes.fold(0, usize::saturating_add)
    }

    /// Returns the number of active rules.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }
}

/// Returns the steps of a rule with its gate for one byte of the longest text.
fn steps_per_byte(rule: &Rule) -> usize {
    let gate = rule.when.as_ref().map_or(0, |when| when.gate.field_count());
    gate.saturating_add(rule.condition.steps_per_byte())
}

fn to_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// Returns the number of values in lists and objects, and the length of their texts in bytes.
fn list_size(value: &Value) -> usize {
    fn size(value: &Value) -> usize {
        let text = value.as_str().map_or(0, str::len);
        list_size(value).saturating_add(text).saturating_add(1)
    }
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        Value::Array(elements) => elements.iter().map(size).fold(0, usize::saturating_add),
        Value::Object(members) => {
            members.iter().map(|(_, member)| size(member)).fold(0, usize::saturating_add)
        }
    }
}

/// Returns the length of the longest text in `value` in bytes.
fn longest_text(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(elements) => elements.iter().map(longest_text).max().unwrap_or(0),
        Value::Object(members) => {
            members.iter().map(|(_, member)| longest_text(member)).max().unwrap_or(0)
        }
    }
}

fn compile(
    policy: &PolicyRules<'_>,
    rule: &rule::Rule,
    names: &mut SlotTable,
) -> Result<Rule, CompileError> {
    let mut errors = FieldErrors::default();
    let at = JsonPath::ROOT.name("when");
    let when = rule.when.as_ref().and_then(|authored| {
        let gate = Gate::read(authored, &at, &mut errors, names)?;
        Some(When { authored: Arc::new(authored.clone()), gate })
    });
    let at = JsonPath::ROOT.name("condition");
    let condition = Condition::read(rule.rule_type, &rule.condition, &at, &mut errors, names);
    match condition {
        Some(condition) if errors.is_empty() => Ok(Rule {
            code: rule.code.as_str().into(),
            policy_id: policy.policy_id,
            severity: rule.severity,
            is_shadow: policy.shadow_mode,
            when,
            condition,
        }),
        _ => Err(CompileError {
            policy_id: policy.policy_id,
            rule_code: rule.code.clone(),
            errors: errors.into_vec(),
        }),
    }
}

/// Returns the errors of a rule, each after a semicolon.
fn list(errors: &[FieldError]) -> String {
    let text = |FieldError { path, message, .. }: &FieldError| format!("; {path} {message}");
    errors.iter().map(text).collect::<Vec<_>>().concat()
}
