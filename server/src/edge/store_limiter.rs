//! Overload protection: limits the requests that use the database at the same time. A request beyond the
//! limit is refused immediately with `Retry-After` instead of waiting.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use governance::Error;
use tokio::sync::Semaphore;

use crate::edge::error::unavailable;

/// Routes that do not use the database, or must respond even under full load.
const EXEMPT_ROUTES: [&str; 17] = [
    "/v1/health",
    "/v1/ready",
    "/v1/.well-known/signing-keys",
    "/metrics",
    "/openapi.json",
    "/docs",
    "/docs/",
    "/docs/start",
    "/docs/docs.css",
    "/docs/docs.js",
    "/docs/search",
    "/docs/{*path}",
    "/schemas/policy.json",
    "/schemas/cases.json",
    "/robots.txt",
    "/.well-known/security.txt",
    "/.well-known/authzen-configuration",
];

/// Returns whether requests to a route need a store permit.
pub(crate) fn uses_store(route: &str) -> bool {
    !EXEMPT_ROUTES.contains(&route)
}

/// The store limiter of the process. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct StoreLimiter {
    free: Arc<Semaphore>,
    max: usize,
}

impl StoreLimiter {
    pub(crate) fn new(max: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(max)), max }
    }

    pub(crate) fn in_use(&self) -> usize {
        self.max.saturating_sub(self.free.available_permits())
    }

    pub(crate) fn acquire(&self) -> Result<StorePermit, Error> {
        let permit = StorePermit(Arc::new(PermitInner {
            free: Arc::clone(&self.free),
            is_acquired: false.into(),
        }));
        permit.reacquire()?;
        Ok(permit)
    }
}

/// The store permit of one request, released when the last clone is dropped.
#[derive(Clone, Debug)]
pub(crate) struct StorePermit(Arc<PermitInner>);

#[derive(Debug)]
struct PermitInner {
    free: Arc<Semaphore>,
    is_acquired: AtomicBool,
}

impl StorePermit {
    /// Acquires the permit again after [`Self::release`].
    ///
    /// # Errors
    /// Returns `SERVICE_UNAVAILABLE` if no permit is available.
    pub(crate) fn reacquire(&self) -> Result<(), Error> {
        match self.0.free.try_acquire() {
            Ok(permit) => {
                permit.forget();
                self.0.is_acquired.store(true, Ordering::Release);
                Ok(())
            }
            Err(_) => Err(unavailable(1, "too many requests use the database")),
        }
    }

    /// Releases the permit while the request waits for its caller, so that slow bodies do not block other
    /// requests.
    pub(crate) fn release(&self) {
        self.0.release();
    }
}

impl PermitInner {
    fn release(&self) {
        if self.is_acquired.swap(false, Ordering::AcqRel) {
            self.free.add_permits(1);
        }
    }
}

impl Drop for PermitInner {
    fn drop(&mut self) {
        self.release();
    }
}
