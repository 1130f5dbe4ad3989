//! The HTTP edge: everything between the socket and a use case.

pub mod access;
pub(crate) mod arrival;
mod client;
pub(crate) mod compression;
pub mod connection;
mod connections;
pub mod error;
pub(crate) mod error_page;
pub mod extract;
pub(crate) mod html_form;
pub mod listen;
mod metrics_access;
pub mod origin;
mod percent_encoding;
pub mod query;
pub mod quota;
pub mod rate_limit;
pub mod request_log;
mod request_span;
mod security_headers;
pub(crate) mod session_if_cookie;
pub mod startup;
mod store_limiter;

pub use axum::response::NoContent;

pub use self::{
    error::{ApiError, ApiResult},
    extract::{
        Authorized, Body, Created, FromPath, Id, Json, JsonResult, Path, Public, RequestContext,
        RequestStorePermit, RulesBody,
    },
    query::{Filters, FromQuery, Query, QueryReader},
};

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
        edge::{EdgeConfig, EdgeLimits},
    },
    edge::{
        metrics_access::MetricsAccess,
        quota::Quota,
        rate_limit::{QuotaExceeded, RateLimiter},
        store_limiter::{StoreLimiter, StorePermit},
    },
};

/// State that all requests share at the edge, including those that arrive while the process starts. Cheap to
/// clone.
#[derive(Clone, Debug)]
pub struct Edge {
    pub limits: RateLimiter,
    /// The number of trusted proxies in front of the process.
    trusted_proxies: u8,
    /// The limits on time and concurrency.
    pub(crate) request_limits: EdgeLimits,
    /// Whether the documentation and the API reference are served.
    pub(crate) has_docs: bool,
    pub(crate) metrics_access: MetricsAccess,
    /// Whether the pages for development are served.
    pub(crate) is_development: bool,
    /// The contact for vulnerabilities, as a URI.
    pub(crate) security_contact: Option<String>,
    /// The directory of the mail that a development process writes; listed at `/dev/mail`.
    pub mail_directory: Option<PathBuf>,
    store_limiter: StoreLimiter,
}

impl Edge {
    pub fn new(config: &EdgeConfig, environment: Environment) -> Self {
        let request_limits = config.limits;
        Self {
            limits: RateLimiter::new(config),
            trusted_proxies: config.trusted_proxies,
            request_limits,
            has_docs: config.docs,
            metrics_access: MetricsAccess::new(config.metrics_token.as_deref(), environment),
            is_development: environment == Environment::Development,
            security_contact: config.security_contact.clone(),
            mail_directory: None,
            store_limiter: StoreLimiter::new(request_limits.store_requests_max),
        }
    }

    /// Returns the number of requests that use the database now.
    pub(crate) fn concurrent_store_requests(&self) -> usize {
        self.store_limiter.in_use()
    }

    /// Acquires a store permit for a request if its route uses the database. The caller keeps the permit
    /// until the response is ready; the request stores a clone, which is released while its body arrives.
    pub(crate) fn acquire_store_permit(
        &self,
        request: &mut Request,
        route: &str,
    ) -> Result<Option<StorePermit>, Error> {
        if !store_limiter::uses_store(route) {
            return Ok(None);
        }
        let permit = self.store_limiter.acquire()?;
        request.extensions_mut().insert(permit.clone());
        Ok(Some(permit))
    }

    /// Counts a request by the client's address, and replaces the peer address of the connection with it.
    pub(crate) async fn check_rate_limit(
        &self,
        request: &mut Request,
        now: Timestamp,
    ) -> Result<Option<Quota>, QuotaExceeded> {
        let Some(address) = self.resolve_client_ip(request) else { return Ok(None) };
        self.limits.count_address(address, now).await.map(Some)
    }

    /// Counts a request in this process only, while the process starts.
    pub(crate) fn check_rate_limit_local(
        &self,
        request: &mut Request,
        now: Timestamp,
    ) -> Result<Option<Quota>, QuotaExceeded> {
        let Some(address) = self.resolve_client_ip(request) else { return Ok(None) };
        self.limits.count_address_locally(address, now).map(Some)
    }

    /// Returns the client's address and stores it as the peer address of the connection.
    fn resolve_client_ip(&self, request: &mut Request) -> Option<IpAddr> {
        let peer = client::peer(request.extensions())?;
        let address = client::address(peer, request.headers(), self.trusted_proxies);
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(address, peer.port())));
        Some(address)
    }
}
