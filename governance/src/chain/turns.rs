//! Who waits for the head of a chain waits here first, without a connection.

use contract::id::ChainId;
use tokio::sync::{Mutex, MutexGuard};

/// How many turns there are. Two chains may share one; then they wait for each other's records.
const TURNS: usize = 64;

/// Turns at the chains of this process. Without them the callers of one busy chain would take all
/// connections, each to wait for one row.
#[derive(Debug)]
pub(crate) struct Turns([Mutex<()>; TURNS]);

impl Default for Turns {
    fn default() -> Self {
        Self([const { Mutex::const_new(()) }; TURNS])
    }
}

impl Turns {
    /// Waits for the turn of a chain.
    pub(crate) async fn take(&self, chain: ChainId) -> MutexGuard<'_, ()> {
        // Ids are the caller's to make, so every byte of them counts.
        let sum = chain
            .0
            .as_bytes()
            .iter()
            .fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
        self.0[sum % TURNS].lock().await
    }
}
