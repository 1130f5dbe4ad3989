//! Public keys of passkeys in the form of COSE (RFC 9052 and 9053; RFC 8230 for RSA).

use ciborium::Value as Cbor;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};

use super::{Rejection, authenticator_data::cbor};

const ES256: i32 = -7;
const EDDSA: i32 = -8;
/// Windows Hello uses it with older security chips.
const RS256: i32 = -257;

pub(super) const ALGORITHMS: [i32; 3] = [ES256, EDDSA, RS256];

/// A public key with its algorithm.
#[derive(Debug)]
pub(super) enum PublicKey {
    /// A point of P-256, uncompressed.
    Es256(Vec<u8>),
    Ed25519(Vec<u8>),
    Rs256 {
        modulus: Vec<u8>,
        exponent: Vec<u8>,
    },
}

// The labels of the parameters, and the values of key types and curves.
const KEY_TYPE: i128 = 1;
const ALGORITHM: i128 = 3;
const OKP: i128 = 1;
const EC2: i128 = 2;
const RSA: i128 = 3;
const P256: i128 = 1;
const CURVE_ED25519: i128 = 6;

/// The lengths of an RSA modulus in bytes: 2,048 to 4,096 bits.
const MODULUS_BYTES: std::ops::RangeInclusive<usize> = 256..=512;

impl PublicKey {
    /// Parses a `COSE_Key`.
    ///
    /// # Errors
    /// [`Rejection::Algorithm`] for a key of another type, curve or algorithm.
    pub(super) fn parse(key: &[u8]) -> Result<Self, Rejection> {
        let key = cbor(&mut &*key)?;
        Self::from_cbor(&key).ok_or(Rejection::Algorithm)
    }

    fn from_cbor(key: &Cbor) -> Option<Self> {
        let parameter = |label: i128| {
            let is_label =
                |key: &Cbor| key.as_integer().is_some_and(|key| i128::from(key) == label);
            let (_, value) = key.as_map()?.iter().find(|(key, _)| is_label(key))?;
            Some(value)
        };
        let integer = |label| Some(i128::from(parameter(label)?.as_integer()?));
        let bytes = |label| parameter(label)?.as_bytes();
        let of_length = |label, length| bytes(label).filter(|bytes| bytes.len() == length);
        let (kind, algorithm) = (integer(KEY_TYPE)?, integer(ALGORITHM)?);
        match (kind, i32::try_from(algorithm).ok()?) {
            (EC2, ES256) if integer(-1)? == P256 => {
                let (x, y) = (of_length(-2, 32)?, of_length(-3, 32)?);
                Some(Self::Es256([&[4], x.as_slice(), y.as_slice()].concat()))
            }
            (OKP, EDDSA) if integer(-1)? == CURVE_ED25519 => {
                of_length(-2, 32).cloned().map(Self::Ed25519)
            }
            (RSA, RS256) => {
                let (modulus, exponent) = (bytes(-1)?.clone(), bytes(-2)?.clone());
                let is_valid = MODULUS_BYTES.contains(&modulus.len()) && exponent.len() <= 4;
                is_valid.then_some(Self::Rs256 { modulus, exponent })
            }
            _ => None,
        }
    }

    /// Returns whether the key verifies the signature.
    pub(super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        match self {
            Self::Es256(point) => UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point)
                .verify(message, signature)
                .is_ok(),
            Self::Ed25519(key) => {
                UnparsedPublicKey::new(&ED25519, key).verify(message, signature).is_ok()
            }
            Self::Rs256 { modulus, exponent } => {
                let key = RsaPublicKeyComponents { n: modulus, e: exponent };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature).is_ok()
            }
        }
    }
}
