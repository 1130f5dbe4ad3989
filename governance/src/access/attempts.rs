//! Limits of failed password checks: per account, per network block, and per pair of both.

mod windows;

use std::{fmt, net::IpAddr, time::Duration};

use async_trait::async_trait;
use parking_lot::Mutex;

use self::windows::Windows;
use crate::{
    access::password::Salt,
    base::{error::too_many_attempts, network, prelude::*, shared::Shared},
};

#[derive(Clone, Copy, Debug)]
struct Limit {
    name: &'static str,
    failures: u32,
    window: Duration,
}

/// Failures of one account from any address (contract, section 2).
const ACCOUNT: Limit = limit("account", 10, Duration::from_mins(15));

/// Failures from one network block for any account (contract, section 2).
const BLOCK: Limit = limit("block", 30, Duration::from_mins(15));

/// Failures of one account or form from one network block (contract, section 2).
const BOTH: Limit = limit("both", 5, Duration::from_mins(1));

/// Failed second factors of one account from any address. A code has six digits, and three are valid at a time, so an
/// attacker who knows the password guesses one within a day with a probability of 0.07 %.
const SECOND_FACTOR: Limit = limit("second-factor", 10, Duration::from_hours(1));

const fn limit(name: &'static str, failures: u32, window: Duration) -> Limit {
    Limit { name, failures, window }
}

/// A counter of failures. Its window starts with the first failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// A keyed digest of the counted subject and address, which cannot be read from it.
    pub key: u128,
    /// The number of failures at which the counter is exhausted.
    pub failures_max: u32,
    pub window_ms: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Checks whether a counter is exhausted, without changing any.
    Look,
    /// Adds one failure to each counter, or to none if one of them is exhausted.
    Take,
}

/// The result of a check with at least one exhausted counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// The time until the windows of all exhausted counters end, in milliseconds.
    pub wait_ms: i64,
}

/// Counters shared by several processes.
#[async_trait]
pub trait SharedCounters: fmt::Debug + Send + Sync {
    /// Checks the counters in one atomic step. Returns `None` if the counters cannot be reached in
    /// time; the process then uses its own counters.
    async fn check(&self, counters: &[Counter], step: Step) -> Option<Result<(), Exhausted>>;

    /// Removes one failure from each counter. Returns whether the counters were reached.
    async fn give_back(&self, counters: &[Counter]) -> bool;
}

/// The object that a password or a second factor protects.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject<'a> {
    /// The accounts of an email address in lower case. There may be none.
    Account(&'a str),
    /// A hosted form. It has no limit on failures from all addresses, because anyone could use it to
    /// block the form.
    Form(FormId),
    /// The second factors of an account. Only a caller who knows the password can try one.
    SecondFactor(UserId),
}

impl Subject<'_> {
    /// Returns the counters for a check from `address`. The last one counts the pair of subject and
    /// network block.
    fn counters(&self, governance: &Governance, address: Option<IpAddr>) -> Vec<Counter> {
        let block = address.map(network::block_text).unwrap_or_default();
        let counter = |limit: Limit, subject: &str| {
            let name = format!("{}\n{subject}", limit.name);
            let digest = governance.pepper().digest("failed-attempts", name.as_bytes());
            let (key, _) = digest.split_first_chunk().unwrap_or_else(|| unreachable!("32 bytes"));
            Counter {
                key: u128::from_be_bytes(*key),
                failures_max: limit.failures,
                window_ms: i64::try_from(limit.window.as_millis()).unwrap_or(i64::MAX),
            }
        };
        match self {
            Self::Account(email) => {
                let mut counters = vec![counter(ACCOUNT, email)];
                counters.extend(address.map(|_| counter(BLOCK, &block)));
                counters.push(counter(BOTH, &format!("{email}\n{block}")));
                counters
            }
            Self::Form(id) => vec![counter(BOTH, &format!("form {id}\n{block}"))],
            Self::SecondFactor(id) => {
                let mut counters = vec![counter(SECOND_FACTOR, &id.to_string())];
                counters.extend(address.map(|_| counter(BLOCK, &block)));
                counters.push(counter(BOTH, &format!("second factor {id}\n{block}")));
                counters
            }
        }
    }
}

/// The counters of this process and the shared counters.
#[derive(Debug)]
pub(crate) struct Attempts {
    local: Mutex<Windows>,
    shared: Option<Box<dyn SharedCounters>>,
    /// Locks that serialize checks of one subject from one network block, so that concurrent checks
    /// with the correct password do not exhaust the counter of the pair.
    locks: Shared<u128, tokio::sync::Mutex<()>>,
}

