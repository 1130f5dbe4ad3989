//! Canonical JSON and its digest (receipts, section 2): the only source of hashed bytes.

mod part;

use contract::json::{Limits, Value};

pub(crate) use self::part::{JsonPart, ObjectBuilder};
use crate::digest::Digest;

/// A canonical JSON text with its digest. The text is stored, signed and sent byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CanonicalJson {
    /// The canonical text, `J(x)`.
    pub text: String,
    /// Its SHA-256, `H(x)`.
    pub digest: Digest,
}

/// A text that is not canonical JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the text is not canonical JSON")]
pub struct NonCanonicalJson;

impl CanonicalJson {
    /// Serializes `value` canonically and computes its digest.
    pub fn from_value(value: &Value) -> Self {
        JsonPart::Value(value).canonical()
    }

    /// Parses a text that must already be canonical, such as a stored or received one.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON or not canonical.
    pub fn parse(text: &[u8]) -> Result<Self, NonCanonicalJson> {
        let (_, text) = value_and_text(text)?;
        Ok(Self::from_stored(text))
    }

    /// Parses a canonical text into a value without computing its digest.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON or not canonical.
    pub fn value(text: &[u8]) -> Result<Value, NonCanonicalJson> {
        value_and_text(text).map(|(value, _)| value)
    }

    /// Wraps stored text without validating it. Use only to forward bytes unchanged.
    pub fn from_stored(text: String) -> Self {
        let digest = Digest::compute(text.as_bytes());
        Self { text, digest }
    }
}

fn value_and_text(text: &[u8]) -> Result<(Value, String), NonCanonicalJson> {
    let value = Value::parse(text, &Limits::BUNDLE_FILE).map_err(|_| NonCanonicalJson)?;
    let mut canonical = String::with_capacity(text.len());
    value.write_canonical(&mut canonical);
    if canonical.as_bytes() == text { Ok((value, canonical)) } else { Err(NonCanonicalJson) }
}
