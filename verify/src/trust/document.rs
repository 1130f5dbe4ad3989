//! The trust document `service-verifier-trust/v1`, or a bare registry.

use std::str::FromStr;

use contract::json::{Limits, Value};
use receipt::{
    fields::{Fields, Malformed},
    jwks,
    key::{PayloadType, PublicKey},
    log::Vkey,
    registry::SignedRegistry,
};

use super::{DEFAULT_PURPOSES, TrustUnusable};

const SCHEMA: &str = "service-verifier-trust/v1";

/// What somebody trusts, as it is written down.
#[derive(Clone, Debug, Default)]
pub struct TrustDocument {
    /// A version of the registry.
    pub registry: Option<SignedRegistry>,
    /// The kids of its root keys that are pinned.
    pub root_keys: Vec<String>,
    /// How many of those must have signed it; absent: more than half.
    pub root_threshold: Option<u32>,
    /// Keys pinned one by one.
    pub pins: Vec<Pin>,
    /// The bytes of pinned keys.
    pub keys: Vec<PublicKey>,
    /// Logs trusted directly.
    pub logs: Vec<Vkey>,
    /// Witnesses trusted directly.
    pub witnesses: Vec<Vkey>,
    /// How many cosignatures are asked for, whatever the registry says.
    pub witness_quorum: Option<u32>,
}

/// A key pinned by its thumbprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The thumbprint.
    pub kid: String,
    /// What it is trusted for.
    pub purposes: Vec<PayloadType>,
}

impl Pin {
    /// Trusts `kid` for receipts, links, seals and manifests.
    pub fn new(kid: impl Into<String>) -> Self {
        Self { kid: kid.into(), purposes: DEFAULT_PURPOSES.to_vec() }
    }

    /// Trusts `kid` for one purpose, if there is such a purpose.
    pub fn for_purpose(kid: impl Into<String>, purpose: &str) -> Option<Self> {
        Some(Self { kid: kid.into(), purposes: vec![payload_type(purpose)?] })
    }

    fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of(value, "pins")?;
        let kid = fields.text("kid")?.to_owned();
        if fields.get("purposes").is_none() {
            return Ok(Self::new(kid));
        }
        let purposes: Vec<String> = fields.exact_list("purposes")?;
        let purposes = purposes.iter().map(|purpose| payload_type(purpose)).collect::<Option<_>>();
        Ok(Self { kid, purposes: purposes.ok_or(Malformed::Member("purposes"))? })
    }
}

/// Why a text pins no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPin {
    /// What stands before the `=` is no purpose of a key.
    #[error("`{0}` is no purpose")]
    NoSuchPurpose(String),
    /// What should be the fingerprint is none.
    #[error("`{0}` is no fingerprint, which has {FINGERPRINT} letters, digits, - and _")]
    NoFingerprint(String),
}

/// Reads `KID` or `PURPOSE=KID`.
impl FromStr for Pin {
    type Err = NoPin;

    fn from_str(text: &str) -> Result<Self, NoPin> {
        let (purpose, kid) = match text.split_once('=') {
            None => (None, text),
            Some((purpose, kid)) => (Some(purpose), kid),
        };
        if !is_fingerprint(kid) {
            return Err(NoPin::NoFingerprint(kid.to_owned()));
        }
        match purpose {
            None => Ok(Self::new(kid)),
            Some(purpose) => Self::for_purpose(kid, purpose)
                .ok_or_else(|| NoPin::NoSuchPurpose(purpose.to_owned())),
        }
    }
}

/// Letters of a fingerprint: 32 bytes in base64url. Source: RFC 7638, receipts, section 1.
const FINGERPRINT: usize = 43;

/// Whether the text can be the fingerprint of a key.
pub fn is_fingerprint(text: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    text.len() == FINGERPRINT && text.bytes().all(letter)
}

fn payload_type(purpose: &str) -> Option<PayloadType> {
    PayloadType::ALL.into_iter().find(|payload_type| payload_type.purpose() == purpose)
}

impl TrustDocument {
    /// Reads a trust document, or the envelope of a registry.
    ///
    /// # Errors
    /// It is neither, or a member is malformed.
    pub fn read(text: &[u8]) -> Result<Self, TrustUnusable> {
        let value =
            Value::parse(text, &Limits::BUNDLE_MEMBER).map_err(|_| TrustUnusable::Neither)?;
        if value.get("payload").is_some() {
            let registry = SignedRegistry::read(&value).map_err(|_| TrustUnusable::Neither)?;
            return Ok(Self { registry: Some(registry), ..Self::default() });
        }
        Self::of(&value).map_err(|fault| match fault {
            Malformed::Schema => TrustUnusable::Neither,
            Malformed::Member(name) => TrustUnusable::Member(name),
        })
    }

    fn of(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of_schema(value, SCHEMA)?;
        let registry = fields.get("registry").map(SignedRegistry::read).transpose();
        let keys = fields.get("keys").map(|keys| {
            let set = contract::json::Object::from([("keys", keys.clone())]);
            jwks::read(&set.into()).map_err(|_| Malformed::Member("keys"))
        });
        let listed = |name: &'static str| match fields.get(name) {
            None => Ok(&[][..]),
            Some(_) => fields.list(name),
        };
        Ok(Self {
            registry: registry.map_err(|_| Malformed::Member("registry"))?,
            root_keys: match fields.get("root_keys") {
                None => Vec::new(),
                Some(_) => fields.exact_list("root_keys")?,
            },
            root_threshold: fields.maybe_whole("root_threshold")?,
            pins: listed("pins")?.iter().map(Pin::read).collect::<Result<_, _>>()?,
            keys: keys.transpose()?.unwrap_or_default(),
            logs: vkeys(listed("logs")?, "logs")?,
            witnesses: vkeys(listed("witnesses")?, "witnesses")?,
            witness_quorum: fields.maybe_whole("witness_quorum")?,
        })
    }
}

fn vkeys(values: &[Value], name: &'static str) -> Result<Vec<Vkey>, Malformed> {
    let vkey = |value: &Value| value.as_str().and_then(receipt::fields::exact);
    values.iter().map(vkey).collect::<Option<_>>().ok_or(Malformed::Member(name))
}
