//! The clock and the source of randomness. No other module reads either.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use contract::time::Timestamp;
use parking_lot::Mutex;
use rand::{Rng, SeedableRng, rngs::StdRng};
use uuid::Uuid;

/// The source of the current time.
#[derive(Clone, Debug)]
pub enum Clock {
    System,
    /// A clock that only [`Clock::advance`] moves, for tests: milliseconds since 1970.
    Frozen(Arc<AtomicI64>),
}

impl Clock {
    pub fn frozen(at: Timestamp) -> Self {
        Self::Frozen(Arc::new(AtomicI64::new(at.millis())))
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
    pub fn now(&self) -> Timestamp {
        let millis = match self {
            Self::System => std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .ok()
                .and_then(|since| i64::try_from(since.as_millis()).ok())
                .unwrap_or_default(),
            Self::Frozen(millis) => millis.load(Ordering::Acquire),
        };
        Timestamp::from_millis(0)
            .unwrap_or_else(|| unreachable!("1970 is a valid time"))
            .plus_millis(millis)
    }

    pub(crate) fn stopwatch(&self) -> Stopwatch {
        Stopwatch(matches!(self, Self::System).then(std::time::Instant::now))
    }

    /// Advances a frozen clock by `ms`. Does nothing on the system clock.
    pub fn advance(&self, ms: i64) {
        if let Self::Frozen(millis) = self {
            millis.fetch_add(ms, Ordering::AcqRel);
        }
    }
}

/// A running stopwatch. It stays at zero on a frozen clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Option<std::time::Instant>);

impl Stopwatch {
    /// Returns the seconds since the start, with microsecond precision.
    pub(crate) fn seconds(self) -> f64 {
        self.millis() / 1_000.0
    }

    /// Returns the whole milliseconds since the start.
    pub(crate) fn whole_millis(self) -> u32 {
        let millis = self.0.map_or(0, |start| start.elapsed().as_millis());
        u32::try_from(millis).unwrap_or(u32::MAX)
    }

    /// Returns the milliseconds since the start, with microsecond precision.
    pub(crate) fn millis(self) -> f64 {
        let micros = self.0.map_or(0, |start| start.elapsed().as_micros());
        f64::from(u32::try_from(micros).unwrap_or(u32::MAX)) / 1_000.0
    }
}

/// The source of IDs and secrets.
#[derive(Clone, Debug)]
pub enum Entropy {
    /// The random source of the operating system.
    System,
    /// A sequence determined by a seed, for tests.
    Seeded(Arc<Mutex<StdRng>>),
}

impl Entropy {
    pub fn seeded(seed: u64) -> Self {
        Self::Seeded(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    pub fn fill(&self, bytes: &mut [u8]) {
        match self {
            Self::System => rand::rng().fill_bytes(bytes),
            Self::Seeded(random) => random.lock().fill_bytes(bytes),
        }
    }

    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// Returns a new id: a random version 4 UUID, which cannot be guessed.
    pub fn id<T: From<Uuid>>(&self) -> T {
        uuid::Builder::from_random_bytes(self.bytes()).into_uuid().into()
    }
}
