//! What every request of the process shares.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use governance::Governance;
use leptos::config::LeptosOptions;
use tokio::sync::watch;

use crate::{edge::Edge, metrics::Metrics};

/// The process as its requests see it. Cheap to clone: each layer that a request passes does so.
#[derive(Clone, Debug)]
pub struct Service(Arc<Shared>);

/// What there is one of in a process.
#[derive(Debug)]
pub struct Shared {
    /// The use cases.
    pub governance: Governance,
    /// How the console is rendered.
    pub leptos: LeptosOptions,
    /// Whether pages come over https, as the cookie must know.
    pub is_https: bool,
    /// What stands before the routes.
    pub edge: Edge,
    /// What the process counts.
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
    /// A process that serves `governance`, and counts what it does.
    ///
    /// # Errors
    /// When the counts cannot be kept.
    pub fn new(
        governance: Governance,
        leptos: LeptosOptions,
        is_https: bool,
        edge: Edge,
    ) -> anyhow::Result<Self> {
        let metrics = Metrics::of(&governance)?;
        governance.share_attempts(edge.limits.clone());
        let stopping = watch::Sender::default();
        let shared = Shared { governance, leptos, is_https, edge, metrics, stopping };
        Ok(Self(Arc::new(shared)))
    }

    /// Notes that the process stops: readiness says so from here on, and streams end.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Whether the process stops.
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Tells whoever waits for it that the process stops.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }
}

impl FromRef<Service> for LeptosOptions {
    fn from_ref(service: &Service) -> Self {
        service.leptos.clone()
    }
}