impl Attempts {
    /// Creates the counters of a process. `shared` are those that it shares with other processes.
    pub(crate) fn new(shared: Option<Box<dyn SharedCounters>>) -> Self {
        Self { local: Mutex::default(), shared, locks: Shared::default() }
    }

    async fn check(&self, counters: &[Counter], step: Step, now: Timestamp) -> Result<()> {
        let result = match &self.shared {
            Some(shared) => shared.check(counters, step).await,
            None => None,
        };
        let result =
            result.unwrap_or_else(|| self.local.lock().check(counters, step, now.millis()));
        result.map_err(|Exhausted { wait_ms }| {
            let seconds = wait_ms.max(0).unsigned_abs().div_ceil(1_000).max(1);
            too_many_attempts(u32::try_from(seconds).unwrap_or(u32::MAX)).into()
        })
    }

    async fn give_back(&self, counters: &[Counter]) {
        let is_shared = match &self.shared {
            Some(shared) => shared.give_back(counters).await,
            None => false,
        };
        if !is_shared {
            self.local.lock().give_back(counters);
        }
    }
}

/// Checks a password against the hashes of `subject` within the limits, and returns the index of the
/// first matching hash.
///
/// An attempt counts as a failure before the password is checked, even if the caller disconnects. So
/// concurrent attempts, in this process or in others, cannot exceed a limit.
///
/// A correct password removes only its own attempt from the counters. Earlier failures remain: knowing
/// one password gives no more guesses at others, and a sign-in of the owner gives an attacker no more
/// guesses.
///
/// # Errors
/// `TOO_MANY_REQUESTS` when a limit is reached, even with a correct password; `SERVICE_UNAVAILABLE`
/// when too many passwords wait to be checked.
pub(crate) async fn check(
    governance: &Governance,
    subject: Subject<'_>,
    address: Option<IpAddr>,
    password: String,
    hashes: Vec<String>,
) -> Result<Option<usize>> {
    let attempts = &governance.access().attempts;
    let counters = subject.counters(governance, address);
    let pair_key = counters.last().map_or(0, |counter| counter.key);
    // Checked before the admission, so that a caller without remaining attempts does not occupy one.
    attempts.check(&counters, Step::Look, governance.clock().now()).await?;
    // Callers that wait for the lock of a pair are admitted too, so that their number is limited.
    let admission = governance.access().passwords.admit(address)?;
    let _lock = attempts.locks.lock(pair_key).await;
    // Checked again, because earlier callers of the pair may have exhausted a counter meanwhile.
    attempts.check(&counters, Step::Look, governance.clock().now()).await?;
    let slot = admission.slot().await?;
    attempts.check(&counters, Step::Take, governance.clock().now()).await?;
    let index = slot.find(password, hashes, Salt::decoy()?).await?;
    if index.is_some() {
        attempts.give_back(&counters).await;
    }
    Ok(index)
}

/// An attempt to authenticate, which counts as a failure until it succeeds.
#[derive(Debug)]
pub(crate) struct Attempt<'g> {
    governance: &'g Governance,
    counters: Vec<Counter>,
}

/// Begins an attempt that needs no password, such as a second factor. It counts before the factor is checked, as in
/// [`check`].
///
/// # Errors
/// `TOO_MANY_REQUESTS` when a limit is reached.
pub(crate) async fn begin<'g>(
    governance: &'g Governance,
    subject: Subject<'_>,
    address: Option<IpAddr>,
) -> Result<Attempt<'g>> {
    let counters = subject.counters(governance, address);
    governance.access().attempts.check(&counters, Step::Take, governance.clock().now()).await?;
    Ok(Attempt { governance, counters })
}

impl Attempt<'_> {
    /// Removes the attempt from the counters.
    pub(crate) async fn succeed(self) {
        self.governance.access().attempts.give_back(&self.counters).await;
    }
}

/// Returns whether a password matches `hash`, within the limits of [`check`].
pub(crate) async fn verify(
    governance: &Governance,
    subject: Subject<'_>,
    address: Option<IpAddr>,
    password: String,
    hash: Option<String>,
) -> Result<bool> {
    let hashes = hash.into_iter().collect();
    let index = check(governance, subject, address, password, hashes).await?;
    Ok(index.is_some())
}
