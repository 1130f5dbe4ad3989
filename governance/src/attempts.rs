//! Limits of failed password checks: for each account, for each network block, and for both together.

mod windows;

use std::{
    fmt,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use contract::{id::FormId, time::Timestamp};

use self::windows::Windows;
use crate::{
    Governance,
    error::{Result, too_many_attempts},
    network,
    password::Salt,
};

/// A limit within a window of time.
#[derive(Clone, Copy, Debug)]
struct Limit {
    name: &'static str,
    failures: u32,
    window: Duration,
}

/// Failures of one account, from anywhere (contract, section 2).
const ACCOUNT: Limit = limit("account", 10, Duration::from_mins(15));

/// Failures from one network block, at any account (contract, section 2).
const BLOCK: Limit = limit("block", 30, Duration::from_mins(15));

/// Failures of one account or form from one network block (contract, section 2).
const BOTH: Limit = limit("both", 5, Duration::from_mins(1));

const fn limit(name: &'static str, failures: u32, window: Duration) -> Limit {
    Limit { name, failures, window }
}

/// One counter of failures. Its window begins with the first failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// A keyed digest of what is counted: it holds no address.
    pub key: u128,
    /// The number of failures at which the counter is exhausted.
    pub failures_max: u32,
    /// The length of the window in milliseconds.
    pub window_ms: i64,
}

/// What a check of counters does with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing: it only looks whether one is exhausted.
    Look,
    /// It adds one failure to each of them, or to none when one is exhausted.
    Take,
}

/// A counter is exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// The time until the last of the exhausted counters begins anew, in milliseconds.
    pub wait_ms: i64,
}

/// Counters that several processes share.
#[async_trait]
pub trait SharedCounters: fmt::Debug + Send + Sync {
    /// Checks the counters as one step that no other check interrupts. Returns nothing when they cannot
    /// be reached in time; then the process counts for itself.
    async fn check(&self, counters: &[Counter], step: Step) -> Option<Result<(), Exhausted>>;

    /// Takes one failure from each of the counters again. Returns whether they could be reached.
    async fn give_back(&self, counters: &[Counter]) -> bool;
}

/// What a password opens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject<'a> {
    /// The accounts of an e-mail address in lower case, whether there are any or not.
    Account(&'a str),
    /// A hosted form. It has no limit for failures from anywhere, with which anyone could close it.
    Form(FormId),
}

impl Subject<'_> {
    /// Returns the counters of a check from `address`; the last one is that of both together.
    fn counters(&self, governance: &Governance, address: Option<IpAddr>) -> Vec<Counter> {
        let block = address.map(network::block_text).unwrap_or_default();
        let counter = |limit: Limit, what: &str| {
            let name = format!("{}\n{what}", limit.name);
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
        }
    }
}

/// The counters of a process, and those that it shares.
#[derive(Debug)]
pub(crate) struct Attempts {
    own: Mutex<Windows>,
    shared: OnceLock<Box<dyn SharedCounters>>,
    /// Checks of one subject from one block take turns, so that correct ones at the same time do not
    /// exhaust the counter of both.
    turns: moka::sync::Cache<u128, Arc<tokio::sync::Mutex<()>>>,
}

/// How many subjects and blocks can have a turn of their own; the oldest are dropped first.
const TURNS_MAX: u64 = 100_000;

impl Default for Attempts {
    fn default() -> Self {
        let idle = Duration::from_mins(1);
        let turns = moka::sync::Cache::builder().max_capacity(TURNS_MAX).time_to_idle(idle).build();
        Self { own: Mutex::default(), shared: OnceLock::new(), turns }
    }
}

impl Attempts {
    /// Shares the counters with other processes from here on. Only the first call counts.
    pub(crate) fn share(&self, counters: Box<dyn SharedCounters>) {
        let _ = self.shared.set(counters);
    }

    async fn check(&self, counters: &[Counter], step: Step, now: Timestamp) -> Result<()> {
        let checked = match self.shared.get() {
            Some(shared) => shared.check(counters, step).await,
            None => None,
        };
        let checked = checked.unwrap_or_else(|| self.own().check(counters, step, now.millis()));
        checked.map_err(|Exhausted { wait_ms }| {
            let seconds = wait_ms.max(0).unsigned_abs().div_ceil(1_000).max(1);
            too_many_attempts(u32::try_from(seconds).unwrap_or(u32::MAX)).into()
        })
    }

    async fn give_back(&self, counters: &[Counter]) {
        let is_given = match self.shared.get() {
            Some(shared) => shared.give_back(counters).await,
            None => false,
        };
        if !is_given {
            self.own().give_back(counters);
        }
    }

    /// No method panics while it holds the lock, so the counters are whole even if a thread did.
    fn own(&self) -> MutexGuard<'_, Windows> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks a password against the hashes of `subject` within the limits of failures, and returns the index
/// of the first hash that it belongs to.
///
/// An attempt counts as a failure before the password is checked, so that attempts that overlap, in this
/// process or in others, cannot exceed a limit; it also counts when the caller leaves. A correct password
/// takes its own attempt back and leaves earlier failures as they are: whoever knows one password must
/// not get more guesses at others, and a sign-in of the owner must not give an attacker more guesses.
///
/// # Errors
/// `TOO_MANY_REQUESTS` when a limit is reached, whether the password is correct or not;
/// `SERVICE_UNAVAILABLE` when too many passwords wait to be checked.
pub(crate) async fn check(
    governance: &Governance,
    subject: Subject<'_>,
    address: Option<IpAddr>,
    password: String,
    hashes: Vec<String>,
) -> Result<Option<usize>> {
    let attempts = governance.attempts();
    let counters = subject.counters(governance, address);
    let both = counters.last().map_or(0, |counter| counter.key);
    let turn = attempts.turns.get_with(both, Arc::default);
    let _turn = turn.lock().await;
    // Looked at first, so that a caller without attempts takes no place among those who wait.
    attempts.check(&counters, Step::Look, governance.clock().now()).await?;
    let slot = governance.passwords().slot().await?;
    attempts.check(&counters, Step::Take, governance.clock().now()).await?;
    let found = slot.find(password, hashes, Salt::decoy()?).await?;
    if found.is_some() {
        attempts.give_back(&counters).await;
    }
    Ok(found)
}

/// Returns whether a password is that of `hash`, within the limits of [`check`].
///
/// # Errors
/// As [`check`].
pub(crate) async fn verify(
    governance: &Governance,
    subject: Subject<'_>,
    address: Option<IpAddr>,
    password: String,
    hash: Option<String>,
) -> Result<bool> {
    let hashes = hash.into_iter().collect();
    let found = check(governance, subject, address, password, hashes).await?;
    Ok(found.is_some())
}
