//! Rate limits: by address before the caller is known, by caller afterwards, and by form and address for
//! public forms. The counters are in the process, or in Redis for several processes.

mod fixed_window;
mod redis;

use std::{fmt::Debug, hash::Hash, net::IpAddr, sync::Arc};

use async_trait::async_trait;
use contract::time::Timestamp;
use governance::{
    access::attempts::{Counter, Exhausted, SharedCounters, Step},
    base::{caller::Caller, error::too_many_requests, network::block},
};
use uuid::Uuid;

use self::{fixed_window::FixedWindowCounters, redis::RedisCounters};
use crate::{
    config::edge::EdgeConfig,
    edge::{
        error::ApiError,
        quota::{Quota, seconds},
    },
};

/// The rate limiter of the process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct RateLimiter(Arc<Counters>);

#[derive(Debug)]
struct Counters {
    /// The counters in Redis, if it is configured.
    shared: Option<RedisCounters>,
    addresses: FixedWindowCounters<IpAddr>,
    callers: FixedWindowCounters<(Uuid, Uuid)>,
    submissions: FixedWindowCounters<(Uuid, IpAddr)>,
}

/// The error for a request beyond its limit, and the quota.
#[derive(Debug)]
pub struct QuotaExceeded {
    /// The quota, which has no requests left.
    pub quota: Quota,
    /// `TOO_MANY_REQUESTS`.
    pub failure: ApiError,
}

impl RateLimiter {
    /// Creates counters that start at zero. Counters in Redis continue.
    pub fn new(config: &EdgeConfig) -> Self {
        let (rates, timeout) = (config.rates, config.limits.redis_timeout);
        Self(Arc::new(Counters {
            shared: config.redis.as_ref().map(|address| RedisCounters::new(address, timeout)),
            addresses: FixedWindowCounters::new(rates.ip_per_min.get()),
            callers: FixedWindowCounters::new(rates.key_per_min.get()),
            submissions: FixedWindowCounters::new(rates.form_per_min.get()),
        }))
    }

    /// Connects to Redis, and returns whether the counters are shared now. Without this call, the first
    /// request starts the connection and later requests use it.
    pub async fn connect_redis(&self) -> bool {
        match &self.0.shared {
            Some(shared) => shared.connect().await,
            None => false,
        }
    }

