//! The input of an evaluation: the part of a decision context that rules can read.

use contract::{json::Object, time::Timestamp};

/// The part of a decision context that rules can read.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The fields: `context.fields`.
    pub fields: &'a Object,
    /// The evidence: `context.evidence`, in the same order.
    pub evidence: &'a [Evidence<'a>],
    /// The ID of the actor: `actor.id` of the request, or else `context.metadata.actor_id`.
    pub actor_id: Option<&'a str>,
    /// The evaluation time.
    pub as_of: Timestamp,
}

/// The part of an evidence item that rules can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence<'a> {
    /// The kind of evidence.
    pub kind: Option<&'a str>,
    /// The hash that the caller claims for the data: hexadecimal, with or without the prefix `sha256:`.
    pub hash: Option<&'a str>,
    /// The SHA-256 digest of the canonical data: 64 lower-case hexadecimal digits; absent if there is no
    /// data.
    pub data_digest: Option<&'a str>,
}
