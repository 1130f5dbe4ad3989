//! How many requests are let through: by address before the caller is known, by key after.

mod windows;

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use contract::time::Timestamp;
use governance::{caller::Caller, error::too_many_requests};
use http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

use crate::{
    config::edge::Rates,
    edge::{error::Failure, rate_limit::windows::Windows},
};

/// The counts of this process. Cheap to clone.
///
/// Each process counts for itself. Counts that processes share would stand behind the same calls.
#[derive(Clone, Debug)]
pub struct Limits(Arc<Counts>);

#[derive(Debug)]
struct Counts {
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
pub(crate) struct Exceeded {
    pub(crate) quota: Quota,
    pub(crate) failure: Failure,
}

impl Limits {
    /// Counts that begin at nothing.
    pub fn new(rates: Rates) -> Self {
        Self(Arc::new(Counts {
            addresses: Windows::new(rates.ip_per_min.get()),
            callers: Windows::new(rates.key_per_min.get()),
            submissions: Windows::new(rates.form_per_min.get()),
        }))
    }

    /// Counts a request by its address.
    pub(crate) fn address(&self, address: IpAddr, now: Timestamp) -> Result<Quota, Exceeded> {
        let taken = self.0.addresses.take(block(address), now.millis());
        taken.map_err(|quota| exceeded(quota, "address", now))
    }

    /// Counts a request of a key or a person; nobody in particular is counted by address alone.
    pub(crate) fn caller(
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
        let taken = self.0.callers.take(who, now.millis());
        taken.map(Some).map_err(|quota| exceeded(quota, whose, now))
    }

    /// Counts a submission to a public form by its address.
    ///
    /// # Errors
    /// `TOO_MANY_REQUESTS`.
    pub fn submission(
        &self,
        form: Uuid,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Quota, Failure> {
        let taken = self.0.submissions.take((form, block(address)), now.millis());
        taken.map_err(|quota| exceeded(quota, "form and address", now).failure)
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

/// What counts as one address: IPv6 is given out in blocks of /64, within which a caller may choose.
fn block(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        v4 @ IpAddr::V4(_) => v4,
    }
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

    fn at(ms: i64) -> Timestamp {
        "2026-09-01T10:00:00Z".parse::<Timestamp>().unwrap().plus_millis(ms)
    }

    fn limits(rate: u32) -> Limits {
        let rate = rate.try_into().unwrap();
        Limits::new(Rates { ip_per_min: rate, key_per_min: rate, form_per_min: rate })
    }

    #[test]
    fn a_block_of_ipv6_is_one_address() {
        let limits = limits(1);
        let is_new = |address: &str| limits.address(address.parse().unwrap(), at(0)).is_ok();
        assert!(is_new("2001:db8:0:1::1"));
        assert!(!is_new("2001:db8:0:1:ffff::2"));
        assert!(is_new("2001:db8:0:2::1"));
        assert!(is_new("192.0.2.1"));
        assert!(!is_new("::ffff:192.0.2.1"));
        assert!(is_new("192.0.2.2"));
    }

    #[test]
    fn a_form_has_a_count_for_each_address() {
        let limits = limits(1);
        let [form, other] = [1, 2].map(Uuid::from_u128);
        let [here, there] = ["192.0.2.1", "192.0.2.2"].map(|address| address.parse().unwrap());
        assert!(limits.submission(form, here, at(0)).is_ok());
        assert!(limits.submission(form, there, at(0)).is_ok());
        assert!(limits.submission(other, here, at(0)).is_ok());
        assert!(limits.submission(form, here, at(59_999)).is_err());
        assert!(limits.submission(form, here, at(60_000)).is_ok());
    }

    #[test]
    fn who_waits_as_told_is_let_through() {
        for late_ms in [0, 1, 499, 999, 30_500, 59_001, 59_999] {
            let limits = limits(1);
            let address = "192.0.2.1".parse().unwrap();
            limits.address(address, at(0)).unwrap();
            let quota = limits.address(address, at(late_ms)).unwrap_err().quota;
            let wait = seconds(quota.reset_ms - at(late_ms).millis());
            assert!((1..=60).contains(&wait), "{wait}");
            assert!(limits.address(address, at(late_ms + wait.cast_signed() * 1_000)).is_ok());
        }
    }
}
