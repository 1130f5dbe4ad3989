//! Secrets of others that must be kept readable: sealed with a key that the store does not have.
//!
//! Keys have versions, 1 for the oldest. What is new is sealed with the newest one; what was sealed before
//! is opened with the version that it names.

use aes_gcm::{
    Aes256Gcm, KeyInit,
    aead::{Aead, Payload},
};
use zeroize::Zeroizing;

use super::{Pepper, digest};
use crate::clock::Chance;

/// Bytes of the nonce, which stands before what is sealed. It is drawn by chance: one key seals far fewer
/// than the 2^32 secrets that this bears.
const NONCE: usize = 12;

/// What was sealed, and the version of the key that opens it.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub(crate) version: i32,
    pub(crate) bytes: Vec<u8>,
}

impl Pepper {
    /// Seals `secret` for `purpose`; it opens only for the same `owner`.
    pub(crate) fn seal(
        &self,
        chance: &Chance,
        purpose: &str,
        owner: &[u8],
        secret: &[u8],
    ) -> Sealed {
        let (version, key) = self.newest();
        let nonce = chance.bytes::<NONCE>();
        let payload = Payload { msg: secret, aad: owner };
        let sealed = cipher(key, purpose).encrypt(&nonce.into(), payload);
        let sealed =
            sealed.unwrap_or_else(|_| unreachable!("no secret is as long as the cipher bears"));
        Sealed { version, bytes: [nonce.as_slice(), &sealed].concat() }
    }

    /// Opens what was sealed with this version of the key. Nothing when the key is not there any more, or
    /// the bytes are not what was sealed for this owner.
    pub(crate) fn open(
        &self,
        version: i32,
        purpose: &str,
        owner: &[u8],
        sealed: &[u8],
    ) -> Option<Zeroizing<Vec<u8>>> {
        let key = self.version(version)?;
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
        let payload = Payload { msg: sealed, aad: owner };
        cipher(key, purpose).decrypt(&(*nonce).into(), payload).ok().map(Zeroizing::new)
    }
}

fn cipher(key: &[u8; 32], purpose: &str) -> Aes256Gcm {
    let key = Zeroizing::new(digest(key, "seal", purpose.as_bytes()));
    Aes256Gcm::new(&(*key).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_opens_for_its_owner_with_its_key_and_otherwise_not() {
        let (old, new) = ([1; 32], [2; 32]);
        let chance = Chance::seeded(1);
        let pepper = Pepper::new(old);
        let sealed = pepper.seal(&chance, "webhook", b"a", b"whsec_1");
        let rotated = Pepper::with_keys(old, [Some(new)]);
        for keys in [&pepper, &rotated] {
            let opened = keys.open(1, "webhook", b"a", &sealed.bytes);
            assert_eq!(opened.as_deref().map(Vec::as_slice), Some(b"whsec_1".as_slice()));
        }
        let later = rotated.seal(&chance, "webhook", b"a", b"whsec_2");
        assert_eq!((sealed.version, later.version), (1, 2));
        assert!(rotated.open(2, "webhook", b"a", &later.bytes).is_some());
        // A key that was taken away leaves its number behind.
        let gone = Pepper::with_keys(old, [None, Some([3; 32])]);
        assert_eq!(gone.seal(&chance, "webhook", b"a", b"s").version, 3);
        let mut changed = sealed.bytes.clone();
        changed[NONCE] ^= 1;
        for opened in [
            gone.open(2, "webhook", b"a", &later.bytes),
            pepper.open(2, "webhook", b"a", &later.bytes),
            pepper.open(0, "webhook", b"a", &sealed.bytes),
            pepper.open(1, "webhook", b"b", &sealed.bytes),
            pepper.open(1, "other", b"a", &sealed.bytes),
            pepper.open(1, "webhook", b"a", &changed),
            pepper.open(1, "webhook", b"a", b""),
            Pepper::new(new).open(1, "webhook", b"a", &sealed.bytes),
        ] {
            assert!(opened.is_none());
        }
    }
}
