//! State that all requests of the process share.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use governance::Governance;
use kit::{console::Console, cookie::CookieRule};
use leptos::config::LeptosOptions;
use tokio::sync::watch;

use crate::{edge::Edge, metrics::Metrics};

/// The shared state of the process. Cheap to clone: each layer that a request passes clones it.
#[derive(Clone, Debug)]
pub struct Service(Arc<Shared>);

/// The data behind a [`Service`]; one instance per process.
#[derive(Debug)]
pub struct Shared {
    pub governance: Governance,
    pub console: Console,
    /// The settings with which the console is rendered.
    pub leptos: LeptosOptions,
    /// Whether the public URL is `https://`. It determines the names and attributes of cookies.
    pub is_https: bool,
    pub edge: Edge,
    pub metrics: Metrics,
    stopping: watch::Sender<bool>,
}

impl Deref for Service {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Service {
    /// Creates the state of a process that serves `governance`, whose events `metrics` counts.
    pub fn new(
        governance: Governance,
        metrics: Metrics,
        console: Console,
        leptos: LeptosOptions,
        is_https: bool,
        edge: Edge,
    ) -> Self {
        let stopping = watch::Sender::default();
        let shared = Shared { governance, console, leptos, is_https, edge, metrics, stopping };
        Self(Arc::new(shared))
    }

    /// Returns the rule for cookies.
    pub fn cookies(&self) -> CookieRule {
        CookieRule::new(self.is_https)
    }

    /// Marks the process as stopping: the readiness endpoint reports it and event streams end.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Returns a receiver that changes to `true` when the process starts to stop.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }
}

impl FromRef<Service> for LeptosOptions {
    fn from_ref(service: &Service) -> Self {
        service.leptos.clone()
    }
}
