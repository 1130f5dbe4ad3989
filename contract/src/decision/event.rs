//! The decision event of the event stream.

use super::{DecidingPolicy, DecisionRecord};
use crate::{
    evaluation::Verdict,
    id::{ChainId, DecisionId},
    time::Timestamp,
};

/// A recorded decision in the event stream: the data of an event.
#[wire(Eq)]
pub struct DecisionEvent {
    /// The ID of the decision.
    pub id: DecisionId,
    /// The decision type.
    pub decision_type: String,
    /// The verdict of the decision.
    pub decision: Verdict,
    /// The policy that determined the verdict.
    pub policy: Option<DecidingPolicy>,
    /// The correlation ID of the request.
    pub correlation_id: Option<String>,
    /// The chain of the decision; absent if it is not in a chain.
    pub chain_id: Option<ChainId>,
    /// The time at which the decision was recorded.
    pub recorded_at: Timestamp,
    /// The codes of the violated rules, each once, in the order of the violations.
    pub violations: Vec<String>,
}

impl From<DecisionRecord> for DecisionEvent {
    fn from(record: DecisionRecord) -> Self {
        let mut violations = Vec::new();
        for violation in record.result.violations {
            if !violations.contains(&violation.rule_code) {
                violations.push(violation.rule_code);
            }
        }
        Self {
            id: record.id,
            decision_type: record.decision_type,
            decision: record.decision,
            policy: Some(record.policy),
            correlation_id: Some(record.correlation_id),
            chain_id: record.chain.map(|link| link.chain_id),
            recorded_at: record.recorded_at,
            violations,
        }
    }
}
