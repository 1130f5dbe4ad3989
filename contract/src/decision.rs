//! Decisions: what is asked, and what is recorded.

mod answer;
mod context;
mod event;
mod filter;
mod request;
#[cfg(feature = "openapi")]
mod shape;

pub use answer::{
    BatchEvaluated, BatchItem, DecidingPolicy, DecisionRecord, Evaluated, EvaluatedPolicy,
    EvaluatedRule, GovernanceSource, Recorded,
};
pub use context::{DecisionContext, EVIDENCE_MAX};
pub use event::DecisionEvent;
pub use filter::{DecisionFilter, PolicyDecisionFilter};
pub use request::{Action, Actor, BATCH_MAX, BatchRequest, EvaluateRequest, RecordRequest};
