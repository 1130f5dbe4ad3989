//! A software authenticator: it creates and uses passkeys as a browser would send them, and can misbehave.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _},
};
use sha2::{Digest, Sha256};

use crate::prelude::*;

pub(crate) const USER_PRESENT: u8 = 1;
pub(crate) const USER_VERIFIED: u8 = 1 << 2;
pub(crate) const BACKUP_ELIGIBLE: u8 = 1 << 3;
pub(crate) const BACKED_UP: u8 = 1 << 4;
const HAS_CREDENTIAL: u8 = 1 << 6;
const HAS_EXTENSIONS: u8 = 1 << 7;

/// The algorithm of a passkey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Es256,
    EdDsa,
    /// One that the service does not support: ES256K.
    Unsupported,
}

#[derive(Clone)]
enum Key {
    Es256(Arc<EcdsaKeyPair>),
    EdDsa(Arc<Ed25519KeyPair>),
}

/// One passkey and the state of its authenticator. Public members can be changed to misbehave.
#[derive(Clone)]
pub(crate) struct Authenticator {
    key: Key,
    algorithm: Algorithm,
    pub(crate) id: Vec<u8>,
    pub(crate) flags: u8,
    pub(crate) sign_count: u32,
    /// The user handle that the service has sent when the passkey was created, in Base64url.
    pub(crate) user_handle: Option<String>,
    /// Replaces the origin of the page.
    pub(crate) origin: Option<String>,
    /// Replaces the ID of the relying party.
    pub(crate) relying_party: Option<String>,
    /// Replaces the type of the client data.
    pub(crate) kind: Option<String>,
    /// Whether the page was in a frame of another origin.
    pub(crate) is_framed: bool,
    pub(crate) has_extensions: bool,
}

impl Authenticator {
    /// Creates an authenticator that verifies its user.
    pub(crate) fn new(id: u8) -> Self {
        Self::with_algorithm(id, Algorithm::Es256)
    }

    pub(crate) fn with_algorithm(id: u8, algorithm: Algorithm) -> Self {
        let key = match algorithm {
            Algorithm::EdDsa => {
                let key = Ed25519KeyPair::from_seed_unchecked(&[id; 32]);
                Key::EdDsa(Arc::new(key.expect("a seed of 32 bytes")))
            }
            Algorithm::Es256 | Algorithm::Unsupported => {
                let (kind, random) = (&ECDSA_P256_SHA256_ASN1_SIGNING, SystemRandom::new());
                let document = EcdsaKeyPair::generate_pkcs8(kind, &random).expect("a new key");
                let key = EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random);
                Key::Es256(Arc::new(key.expect("a key that was just created")))
            }
        };
        Self {
            key,
            algorithm,
            id: vec![id; 16],
            flags: USER_PRESENT | USER_VERIFIED,
            sign_count: 0,
            user_handle: None,
            origin: None,
            relying_party: None,
            kind: None,
            is_framed: false,
            has_extensions: false,
        }
    }

    /// Creates the passkey: `RegistrationResponseJSON`.
    pub(crate) fn create(&mut self, options: &Value) -> Value {
        let options = &options["public_key"];
        let party = text(&options["rp"]["id"]);
        self.user_handle = Some(text(&options["user"]["id"]).to_owned());
        let mut data = self.authenticator_data(party, HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).expect("a short ID").to_be_bytes());
        data.extend(&self.id);
        data.extend(self.public_key());
        data.extend(self.extensions());
        // {"fmt": "none", "attStmt": {}, "authData": data}
        let mut attestation = vec![0xa3, 0x63];
        attestation.extend(b"fmt\x64none\x67attStmt\xa0\x68authData");
        attestation.extend([0x58, u8::try_from(data.len()).expect("a short ID")]);
        attestation.extend(data);
        json!({
            "id": encode(&self.id), "rawId": encode(&self.id), "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encode(self.client_data("webauthn.create", party, options).as_bytes()),
                "attestationObject": encode(&attestation),
                "transports": ["internal"],
            },
        })
    }

    /// Uses the passkey: `AuthenticationResponseJSON`. The counter is sent as it is.
    pub(crate) fn get(&self, options: &Value) -> Value {
        let options = &options["public_key"];
        let party = text(&options["rpId"]);
        let mut data = self.authenticator_data(party, 0);
        data.extend(self.extensions());
        let client_data = self.client_data("webauthn.get", party, options);
        let signed = [data.as_slice(), &Sha256::digest(client_data.as_bytes())].concat();
        json!({
            "id": encode(&self.id), "rawId": encode(&self.id), "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encode(client_data.as_bytes()),
                "authenticatorData": encode(&data),
                "signature": encode(&self.sign(&signed)),
                "userHandle": self.user_handle,
            },
        })
    }

    /// Uses the passkey with new options for a purpose, and returns the body that is sent.
    pub(crate) async fn answer(&self, client: &Client, purpose: &str) -> Value {
        let options = json!({"purpose": purpose});
        let options = client.post("/v1/session/passkey-options", &options).await.expect(200);
        json!({"credential": self.get(&options)})
    }

    fn client_data(&self, kind: &str, party: &str, options: &Value) -> String {
        let origin = if party.is_empty() { String::new() } else { format!("https://{party}") };
        let data = json!({
            "type": self.kind.as_deref().unwrap_or(kind),
            "challenge": options["challenge"],
            "origin": self.origin.as_deref().unwrap_or(&origin),
            "crossOrigin": self.is_framed,
        });
        // Browsers add members that the service does not know.
        data.to_string().replacen('{', r#"{"odd": "\ud800", "size": 1e400, "odd": 2, "#, 1)
    }

    fn authenticator_data(&self, party: &str, more_flags: u8) -> Vec<u8> {
        let party = self.relying_party.as_deref().unwrap_or(party);
        let mut flags = self.flags | more_flags;
        if self.has_extensions {
            flags |= HAS_EXTENSIONS;
        }
        let mut data = Sha256::digest(party.as_bytes()).to_vec();
        data.push(flags);
        data.extend(self.sign_count.to_be_bytes());
        data
    }

    /// The output of an extension: `{"x": true}`.
    fn extensions(&self) -> &'static [u8] {
        if self.has_extensions { b"\xa1\x61x\xf5" } else { b"" }
    }

    /// The public key as `COSE_Key`.
    fn public_key(&self) -> Vec<u8> {
        let mut cose = Vec::new();
        match &self.key {
            Key::Es256(key) => {
                let point = key.public_key().as_ref();
                cose.extend([0xa5, 1, 2, 3]);
                match self.algorithm {
                    // -47: ES256K
                    Algorithm::Unsupported => cose.extend([0x38, 46]),
                    _ => cose.push(0x26),
                }
                cose.extend([0x20, 1, 0x21, 0x58, 32]);
                cose.extend(&point[1..33]);
                cose.extend([0x22, 0x58, 32]);
                cose.extend(&point[33..]);
            }
            Key::EdDsa(key) => {
                cose.extend([0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32]);
                cose.extend(key.public_key().as_ref());
            }
        }
        cose
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        match &self.key {
            Key::Es256(key) => {
                let signature = key.sign(&SystemRandom::new(), message);
                signature.expect("a signature").as_ref().to_vec()
            }
            Key::EdDsa(key) => key.sign(message).as_ref().to_vec(),
        }
    }
}

