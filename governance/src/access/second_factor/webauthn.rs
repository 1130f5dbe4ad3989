//! Verification of passkeys: the ceremonies of `WebAuthn` Level 3, sections 7.1 and 7.2.
//!
//! `ring` verifies signatures, the provider of TLS. The attestation of new passkeys is not used: any authenticator is
//! accepted, so a statement about its make would prove nothing that the service relies on.

mod authenticator_data;
mod public_key;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ciborium::Value as Cbor;
use serde::de::IgnoredAny;
use sha2::{Digest, Sha256};
use url::Url;

use self::{authenticator_data::AuthenticatorData, public_key::PublicKey};

use crate::base::prelude::*;

contract::named_enum! {
    /// The reason why a passkey was rejected.
    pub(super) enum Rejection {
        /// The credential is malformed or too large.
        Format = "format",
        /// The client data are of another ceremony.
        Type = "type",
        /// The challenge was not issued for this step, has expired or was used.
        Challenge = "challenge",
        /// The browser was at another origin, or in a frame of one.
        Origin = "origin",
        /// The authenticator signed for another relying party.
        RelyingParty = "relying_party",
        /// The authenticator did not test the presence of the user.
        UserPresence = "user_presence",
        /// The authenticator did not verify the user.
        UserVerification = "user_verification",
        /// The passkey has no supported algorithm.
        Algorithm = "algorithm",
        /// The signature is not valid.
        Signature = "signature",
        /// The passkey is unknown or belongs to another account.
        Unknown = "unknown",
        /// The signature counter did not increase, so the passkey may have been copied.
        SignCount = "sign_count",
    }
}

/// The algorithms of new passkeys (COSE), in the order of preference: `ES256`, `EdDSA`, `RS256`.
pub(super) const ALGORITHMS: [i32; 3] = public_key::ALGORITHMS;

/// The identity of the service towards authenticators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RelyingParty {
    /// The host of the public URL.
    pub(super) id: String,
    origin: String,
}

impl RelyingParty {
    /// Returns the relying party of the public URL.
    pub(super) fn new(governance: &Governance) -> Self {
        let url = Url::parse(&governance.link("/")).ok();
        let id = url.as_ref().and_then(Url::host_str).unwrap_or_default().to_owned();
        let origin = url.map(|url| url.origin().ascii_serialization()).unwrap_or_default();
        Self { id, origin }
    }
}

/// The maximum numbers of bytes of the parts of a credential.
const CLIENT_DATA_MAX: usize = 4_096;
const ATTESTATION_MAX: usize = 65_536;
const AUTHENTICATOR_DATA_MAX: usize = 4_096;
const SIGNATURE_MAX: usize = 1_024;
const USER_HANDLE_MAX: usize = 64;

/// The maximum number of bytes of a credential ID (section 7.1).
const CREDENTIAL_ID_MAX: usize = 1_023;

/// The maximum number of stored transports, and of their characters.
const TRANSPORTS_MAX: usize = 8;
const TRANSPORT_CHARS_MAX: usize = 20;

/// A verified new passkey.
#[derive(Debug)]
pub(super) struct Registration {
    pub(super) credential_id: Vec<u8>,
    /// `COSE_Key` in CBOR.
    pub(super) public_key: Vec<u8>,
    pub(super) sign_count: u32,
    pub(super) is_user_verified: bool,
    pub(super) is_backed_up: bool,
    pub(super) transports: Vec<String>,
    pub(super) challenge: Vec<u8>,
}

/// Verifies a new passkey (section 7.1). `is_issued` checks the challenge; the caller consumes it.
///
/// The first steps of the section run in the browser. The uniqueness of the credential is a constraint of the table.
pub(super) fn register(
    party: &RelyingParty,
    credential: &Object,
    is_issued: impl Fn(&[u8]) -> bool,
) -> Result<Registration, Rejection> {
    let response = response(credential)?;
    // Client data: type, challenge, origin and frames.
    let client_data = bytes(response, "clientDataJSON", CLIENT_DATA_MAX)?;
    let challenge = check_client_data(party, &client_data, "webauthn.create", is_issued)?;
    // Attestation object. The hash of the client data is only needed for the statement, which is not used.
    let attestation = bytes(response, "attestationObject", ATTESTATION_MAX)?;
    let attestation = authenticator_data::cbor(&mut attestation.as_slice())?;
    let data = match member(&attestation, "authData") {
        Some(Cbor::Bytes(data)) if data.len() <= AUTHENTICATOR_DATA_MAX => data,
        _ => return Err(Rejection::Format),
    };
    let data = AuthenticatorData::parse(data)?;
    // Relying party, presence of the user, and state of the backup.
    check_authenticator(party, &data)?;
    let created = data.credential.as_ref().ok_or(Rejection::Format)?;
    // The algorithm is one of those that the options offer.
    PublicKey::parse(&created.public_key)?;
    // Length of the credential ID. The ID outside the attestation must be the same.
    if created.id.is_empty() || created.id.len() > CREDENTIAL_ID_MAX {
        return Err(Rejection::Format);
    }
    if bytes(credential, "id", CREDENTIAL_ID_MAX)? != created.id {
        return Err(Rejection::Format);
    }
    Ok(Registration {
        credential_id: created.id.clone(),
        public_key: created.public_key.clone(),
        sign_count: data.sign_count,
        is_user_verified: data.is_user_verified(),
        is_backed_up: data.is_backed_up(),
        transports: transports(response),
        challenge,
    })
}

/// The parts of a used passkey before its public key is known.
#[derive(Debug)]
pub(super) struct Assertion {
    pub(super) credential_id: Vec<u8>,
    /// The account that the authenticator names; absent for a passkey that the options named.
    pub(super) user_handle: Option<UserId>,
    client_data: Vec<u8>,
    authenticator_data: Vec<u8>,
    signature: Vec<u8>,
}

