//! Sending for review: seals and submits a draft in one transaction.

use contract::policy::SealRequest;

use super::{seal, store_submitted, subject::Subject, transition::VersionTransition};
use crate::{access::permission, authoring::policy::lifecycle::Transition, base::prelude::*};

/// Seals the current revision of a draft and submits the version, atomically.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_DRAFT`;
/// `STALE_DRAFT_REVISION`; the errors of a seal.
pub async fn send(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    seal: SealRequest,
) -> Result<PolicyVersion> {
    let mut change =
        VersionTransition::begin(cx, permission::SEND, id, version, Transition::Submit).await?;
    let (_, sealed_event) = seal::store(cx, &mut change, seal).await?;
    if let Some(event) = sealed_event {
        change.tx.add_event(event);
    }
    store_submitted(cx, change).await
}
