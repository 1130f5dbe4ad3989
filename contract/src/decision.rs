//! Decisions: requests, responses, filters and stream events.

mod context;
mod event;
mod filter;
mod request;
mod response;

pub use context::{DecisionContext, EVIDENCE_MAX};
pub use event::DecisionEvent;
pub use filter::{DecisionFilter, OutcomeFilter, PolicyDecisionFilter};
pub use request::{Action, Actor, BATCH_MAX, BatchRequest, EvaluateRequest, RecordRequest};
pub use response::{
    BatchItem, DecidingPolicy, DecisionRecord, EvaluateBatchResponse, EvaluateResponse,
    EvaluatedPolicy, EvaluatedRule, GovernanceSource, RecordResponse,
};
