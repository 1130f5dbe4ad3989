//! The shape of a context, for the `OpenAPI` document; the tree itself is read by hand.

use crate::{json::Value, time::Timestamp};

/// What a decision is about.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "read by the derive alone")]
pub(super) struct DecisionContext {
    /// 1 to 100 characters.
    decision_type: String,
    /// The fields that rules read.
    #[schema(value_type = Object)]
    fields: Value,
    /// What the fields rest on; at most 1,000 items.
    evidence: Option<Vec<Evidence>>,
    /// Who asks and when; further members are kept.
    metadata: Option<Metadata>,
    /// The document that the fields were read from.
    source_artifact: Option<SourceArtifact>,
}

/// One item of evidence.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "read by the derive alone")]
pub(super) struct Evidence {
    kind: Option<String>,
    r#ref: Option<String>,
    /// SHA-256 of the canonical `data`, as hex, with or without `sha256:`.
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
    /// The evaluation instant; the server's when absent.
    timestamp: Option<Timestamp>,
}

/// A document.
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
