//! The only place that reads the clock and the random source.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicI64, Ordering},
};

use contract::time::Timestamp;
use rand::{Rng, SeedableRng, rngs::StdRng};
use uuid::Uuid;

/// Where the moment comes from.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that moves only when told to, for tests: milliseconds since 1970.
    Frozen(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `at`.
    pub fn frozen(at: Timestamp) -> Self {
        Self::Frozen(Arc::new(AtomicI64::new(at.millis())))
    }

    /// The moment.
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
            .unwrap_or_else(|| unreachable!("1970 is an instant"))
            .plus_millis(millis)
    }

    /// Starts to measure how long something takes.
    pub(crate) fn watch(&self) -> Watch {
        Watch(matches!(self, Self::System).then(std::time::Instant::now))
    }

    /// Moves a frozen clock by `ms`; the machine's clock does not listen.
    pub fn advance(&self, ms: i64) {
        if let Self::Frozen(millis) = self {
            millis.fetch_add(ms, Ordering::AcqRel);
        }
    }
}

/// A measurement under way; nothing passes on a frozen clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch(Option<std::time::Instant>);

impl Watch {
    /// Seconds since the start, to the microsecond.
    pub(crate) fn seconds(self) -> f64 {
        self.millis() / 1_000.0
    }

    /// Whole milliseconds since the start.
    pub(crate) fn whole_millis(self) -> u32 {
        let millis = self.0.map_or(0, |start| start.elapsed().as_millis());
        u32::try_from(millis).unwrap_or(u32::MAX)
    }

    /// Milliseconds since the start, to the microsecond.
    pub(crate) fn millis(self) -> f64 {
        let micros = self.0.map_or(0, |start| start.elapsed().as_micros());
        f64::from(u32::try_from(micros).unwrap_or(u32::MAX)) / 1_000.0
    }
}

/// Where ids and secrets come from.
#[derive(Clone, Debug)]
pub enum Chance {
    /// The operating system's random source.
    System,
    /// A sequence that a seed fixes, for tests.
    Seeded(Arc<Mutex<StdRng>>),
}

impl Chance {
    /// The sequence of `seed`.
    pub fn seeded(seed: u64) -> Self {
        Self::Seeded(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// Fills `bytes` with chance.
    pub fn fill(&self, bytes: &mut [u8]) {
        match self {
            Self::System => rand::rng().fill_bytes(bytes),
            Self::Seeded(random) => match random.lock() {
                Ok(mut random) => random.fill_bytes(bytes),
                Err(poisoned) => poisoned.into_inner().fill_bytes(bytes),
            },
        }
    }

    /// `N` bytes of chance.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// A new id: a version 4 UUID, which tells nothing and cannot be guessed.
    pub fn id<T: From<Uuid>>(&self) -> T {
        uuid::Builder::from_random_bytes(self.bytes()).into_uuid().into()
    }
}
