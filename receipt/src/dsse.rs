//! DSSE envelopes (receipts, section 4).

use base64::{
    Engine as _,
    alphabet::{Alphabet, STANDARD as STANDARD_ALPHABET, URL_SAFE as URL_SAFE_ALPHABET},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose::STANDARD},
};
use contract::json::{Object, Value};

use crate::{
    canonical_json::CanonicalJson,
    key::{InvalidSignature, PayloadType, PublicKey, SigningKey, pae, signature_bytes},
};

/// A payload with its signatures: the content of a `*.dsse.json` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The payload type.
    pub payload_type: String,
    /// The signed text.
    pub payload: CanonicalJson,
    /// The signatures over the payload.
    pub signatures: Vec<EnvelopeSignature>,
}

/// One signature of an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvelopeSignature {
    /// The thumbprint of the key.
    pub keyid: String,
    /// The raw signature.
    pub sig: Vec<u8>,
}

/// The reason why a value is not an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseEnvelopeError {
    /// A member is missing, surplus or of the wrong type.
    #[error("an envelope must have exactly the members `payload`, `payloadType` and `signatures`")]
    Members,
    /// A member is not base64.
    #[error("`payload` and `sig` must be base64")]
    Base64,
    /// The payload is not canonical JSON.
    #[error("the payload is not canonical JSON")]
    Payload,
}

impl Envelope {
    /// Wraps `payload` with signatures in API form (base64url), each with its `kid`.
    ///
    /// # Errors
    /// Returns an error if a signature is not 64 bytes in base64url.
    pub fn new<'a>(
        payload_type: PayloadType,
        payload: CanonicalJson,
        signatures: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, InvalidSignature> {
        let signature = |(kid, signature): (&str, &str)| {
            let sig = signature_bytes(signature)?.to_vec();
            Ok(EnvelopeSignature { keyid: kid.to_owned(), sig })
        };
        let signatures = signatures.into_iter().map(signature).collect::<Result<_, _>>()?;
        Ok(Self { payload_type: payload_type.as_str().to_owned(), payload, signatures })
    }

    /// Signs `payload` with each of `keys` and wraps it.
    ///
    /// # Errors
    /// Returns an error if a signature fails verification directly after signing, which indicates a
    /// hardware fault.
    pub fn sign<'a>(
        payload_type: PayloadType,
        payload: CanonicalJson,
        keys: impl IntoIterator<Item = &'a SigningKey>,
    ) -> Result<Self, InvalidSignature> {
        let bytes = pae(payload_type.as_str(), &payload.text);
        let sign = |key: &SigningKey| {
            let sig = key.sign_bytes(&bytes)?.to_vec();
            Ok(EnvelopeSignature { keyid: key.kid().to_owned(), sig })
        };
        let signatures = keys.into_iter().map(sign).collect::<Result<_, _>>()?;
        Ok(Self { payload_type: payload_type.as_str().to_owned(), payload, signatures })
    }

    /// Parses an envelope. Accepts both base64 alphabets, with or without padding. The payload must
    /// be canonical.
    ///
    /// # Errors
    /// Returns the reason why `value` is not an envelope.
    pub fn read(value: &Value) -> Result<Self, ParseEnvelopeError> {
        let envelope = members(value, 3)?;
        let payload = decode(text(envelope, "payload")?)?;
        let signatures = envelope.get("signatures").and_then(Value::as_array);
        Ok(Self {
            payload_type: text(envelope, "payloadType")?.to_owned(),
            payload: CanonicalJson::parse(&payload).map_err(|_| ParseEnvelopeError::Payload)?,
            signatures: signatures
                .ok_or(ParseEnvelopeError::Members)?
                .iter()
                .map(EnvelopeSignature::read)
                .collect::<Result<_, _>>()?,
        })
    }

    /// Returns the envelope as JSON, in standard base64 with padding.
    pub fn to_value(&self) -> Value {
        Object::from([
            ("payload", STANDARD.encode(&self.payload.text).into()),
            ("payloadType", self.payload_type.as_str().into()),
            ("signatures", self.signatures.iter().map(EnvelopeSignature::to_value).collect()),
        ])
        .into()
    }

    /// Checks that `key` signed this payload as `payload_type`. Other signatures are ignored.
    ///
    /// # Errors
    /// Returns an error if the payload type differs, or if the signature of this key is missing or
    /// invalid.
    pub fn verify(
        &self,
        payload_type: PayloadType,
        key: &PublicKey,
    ) -> Result<(), InvalidSignature> {
        if self.payload_type != payload_type.as_str() {
            return Err(InvalidSignature);
        }
        let matching = self.signatures.iter().find(|signature| signature.keyid == key.kid());
        let sig = &matching.ok_or(InvalidSignature)?.sig;
        key.verify_bytes(&pae(&self.payload_type, &self.payload.text), sig)
    }
}

impl EnvelopeSignature {
    fn read(value: &Value) -> Result<Self, ParseEnvelopeError> {
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

fn members(value: &Value, count: usize) -> Result<&Object, ParseEnvelopeError> {
    let members = value.as_object().filter(|members| members.len() == count);
    members.ok_or(ParseEnvelopeError::Members)
}

fn text<'a>(members: &'a Object, name: &str) -> Result<&'a str, ParseEnvelopeError> {
    members.get(name).and_then(Value::as_str).ok_or(ParseEnvelopeError::Members)
}

fn decode(text: &str) -> Result<Vec<u8>, ParseEnvelopeError> {
    const fn lenient(alphabet: &Alphabet) -> GeneralPurpose {
        let padding = DecodePaddingMode::Indifferent;
        let config = GeneralPurposeConfig::new().with_decode_padding_mode(padding);
        GeneralPurpose::new(alphabet, config)
    }
    const LENIENT_STANDARD: GeneralPurpose = lenient(&STANDARD_ALPHABET);
    const LENIENT_URL_SAFE: GeneralPurpose = lenient(&URL_SAFE_ALPHABET);
    let bytes = LENIENT_STANDARD.decode(text).or_else(|_| LENIENT_URL_SAFE.decode(text));
    bytes.map_err(|_| ParseEnvelopeError::Base64)
}
