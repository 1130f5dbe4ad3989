//! Refusals of keys that carry capabilities (contract, section 4; receipts, section 9.2).

use contract::{
    capability::CapabilityAction,
    error::ErrorCode,
    json::{Object, Value},
};

use super::{Refusal, refusal};

/// The key carries capabilities, and nobody has issued one for it, or one of its chain is gone.
pub fn missing() -> Refusal {
    refusal(ErrorCode::AuthoringCapabilityMissing, "this key has no authoring capability")
}

/// A grant of the chain was revoked.
pub fn revoked() -> Refusal {
    refusal(ErrorCode::AuthoringCapabilityRevoked, "the authoring capability was revoked")
}

/// A grant of the chain has no uses left.
pub fn exhausted() -> Refusal {
    refusal(ErrorCode::AuthoringCapabilityExhausted, "the authoring capability has no uses left")
}

/// A grant of the chain has expired.
pub fn expired() -> Refusal {
    refusal(ErrorCode::AuthoringCapabilityExpired, "the authoring capability has expired")
}

/// A grant of the chain does not hold yet.
pub fn not_yet_valid() -> Refusal {
    refusal(ErrorCode::AuthoringCapabilityNotYetValid, "the authoring capability does not hold yet")
}

/// The chain is broken, or is not what was signed.
pub fn integrity() -> Refusal {
    refusal(
        ErrorCode::AuthoringCapabilityIntegrity,
        "the authoring capability is not what was signed; ask for a new one",
    )
}

/// The grant lacks an action.
pub fn lacks(required: CapabilityAction) -> Refusal {
    Refusal {
        details: Some(Object::from([("required", Value::from(required.as_str()))]).into()),
        ..refusal(
            ErrorCode::AuthoringCapabilityOutOfScope,
            format!("the authoring capability lacks the action `{required}`"),
        )
    }
}

/// The grant names another version.
pub fn another_version() -> Refusal {
    refusal(
        ErrorCode::AuthoringCapabilityOutOfScope,
        "the authoring capability names another version",
    )
}

/// A key with a say over policies carries a capability.
pub fn beside_policies() -> Refusal {
    refusal(
        ErrorCode::AuthoringCapabilityObjectMismatch,
        "a key that carries a capability has no other scope over policies",
    )
}

/// The grant was carried to another version while the call ran.
pub fn carried_meanwhile() -> Refusal {
    refusal(
        ErrorCode::AuthoringCapabilityObjectMismatch,
        "the authoring capability was carried to another version meanwhile; read again",
    )
}

/// A key that carries no capability asks for what only those do.
pub fn carriers_only() -> Refusal {
    refusal(ErrorCode::Forbidden, "only a key that carries an authoring capability may do this")
}
