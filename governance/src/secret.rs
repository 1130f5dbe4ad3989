//! The server's own secret, and what is derived from it.

mod seal;

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

/// 32 secret bytes that the store never sees: without them its digests are worth nothing. Beside them, the
/// keys that secrets of others are sealed with; the pepper itself is the first of these.
#[derive(Clone)]
pub struct Pepper {
    bytes: Zeroizing<[u8; 32]>,
    /// Versions 2 and on; nothing where a key was taken away.
    later: Vec<Option<Zeroizing<[u8; 32]>>>,
}

impl Pepper {
    /// The pepper of `bytes`.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self::with_keys(bytes, [])
    }

    /// The pepper of `bytes`, and versions 2 and on of the key that secrets are sealed with: new ones with
    /// the last that is there. `None` stands for a version that was taken away.
    pub fn with_keys(bytes: [u8; 32], later: impl IntoIterator<Item = Option<[u8; 32]>>) -> Self {
        let later = later.into_iter().map(|key| key.map(Zeroizing::new)).collect();
        Self { bytes: Zeroizing::new(bytes), later }
    }

    /// HMAC-SHA-256 of `message`, separate for each `purpose`.
    pub(crate) fn digest(&self, purpose: &str, message: &[u8]) -> [u8; 32] {
        digest(&self.bytes, purpose, message)
    }

    /// The newest key, with its version.
    fn newest(&self) -> (i32, &[u8; 32]) {
        let later = (2..).zip(&self.later);
        let there = later.filter_map(|(version, key)| Some((version, key.as_deref()?)));
        there.last().unwrap_or((1, &self.bytes))
    }

    /// One version of the key.
    fn version(&self, version: i32) -> Option<&[u8; 32]> {
        match version {
            1 => Some(&self.bytes),
            _ => self.later.get(usize::try_from(version.checked_sub(2)?).ok()?)?.as_deref(),
        }
    }
}

/// HMAC-SHA-256 of `message` under `key`, separate for each `purpose`.
fn digest(key: &[u8; 32], purpose: &str, message: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key)
        .unwrap_or_else(|_| unreachable!("HMAC takes keys of every length"));
    mac.update(purpose.as_bytes());
    mac.update(&[0]);
    mac.update(message);
    mac.finalize().into_bytes().into()
}

impl fmt::Debug for Pepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pepper(…)")
    }
}
