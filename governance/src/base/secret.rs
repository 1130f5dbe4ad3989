//! The secret keys of the service and the digests and encryption keys derived from them.

mod encryption;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

/// The 32-byte secret key of all digests. The database never stores it, so digests alone are useless.
///
/// It also contains the keys that encrypt stored secrets. The pepper itself is version 1 of these keys.
#[derive(Clone, derive_more::Debug)]
#[debug("Pepper(…)")]
pub struct Pepper {
    bytes: Zeroizing<[u8; 32]>,
    /// Versions 2 and later of the encryption key; `None` for a version that was removed.
    later: Vec<Option<Zeroizing<[u8; 32]>>>,
}

impl Pepper {
    /// Creates a pepper without later encryption keys.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self::with_keys(bytes, [])
    }

    /// Creates a pepper with versions 2 and later of the encryption key. New secrets are encrypted with
    /// the last version that is present. `None` marks a version that was removed.
    pub fn with_keys(bytes: [u8; 32], later: impl IntoIterator<Item = Option<[u8; 32]>>) -> Self {
        let later = later.into_iter().map(|key| key.map(Zeroizing::new)).collect();
        Self { bytes: Zeroizing::new(bytes), later }
    }

    /// Returns the HMAC-SHA-256 of `message`, separate for each `purpose`.
    pub(crate) fn digest(&self, purpose: &str, message: &[u8]) -> [u8; 32] {
        digest(&self.bytes, purpose, message)
    }

    /// Returns the seed of the Ed25519 key that signs backups. Every machine with the secret key can
    /// derive it. It stays the same when later encryption keys are added.
    pub fn backup_seed(&self) -> [u8; 32] {
        self.digest("backup-signing-key", b"")
    }

    fn newest(&self) -> (i32, &[u8; 32]) {
        let later = (2..).zip(&self.later);
        let present = later.filter_map(|(version, key)| Some((version, key.as_deref()?)));
        present.last().unwrap_or((1, &self.bytes))
    }

    /// Returns one version of the encryption key; `None` if it does not exist or was removed.
    fn version(&self, version: i32) -> Option<&[u8; 32]> {
        match version {
            1 => Some(&self.bytes),
            _ => self.later.get(usize::try_from(version.checked_sub(2)?).ok()?)?.as_deref(),
        }
    }
}

/// Returns the HMAC-SHA-256 of `message` under `key`, separate for each `purpose`.
fn digest(key: &[u8; 32], purpose: &str, message: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key)
        .unwrap_or_else(|_| unreachable!("HMAC accepts keys of any length"));
    mac.update(purpose.as_bytes());
    mac.update(&[0]);
    mac.update(message);
    mac.finalize().into_bytes().into()
}
