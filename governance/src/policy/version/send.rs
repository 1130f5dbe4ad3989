//! Sending for review: a draft is sealed and submitted in one transaction.

use contract::{
    id::PolicyId,
    policy::{PolicyVersion, Seal},
};

use super::{change::Change, seal, subject::Subject, submitted};
use crate::{cx::Cx, error::Result, permission, policy::lifecycle::Move};

/// Seals the current revision of a draft and submits the version: both, or neither.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`;
/// `STALE_DRAFT_REVISION`; what refuses a seal.
pub async fn send(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    seal: Seal,
) -> Result<PolicyVersion> {
    let mut change = Change::begin(cx, permission::SEND, id, version, Move::Submit).await?;
    let (_, sealing) = seal::stored(cx, &mut change, seal).await?;
    if let Some(event) = sealing {
        change.tx.also(event);
    }
    submitted(cx, change).await
}
