//! The signed bytes (DSSE pre-authentication encoding), and envelopes that carry them (receipts, section 4).

use base64::{
    Engine as _,
    alphabet::{Alphabet, STANDARD as STANDARD_ALPHABET, URL_SAFE as URL_SAFE_ALPHABET},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose::STANDARD},
};
use contract::json::{Object, Value};

use crate::{
    canon::Canonical,
    key::{PayloadType, PublicKey, SignatureInvalid, SigningKey, signature_bytes},
};

/// What is signed for `body` of type `payload_type`. Lengths are in bytes.
pub fn pae(payload_type: &str, body: &str) -> Vec<u8> {
    format!("DSSEv1 {} {payload_type} {} {body}", payload_type.len(), body.len()).into_bytes()
}

/// A payload with its signatures, as `*.dsse.json` files hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// What kind of payload it is.
    pub payload_type: String,
    /// The signed text.
    pub payload: Canonical,
    /// Who signed it.
    pub signatures: Vec<EnvelopeSignature>,
}

/// One signature of an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvelopeSignature {
    /// The key's thumbprint.
    pub keyid: String,
    /// The raw signature.
    pub sig: Vec<u8>,
}

/// Why a value is no envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvelopeMalformed {
    /// A member is missing, surplus, or of the wrong type.
    #[error("an envelope has the members `payload`, `payloadType` and `signatures`")]
    Members,
    /// A member is no base64.
    #[error("`payload` and `sig` are base64")]
    Base64,
    /// The payload is not canonical JSON.
    #[error("the payload is not canonical JSON")]
    Payload,
}

impl Envelope {
    /// Wraps `payload` with signatures in the form of the API (base64url), each with its `kid`.
    ///
    /// # Errors
    /// A signature that is not 64 bytes in base64url.
    pub fn new<'a>(
        payload_type: PayloadType,
        payload: Canonical,
        signatures: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, SignatureInvalid> {
        let signature = |(kid, signature): (&str, &str)| {
            let sig = signature_bytes(signature)?.to_vec();
            Ok(EnvelopeSignature { keyid: kid.to_owned(), sig })
        };
        let signatures = signatures.into_iter().map(signature).collect::<Result<_, _>>()?;
        Ok(Self { payload_type: payload_type.as_str().to_owned(), payload, signatures })
    }

    /// Wraps `payload` and signs it with each of `keys`.
    ///
    /// # Errors
    /// A signature does not verify: the machine has made a mistake.
    pub fn sign<'a>(
        payload_type: PayloadType,
        payload: Canonical,
        keys: impl IntoIterator<Item = &'a SigningKey>,
    ) -> Result<Self, SignatureInvalid> {
        let bytes = pae(payload_type.as_str(), &payload.text);
        let sign = |key: &SigningKey| {
            let sig = key.sign_bytes(&bytes)?.to_vec();
            Ok(EnvelopeSignature { keyid: key.kid().to_owned(), sig })
        };
        let signatures = keys.into_iter().map(sign).collect::<Result<_, _>>()?;
        Ok(Self { payload_type: payload_type.as_str().to_owned(), payload, signatures })
    }

    /// Reads an envelope: both base64 alphabets, padded or not; a canonical payload.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(value: &Value) -> Result<Self, EnvelopeMalformed> {
        let envelope = members(value, 3)?;
        let payload = decode(text(envelope, "payload")?)?;
        let signatures = envelope.get("signatures").and_then(Value::as_array);
        Ok(Self {
            payload_type: text(envelope, "payloadType")?.to_owned(),
            payload: Canonical::read(&payload).map_err(|_| EnvelopeMalformed::Payload)?,
            signatures: signatures
                .ok_or(EnvelopeMalformed::Members)?
                .iter()
                .map(EnvelopeSignature::read)
                .collect::<Result<_, _>>()?,
        })
    }

    /// The envelope as it is sent, in standard base64 with padding.
    pub fn to_value(&self) -> Value {
        Object::from([
            ("payload", STANDARD.encode(&self.payload.text).into()),
            ("payloadType", self.payload_type.as_str().into()),
            ("signatures", self.signatures.iter().map(EnvelopeSignature::to_value).collect()),
        ])
        .into()
    }

    /// Checks that `key` signed this payload as `payload_type`. Other signatures are not looked at.
    ///
    /// # Errors
    /// Another payload type, no signature of this key, or a wrong one.
    pub fn verify(
        &self,
        payload_type: PayloadType,
        key: &PublicKey,
    ) -> Result<(), SignatureInvalid> {
        if self.payload_type != payload_type.as_str() {
            return Err(SignatureInvalid);
        }
        let own = self.signatures.iter().find(|signature| signature.keyid == key.kid());
        let sig = &own.ok_or(SignatureInvalid)?.sig;
        key.verify_bytes(&pae(&self.payload_type, &self.payload.text), sig)
    }
}

impl EnvelopeSignature {
    fn read(value: &Value) -> Result<Self, EnvelopeMalformed> {
        let signature = members(value, 2)?;
        Ok(Self {
            keyid: text(signature, "keyid")?.to_owned(),
            sig: decode(text(signature, "sig")?)?,
        })
    }

    fn to_value(&self) -> Value {
        let sig = STANDARD.encode(&self.sig);
        Object::from([("keyid", self.keyid.as_str().into()), ("sig", sig.into())]).into()
    }
}

fn members(value: &Value, count: usize) -> Result<&Object, EnvelopeMalformed> {
    let members = value.as_object().filter(|members| members.len() == count);
    members.ok_or(EnvelopeMalformed::Members)
}

fn text<'a>(members: &'a Object, name: &str) -> Result<&'a str, EnvelopeMalformed> {
    members.get(name).and_then(Value::as_str).ok_or(EnvelopeMalformed::Members)
}

fn decode(text: &str) -> Result<Vec<u8>, EnvelopeMalformed> {
    const fn either(alphabet: &Alphabet) -> GeneralPurpose {
        let padding = DecodePaddingMode::Indifferent;
        let config = GeneralPurposeConfig::new().with_decode_padding_mode(padding);
        GeneralPurpose::new(alphabet, config)
    }
    const STANDARD: GeneralPurpose = either(&STANDARD_ALPHABET);
    const URL_SAFE: GeneralPurpose = either(&URL_SAFE_ALPHABET);
    let bytes = STANDARD.decode(text).or_else(|_| URL_SAFE.decode(text));
    bytes.map_err(|_| EnvelopeMalformed::Base64)
}
