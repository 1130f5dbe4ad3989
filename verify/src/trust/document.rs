//! The trust document `service-verifier-trust/v1`, or a trust registry without a document.

use std::str::FromStr;

use contract::json::{Limits, Object, Value};
use receipt::{
    jwks,
    key::{PayloadType, PublicKey},
    object_reader::{ParseFieldError, SignedObjectReader},
    transparency_log::Vkey,
    trust_registry::SignedRegistry,
};

use super::{DEFAULT_PURPOSES, TrustError};

const SCHEMA: &str = "service-verifier-trust/v1";

/// A parsed trust document.
#[derive(Clone, Debug, Default)]
pub struct TrustDocument {
    /// A version of the trust registry.
    pub registry: Option<SignedRegistry>,
    /// The IDs of the pinned root keys.
    pub root_keys: Vec<String>,
    /// The number of pinned root keys that must have signed the registry; absent means more than
    /// half.
    pub root_threshold: Option<u32>,
    /// Individually pinned keys.
    pub pins: Vec<Pin>,
    /// The bytes of pinned keys.
    pub keys: Vec<PublicKey>,
    /// Transparency logs trusted directly.
    pub logs: Vec<Vkey>,
    /// Witnesses trusted directly.
    pub witnesses: Vec<Vkey>,
    /// The required number of cosignatures, which overrides the registry.
    pub witness_quorum: Option<u32>,
}

/// A key pinned by its thumbprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The thumbprint.
    pub kid: String,
    /// The payload types for which the key is trusted.
    pub purposes: Vec<PayloadType>,
}

impl Pin {
    /// Creates a pin for receipts, links, seals and manifests.
    pub fn new(kid: impl Into<String>) -> Self {
        Self { kid: kid.into(), purposes: DEFAULT_PURPOSES.to_vec() }
    }

    /// Creates a pin for one purpose. Returns `None` if the purpose is unknown.
    pub fn for_purpose(kid: impl Into<String>, purpose: &str) -> Option<Self> {
        Some(Self { kid: kid.into(), purposes: vec![payload_type(purpose)?] })
    }

    fn read(value: &Value) -> Result<Self, ParseFieldError> {
        let fields = SignedObjectReader::new(value, "pins")?;
        let kid = fields.text("kid")?.to_owned();
        if fields.get("purposes").is_none() {
            return Ok(Self::new(kid));
        }
        let purposes: Vec<String> = fields.member("purposes")?;
        let purposes = purposes.iter().map(|purpose| payload_type(purpose)).collect::<Option<_>>();
        Ok(Self { kid, purposes: purposes.ok_or(ParseFieldError::Member("purposes"))? })
    }
}

/// The reason why a text is not a pin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePinError {
    /// The text before `=` is not a key purpose.
    #[error("`{0}` is not a key purpose")]
    NoSuchPurpose(String),
    /// The text is not a fingerprint.
    #[error("`{0}` is not a fingerprint of {FINGERPRINT} letters, digits, `-` and `_`")]
    NoFingerprint(String),
}

/// Parses `KID` or `PURPOSE=KID`.
impl FromStr for Pin {
    type Err = ParsePinError;

    fn from_str(text: &str) -> Result<Self, ParsePinError> {
        let (purpose, kid) = match text.split_once('=') {
            None => (None, text),
            Some((purpose, kid)) => (Some(purpose), kid),
        };
        if !is_fingerprint(kid) {
            return Err(ParsePinError::NoFingerprint(kid.to_owned()));
        }
        match purpose {
            None => Ok(Self::new(kid)),
            Some(purpose) => Self::for_purpose(kid, purpose)
                .ok_or_else(|| ParsePinError::NoSuchPurpose(purpose.to_owned())),
        }
    }
}

/// The length of a fingerprint: 32 bytes in base64url. Source: RFC 7638, receipts, section 1.
const FINGERPRINT: usize = 43;

/// Returns whether `text` has the form of a key fingerprint.
pub fn is_fingerprint(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    text.len() == FINGERPRINT && text.bytes().all(is_allowed)
}

fn payload_type(purpose: &str) -> Option<PayloadType> {
    PayloadType::ALL.into_iter().find(|payload_type| payload_type.purpose() == purpose)
}

impl TrustDocument {
    /// Parses a trust document or the envelope of a registry.
    ///
    /// # Errors
    /// Returns an error if the text is neither, or if a member is malformed.
    pub fn read(text: &[u8]) -> Result<Self, TrustError> {
        let value = Value::parse(text, &Limits::BUNDLE_FILE).map_err(|_| TrustError::Neither)?;
        if value.get("payload").is_some() {
            let registry = SignedRegistry::read(&value).map_err(|_| TrustError::Neither)?;
            return Ok(Self { registry: Some(registry), ..Self::default() });
        }
        Self::from_value(&value).map_err(|error| match error {
            ParseFieldError::Schema => TrustError::Neither,
            ParseFieldError::Member(name) => TrustError::Member(name),
        })
    }

    fn from_value(value: &Value) -> Result<Self, ParseFieldError> {
        let fields = SignedObjectReader::with_schema(value, SCHEMA)?;
        let registry = fields.get("registry").map(SignedRegistry::read).transpose();
        let keys = fields.get("keys").map(|keys| {
            let set = Object::from([("keys", keys.clone())]);
            jwks::read(&set.into()).map_err(|_| ParseFieldError::Member("keys"))
        });
        let optional_list = |name: &'static str| match fields.get(name) {
            None => Ok(&[][..]),
            Some(_) => fields.list(name),
        };
        Ok(Self {
            registry: registry.map_err(|_| ParseFieldError::Member("registry"))?,
            root_keys: match fields.get("root_keys") {
                None => Vec::new(),
                Some(_) => fields.member("root_keys")?,
            },
            root_threshold: fields.member("root_threshold")?,
            pins: optional_list("pins")?.iter().map(Pin::read).collect::<Result<_, _>>()?,
            keys: keys.transpose()?.unwrap_or_default(),
            logs: parse_vkeys(optional_list("logs")?, "logs")?,
            witnesses: parse_vkeys(optional_list("witnesses")?, "witnesses")?,
            witness_quorum: fields.member("witness_quorum")?,
        })
    }
}

fn parse_vkeys(values: &[Value], name: &'static str) -> Result<Vec<Vkey>, ParseFieldError> {
    let parse = |value: &Value| value.as_str().and_then(receipt::object_reader::parsed);
    values.iter().map(parse).collect::<Option<_>>().ok_or(ParseFieldError::Member(name))
}
