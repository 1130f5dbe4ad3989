//! Limits on long-running reads of a process.

use std::collections::HashSet;

use contract::id::TenantId;
use parking_lot::Mutex;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::base::error::{Error, Result, log::verification_running};

#[derive(Debug)]
pub(crate) struct LongReads {
    verifications: Semaphore,
    verified_tenants: Mutex<HashSet<TenantId>>,
    reads: Semaphore,
}

/// A running verification of one tenant's audit log. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Verification<'a> {
    reads: &'a LongReads,
    tenant: TenantId,
    _permit: SemaphorePermit<'a>,
}

impl LongReads {
    /// Returns the limits of a process with at most `connections_max` connections. Audit log verifications
    /// and other long reads each use at most a quarter of them, so that half remain for requests.
    pub(crate) fn new(connections_max: usize) -> Self {
        let long_max = (connections_max / 4).max(1);
        Self {
            verifications: Semaphore::new(long_max),
            verified_tenants: Mutex::default(),
            reads: Semaphore::new(long_max),
        }
    }

    /// Starts a verification of a tenant's audit log.
    ///
    /// # Errors
    /// `CONFLICT` while another verification of the tenant runs; `SERVICE_UNAVAILABLE` while the
    /// maximum number of verifications runs.
    pub(crate) fn verification(&self, tenant: TenantId) -> Result<Verification<'_>> {
        if self.verified_tenants.lock().contains(&tenant) {
            return Err(verification_running().into());
        }
        let permit = self.verifications.try_acquire();
        let permit =
            permit.map_err(|_| Error::overloaded("too many audit logs are being verified"))?;
        if !self.verified_tenants.lock().insert(tenant) {
            return Err(verification_running().into());
        }
        Ok(Verification { reads: self, tenant, _permit: permit })
    }

    /// Waits for the permit of one long read of another kind. The wait uses no connection.
    ///
    /// # Errors
    /// None: the semaphore is never closed.
    pub(crate) async fn acquire(&self) -> Result<SemaphorePermit<'_>> {
        self.reads.acquire().await.map_err(Error::internal)
    }
}

impl Drop for Verification<'_> {
    fn drop(&mut self) {
        self.reads.verified_tenants.lock().remove(&self.tenant);
    }
}
