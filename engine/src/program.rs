//! Policies compiled once, to be evaluated many times.

use std::{fmt, sync::Arc};

use contract::{
    error::FieldError,
    id::PolicyId,
    read::{At, Errors},
    rule,
};

use crate::{
    field::Names,
    gate::Gate,
    index::Index,
    rule::{Condition, Rule, When},
};

/// The rules of one policy, as a snapshot holds them.
#[derive(Clone, Copy, Debug)]
pub struct PolicyRules<'a> {
    /// The policy.
    pub policy_id: PolicyId,
    /// Whether it only advises.
    pub shadow_mode: bool,
    /// Its rules in authored order, inactive ones included.
    pub rules: &'a [rule::Rule],
}

/// The active rules of a policy snapshot, ready to be evaluated.
#[derive(Debug)]
pub struct Program {
    pub(crate) names: Names,
    pub(crate) rules: Vec<Rule>,
    pub(crate) index: Index,
    /// There is at least one policy, and all of them are in shadow mode.
    pub(crate) is_shadow: bool,
}

/// A rule that cannot be evaluated. Rules that [`crate::author::read_rules`] took never lead here.
#[derive(Clone, Debug, PartialEq)]
pub struct CompileError {
    /// The policy.
    pub policy_id: PolicyId,
    /// The code of the rule.
    pub rule_code: String,
    /// What is wrong, with pointers into the rule.
    pub errors: Vec<FieldError>,
}

impl Program {
    /// Compiles the policies of a snapshot, in its order.
    ///
    /// # Errors
    /// The first rule whose condition or gate is not valid.
    pub fn compile(policies: &[PolicyRules<'_>]) -> Result<Self, CompileError> {
        let mut names = Names::default();
        let mut rules = Vec::new();
        for policy in policies {
            for rule in policy.rules.iter().filter(|rule| rule.active()) {
                rules.push(compile(policy, rule, &mut names)?);
            }
        }
        let index = Index::new(&rules, names.slots());
        let is_shadow = !policies.is_empty() && policies.iter().all(|policy| policy.shadow_mode);
        Ok(Self { names, rules, index, is_shadow })
    }

    /// The same program without its gate index: every gate is tried. For comparisons only.
    #[must_use]
    pub fn without_index(self) -> Self {
        Self { index: Index::blind(self.rules.len()), ..self }
    }

    /// How many rules are active.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }
}

fn compile(
    policy: &PolicyRules<'_>,
    rule: &rule::Rule,
    names: &mut Names,
) -> Result<Rule, CompileError> {
    let mut errors = Errors::default();
    let at = At::ROOT.name("when");
    let when = rule.when.as_ref().and_then(|written| {
        let gate = Gate::read(written, &at, &mut errors, names)?;
        Some(When { written: Arc::new(written.clone()), gate })
    });
    let at = At::ROOT.name("condition");
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

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy_id, rule_code, errors } = self;
        write!(f, "rule `{rule_code}` of policy {policy_id} cannot be evaluated")?;
        for FieldError { path, message, .. } in errors {
            write!(f, "; {path} {message}")?;
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}