pub(crate) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Adds the passkey of an authenticator to the account of a client, and returns the response.
pub(crate) async fn enroll(client: &Client, authenticator: &mut Authenticator) -> Value {
    let options = client.post("/v1/session/passkeys/options", &json!({})).await.expect(200);
    let draft = json!({"name": "Laptop", "credential": authenticator.create(&options)});
    client.post("/v1/session/passkeys", &draft).await.expect(201)
}

/// Returns the code of an authenticator app `offset` steps from the step of `now_ms` (RFC 6238).
pub(crate) fn totp(secret: &str, now_ms: i64, offset: i64) -> String {
    let mut bits = 0_u64;
    let mut secret_bytes = Vec::new();
    for (index, letter) in secret.bytes().enumerate() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            _ => letter - b'2' + 26,
        };
        bits = (bits << 5) | u64::from(value);
        if index % 8 == 7 {
            secret_bytes.extend(&bits.to_be_bytes()[3..]);
            bits = 0;
        }
    }
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &secret_bytes);
    let tag = ring::hmac::sign(&key, &(now_ms / 30_000 + offset).to_be_bytes());
    let start = usize::from(tag.as_ref()[19] & 15);
    let number: [u8; 4] = tag.as_ref()[start..start + 4].try_into().expect("four bytes");
    format!("{:06}", (u32::from_be_bytes(number) & 0x7fff_ffff) % 1_000_000)
}

/// Adds an authenticator app to the account of a client. Returns its secret and the recovery codes.
pub(crate) async fn enroll_app(client: &Client, now_ms: i64) -> (String, Vec<String>) {
    let setup = client.post("/v1/session/totp", &json!({})).await.expect(200);
    let secret = text(&setup["secret"]).to_owned();
    // The code of the step before, so that the current one can be used next.
    let code = json!({"code": totp(&secret, now_ms, -1)});
    let confirmed = client.post("/v1/session/totp/confirm", &code).await.expect(200);
    let codes = confirmed["recovery_codes"].as_array().expect("a list").iter();
    (secret, codes.map(|code| text(code).to_owned()).collect())
}
