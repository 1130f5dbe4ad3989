//! In-process locks that requests take before they lock a busy row, so that they wait without a database
//! connection.

use std::marker::PhantomData;

use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

/// The number of locks. Two objects may share one and then wait for each other.
const STRIPES: usize = 64;

/// Striped locks for the objects of this process whose ID has the type `Id`. Without them, the callers of one
/// busy object could take all database connections while they wait for the same row.
#[derive(Debug)]
pub(crate) struct StripedLocks<Id> {
    stripes: [Mutex<()>; STRIPES],
    id: PhantomData<fn(Id)>,
}

impl<Id> Default for StripedLocks<Id> {
    fn default() -> Self {
        Self { stripes: [const { Mutex::const_new(()) }; STRIPES], id: PhantomData }
    }
}

impl<Id: Into<Uuid>> StripedLocks<Id> {
    /// Locks the stripe of an object.
    pub(crate) async fn lock(&self, id: Id) -> MutexGuard<'_, ()> {
        let id: Uuid = id.into();
        // Callers choose the IDs of chains, so every byte counts.
        let sum = id
            .as_bytes()
            .iter()
            .fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
        self.stripes[sum % STRIPES].lock().await
    }
}
