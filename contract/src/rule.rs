//! Rules: the requirements of a policy version on a decision context.

use crate::json::Value;

string_enum! {
    /// The severity of a violation.
    pub enum Severity {
        /// The violation is reported but does not affect the verdict.
        Low = "low",
        /// The verdict is at least `REVIEW`.
        Medium = "medium",
        /// The verdict is `DENY`.
        High = "high",
        /// The verdict is `DENY`.
        Critical = "critical",
    }
}

string_enum! {
    /// The eight rule types (contract, section 3).
    pub enum RuleType {
        /// Fields that must be present, must be absent, or must have a minimum length.
        Presence = "presence",
        /// A number within limits.
        Threshold = "threshold",
        /// A value that must be, or must not be, in a list.
        List = "list",
        /// A date compared with the evaluation time or a fixed date.
        Temporal = "temporal",
        /// A string that must match, or must not match, a pattern.
        Pattern = "pattern",
        /// A comparison of two values.
        Comparison = "comparison",
        /// Evidence of the required kinds with matching hashes.
        Evidence = "evidence",
        /// Values that must all be different.
        Distinct = "distinct",
    }
}

/// The source reference of a rule.
#[wire]
pub struct SourceRef {
    /// The name of the document.
    pub document: Option<String>,
    /// The section of the document.
    pub section: Option<String>,
    /// The URL of the document.
    pub url: Option<String>,
}

/// A rule. Members that the author omitted stay absent.
#[wire]
pub struct Rule {
    /// The code, unique in the version: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`.
    pub code: String,
    /// The name of the rule.
    pub name: Option<String>,
    /// The type of the rule.
    pub rule_type: RuleType,
    /// The condition. Its members depend on the type and are validated strictly.
    pub condition: Value,
    /// The severity of a violation.
    pub severity: Severity,
    /// The description of the rule.
    pub description: Option<String>,
    /// Whether the rule is active; absent means true. Inactive rules are not evaluated, counted or hashed.
    pub is_active: Option<bool>,
    /// The gate. If it does not match, the rule is not applicable.
    pub when: Option<Value>,
    /// The source reference of the rule.
    pub source_ref: Option<SourceRef>,
    /// The code of the rule of an earlier version that this rule replaces. It is informational only.
    pub replaces_rule_code: Option<String>,
}

impl Rule {
    /// Returns whether the rule is active.
    pub fn is_active(&self) -> bool {
        self.is_active.unwrap_or(true)
    }
}
