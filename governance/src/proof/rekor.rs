//! Rekor: publishes checkpoints of the transparency log in a log of a third party, so that a service that
//! shows different logs to different readers can be detected. Off unless a URL is configured.
//!
//! Supports two dialects: Rekor 1 (`/api/v1`, entries `hashedrekord` 0.0.1) and Rekor 2 (`/api/v2`, entries
//! `hashedrekord` 0.0.2, proofs from tiles). Source: the `OpenAPI` documents of sigstore/rekor and
//! sigstore/rekor-tiles.

mod key;
mod log_key;
mod proof;
mod queue;
mod submit;

pub use self::{
    key::{ParseRekorKeyError, RekorKey},
    log_key::{LogKey, ParseLogKeyError},
    proof::{Proof, ProofError},
    queue::{Rekor, RekorRecord, SubmissionResult, latest_proof, latest_record},
    submit::{RESPONSE_BYTES_MAX, RekorResponse, RekorTransport, Request, SubmissionError, submit},
};
use crate::{Governance, base::prelude::*};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use contract::json::Limits;

contract::named_enum! {
    /// The API dialect of a Rekor instance.
    pub enum Dialect {
        /// Rekor 1: entries are read by their ID.
        V1 = "v1",
        /// Rekor 2: entries are read from tiles.
        V2 = "v2",
    }
}

impl Governance {
    fn rekor_key(&self) -> Option<&RekorKey> {
        self.keys()?.rekor()
    }
}

/// The name of ECDSA on P-256 with SHA-256 in both dialects.
const KEY_DETAILS: &str = "PKIX_ECDSA_P256_SHA_256";

/// A `hashedrekord` entry to submit.
#[derive(Clone, Debug)]
pub struct Entry {
    dialect: Dialect,
    digest: Digest,
    /// The signature in DER form, as base64.
    signature: String,
    /// The public key as base64: of its PEM form in Rekor 1, of its DER form in Rekor 2.
    public: String,
}

impl Entry {
    /// Creates the entry for `note`, a signed checkpoint as it is published.
    pub fn new(dialect: Dialect, key: &RekorKey, note: &str) -> Self {
        Self {
            dialect,
            digest: Digest::compute(note.as_bytes()),
            signature: STANDARD.encode(key.sign(note.as_bytes())),
            public: match dialect {
                Dialect::V1 => STANDARD.encode(key.public_pem()),
                Dialect::V2 => STANDARD.encode(key.public_der()),
            },
        }
    }

    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the body of the request.
    pub fn request(&self) -> String {
        let body = match self.dialect {
            Dialect::V1 => self.record(),
            Dialect::V2 => object([(
                "hashedRekordRequestV002",
                object([("digest", self.digest_base64()), ("signature", self.signature_object())]),
            )]),
        };
        body.to_canonical()
    }

    /// Returns whether `body`, an entry as stored by the log, is this entry.
    pub fn matches(&self, body: &[u8]) -> bool {
        Value::parse(body, &Limits::REQUEST).is_ok_and(|body| body == self.record())
    }

    /// Returns the entry as stored by the log.
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
            ("signature", self.signature_object()),
        ])
    }

    fn signature_object(&self) -> Value {
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
