//! Evaluations and compilations that may need much time. They run outside the async workers, so that other requests
//! are answered meanwhile, and a limited number at a time.

use std::thread::available_parallelism;

use contract::id::TenantId;
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::{AcquireError, Semaphore},
    task::block_in_place,
};

use crate::base::error::{Error, Result};

/// The maximum number of steps of work that does not leave its worker: a few milliseconds.
const SHORT_STEPS_MAX: u64 = 1 << 20;

/// The number of semaphores for tenants. Two tenants may share one and then wait for each other.
const STRIPES: usize = 64;

/// The permits of long work.
#[derive(Debug)]
pub(crate) struct LongWork {
    /// As many permits as the process has cores.
    running: Semaphore,
    /// Half of the cores for each tenant, so that the work of one tenant cannot delay that of all others.
    of_tenants: [Semaphore; STRIPES],
}

impl Default for LongWork {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        let of_tenants = std::array::from_fn(|_| Semaphore::new(cores.div_ceil(2)));
        Self { running: Semaphore::new(cores), of_tenants }
    }
}

impl LongWork {
    /// Runs `work` for a tenant. It must not wait for anything, and `steps` is an upper bound of its steps.
    pub(crate) async fn run<T>(
        &self,
        tenant: TenantId,
        steps: u64,
        work: impl FnOnce() -> T,
    ) -> Result<T> {
        if steps <= SHORT_STEPS_MAX {
            return Ok(work());
        }
        let stripe = usize::from(tenant.0.as_bytes()[0]) % STRIPES;
        let _of_tenant = self.of_tenants[stripe].acquire().await.map_err(bug)?;
        let _running = self.running.acquire().await.map_err(bug)?;
        // A runtime with one thread has no worker that could take over the other tasks.
        Ok(match Handle::current().runtime_flavor() {
            RuntimeFlavor::CurrentThread => work(),
            _ => block_in_place(work),
        })
    }
}

fn bug(error: AcquireError) -> Error {
    Error::Bug(error.into())
}
