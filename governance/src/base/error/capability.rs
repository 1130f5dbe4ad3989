//! Refusals of capability holders (contract, section 4; receipts, section 9.2).

use contract::{capability::CapabilityAction, error::ErrorCode};

use super::{Details, Refusal, refusal};

/// Returns the refusal for a capability holder without a grant, or with a missing grant in its lineage.
pub fn missing() -> Refusal {
    refusal(ErrorCode::AuthoringCapabilityMissing, "this key has no authoring capability")
}

/// Returns the refusal for a lineage with a revoked grant.
pub fn revoked() -> Refusal {
    refusal(ErrorCode::AuthoringCapabilityRevoked, "the authoring capability was revoked")
}

/// Returns the refusal for a lineage with a grant that has no uses left.
pub fn exhausted() -> Refusal {
    refusal(ErrorCode::AuthoringCapabilityExhausted, "the authoring capability has no uses left")
}

/// Returns the refusal for a lineage with an expired grant.
pub fn expired() -> Refusal {
    refusal(ErrorCode::AuthoringCapabilityExpired, "the authoring capability has expired")
}

/// Returns the refusal for a lineage with a grant that is not valid yet.
pub fn not_yet_valid() -> Refusal {
    refusal(ErrorCode::AuthoringCapabilityNotYetValid, "the authoring capability is not valid yet")
}

/// Returns the refusal for a lineage that is incomplete or differs from what was signed.
pub fn integrity() -> Refusal {
    refusal(
        ErrorCode::AuthoringCapabilityIntegrity,
        "the authoring capability failed its integrity check; request a new one",
    )
}

pub fn action_not_granted(required: CapabilityAction) -> Refusal {
    refusal(
        ErrorCode::AuthoringCapabilityOutOfScope,
        format!("the authoring capability lacks the action `{required}`"),
    )
    .with_details(Details::Action { required })
}

pub fn version_not_granted() -> Refusal {
    refusal(
        ErrorCode::AuthoringCapabilityOutOfScope,
        "the authoring capability is for a different version",
    )
}

/// Returns the refusal for a capability holder that also has a policy scope.
pub fn has_policy_scopes() -> Refusal {
    refusal(
        ErrorCode::AuthoringCapabilityObjectMismatch,
        "a key with an authoring capability must not have a policy scope",
    )
}

/// Returns the refusal for a grant that was carried over to another version during the call.
pub fn carried_concurrently() -> Refusal {
    refusal(
        ErrorCode::AuthoringCapabilityObjectMismatch,
        "the authoring capability was carried over concurrently; reload it",
    )
}

/// Returns the refusal for a caller that is not a capability holder.
pub fn capability_required() -> Refusal {
    refusal(ErrorCode::Forbidden, "only a key with an authoring capability may do this")
}
