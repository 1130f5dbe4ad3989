//! How many requests are let through: by address before the caller is known, by key after, and those to a
//! public form by both. Counted in the process, or together with others in Redis.

mod shared;
mod windows;

use std::{fmt::Debug, hash::Hash, net::IpAddr, sync::Arc};

use async_trait::async_trait;
use contract::time::Timestamp;
use governance::{
    attempts::{Counter, Exhausted, SharedCounters, Step},
    caller::Caller,
    error::too_many_requests,
    network::block,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

pub use self::shared::RedisAddress;
use self::{shared::Shared, windows::Windows};
use crate::{config::edge::EdgeConfig, edge::error::Failure};

/// The counts behind which requests are let through. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Limits(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    /// Where processes count together, if they do.
    shared: Option<Shared>,
    addresses: Windows<IpAddr>,
    callers: Windows<(Uuid, Uuid)>,
    submissions: Windows<(Uuid, IpAddr)>,
}

/// What a caller may still send, as the three headers of every answer say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Requests a minute.
    pub limit: u32,
    /// Of these, how many are left.
    pub remaining: u32,
    /// When all of them are there again, in milliseconds since 1970.
    pub reset_ms: i64,
}

/// A request beyond the limit: what to answer, and the quota that it met.
#[derive(Debug)]
pub struct Exceeded {
    /// What is left, which is nothing, and until when.
    pub quota: Quota,
    /// `TOO_MANY_REQUESTS`.
    pub failure: Failure,
}

impl Limits {
    /// Counts that begin at nothing, or in Redis where others have left them.
    pub fn new(config: &EdgeConfig) -> Self {
        let (rates, patience) = (config.rates, config.bounds.shared_count);
        Self(Arc::new(Counts {
            shared: config.redis.clone().map(|address| Shared::at(address, patience)),
            addresses: Windows::new(rates.ip_per_min.get()),
            callers: Windows::new(rates.key_per_min.get()),
            submissions: Windows::new(rates.form_per_min.get()),
        }))
    }

    /// Connects to Redis, and tells whether counts are shared now. Without this the first request sees to it
    /// that later ones are.
    pub async fn share(&self) -> bool {
        match &self.0.shared {
            Some(shared) => shared.connect().await,
            None => false,
        }
    }

    /// Counts a request by its address.
    pub(crate) async fn address(&self, address: IpAddr, now: Timestamp) -> Result<Quota, Exceeded> {
        let address = block(address);
        let name = || format!("address:{address}");
        let taken = self.take(&self.0.addresses, address, name, now).await;
        taken.map_err(|quota| exceeded(quota, "address", now))
    }

    /// The same in this process alone: while it starts, it waits for nobody.
    pub(crate) fn address_here(&self, address: IpAddr, now: Timestamp) -> Result<Quota, Exceeded> {
        let taken = self.0.addresses.take(block(address), now.millis());
        taken.map_err(|quota| exceeded(quota, "address", now))
    }

    /// Counts a request of a key or a person; nobody in particular is counted by address alone.
    pub(crate) async fn caller(
        &self,
        caller: &Caller,
        now: Timestamp,
    ) -> Result<Option<Quota>, Exceeded> {
        let (who, whose) = match caller {
            Caller::Key(key) => ((key.tenant_id.0, key.id.0), "key"),
            Caller::Human(human) => ((human.tenant_id.0, human.user_id.0), "person"),
            Caller::OperatorKey(key) => ((Uuid::nil(), key.id.0), "key"),
            _ => return Ok(None),
        };
        let name = || format!("caller:{}:{}", who.0, who.1);
        let taken = self.take(&self.0.callers, who, name, now).await;
        taken.map(Some).map_err(|quota| exceeded(quota, whose, now))
    }

