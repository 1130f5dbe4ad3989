//! Rules: the requirements of a policy version on a decision context.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::json::Value;

/// The severity of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The violation is reported but does not affect the verdict.
    Low,
    /// The verdict is at least `REVIEW`.
    Medium,
    /// The verdict is `DENY`.
    High,
    /// The verdict is `DENY`.
    Critical,
}

impl Severity {
    /// All severities, lowest first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The wire names, in the order of [`Self::ALL`].
    pub const WORDS: [&'static str; 4] = ["low", "medium", "high", "critical"];

    /// Returns the wire name.
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
    /// Fields that must be present, must be absent, or must have a minimum length.
    Presence,
    /// A number within limits.
    Threshold,
    /// A value that must be, or must not be, in a list.
    List,
    /// A date compared with the evaluation time or a fixed date.
    Temporal,
    /// A string that must match, or must not match, a pattern.
    Pattern,
    /// A comparison of two values.
    Comparison,
    /// Evidence of the required kinds with matching hashes.
    Evidence,
    /// Values that must all be different.
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

    /// Returns the wire name.
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

/// The source reference of a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SourceRef {
    /// The name of the document.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub document: Option<String>,
    /// The section of the document.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub section: Option<String>,
    /// The URL of the document.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub url: Option<String>,
}

/// A rule. Members that the author omitted stay absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rule {
    /// The code, unique in the version: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`.
    pub code: String,
    /// The name of the rule.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// The type of the rule.
    pub rule_type: RuleType,
    /// The condition. Its members depend on the type and are validated strictly.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub condition: Value,
    /// The severity of a violation.
    pub severity: Severity,
    /// The description of the rule.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// Whether the rule is active; absent means true. Inactive rules are not evaluated, counted or hashed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub is_active: Option<bool>,
    /// The gate. If it does not match, the rule is not applicable.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub when: Option<Value>,
    /// The source reference of the rule.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source_ref: Option<SourceRef>,
    /// The code of the rule of an earlier version that this rule replaces. It is informational only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replaces_rule_code: Option<String>,
}

impl Rule {
    /// Returns whether the rule is active.
    pub fn active(&self) -> bool {
        self.is_active.unwrap_or(true)
    }
}
