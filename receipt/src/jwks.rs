//! Published key sets (receipts, section 6).

use contract::json::{Object, Value};

use crate::key::{KeyRefused, PublicKey};

/// Where the trust registry lies, which follows this list.
const SUCCESSOR: &str = "/v1/.well-known/trust-registry";

/// Why a key set is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JwksRefused {
    /// There is no list `keys`.
    #[error("a key set has a list `keys`")]
    NoKeys,
    /// A key of the list is refused.
    #[error("key {index}: {reason}")]
    Key {
        /// Its place in the list, from 0.
        index: usize,
        /// Why.
        reason: KeyRefused,
    },
}

/// The key set of `keys`, in this order.
pub fn build<'a>(keys: impl IntoIterator<Item = &'a PublicKey>) -> Value {
    let deprecation = Object::from([("successor", SUCCESSOR.into())]);
    Object::from([
        ("keys", keys.into_iter().map(PublicKey::jwk).collect()),
        ("deprecation", deprecation.into()),
    ])
    .into()
}

/// Reads a key set. One bad key refuses it: a verifier must not go on with half of its trust.
///
/// # Errors
/// Why it is refused.
pub fn read(jwks: &Value) -> Result<Vec<PublicKey>, JwksRefused> {
    let keys = jwks.get("keys").and_then(Value::as_array).ok_or(JwksRefused::NoKeys)?;
    let read = |(index, jwk)| {
        PublicKey::from_jwk(jwk).map_err(|reason| JwksRefused::Key { index, reason })
    };
    keys.iter().enumerate().map(read).collect()
}
