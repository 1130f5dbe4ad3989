//! Responses while the process starts: it is alive but not ready.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    sync::{Arc, OnceLock},
    task::{Context, Poll},
};

use axum::{
    Router,
    body::Body,
    extract::Request,
    response::{IntoResponse, Response},
};
use futures_util::future::Either;
use governance::{
    CorrelationId,
    base::clock::{Clock, Entropy},
};
use hyper::body::Incoming;
use tower::{Service, ServiceExt, util::Oneshot};

use crate::{
    edge::{
        Edge,
        error::{ApiError, ResponseFinisher, unavailable},
        error_page,
        extract::Json,
        rate_limit::QuotaExceeded,
        request_log,
    },
    v1::health::alive,
};

/// A service that responds until the router of the process is ready.
#[derive(Clone, Debug)]
pub struct StartupService {
    router: Arc<OnceLock<Router>>,
    edge: Edge,
}

/// The start of a process. It is completed once, with the router.
#[derive(Debug)]
pub struct Startup(Arc<OnceLock<Router>>);

impl Startup {
    /// Completes the start: `router` handles all requests from now on.
    pub fn complete(self, router: Router) {
        self.0.get_or_init(|| router);
    }
}

impl StartupService {
    /// Creates the service with the edge that the router will use too, and the start that it waits for.
    pub fn new(edge: Edge) -> (Self, Startup) {
        let router = Arc::default();
        (Self { router: Arc::clone(&router), edge }, Startup(router))
    }

    fn handle_early(&self, request: &mut Request) -> Response {
        let (response, quota) = match self.edge.check_rate_limit_local(request, Clock::System.now())
        {
            Ok(quota) => (startup_response(request), quota),
            Err(QuotaExceeded { quota, failure }) => (failure.into_response(), Some(quota)),
        };
        let new_id = || CorrelationId::from(Entropy::System.id::<uuid::Uuid>());
        let correlation_id = request_log::incoming_id(request.headers()).unwrap_or_else(new_id);
        let is_page = error_page::accepts_html_page(request);
        ResponseFinisher { correlation_id: &correlation_id, quota, is_page, is_https: false }
            .finish(response)
    }
}

impl Service<Request<Incoming>> for StartupService {
    type Response = Response;
    type Error = Infallible;
    type Future = Either<Oneshot<Router, Request>, Ready<Result<Response, Infallible>>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Incoming>) -> Self::Future {
        let mut request = request.map(Body::new);
        match self.router.get() {
            Some(router) => Either::Left(router.clone().oneshot(request)),
            None => Either::Right(ready(Ok(self.handle_early(&mut request)))),
        }
    }
}

fn startup_response(request: &Request) -> Response {
    if request.uri().path() == "/v1/health" {
        return Json(alive(Clock::System.now())).into_response();
    }
    // Clients poll until the process has started, so this is not logged as a warning.
    ApiError(unavailable(2, "the process is starting")).expected()
}
