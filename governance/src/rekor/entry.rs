//! What is sent to Rekor: the digest of a checkpoint, and our signature over it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use contract::json::{Limits, Object, Value};
use receipt::digest::Digest;

use super::{Dialect, key::RekorKey};

/// How both dialects call ECDSA on P-256 with SHA-256.
const KEY_DETAILS: &str = "PKIX_ECDSA_P256_SHA_256";

/// A `hashedrekord` entry that is to be put on record.
#[derive(Clone, Debug)]
pub struct Entry {
    dialect: Dialect,
    digest: Digest,
    /// Base64 of the DER form.
    signature: String,
    /// Base64 of the public key: of its PEM in the first dialect, of its DER in the second.
    public: String,
}

impl Entry {
    /// The entry for `note`, a signed checkpoint as it is published.
    pub fn new(dialect: Dialect, key: &RekorKey, note: &str) -> Self {
        Self {
            dialect,
            digest: Digest::of(note.as_bytes()),
            signature: STANDARD.encode(key.sign(note.as_bytes())),
            public: match dialect {
                Dialect::V1 => STANDARD.encode(key.public_pem()),
                Dialect::V2 => STANDARD.encode(key.public_der()),
            },
        }
    }

    /// Which dialect it is in.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The body of the request.
    pub fn request(&self) -> String {
        let body = match self.dialect {
            Dialect::V1 => self.record(),
            Dialect::V2 => object([(
                "hashedRekordRequestV002",
                object([("digest", self.digest_base64()), ("signature", self.signed())]),
            )]),
        };
        body.to_canonical()
    }

    /// Whether `body`, an entry as the log keeps it, is this one.
    pub fn is(&self, body: &[u8]) -> bool {
        Value::parse(body, &Limits::REQUEST).is_ok_and(|body| body == self.record())
    }

    /// The entry as the log keeps it.
    fn record(&self) -> Value {
        let (version, spec) = match self.dialect {
            Dialect::V1 => ("0.0.1", self.spec_v1()),
            Dialect::V2 => ("0.0.2", object([("hashedRekordV002", self.spec_v2())])),
        };
        object([("apiVersion", version.into()), ("kind", "hashedrekord".into()), ("spec", spec)])
    }

    fn spec_v1(&self) -> Value {
        let hash =
            object([("algorithm", "sha256".into()), ("value", self.digest.to_string().into())]);
        object([
            ("data", object([("hash", hash)])),
            (
                "signature",
                object([
                    ("content", self.signature.as_str().into()),
                    ("publicKey", object([("content", self.public.as_str().into())])),
                ]),
            ),
        ])
    }

    fn spec_v2(&self) -> Value {
        object([
            ("data", object([("algorithm", "SHA2_256".into()), ("digest", self.digest_base64())])),
            ("signature", self.signed()),
        ])
    }

    fn signed(&self) -> Value {
        let verifier = object([
            ("keyDetails", KEY_DETAILS.into()),
            ("publicKey", object([("rawBytes", self.public.as_str().into())])),
        ]);
        object([("content", self.signature.as_str().into()), ("verifier", verifier)])
    }

    fn digest_base64(&self) -> Value {
        STANDARD.encode(self.digest.as_bytes()).into()
    }
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Object::from(members).into()
}
