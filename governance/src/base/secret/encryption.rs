//! Encryption of stored secrets that the service must be able to read. The database does not store the keys.
//!
//! Keys have versions, 1 for the oldest. New secrets are encrypted with the newest version. Each stored
//! secret names the version that decrypts it.

use aes_gcm::{
    Aes256Gcm, KeyInit,
    aead::{Aead, Payload},
};
use zeroize::Zeroizing;

use super::{Pepper, digest};
use crate::base::clock::Entropy;

/// The length in bytes of the random nonce, which precedes the ciphertext. One key encrypts far fewer
/// secrets than the 2^32 that random nonces permit.
const NONCE_LEN: usize = 12;

#[derive(Debug)]
pub(crate) struct EncryptedSecret {
    pub(crate) version: i32,
    pub(crate) bytes: Vec<u8>,
}

impl Pepper {
    /// Encrypts `secret` for `purpose` and `owner`. Decryption needs the same values.
    pub(crate) fn encrypt(
        &self,
        entropy: &Entropy,
        purpose: &str,
        owner: &[u8],
        secret: &[u8],
    ) -> EncryptedSecret {
        let (version, key) = self.newest();
        let nonce = entropy.bytes::<NONCE_LEN>();
        let payload = Payload { msg: secret, aad: owner };
        let ciphertext = cipher(key, purpose).encrypt(&nonce.into(), payload);
        let ciphertext = ciphertext
            .unwrap_or_else(|_| unreachable!("no secret reaches the length limit of the cipher"));
        EncryptedSecret { version, bytes: [nonce.as_slice(), &ciphertext].concat() }
    }

    /// Decrypts a secret with the given version of the key. Returns `None` when that version was
    /// removed, or when the bytes were not encrypted for this purpose and owner.
    pub(crate) fn decrypt(
        &self,
        version: i32,
        purpose: &str,
        owner: &[u8],
        ciphertext: &[u8],
    ) -> Option<Zeroizing<Vec<u8>>> {
        let key = self.version(version)?;
        let (nonce, ciphertext) = ciphertext.split_first_chunk::<NONCE_LEN>()?;
        let payload = Payload { msg: ciphertext, aad: owner };
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
    fn secret_decrypts_only_with_its_key_purpose_and_owner() {
        let (old, new) = ([1; 32], [2; 32]);
        let entropy = Entropy::seeded(1);
        let pepper = Pepper::new(old);
        let encrypted = pepper.encrypt(&entropy, "webhook", b"a", b"whsec_1");
        let rotated = Pepper::with_keys(old, [Some(new)]);
        for keys in [&pepper, &rotated] {
            let decrypted = keys.decrypt(1, "webhook", b"a", &encrypted.bytes);
            assert_eq!(decrypted.as_deref().map(Vec::as_slice), Some(b"whsec_1".as_slice()));
        }
        let newer = rotated.encrypt(&entropy, "webhook", b"a", b"whsec_2");
        assert_eq!((encrypted.version, newer.version), (1, 2));
        assert!(rotated.decrypt(2, "webhook", b"a", &newer.bytes).is_some());
        // A removed key keeps its version number, so later keys are not renumbered.
        let removed = Pepper::with_keys(old, [None, Some([3; 32])]);
        assert_eq!(removed.encrypt(&entropy, "webhook", b"a", b"s").version, 3);
        let mut changed = encrypted.bytes.clone();
        changed[NONCE_LEN] ^= 1;
        for decrypted in [
            removed.decrypt(2, "webhook", b"a", &newer.bytes),
            pepper.decrypt(2, "webhook", b"a", &newer.bytes),
            pepper.decrypt(0, "webhook", b"a", &encrypted.bytes),
            pepper.decrypt(1, "webhook", b"b", &encrypted.bytes),
            pepper.decrypt(1, "other", b"a", &encrypted.bytes),
            pepper.decrypt(1, "webhook", b"a", &changed),
            pepper.decrypt(1, "webhook", b"a", b""),
            Pepper::new(new).decrypt(1, "webhook", b"a", &encrypted.bytes),
        ] {
            assert!(decrypted.is_none());
        }
    }
}
