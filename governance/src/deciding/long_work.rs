//! Evaluations and compilations that may need much time. They run outside the async workers, so that other requests
//! are answered meanwhile, and a limited number at a time.

use std::thread::available_parallelism;

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::{Semaphore, SemaphorePermit},
    task::block_in_place,
};

use crate::base::prelude::*;

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
        Self::new(available_parallelism().map_or(1, usize::from))
    }
}

impl LongWork {
    fn new(cores: usize) -> Self {
        let of_tenants = std::array::from_fn(|_| Semaphore::new(cores.div_ceil(2)));
        Self { running: Semaphore::new(cores), of_tenants }
    }

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
        let _permits = self.permits(tenant).await?;
        // A runtime with one thread has no worker that could take over the other tasks.
        Ok(match Handle::current().runtime_flavor() {
            RuntimeFlavor::CurrentThread => work(),
            _ => block_in_place(work),
        })
    }

    /// Waits for a permit of the tenant and for one of the process.
    async fn permits(&self, tenant: TenantId) -> Result<[SemaphorePermit<'_>; 2]> {
        let stripe = usize::from(tenant.0.as_bytes()[0]) % STRIPES;
        let of_tenant = self.of_tenants[stripe].acquire().await.map_err(Error::internal)?;
        Ok([of_tenant, self.running.acquire().await.map_err(Error::internal)?])
    }
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        task::{Context, Waker},
    };

    use uuid::Uuid;

    use super::*;

    fn tenant(number: u8) -> TenantId {
        TenantId(Uuid::from_bytes([number; 16]))
    }

    fn must_wait(work: &LongWork, number: u8) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        pin!(work.permits(tenant(number))).poll(&mut context).is_pending()
    }

    #[tokio::test]
    async fn a_tenant_has_half_of_the_permits_and_all_tenants_have_one_for_each_core() {
        let work = LongWork::new(4);
        let mut permits = Vec::new();
        for number in [1, 1] {
            permits.push(work.permits(tenant(number)).await.unwrap());
        }
        assert!(must_wait(&work, 1), "half of the cores");
        for number in [2, 3] {
            assert!(!must_wait(&work, number), "another tenant does not wait");
            permits.push(work.permits(tenant(number)).await.unwrap());
        }
        assert!(must_wait(&work, 4), "one for each core");
        assert_eq!(work.run(tenant(4), SHORT_STEPS_MAX, || 1).await.unwrap(), 1, "short work");
        drop(permits.remove(0));
        assert!(!must_wait(&work, 1) && !must_wait(&work, 4));
        assert_eq!(work.run(tenant(4), SHORT_STEPS_MAX + 1, || 2).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn a_single_core_has_one_permit() {
        let work = LongWork::new(1);
        let permits = work.permits(tenant(1)).await.unwrap();
        assert!(must_wait(&work, 1) && must_wait(&work, 2));
        drop(permits);
        assert!(!must_wait(&work, 2));
    }
}
