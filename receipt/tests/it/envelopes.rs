//! DSSE envelopes and their signed bytes.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD},
};
use contract::json::{Object, Value};
use receipt::{
    CanonicalJson,
    dsse::{Envelope, ParseEnvelopeError},
    key::{PayloadType, SigningKey, pae},
};

use crate::vectors::{Known as _, json};

#[test]
fn pre_authentication_encoding_matches_the_protocol() {
    for case in json("derived/dsse_pae.json").list("pae") {
        let encoded = pae(case.text("type"), case.text("body"));
        assert_eq!(String::from_utf8(encoded).unwrap(), case.text("pae"));
    }
}

fn envelope() -> (SigningKey, Envelope) {
    let key = SigningKey::from_seed([7; 32]);
    let payload = CanonicalJson::from_value(&Object::from([("é😀", "??>>~~".into())]).into());
    let signature = key.sign(PayloadType::Receipt, &payload).unwrap();
    let envelope =
        Envelope::new(PayloadType::Receipt, payload, [(key.kid(), &*signature)]).unwrap();
    (key, envelope)
}

#[test]
fn all_base64_forms_are_parsed_and_one_is_written() {
    let (key, envelope) = envelope();
    let json = envelope.to_value();
    for engine in [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD] {
        let mut other = json.as_object().unwrap().clone();
        other.insert("payload", engine.encode(&envelope.payload.text));
        let sig = engine.encode(&envelope.signatures[0].sig);
        let signature = Object::from([("keyid", key.kid().into()), ("sig", sig.into())]);
        other.insert("signatures", vec![signature.into()]);
        let parsed = Envelope::read(&other.into()).unwrap();
        assert_eq!(parsed, envelope);
        assert_eq!(parsed.to_value(), json);
        assert_eq!(parsed.verify(PayloadType::Receipt, key.public()), Ok(()));
    }
}

fn read_with(name: &str, value: impl Into<Value>) -> Result<Envelope, ParseEnvelopeError> {
    let mut members = envelope().1.to_value().as_object().unwrap().clone();
    members.insert(name, value);
    Envelope::read(&members.into())
}

#[test]
fn malformed_envelopes_are_refused() {
    let payload = |text: &str| read_with("payload", STANDARD.encode(text));
    assert_eq!(payload(r#"{"a": 1}"#), Err(ParseEnvelopeError::Payload));
    assert_eq!(payload(r#"{"a":1,"a":1}"#), Err(ParseEnvelopeError::Payload));
    assert_eq!(payload("\u{feff}{}"), Err(ParseEnvelopeError::Payload));
    assert_eq!(read_with("payload", "e30*"), Err(ParseEnvelopeError::Base64));
    assert_eq!(read_with("payload", "+_=="), Err(ParseEnvelopeError::Base64));
    assert_eq!(read_with("payload", 1), Err(ParseEnvelopeError::Members));
    assert_eq!(read_with("more", 1), Err(ParseEnvelopeError::Members));
    assert_eq!(read_with("signatures", Value::Null), Err(ParseEnvelopeError::Members));
    assert_eq!(read_with("signatures", vec![Value::Null]), Err(ParseEnvelopeError::Members));
    assert_eq!(Envelope::read(&Value::Null), Err(ParseEnvelopeError::Members));
}

#[test]
fn envelope_verifies_only_for_its_type_and_keys() {
    let (key, mut envelope) = envelope();
    let other = SigningKey::from_seed([8; 32]);
    assert!(envelope.verify(PayloadType::ChainLink, key.public()).is_err());
    assert!(envelope.verify(PayloadType::Receipt, other.public()).is_err());
    // Changing the key ID does not make the signature valid.
    other.kid().clone_into(&mut envelope.signatures[0].keyid);
    assert!(envelope.verify(PayloadType::Receipt, key.public()).is_err());
    assert!(envelope.verify(PayloadType::Receipt, other.public()).is_err());
}
