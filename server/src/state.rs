//! What every request of the process shares.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::extract::FromRef;
use governance::Governance;
use leptos::config::LeptosOptions;

/// The process as its requests see it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Service {
    /// The use cases.
    pub governance: Governance,
    /// How the console is rendered.
    pub leptos: LeptosOptions,
    /// Whether pages come over https, as the cookie must know.
    pub is_https: bool,
    stopping: Arc<AtomicBool>,
}

impl Service {
    /// A process that serves `governance`.
    pub fn new(governance: Governance, leptos: LeptosOptions, is_https: bool) -> Self {
        Self { governance, leptos, is_https, stopping: Arc::default() }
    }

    /// Notes that the process stops: readiness says so from here on.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    /// Whether the process stops.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }
}

impl FromRef<Service> for LeptosOptions {
    fn from_ref(service: &Service) -> Self {
        service.leptos.clone()
    }
}
