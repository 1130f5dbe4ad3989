//! The decision event of the event stream.

use serde::{Deserialize, Serialize};

use super::{DecidingPolicy, DecisionRecord};
use crate::{
    evaluation::Verdict,
    id::{ChainId, DecisionId},
    time::Timestamp,
};

/// A recorded decision in the event stream: the data of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DecisionEvent {
    /// The ID of the decision.
    pub id: DecisionId,
    /// The decision type.
    pub decision_type: String,
    /// The verdict of the decision.
    pub decision: Verdict,
    /// The policy that determined the verdict.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy: Option<DecidingPolicy>,
    /// The correlation ID of the request.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub correlation_id: Option<String>,
    /// The chain of the decision; absent if it is not in a chain.
    #[serde(skip_serializing_if = "Option::is_none", default)]
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
