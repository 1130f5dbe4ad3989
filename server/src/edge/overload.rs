//! Overload: so many requests may use the store at once, and a further one is told at once to come
//! back, rather than made to wait behind all others.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use governance::Error;
use tokio::sync::Semaphore;

/// Routes that do not use the store, or must be answered however busy it is.
const FREE: [&str; 7] = [
    "/v1/health",
    "/v1/ready",
    "/v1/.well-known/signing-keys",
    "/metrics",
    "/openapi.json",
    "/docs",
    "/docs/{file}",
];

/// Whether requests to a route need a place.
pub(crate) fn needs_place(route: &str) -> bool {
    !FREE.contains(&route)
}

/// The places of the process. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    free: Arc<Semaphore>,
    max: usize,
}

impl Places {
    pub(crate) fn new(max: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(max)), max }
    }

    /// How many are taken.
    pub(crate) fn taken(&self) -> usize {
        self.max.saturating_sub(self.free.available_permits())
    }

    /// A place for one request.
    pub(crate) fn take(&self) -> Result<Place, Error> {
        let place = Place(Arc::new(Held { free: Arc::clone(&self.free), is_held: false.into() }));
        place.enter()?;
        Ok(place)
    }
}

/// The place of one request, given back when the request is over.
#[derive(Clone, Debug)]
pub(crate) struct Place(Arc<Held>);

#[derive(Debug)]
struct Held {
    free: Arc<Semaphore>,
    is_held: AtomicBool,
}

impl Place {
    /// Takes the place again after [`Self::leave`].
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when there is none.
    pub(crate) fn enter(&self) -> Result<(), Error> {
        match self.0.free.try_acquire() {
            Ok(permit) => {
                permit.forget();
                self.0.is_held.store(true, Ordering::Release);
                Ok(())
            }
            Err(_) => Err(overloaded()),
        }
    }

    /// Gives the place back for as long as the request waits for its caller: slow bodies must not shut
    /// others out.
    pub(crate) fn leave(&self) {
        self.0.leave();
    }
}

impl Held {
    fn leave(&self) {
        if self.is_held.swap(false, Ordering::AcqRel) {
            self.free.add_permits(1);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.leave();
    }
}

fn overloaded() -> Error {
    let cause = "too many requests use the store".into();
    Error::Unavailable { retry_after: Duration::from_secs(1), cause }
}