    pub(crate) async fn count_address(
        &self,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Quota, QuotaExceeded> {
        let address = block(address);
        let name = || format!("address:{address}");
        let result = self.count(&self.0.addresses, address, name, 1, now).await;
        result.map_err(|quota| quota_exceeded(quota, "address", now))
    }

    /// Counts a request in this process only, because a process that starts does not wait for Redis.
    pub(crate) fn count_address_locally(
        &self,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Quota, QuotaExceeded> {
        let result = self.0.addresses.count(block(address), 1, now.millis());
        result.map_err(|quota| quota_exceeded(quota, "address", now))
    }

    /// Counts `cost` requests of a key or a user: all of them, or none beyond the limit. An anonymous caller is counted
    /// by address only.
    pub(crate) async fn count_caller(
        &self,
        caller: &Caller,
        cost: u32,
        now: Timestamp,
    ) -> Result<Option<Quota>, QuotaExceeded> {
        let (id, subject) = match caller {
            Caller::Key(key) => ((key.tenant_id.0, key.id.0), "key"),
            Caller::Human(human) => ((human.tenant_id.0, human.user_id.0), "user"),
            Caller::OperatorKey(key) => ((Uuid::nil(), key.id.0), "key"),
            _ => return Ok(None),
        };
        let name = || format!("caller:{}:{}", id.0, id.1);
        let result = self.count(&self.0.callers, id, name, cost, now).await;
        result.map(Some).map_err(|quota| quota_exceeded(quota, subject, now))
    }

    /// Counts a submission to a public form by its address.
    ///
    /// # Errors
    /// Returns `TOO_MANY_REQUESTS` beyond the limit.
    pub async fn count_submission(
        &self,
        form: Uuid,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Quota, QuotaExceeded> {
        let address = block(address);
        let name = || format!("form:{form}:{address}");
        let result = self.count(&self.0.submissions, (form, address), name, 1, now).await;
        result.map_err(|quota| quota_exceeded(quota, "form and address", now))
    }

    /// Counts `cost` requests under `key`, or under `name` in Redis.
    async fn count<K: Copy + Debug + Eq + Hash>(
        &self,
        windows: &FixedWindowCounters<K>,
        key: K,
        name: impl FnOnce() -> String,
        cost: u32,
        now: Timestamp,
    ) -> Result<Quota, Quota> {
        if let Some(shared) = &self.0.shared {
            let name = format!("govern:limit:{}", name());
            if let Some(result) = shared.count(&name, windows.limit(), cost, now).await {
                return result;
            }
        }
        windows.count(key, cost, now.millis())
    }
}

/// Counters of failed password checks; they are in Redis if the rate limits are.
#[async_trait]
impl SharedCounters for RateLimiter {
    async fn check(&self, counters: &[Counter], step: Step) -> Option<Result<(), Exhausted>> {
        self.0.shared.as_ref()?.check(counters, step).await
    }

    async fn give_back(&self, counters: &[Counter]) -> bool {
        match &self.0.shared {
            Some(shared) => shared.give_back(counters).await,
            None => false,
        }
    }
}

fn quota_exceeded(quota: Quota, subject: &str, now: Timestamp) -> QuotaExceeded {
    let wait_ms = quota.reset_ms.saturating_sub(now.millis());
    let wait = u32::try_from(seconds(wait_ms)).unwrap_or(u32::MAX);
    let failure = too_many_requests(subject, wait.max(1)).into();
    QuotaExceeded { quota, failure }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::edge::Rates;

    fn time(ms: i64) -> Timestamp {
        "2026-09-01T10:00:00Z".parse::<Timestamp>().unwrap().plus_millis(ms)
    }

    fn limits(rate: u32) -> RateLimiter {
        let rate = rate.try_into().unwrap();
        let rates = Rates { ip_per_min: rate, key_per_min: rate, form_per_min: rate };
        RateLimiter::new(&EdgeConfig { rates, ..EdgeConfig::default() })
    }

    #[test]
    fn ipv6_block_counts_as_one_address() {
        let limits = limits(1);
        let is_new =
            |address: &str| limits.count_address_locally(address.parse().unwrap(), time(0)).is_ok();
        assert!(is_new("2001:db8:0:1::1"));
        assert!(!is_new("2001:db8:0:1:ffff::2"));
        assert!(is_new("2001:db8:0:2::1"));
        assert!(is_new("192.0.2.1"));
        assert!(!is_new("::ffff:192.0.2.1"));
        assert!(is_new("192.0.2.2"));
    }

    #[tokio::test]
    async fn form_submissions_are_counted_per_address() {
        let limits = limits(1);
        let [form, other] = [1, 2].map(Uuid::from_u128);
        let [here, there] = ["192.0.2.1", "192.0.2.2"].map(|address| address.parse().unwrap());
        assert!(limits.count_submission(form, here, time(0)).await.is_ok());
        assert!(limits.count_submission(form, there, time(0)).await.is_ok());
        assert!(limits.count_submission(other, here, time(0)).await.is_ok());
        assert!(limits.count_submission(form, here, time(59_999)).await.is_err());
        assert!(limits.count_submission(form, here, time(60_000)).await.is_ok());
    }

    #[test]
    fn retry_after_reset_is_accepted() {
        for late_ms in [0, 1, 499, 999, 30_500, 59_001, 59_999] {
            let limits = limits(1);
            let address = "192.0.2.1".parse().unwrap();
            limits.count_address_locally(address, time(0)).unwrap();
            let quota = limits.count_address_locally(address, time(late_ms)).unwrap_err().quota;
            let wait = seconds(quota.reset_ms - time(late_ms).millis());
            assert!((1..=60).contains(&wait), "{wait}");
            assert!(
                limits
                    .count_address_locally(address, time(late_ms + wait.cast_signed() * 1_000))
                    .is_ok()
            );
        }
    }
}
