//! Refusals of capability holders (contract, section 4; receipts, section 9.2).

use contract::capability::CapabilityAction;

use super::Details;

refusals! {
    /// For a capability holder without a grant, or with a missing grant in its lineage.
    missing() = AuthoringCapabilityMissing, "this key has no authoring capability";
    /// For a lineage with a revoked grant.
    revoked() = AuthoringCapabilityRevoked, "the authoring capability was revoked";
    /// For a lineage with a grant that has no uses left.
    exhausted() = AuthoringCapabilityExhausted, "the authoring capability has no uses left";
    /// For a lineage with an expired grant.
    expired() = AuthoringCapabilityExpired, "the authoring capability has expired";
    /// For a lineage with a grant that is not valid yet.
    not_yet_valid() = AuthoringCapabilityNotYetValid, "the authoring capability is not valid yet";
    /// For a lineage that is incomplete or differs from what was signed.
    integrity() = AuthoringCapabilityIntegrity,
        "the authoring capability failed its integrity check; request a new one";
    action_not_granted(required: CapabilityAction) = AuthoringCapabilityOutOfScope,
        "the authoring capability lacks the action `{required}`", with_details(Details::Action { required });
    version_not_granted() = AuthoringCapabilityOutOfScope,
        "the authoring capability is for a different version";
    /// For a capability holder that also has a policy scope.
    has_policy_scopes() = AuthoringCapabilityObjectMismatch,
        "a key with an authoring capability must not have a policy scope";
    /// For a grant that was carried over to another version during the call.
    carried_concurrently() = AuthoringCapabilityObjectMismatch,
        "the authoring capability was carried over concurrently; reload it";
    /// For a caller that is not a capability holder.
    capability_required() = Forbidden, "only a key with an authoring capability may do this";
}
