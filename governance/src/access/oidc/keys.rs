//! The public keys of identity providers, and the signatures that they verify.
//!
//! `ring` verifies, the provider of TLS. Only asymmetric algorithms exist here, so a token without a signature, or with
//! a signature made with a client secret or a public key as a shared secret, has no valid algorithm.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};
use serde_json::Value;

use super::document::Document;

/// The public keys of an identity provider.
#[derive(Debug)]
pub(crate) struct SigningKeys {
    keys: Vec<SigningKey>,
    /// The time in milliseconds for which the provider permits to cache the keys.
    pub(super) lifetime_ms: i64,
}

#[derive(Debug)]
struct SigningKey {
    id: Option<String>,
    /// The only algorithm of the key.
    algorithm: Option<String>,
    key: PublicKey,
}

#[derive(Debug)]
enum PublicKey {
    Rsa {
        modulus: Vec<u8>,
        exponent: Vec<u8>,
    },
    /// A point of P-256, uncompressed.
    P256(Vec<u8>),
    /// A point of P-384, uncompressed.
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

impl SigningKeys {
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns whether a key verifies the signature. With `key_id`, only that key and keys without an ID are used. A key
    /// for one algorithm is used only with that one.
    pub(super) fn verify(
        &self,
        algorithm: &str,
        key_id: Option<&str>,
        message: &[u8],
        signature: &[u8],
    ) -> bool {
        let is_named = |key: &&SigningKey| match (&key.id, key_id) {
            (Some(id), Some(named)) => id == named,
            _ => true,
        };
        let has_algorithm = |key: &&SigningKey| {
            key.algorithm.as_deref().is_none_or(|of_key| is_same_algorithm(of_key, algorithm))
        };
        let keys = self.keys.iter().filter(is_named).filter(has_algorithm);
        keys.map(|key| &key.key).any(|key| key.verifies(algorithm, message, signature))
    }
}

impl PublicKey {
    /// Returns whether the key has the type of `algorithm` (RFC 7518, section 3.1; RFC 8037) and verifies the signature.
    fn verifies(&self, algorithm: &str, message: &[u8], signature: &[u8]) -> bool {
        let plain = |algorithm: &'static dyn VerificationAlgorithm, key: &[u8]| {
            UnparsedPublicKey::new(algorithm, key).verify(message, signature).is_ok()
        };
        match (self, algorithm) {
            (Self::Rsa { modulus, exponent }, _) => {
                let key = RsaPublicKeyComponents { n: modulus, e: exponent };
                rsa(algorithm).is_some_and(|rsa| key.verify(rsa, message, signature).is_ok())
            }
            (Self::P256(point), "ES256") => plain(&ECDSA_P256_SHA256_FIXED, point),
            (Self::P384(point), "ES384") => plain(&ECDSA_P384_SHA384_FIXED, point),
            (Self::Ed25519(key), "EdDSA" | "Ed25519") => plain(&ED25519, key),
            _ => false,
        }
    }

    /// Parses a key of a key set (RFC 7517); `None` for a key of another type or use.
    fn parse(jwk: &Value) -> Option<Self> {
        let text = |name: &str| jwk.get(name)?.as_str();
        let operations = jwk.get("key_ops").and_then(Value::as_array);
        let is_for_signatures = text("use").is_none_or(|usage| usage == "sig")
            && operations.is_none_or(|all| all.iter().any(|operation| operation == "verify"));
        if !is_for_signatures {
            return None;
        }
        let bytes = |name: &str| URL_SAFE_NO_PAD.decode(text(name)?.trim_end_matches('=')).ok();
        // Some libraries write a sign byte before a number, which `ring` refuses.
        let number = |name: &str| {
            let bytes = bytes(name)?;
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            bytes.get(zeros..).map(<[u8]>::to_vec)
        };
        let point = |length: usize| {
            let (x, y) = (bytes("x")?, bytes("y")?);
            let is_valid = x.len() == length && y.len() == length;
            is_valid.then(|| [&[4], x.as_slice(), y.as_slice()].concat())
        };
        match (text("kty")?, text("crv")) {
            ("RSA", _) => Some(Self::Rsa { modulus: number("n")?, exponent: number("e")? }),
            ("EC", Some("P-256")) => point(32).map(Self::P256),
            ("EC", Some("P-384")) => point(48).map(Self::P384),
            ("OKP", Some("Ed25519")) => bytes("x").map(Self::Ed25519),
            _ => None,
        }
    }
}

