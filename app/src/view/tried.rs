//! A context in the making, and what would be decided on it.

use contract::{
    decision::Evaluated,
    evaluation::Verdict,
    id::{DecisionId, TenantId},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::decision::explain::{self, Counts, Explained, RuleBook};

/// What the page starts with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TryPage {
    /// The tenant whose policies are asked.
    pub tenant: TenantId,
    /// The decision whose context was loaded.
    pub from: Option<DecisionId>,
    /// The context as text.
    pub text: String,
    /// What was found, when something was asked.
    pub found: Option<Found>,
}

/// What an evaluation found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Found {
    /// A verdict, with every rule.
    Verdict(Box<Tried>),
    /// The text is no context: everything that is wrong with it.
    Faults(Vec<Fault>),
    /// No active policy governs the decision type; why, in a sentence.
    NoPolicy(String),
}

/// A verdict that was not recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The verdict.
    pub verdict: Verdict,
    /// What it would be with every policy enforced, when shadow mode made it milder.
    pub original: Option<Verdict>,
    /// Why, in one sentence; then how many rules fared how.
    pub why: Vec<String>,
    /// Every rule of every evaluated policy.
    pub policies: Vec<Explained>,
    /// The instant that dates were held against.
    pub evaluated_at: Timestamp,
    /// Milliseconds that the evaluation took, in words.
    pub took: String,
}

impl Tried {
    /// The verdict of `evaluated`; `book` knows the rules by their policy and code.
    pub fn new(evaluated: &Evaluated, book: &RuleBook) -> Self {
        let Evaluated { result, evaluated_policies } = evaluated;
        let policies = explain::policies(evaluated_policies, result, book);
        Self {
            verdict: result.decision,
            original: result.original_decision.filter(|_| result.shadow_converted),
            why: explain::why(evaluated_policies, result, Counts::of(&policies)),
            policies,
            evaluated_at: result.timestamp,
            took: format!("{:.3} ms", result.evaluation_time_ms),
        }
    }
}

/// Something that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The line, from 1; absent for what belongs to no line.
    pub line: Option<usize>,
    /// The character within the line, from 1; only where the text is no JSON.
    pub column: Option<usize>,
    /// JSON Pointer to the value, or to where an absent member should be.
    pub pointer: Option<String>,
    /// What is wrong.
    pub message: String,
}
