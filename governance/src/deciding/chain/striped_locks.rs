//! In-process locks that requests take before they lock a chain head, so that they wait without a database
//! connection.

use contract::id::ChainId;
use tokio::sync::{Mutex, MutexGuard};

/// The number of locks. Two chains may share one and then wait for each other.
const STRIPES: usize = 64;

/// Striped locks for the chains of this process. Without them, the callers of one busy chain could take all
/// database connections while they wait for the same row.
#[derive(Debug)]
pub(crate) struct StripedLocks([Mutex<()>; STRIPES]);

impl Default for StripedLocks {
    fn default() -> Self {
        Self([const { Mutex::const_new(()) }; STRIPES])
    }
}

impl StripedLocks {
    /// Locks the stripe of a chain.
    pub(crate) async fn lock(&self, chain: ChainId) -> MutexGuard<'_, ()> {
        // Callers choose the ids, so every byte counts.
        let sum = chain
            .0
            .as_bytes()
            .iter()
            .fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
        self.0[sum % STRIPES].lock().await
    }
}
