//! While the process starts: it is alive, and not ready.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    sync::{Arc, OnceLock},
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::Request,
    response::{IntoResponse, Response},
};
use futures_util::future::Either;
use governance::{
    CorrelationId, Error,
    clock::{Chance, Clock},
};
use hyper::body::Incoming;
use tower::{Service, ServiceExt, util::Oneshot};

use crate::{
    edge::{
        Edge, correlation,
        error::{Failure, Finish},
        extract::Json,
        page,
        rate_limit::Exceeded,
    },
    v1::health::alive,
};

/// Answers for the process until its own router does.
#[derive(Clone, Debug)]
pub struct Starting {
    router: Arc<OnceLock<Router>>,
    edge: Edge,
}

impl Starting {
    /// A process that has just begun, behind an edge that it will keep.
    pub fn new(edge: Edge) -> Self {
        Self { router: Arc::default(), edge }
    }

    /// From here on `router` answers.
    pub fn started(&self, router: Router) {
        let _ = self.router.set(router);
    }

    fn early(&self, request: &mut Request) -> Response {
        let (response, quota) = match self.edge.admit_early(request, Clock::System.now()) {
            Ok(quota) => (say(request), quota),
            Err(Exceeded { quota, failure }) => (failure.into_response(), Some(quota)),
        };
        let made = || CorrelationId::from(Chance::System.id::<uuid::Uuid>());
        let correlation_id = correlation::own(request.headers()).unwrap_or_else(made);
        let is_page = page::is_wanted(request);
        Finish { correlation_id: &correlation_id, quota, is_page, is_https: false }.finish(response)
    }
}

impl Service<Request<Incoming>> for Starting {
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
            None => Either::Right(ready(Ok(self.early(&mut request)))),
        }
    }
}

fn say(request: &Request) -> Response {
    if request.uri().path() == "/v1/health" {
        return Json(alive(Clock::System.now())).into_response();
    }
    let retry_after = Duration::from_secs(2);
    let cause = "the process is starting".into();
    // Whoever waits for the start asks again and again: that is no warning.
    Failure(Error::Unavailable { retry_after, cause }).expected()
}
