//! The `OpenAPI` schema of a decision context. [`super::DecisionContext`] itself is parsed by hand.

use crate::{json::Value, time::Timestamp};

/// The input of a decision.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "read by the derive alone")]
pub(super) struct DecisionContext {
    /// The decision type, 1 to 100 characters.
    decision_type: String,
    /// The fields that rules read.
    #[schema(value_type = Object)]
    fields: Value,
    /// The evidence for the fields; at most 1,000 items.
    evidence: Option<Vec<Evidence>>,
    /// Facts about the request; further members are stored unchanged.
    metadata: Option<Metadata>,
    /// The document that the fields were read from.
    source_artifact: Option<SourceArtifact>,
}

/// An item of evidence.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "read by the derive alone")]
pub(super) struct Evidence {
    kind: Option<String>,
    r#ref: Option<String>,
    /// SHA-256 of the canonical `data` in hexadecimal, with or without the prefix `sha256:`.
    hash: Option<String>,
    #[schema(value_type = Option<Object>)]
    data: Option<Value>,
}

/// Facts about the request.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "read by the derive alone")]
pub(super) struct Metadata {
    actor_id: Option<String>,
    correlation_id: Option<String>,
    ip_address: Option<String>,
    user_agent: Option<String>,
    /// The evaluation time; absent means the time of the server.
    timestamp: Option<Timestamp>,
}

/// The document that the fields were read from.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "read by the derive alone")]
pub(super) struct SourceArtifact {
    r#type: Option<String>,
    hash: Option<String>,
    hash_algorithm: Option<String>,
    reference_id: Option<String>,
    filename: Option<String>,
    byte_size: Option<u64>,
}