fn rsa(algorithm: &str) -> Option<&'static RsaParameters> {
    match algorithm {
        "RS256" => Some(&RSA_PKCS1_2048_8192_SHA256),
        "RS384" => Some(&RSA_PKCS1_2048_8192_SHA384),
        "RS512" => Some(&RSA_PKCS1_2048_8192_SHA512),
        "PS256" => Some(&RSA_PSS_2048_8192_SHA256),
        _ => None,
    }
}

/// Returns whether two names are names of the same algorithm. `EdDSA` with a key of Ed25519 is also `Ed25519` (RFC 9864).
fn is_same_algorithm(a: &str, b: &str) -> bool {
    let is_ed25519 = |name: &str| matches!(name, "EdDSA" | "Ed25519");
    a == b || (is_ed25519(a) && is_ed25519(b))
}

/// The maximum number of keys of a provider. A token without the ID of a key is checked with each, and the provider of one
/// tenant must not use the time of others.
const KEYS_MAX: usize = 100;

/// Parses a key set. Keys of other types and uses are ignored, and so are those after the first [`KEYS_MAX`].
pub(super) fn parse(document: &Document, lifetime_ms: i64) -> SigningKeys {
    let jwks = document.value("keys").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let key = |jwk: &Value| {
        let text = |name: &str| jwk.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(SigningKey { id: text("kid"), algorithm: text("alg"), key: PublicKey::parse(jwk)? })
    };
    SigningKeys { keys: jwks.iter().filter_map(key).take(KEYS_MAX).collect(), lifetime_ms }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys and signatures of the text `message`, made with OpenSSL.
    const KEYS: &str = "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"vRLWCjQpfDo4e4QEtK4j54u1sfLavFtuiNgCPFtAAuGQyEJJ0yX5ec\
         yPWOxyBbFt4xc9UxO69ufzrbxsrzSIHRkx2P39a1aoCVKZfP-Gjtu7BJb5btNvr2nkZc-lS1XjH7vA8yDAAS3iMKxZ\
         dZhywjj8aUZbGnn-zr1cn7bkZA4MjqStucB9FbK3Fg0cKgl6biephSWHU1UPoXSJTdXxLAAa0c3EW5R2lVJqOJ6Vh_\
         dioL8BRvwo3oVmsbwYSrHJdgAO09U8ehA7p5Q7XJhZrhUc6fZAeFaPeEGMW7jiKof2i7c_4Xqna2nbz0Bas815woab\
         XhbXX2rhmjy1lPksQQ\",\"e\":\"AQAB\",\"kid\":\"rsa\"},{\"kty\":\"EC\",\"x\":\"NUk5j-CNPj3WX\
         RFRBUnnyaj900dfXerUa4WBG3lQTY8\",\"y\":\"SN9aZiVasAiiUrwHC1yXzkXW_8m1FcToZPtYLvhImJE\",\"c\
         rv\":\"P-256\",\"kid\":\"p256\"},{\"kty\":\"EC\",\"x\":\"rEKBjSdFLjDW-FPLYTodeQIeeVjkt-m6Q\
         SNxA6DIm6y9oyIFkXB7MANYUWnn0xbU\",\"y\":\"qUrQWP325Yo1DiLwjmujiFUCoM2v61-BwQcnc8rd6xOXtOAv\
         sEXu1RoAFlWHrNej\",\"crv\":\"P-384\",\"kid\":\"p384\"},{\"crv\":\"Ed25519\",\"x\":\"Zd7MxH\
         Hr-9k9RyJZbC0LPq_OXhOu65ze-HbITEU6XKI\",\"kty\":\"OKP\",\"kid\":\"ed\"}]}";

    const SIGNATURES: [(&str, &str, &str); 6] = [
        (
            "RS256",
            "rsa",
            "leWP4jvqigu7vJATS_dPLzKa6IC2QdQ7-rb6fLJufyjxoPAOUIATuaW_xBa_8PgI_y5mRe0UHyp4Y3IPMRbAYgvjEA\
         RdgZlNC3KAgyV-4IKU7b4S6r9cxENFMdj0SJrJxncwUkJ5tzfYJY_nsHMidAy4DnT4Oog49F8U5DefqPm-PJLsl_ZA\
         YCTl9bbIZvuToEWaWIW6Hyo08BZNcdhm-A_tdakiA93uPuVtKHJhAYeFSQpe5oponx1DXOn4PpH3pni4vHivoIQZbo\
         rPbQQf0mf9vE7OUf5qGticmkNQc5x658h_mMVTPZT52FPje968ktQDCv9n3PM99r7O-qLdeA",
        ),
        (
            "RS512",
            "rsa",
            "rJNaKSYy2HMNl79Dg3UqbEPfFWhJckaeAXnq-RR6kuXcVb3GHm2ljNiKt3Iy8AXtKhe_KC4psNgTolHBC27iMDnUw1\
         w9vXbBYFWlha5n4hM4ccUuGRg76XzTDix5wQ5ti4_n6-WtbBigjCFwj0qMOVmFh6IXkn8_dunQyoWSfssErD7Yc40U\
         pqgTmLwPJrsDhp6ET1lhSnhUxydu8ydBLrdeImD29M3FT8nmI3VPFR0y3gltBFZsJ_-t1MuuoRjMUszSA4MeGVO5zm\
         5t546_ZaEk9_ZZcx4nenV8qurgW_PpCFZ_tJiMBbF2BW84j05jQtDiU1ikxXrtW9clxZzYVg",
        ),
        (
            "PS256",
            "rsa",
            "uMeRUu82oK04tKSS-SkYt4o20aHTq0CAIkzl18PDTVtcrtH0w1Lknon6RwbKKjCr0kwOXjXqwVLzWsJRu7FcxpnWX2\
         fLf9VfxN9ejCIupLNzaf2qK-31WddVOkFAtV3Hzsq1lQADA8Hqn8CCV7GpkUrDOTOh8kIPga0DmAx7i0fpAnGeo-Kp\
         BUVNOiYJNo4m2cGqE2kklHrTYJAPZgpo5DwRUuKDxcQgpQL8IWM6hnaY3yrrKn_zwlq9-cbBlLN6zin7lYm2LDtGzG\
         MMX38v6Ft3r3fpKHSmr8XrqOnTT-8szgxhD-8i8OCB8GAc2zqpssfrnkbkM4PN_iZznNTASQ",
        ),
        (
            "ES256",
            "p256",
            "F5RWrNXX4zsO0XJmoSXzK7AlQd8nI7RqvMm9ZxgrLJ3Sh-gS0JXADK8wpcsShAV9kaSr4A2HShO1S2eAFZPeFw",
        ),
        (
            "ES384",
            "p384",
            "bJquLdVz3U0ZSjum0nk3CcGq4BOYUxG31e7JWkB90p-lwUN9e1BNFvXqpkds_-bKR5Fb-q5LcEsPycRxFZSZnhXxtY\
         ZU1yBA4pADLW7y7w4eFYlVquJpgklMDKiRCXAM",
        ),
        (
            "EdDSA",
            "ed",
            "sFBzgkd0fX2bpdJHJ36ToGB5Sh1caCH2NePkQLK1-jVHS_rutO79PiuhjEYGaLC6MJ5rLutegihSMxS2LCygAQ",
        ),
    ];

    fn keys() -> SigningKeys {
        parse(&Document::parse(KEYS.as_bytes()).unwrap(), 0)
    }

    #[test]
    fn each_algorithm_verifies_only_with_a_key_of_its_type() {
        let keys = keys();
        assert_eq!(keys.len(), 4);
        for (algorithm, id, signature) in SIGNATURES {
            let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
            let verify = |algorithm: &str, id: Option<&str>, message: &[u8]| {
                keys.verify(algorithm, id, message, &signature)
            };
            assert!(verify(algorithm, Some(id), b"message"), "{algorithm}");
            assert!(verify(algorithm, None, b"message"), "{algorithm}");
            assert!(!verify(algorithm, Some(id), b"massage"), "{algorithm}");
            for other in ["none", "HS256", "RS384", "ES512", "", "RS256", "ES256", "ES384", "EdDSA"]
            {
                assert_eq!(verify(other, Some(id), b"message"), other == algorithm, "{other}");
            }
            for (_, other, _) in SIGNATURES.into_iter().filter(|(_, other, _)| *other != id) {
                assert!(!verify(algorithm, Some(other), b"message"), "{algorithm} {other}");
            }
        }
    }

    #[test]
    fn keys_for_encryption_and_of_other_types_are_ignored() {
        for key in [
            r#"{"kty": "oct", "k": "AAAA"}"#,
            r#"{"kty": "OKP", "crv": "X25519", "x": "AAAA"}"#,
            r#"{"kty": "EC", "crv": "P-256", "x": "AAAA", "y": "AAAA"}"#,
            r#"{"kty": "RSA", "use": "enc", "n": "AAAA", "e": "AQAB"}"#,
            r#"{"kty": "RSA", "key_ops": ["encrypt", "wrapKey"], "n": "AAAA", "e": "AQAB"}"#,
            r#"{"kty": "RSA", "n": "AAAA"}"#,
            "{}",
        ] {
            assert!(PublicKey::parse(&serde_json::from_str(key).unwrap()).is_none(), "{key}");
        }
    }

    #[test]
    fn odd_keys_do_not_spoil_the_others() {
        let odd = r#"{"keys": [null, 1, "key", {"kty": 1}, {"kty": "EC", "crv": "P-521", "x": "AA", "y": "AA"},
            {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"}, "#;
        // The modulus has a sign byte: `00 bd 12 d6 …` instead of `bd 12 d6 …`.
        let modulus = KEYS.split("\"n\":\"").nth(1).unwrap().split('"').next().unwrap();
        let signed = [&[0], URL_SAFE_NO_PAD.decode(modulus).unwrap().as_slice()].concat();
        let keys = KEYS
            .replace("{\"keys\":[", odd)
            .replace(modulus, &format!("{}=", URL_SAFE_NO_PAD.encode(signed)));
        let keys = parse(&Document::parse(keys.as_bytes()).unwrap(), 0);
        assert_eq!(keys.len(), 4);
        for (algorithm, id, signature) in SIGNATURES {
            let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
            assert!(keys.verify(algorithm, Some(id), b"message", &signature), "{algorithm}");
        }
    }

    #[test]
    fn a_key_without_an_id_verifies_a_token_that_names_one() {
        let keys = KEYS.replace(",\"kid\":\"p256\"", "");
        let keys = parse(&Document::parse(keys.as_bytes()).unwrap(), 0);
        let (algorithm, _, signature) = SIGNATURES[3];
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        assert!(keys.verify(algorithm, Some("p256"), b"message", &signature));
        assert!(!keys.verify(algorithm, Some("p256"), b"massage", &signature));
    }

    #[test]
    fn a_key_for_one_algorithm_verifies_no_other() {
        for (published, is_accepted) in
            [("RS256", [true, false]), ("RS512", [false, true]), ("RSA-OAEP", [false, false])]
        {
            let keys = KEYS
                .replace("\"kid\":\"rsa\"", &format!("\"kid\":\"rsa\",\"alg\":\"{published}\""));
            let keys = parse(&Document::parse(keys.as_bytes()).unwrap(), 0);
            let verifies = [0, 1].map(|index| {
                let (algorithm, id, signature) = SIGNATURES[index];
                let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
                keys.verify(algorithm, Some(id), b"message", &signature)
            });
            assert_eq!(verifies, is_accepted, "{published}");
        }
        let keys = KEYS.replace("\"kid\":\"ed\"", "\"kid\":\"ed\",\"alg\":\"Ed25519\"");
        let keys = parse(&Document::parse(keys.as_bytes()).unwrap(), 0);
        let signature = URL_SAFE_NO_PAD.decode(SIGNATURES[5].2).unwrap();
        assert!(keys.verify("EdDSA", Some("ed"), b"message", &signature));
    }

    #[test]
    fn only_the_first_hundred_keys_are_used() {
        let key = r#"{"kty": "OKP", "crv": "Ed25519", "x": "AAAA"}"#;
        let many = format!("{{\"keys\": [{}{key}]}}", format!("{key},").repeat(200));
        assert_eq!(parse(&Document::parse(many.as_bytes()).unwrap(), 0).len(), 100);
    }
}
