//! Signatures of deliveries: that of the specification, and that of Standard Webhooks.

use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose::STANDARD},
};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

pub(super) const SECRET_PREFIX: &str = "whsec_";

/// Decodes base64 with and without padding.
const DECODER: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Returns `sha256=` and the HMAC-SHA-256 of `{timestamp}.{body}` in hex (specification, "Signature"). The key is
/// the whole text of the secret.
pub(super) fn service(secret: &[u8], timestamp: &str, body: &str) -> String {
    format!("sha256={}", hex::encode(mac(secret, &[timestamp, body])))
}

/// Returns `v1,` and the HMAC-SHA-256 of `{id}.{timestamp}.{body}` in base64 (Standard Webhooks, "Signature scheme").
/// The key is the decoded secret. Returns `None` if the secret cannot be decoded.
pub(super) fn standard(secret: &[u8], id: &str, timestamp: &str, body: &str) -> Option<String> {
    let key = standard_key(secret)?;
    Some(format!("v1,{}", STANDARD.encode(mac(&key, &[id, timestamp, body]))))
}

/// Decodes the secret after its prefix. Secrets of earlier versions are base64url without padding.
fn standard_key(secret: &[u8]) -> Option<Vec<u8>> {
    let text = str::from_utf8(secret).ok()?.strip_prefix(SECRET_PREFIX)?;
    DECODER.decode(text.replace('-', "+").replace('_', "/")).ok()
}

/// Returns the HMAC-SHA-256 of `parts`, joined by dots.
fn mac(key: &[u8], parts: &[&str]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key)
        .unwrap_or_else(|_| unreachable!("HMAC accepts keys of any length"));
    mac.update(parts.join(".").as_bytes());
    mac.finalize().into_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_signature_equals_the_example_of_the_reference_libraries() {
        let secret = b"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let signature = standard(
            secret,
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            "{\"test\": 2432232314}",
        );
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signature.as_deref(), Some(expected));
    }

    #[test]
    fn both_forms_of_a_secret_have_the_same_key() {
        let bytes = [0xfb_u8; 32];
        let padded = format!("{SECRET_PREFIX}{}", STANDARD.encode(bytes));
        assert!(padded.contains('+') && padded.ends_with('='), "{padded}");
        let earlier = padded.replace('+', "-").replace('/', "_").replace('=', "");
        for secret in [padded, earlier] {
            assert_eq!(standard_key(secret.as_bytes()).as_deref(), Some(bytes.as_slice()));
        }
        assert_eq!(standard_key(b"MfKQ9r8G"), None);
    }
}