    /// Counts a submission to a public form by its address.
    ///
    /// # Errors
    /// `TOO_MANY_REQUESTS`.
    pub async fn submission(
        &self,
        form: Uuid,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Quota, Exceeded> {
        let address = block(address);
        let name = || format!("form:{form}:{address}");
        let taken = self.take(&self.0.submissions, (form, address), name, now).await;
        taken.map_err(|quota| exceeded(quota, "form and address", now))
    }

    /// Counts a request of `key`, which goes by `name` where processes count together.
    async fn take<K: Copy + Debug + Eq + Hash>(
        &self,
        windows: &Windows<K>,
        key: K,
        name: impl FnOnce() -> String,
        now: Timestamp,
    ) -> Result<Quota, Quota> {
        if let Some(shared) = &self.0.shared {
            let name = format!("govern:limit:{}", name());
            if let Some(taken) = shared.take(&name, windows.limit(), now).await {
                return taken;
            }
        }
        windows.take(key, now.millis())
    }
}

/// Failed password checks are counted together where requests are.
#[async_trait]
impl SharedCounters for Limits {
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

fn exceeded(quota: Quota, whose: &str, now: Timestamp) -> Exceeded {
    let wait_ms = quota.reset_ms.saturating_sub(now.millis());
    let wait = u32::try_from(seconds(wait_ms)).unwrap_or(u32::MAX);
    let failure = too_many_requests(whose, wait.max(1)).into();
    Exceeded { quota, failure }
}

/// Whole seconds, rounded up: who waits for as long does not come too early.
fn seconds(ms: i64) -> u64 {
    ms.max(0).unsigned_abs().div_ceil(1_000)
}

const LIMIT: HeaderName = HeaderName::from_static("rate-limit-limit");
const REMAINING: HeaderName = HeaderName::from_static("rate-limit-remaining");
const RESET: HeaderName = HeaderName::from_static("rate-limit-reset");

impl Quota {
    /// Of two quotas that hold for a request, the one that its caller meets first.
    pub(crate) fn tighter(self, other: Self) -> Self {
        if other.remaining < self.remaining { other } else { self }
    }

    /// Writes the three headers.
    pub(crate) fn write(self, headers: &mut HeaderMap) {
        headers.insert(LIMIT, self.limit.into());
        headers.insert(REMAINING, self.remaining.into());
        headers.insert(RESET, HeaderValue::from(seconds(self.reset_ms)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::edge::Rates;

    fn at(ms: i64) -> Timestamp {
        "2026-09-01T10:00:00Z".parse::<Timestamp>().unwrap().plus_millis(ms)
    }

    fn limits(rate: u32) -> Limits {
        let rate = rate.try_into().unwrap();
        let rates = Rates { ip_per_min: rate, key_per_min: rate, form_per_min: rate };
        Limits::new(&EdgeConfig { rates, ..EdgeConfig::default() })
    }

    #[test]
    fn a_block_of_ipv6_is_one_address() {
        let limits = limits(1);
        let is_new = |address: &str| limits.address_here(address.parse().unwrap(), at(0)).is_ok();
        assert!(is_new("2001:db8:0:1::1"));
        assert!(!is_new("2001:db8:0:1:ffff::2"));
        assert!(is_new("2001:db8:0:2::1"));
        assert!(is_new("192.0.2.1"));
        assert!(!is_new("::ffff:192.0.2.1"));
        assert!(is_new("192.0.2.2"));
    }

    #[tokio::test]
    async fn a_form_has_a_count_for_each_address() {
        let limits = limits(1);
        let [form, other] = [1, 2].map(Uuid::from_u128);
        let [here, there] = ["192.0.2.1", "192.0.2.2"].map(|address| address.parse().unwrap());
        assert!(limits.submission(form, here, at(0)).await.is_ok());
        assert!(limits.submission(form, there, at(0)).await.is_ok());
        assert!(limits.submission(other, here, at(0)).await.is_ok());
        assert!(limits.submission(form, here, at(59_999)).await.is_err());
        assert!(limits.submission(form, here, at(60_000)).await.is_ok());
    }

    #[test]
    fn who_waits_as_told_is_let_through() {
        for late_ms in [0, 1, 499, 999, 30_500, 59_001, 59_999] {
            let limits = limits(1);
            let address = "192.0.2.1".parse().unwrap();
            limits.address_here(address, at(0)).unwrap();
            let quota = limits.address_here(address, at(late_ms)).unwrap_err().quota;
            let wait = seconds(quota.reset_ms - at(late_ms).millis());
            assert!((1..=60).contains(&wait), "{wait}");
            assert!(limits.address_here(address, at(late_ms + wait.cast_signed() * 1_000)).is_ok());
        }
    }
}
