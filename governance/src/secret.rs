//! The server's own secret, and what is derived from it.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

/// 32 secret bytes that the store never sees: without them its digests are worth nothing.
#[derive(Clone)]
pub struct Pepper(Zeroizing<[u8; 32]>);

impl Pepper {
    /// The pepper of `bytes`.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// HMAC-SHA-256 of `message`, separate for each `purpose`.
    pub(crate) fn digest(&self, purpose: &str, message: &[u8]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.as_slice())
            .unwrap_or_else(|_| unreachable!("HMAC takes keys of every length"));
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(message);
        mac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for Pepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pepper(…)")
    }
}
