//! What a stream tells of each decision.

use serde::{Deserialize, Serialize};

use super::{DecidingPolicy, DecisionRecord};
use crate::{
    evaluation::Verdict,
    id::{ChainId, DecisionId},
    time::Timestamp,
};

/// A recorded decision, as a stream tells of it: the data of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DecisionEvent {
    /// The id.
    pub id: DecisionId,
    /// What kind of decision it is.
    pub decision_type: String,
    /// The verdict.
    pub decision: Verdict,
    /// The policy that gave the verdict.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy: Option<DecidingPolicy>,
    /// The correlation id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub correlation_id: Option<String>,
    /// Its chain; absent outside of chains.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chain_id: Option<ChainId>,
    /// When it was recorded.
    pub recorded_at: Timestamp,
    /// The codes of the rules that it violates, each once, in the order of its violations.
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
            chain_id: record.chain.map(|chained| chained.chain_id),
            recorded_at: record.recorded_at,
            violations,
        }
    }
}
