//! Rules: what a policy version asks of a decision context.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::json::Value;

/// How bad a violation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Listed; changes nothing.
    Low,
    /// Asks for a review.
    Medium,
    /// Denies.
    High,
    /// Denies.
    Critical,
}

impl Severity {
    /// All severities, mildest first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The words of the wire.
    pub const WORDS: [&'static str; 4] = ["low", "medium", "high", "critical"];

    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Severity {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|severity| severity.as_str() == text).ok_or(())
    }
}

/// The eight rule types (contract, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RuleType {
    /// Fields that must be there, must not be there, or must be long enough.
    Presence,
    /// A number within bounds.
    Threshold,
    /// A value in, or not in, a list.
    List,
    /// A date held against the evaluation instant or a fixed day.
    Temporal,
    /// A text that matches, or must not match, a pattern.
    Pattern,
    /// Two values compared.
    Comparison,
    /// Evidence of required kinds, with intact hashes.
    Evidence,
    /// Values that must differ pairwise.
    Distinct,
}

impl RuleType {
    /// All rule types, in the order of the contract.
    pub const ALL: [Self; 8] = [
        Self::Presence,
        Self::Threshold,
        Self::List,
        Self::Temporal,
        Self::Pattern,
        Self::Comparison,
        Self::Evidence,
        Self::Distinct,
    ];

    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Presence => "presence",
            Self::Threshold => "threshold",
            Self::List => "list",
            Self::Temporal => "temporal",
            Self::Pattern => "pattern",
            Self::Comparison => "comparison",
            Self::Evidence => "evidence",
            Self::Distinct => "distinct",
        }
    }
}

impl fmt::Display for RuleType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for RuleType {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|rule_type| rule_type.as_str() == text).ok_or(())
    }
}

/// Where a rule comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SourceRef {
    /// The document's name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub document: Option<String>,
    /// The section within it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub section: Option<String>,
    /// Where the document can be read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub url: Option<String>,
}

/// One rule, with the members that its author gave: absent stays absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rule {
    /// Unique in its version: 1 to 100 of `[A-Za-z0-9][A-Za-z0-9._-]*`.
    pub code: String,
    /// What people call it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// One of the eight types.
    pub rule_type: RuleType,
    /// What the type asks for; its members are strict per type.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub condition: Value,
    /// How bad a violation is.
    pub severity: Severity,
    /// Longer words about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// Absent means true. An inactive rule is neither evaluated nor counted nor hashed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub is_active: Option<bool>,
    /// The gate: when it does not match, the rule is not applicable.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub when: Option<Value>,
    /// Where the rule comes from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source_ref: Option<SourceRef>,
    /// The rule of an earlier version that this one replaces. Advice only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replaces_rule_code: Option<String>,
}

impl Rule {
    /// Whether the rule takes part in evaluations.
    pub fn active(&self) -> bool {
        self.is_active.unwrap_or(true)
    }
}
