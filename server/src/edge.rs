//! The HTTP edge: everything between the socket and a use case.

pub mod access;
pub(crate) mod arrival;
mod client;
mod connections;
pub mod correlation;
pub mod error;
pub mod extract;
pub mod listen;
pub mod origin;
mod overload;
pub(crate) mod page;
pub mod phase;
pub mod rate_limit;
mod security_headers;
pub mod starting;
pub(crate) mod visitors;

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use axum::extract::{ConnectInfo, Request};
use contract::time::Timestamp;

use governance::Error;

use crate::{
    config::{
        Environment,
        edge::{Bounds, EdgeConfig},
    },
    edge::{
        overload::{Place, Places},
        rate_limit::{Exceeded, Limits, Quota},
    },
    metrics::page::Readers,
};

/// What all requests share at the edge, also those that come while the process starts. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Edge {
    /// How many requests are let through.
    pub limits: Limits,
    /// How many proxies of ours stand before the process.
    trusted_proxies: u8,
    /// How long requests may take.
    pub(crate) bounds: Bounds,
    /// Whether the reference of the API is served.
    pub(crate) has_docs: bool,
    /// Who may read the metrics.
    pub(crate) metrics_readers: Readers,
    /// Where to report vulnerabilities, as a URI.
    pub(crate) security_contact: Option<String>,
    /// The folder of the mail that a development process writes; listed at `/dev/mail`.
    pub mail_folder: Option<PathBuf>,
    places: Places,
}

impl Edge {
    /// The edge as it is set up.
    pub fn new(config: &EdgeConfig, environment: Environment) -> Self {
        let bounds = config.bounds;
        Self {
            limits: Limits::new(config),
            trusted_proxies: config.trusted_proxies,
            bounds,
            has_docs: config.docs,
            metrics_readers: Readers::of(config.metrics_token.as_deref(), environment),
            security_contact: config.security_contact.clone(),
            mail_folder: None,
            places: Places::new(bounds.requests_at_store),
        }
    }

    /// How many requests may use the store now.
    pub(crate) fn requests_at_store(&self) -> usize {
        self.places.taken()
    }

    /// Takes a place for a request, if its route needs one. It is kept for as long as the answer is made;
    /// the request's own lets go while it waits for its body.
    pub(crate) fn take_place(
        &self,
        request: &mut Request,
        route: &str,
    ) -> Result<Option<Place>, Error> {
        if !overload::needs_place(route) {
            return Ok(None);
        }
        let place = self.places.take()?;
        request.extensions_mut().insert(place.clone());
        Ok(Some(place))
    }

    /// Counts a request by the caller's address. From here on, that address is the connection's peer.
    pub(crate) async fn admit(
        &self,
        request: &mut Request,
        now: Timestamp,
    ) -> Result<Option<Quota>, Exceeded> {
        let Some(address) = self.find_caller(request) else { return Ok(None) };
        self.limits.address(address, now).await.map(Some)
    }

    /// The same while the process starts.
    pub(crate) fn admit_early(
        &self,
        request: &mut Request,
        now: Timestamp,
    ) -> Result<Option<Quota>, Exceeded> {
        let Some(address) = self.find_caller(request) else { return Ok(None) };
        self.limits.address_here(address, now).map(Some)
    }

    /// The caller's address, which is noted as the connection's peer.
    fn find_caller(&self, request: &mut Request) -> Option<IpAddr> {
        let peer = client::peer(request.extensions())?;
        let address = client::address(peer, request.headers(), self.trusted_proxies);
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(address, peer.port())));
        Some(address)
    }
}
