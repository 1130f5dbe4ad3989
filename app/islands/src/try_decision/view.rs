//! A dry run: a context and its evaluation.

use contract::decision::EvaluateResponse;

use crate::{
    explanation::{self, Counts, PolicyExplanation, RuleBook},
    prelude::*,
};

/// The initial page.
#[derive(Clone, Debug)]
pub struct TryPage {
    /// The decision from which the context was loaded.
    pub from: Option<DecisionId>,
    /// The context as text.
    pub text: String,
    pub evaluation: Option<Evaluation>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Evaluation {
    /// A verdict, with the result of every rule.
    Verdict(Box<TryResult>),
    /// The text is not a valid context. Contains all errors.
    Errors(Vec<TextError>),
    /// No active policy governs the decision type. Contains the message.
    NoPolicy(String),
}

/// A verdict that was not recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TryResult {
    pub verdict: Verdict,
    /// The verdict with every policy enforced, if shadow mode lowered it.
    pub original: Option<Verdict>,
    /// The reason for the verdict, and the counts of rule results, one sentence each.
    pub why: Vec<String>,
    /// Every rule of every evaluated policy.
    pub policies: Vec<PolicyExplanation>,
    /// The time that dates were compared with.
    pub evaluated_at: Timestamp,
    /// The evaluation time in milliseconds, as text.
    pub took: String,
    /// The revision of an evaluated draft, and whether the form has unsaved changes.
    pub draft: Option<(u32, bool)>,
    /// The results of the rules that `policies` leaves out.
    pub omitted: Counts,
}

impl TryResult {
    /// Creates the result of `evaluated`; `book` contains the rules by policy and code.
    pub fn new(evaluated: &EvaluateResponse, book: &RuleBook) -> Self {
        let EvaluateResponse { result, evaluated_policies } = evaluated;
        let policies = explanation::policies(evaluated_policies, result, book);
        Self {
            verdict: result.decision,
            original: result.original_decision.filter(|_| result.shadow_converted),
            why: explanation::summary(evaluated_policies, result, Counts::of(&policies)),
            policies,
            evaluated_at: result.timestamp,
            took: format!("{:.3} ms", result.evaluation_time_ms),
            draft: None,
            omitted: Counts::default(),
        }
    }

    /// Leaves out all but the first `max` rules of each policy. The rule `code` remains, as the first one.
    pub fn shorten(&mut self, code: &str, max: usize) {
        let all = Counts::of(&self.policies);
        for policy in self.policies.iter_mut().filter(|policy| policy.rules.len() > max) {
            policy.rules.sort_by_key(|rule| rule.code != code);
            policy.rules.truncate(max);
        }
        self.omitted = all - Counts::of(&self.policies);
    }
}

/// An error in the text of a context or of rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextError {
    /// The line, from 1; absent if the error has no line.
    pub line: Option<usize>,
    /// The character in the line, from 1; only set if the text is not JSON.
    pub column: Option<usize>,
    /// JSON Pointer to the value, or to the position of a missing member.
    pub pointer: Option<String>,
    pub message: String,
}
