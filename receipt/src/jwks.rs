//! JSON Web Key Sets (receipts, section 6).

use contract::json::{Object, Value};

use crate::key::{JwkError, PublicKey};

/// The URL path of the trust registry, which replaces this key set.
const SUCCESSOR: &str = "/v1/.well-known/trust-registry";

/// The reason why a key set is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JwksError {
    /// The list `keys` is missing.
    #[error("the list `keys` is missing")]
    NoKeys,
    /// A key of the list is refused.
    #[error("key {index}: {reason}")]
    Key {
        /// The index in the list, from 0.
        index: usize,
        /// The reason.
        reason: JwkError,
    },
}

/// Returns the key set of `keys`, in this order.
pub fn build<'a>(keys: impl IntoIterator<Item = &'a PublicKey>) -> Value {
    let deprecation = Object::from([("successor", SUCCESSOR.into())]);
    Object::from([
        ("keys", keys.into_iter().map(PublicKey::jwk).collect()),
        ("deprecation", deprecation.into()),
    ])
    .into()
}

/// Parses a key set. One invalid key refuses the whole set, so that a verifier never works with
/// part of its keys.
///
/// # Errors
/// Returns the reason why the key set is refused.
pub fn read(jwks: &Value) -> Result<Vec<PublicKey>, JwksError> {
    let keys = jwks.get("keys").and_then(Value::as_array).ok_or(JwksError::NoKeys)?;
    let parse =
        |(index, jwk)| PublicKey::from_jwk(jwk).map_err(|reason| JwksError::Key { index, reason });
    keys.iter().enumerate().map(parse).collect()
}
