//! A rule in a list.

use contract::rule::{Rule, RuleType, Severity, SourceRef};
use serde::{Deserialize, Serialize};

use crate::text::{rule, sentence::Sentence};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleLine {
    pub code: String,
    pub name: Option<String>,
    pub rule_type: RuleType,
    pub severity: Severity,
    /// Its gate and condition as a sentence.
    pub sentence: Sentence,
    pub description: Option<String>,
    /// Whether it takes part in evaluations.
    pub is_active: bool,
    pub source: Option<SourceRef>,
}

impl From<&Rule> for RuleLine {
    fn from(rule: &Rule) -> Self {
        Self {
            code: rule.code.clone(),
            name: rule.name.clone(),
            rule_type: rule.rule_type,
            severity: rule.severity,
            sentence: rule::sentence(rule),
            description: rule.description.clone(),
            is_active: rule.is_active(),
            source: rule.source_ref.clone(),
        }
    }
}