/// A verified use of a passkey.
#[derive(Debug)]
pub(super) struct VerifiedAssertion {
    pub(super) sign_count: u32,
    pub(super) is_user_verified: bool,
    pub(super) is_backed_up: bool,
    pub(super) challenge: Vec<u8>,
}

impl Assertion {
    /// Reads a used passkey.
    pub(super) fn parse(credential: &Object) -> Result<Self, Rejection> {
        let response = response(credential)?;
        let user_handle = match response.get("userHandle") {
            None | Some(Value::Null) => None,
            Some(_) => {
                let handle = bytes(response, "userHandle", USER_HANDLE_MAX)?;
                let id = uuid::Uuid::from_slice(&handle).map_err(|_| Rejection::Unknown)?;
                Some(UserId(id))
            }
        };
        Ok(Self {
            credential_id: bytes(credential, "id", CREDENTIAL_ID_MAX)?,
            user_handle,
            client_data: bytes(response, "clientDataJSON", CLIENT_DATA_MAX)?,
            authenticator_data: bytes(response, "authenticatorData", AUTHENTICATOR_DATA_MAX)?,
            signature: bytes(response, "signature", SIGNATURE_MAX)?,
        })
    }

    /// Verifies the use of a passkey with its public key (section 7.2). `is_issued` checks the challenge; the caller
    /// consumes it.
    ///
    /// The caller identifies the account and its passkey before, and compares the signature counter afterwards, because
    /// both need stored rows.
    pub(super) fn verify(
        &self,
        party: &RelyingParty,
        public_key: &[u8],
        is_issued: impl Fn(&[u8]) -> bool,
    ) -> Result<VerifiedAssertion, Rejection> {
        // Client data: type, challenge, origin and frames.
        let challenge = check_client_data(party, &self.client_data, "webauthn.get", is_issued)?;
        // Relying party, presence of the user, and state of the backup. The caller checks the verification of the user,
        // which not all uses need.
        let data = AuthenticatorData::parse(&self.authenticator_data)?;
        check_authenticator(party, &data)?;
        // Signature over the authenticator data and the hash of the client data.
        let digest = Sha256::digest(&self.client_data);
        let message = [self.authenticator_data.as_slice(), &digest].concat();
        if !PublicKey::parse(public_key)?.verifies(&message, &self.signature) {
            return Err(Rejection::Signature);
        }
        Ok(VerifiedAssertion {
            sign_count: data.sign_count,
            is_user_verified: data.is_user_verified(),
            is_backed_up: data.is_backed_up(),
            challenge,
        })
    }
}

/// Checks the client data and returns the challenge.
fn check_client_data(
    party: &RelyingParty,
    text: &[u8],
    kind: &str,
    is_issued: impl Fn(&[u8]) -> bool,
) -> Result<Vec<u8>, Rejection> {
    let data: ClientData = serde_json::from_slice(text).map_err(|_| Rejection::Format)?;
    if data.kind != kind {
        return Err(Rejection::Type);
    }
    let challenge = URL_SAFE_NO_PAD.decode(&data.challenge).ok();
    let challenge = challenge.filter(|challenge| is_issued(challenge));
    let challenge = challenge.ok_or(Rejection::Challenge)?;
    let is_framed = data.cross_origin.unwrap_or_default() || data.top_origin.is_some();
    if data.origin != party.origin || is_framed {
        return Err(Rejection::Origin);
    }
    Ok(challenge)
}

/// What a browser says about the use of a passkey. Browsers add other members, which may have any shape.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    cross_origin: Option<bool>,
    top_origin: Option<IgnoredAny>,
}

/// Checks the relying party, the presence of the user and the state of the backup.
fn check_authenticator(party: &RelyingParty, data: &AuthenticatorData) -> Result<(), Rejection> {
    if data.relying_party != Sha256::digest(party.id.as_bytes()).as_slice() {
        return Err(Rejection::RelyingParty);
    }
    if !data.is_user_present() {
        return Err(Rejection::UserPresence);
    }
    // A passkey that cannot be backed up is not backed up.
    if data.is_backed_up() && !data.is_backup_eligible() {
        return Err(Rejection::Format);
    }
    Ok(())
}

/// Returns the response of an authenticator.
fn response(credential: &Object) -> Result<&Object, Rejection> {
    if credential.get("type").and_then(Value::as_str) != Some("public-key") {
        return Err(Rejection::Format);
    }
    credential.get("response").and_then(Value::as_object).ok_or(Rejection::Format)
}

/// Decodes a member in Base64url of at most `max` bytes.
fn bytes(object: &Object, name: &str, max: usize) -> Result<Vec<u8>, Rejection> {
    let text = object.get(name).and_then(Value::as_str).ok_or(Rejection::Format)?;
    let bytes = URL_SAFE_NO_PAD.decode(text).ok().filter(|bytes| bytes.len() <= max);
    bytes.ok_or(Rejection::Format)
}

/// Returns the member `name` of a map.
fn member<'c>(map: &'c Cbor, name: &str) -> Option<&'c Cbor> {
    let (_, value) = map.as_map()?.iter().find(|(key, _)| key.as_text() == Some(name))?;
    Some(value)
}

/// Returns the transports that the browser reports. They are hints for the next use.
fn transports(response: &Object) -> Vec<String> {
    let listed = response.get("transports").and_then(Value::as_array).unwrap_or_default();
    let is_plain = |text: &&str| {
        text.len() <= TRANSPORT_CHARS_MAX
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let texts = listed.iter().filter_map(Value::as_str).filter(is_plain);
    texts.take(TRANSPORTS_MAX).map(str::to_owned).collect()
}
