//! Limits on long-running reads of a process.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use contract::id::TenantId;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::base::{
    database::CONNECTIONS_MAX,
    error::{Error, Result, log::verification_running},
};

/// The maximum number of concurrent audit log verifications, and of concurrent other long reads. Each
/// kind uses at most a quarter of the connections, so that half of them remain for requests.
const LONG_MAX: usize = CONNECTIONS_MAX as usize / 4;

#[derive(Debug)]
pub(crate) struct LongReads {
    verifications: Semaphore,
    verified_tenants: Mutex<HashSet<TenantId>>,
    reads: Semaphore,
}

impl Default for LongReads {
    fn default() -> Self {
        Self {
            verifications: Semaphore::new(LONG_MAX),
            verified_tenants: Mutex::default(),
            reads: Semaphore::new(LONG_MAX),
        }
    }
}

/// A running verification of one tenant's audit log. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Verification<'a> {
    reads: &'a LongReads,
    tenant: TenantId,
    _permit: SemaphorePermit<'a>,
}

impl LongReads {
    /// Starts a verification of a tenant's audit log.
    ///
    /// # Errors
    /// `CONFLICT` while another verification of the tenant runs; `SERVICE_UNAVAILABLE` while the
    /// maximum number of verifications runs.
    pub(crate) fn verification(&self, tenant: TenantId) -> Result<Verification<'_>> {
        if self.verified_tenants().contains(&tenant) {
            return Err(verification_running().into());
        }
        let permit = self.verifications.try_acquire();
        let permit =
            permit.map_err(|_| Error::overloaded("too many audit logs are being verified"))?;
        if !self.verified_tenants().insert(tenant) {
            return Err(verification_running().into());
        }
        Ok(Verification { reads: self, tenant, _permit: permit })
    }

    /// Waits for the permit of one long read of another kind. The wait uses no connection.
    ///
    /// # Errors
    /// None: the semaphore is never closed.
    pub(crate) async fn acquire(&self) -> Result<SemaphorePermit<'_>> {
        self.reads.acquire().await.map_err(|error| Error::Bug(error.into()))
    }

    fn verified_tenants(&self) -> MutexGuard<'_, HashSet<TenantId>> {
        self.verified_tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Verification<'_> {
    fn drop(&mut self) {
        self.reads.verified_tenants().remove(&self.tenant);
    }
}
