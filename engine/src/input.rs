//! What a decision is made on: the part of a context that rules may read.

use contract::{json::Object, time::Timestamp};

/// The part of a decision context that rules may read, and nothing else of it.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// `context.fields`.
    pub fields: &'a Object,
    /// `context.evidence`, in its order.
    pub evidence: &'a [Evidence<'a>],
    /// The id of the actor: `actor.id` of the request, else `context.metadata.actor_id`.
    pub actor_id: Option<&'a str>,
    /// The evaluation instant.
    pub as_of: Timestamp,
}

/// One item of evidence, as far as rules may see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence<'a> {
    /// What it is.
    pub kind: Option<&'a str>,
    /// The hash that the caller claims for the data: hexadecimal, perhaps after `sha256:`.
    pub hash: Option<&'a str>,
    /// SHA-256 of the canonical data, 64 lower-case hexadecimal digits; absent without data.
    pub data_digest: Option<&'a str>,
}
