//! While the process starts: it is alive, and not ready.

use std::{
    convert::Infallible,
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::{
    Router,
    extract::Request,
    response::{IntoResponse, Response},
};
use governance::{
    CorrelationId, Error,
    clock::{Chance, Clock},
};
use tower::{ServiceExt, service_fn};

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

/// A router that answers for the process until its own is there.
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

    /// The router to listen with.
    pub fn router(&self) -> Router {
        let this = self.clone();
        Router::new().fallback_service(service_fn(move |request| this.clone().answer(request)))
    }

    async fn answer(self, mut request: Request) -> Result<Response, Infallible> {
        match self.router.get() {
            Some(router) => router.clone().oneshot(request).await,
            None => Ok(self.early(&mut request)),
        }
    }

    fn early(&self, request: &mut Request) -> Response {
        let (response, quota) = match self.edge.admit(request, Clock::System.now()) {
            Ok(quota) => (say(request), quota),
            Err(Exceeded { quota, failure }) => (failure.into_response(), Some(quota)),
        };
        let made = || CorrelationId::from(Chance::System.id::<uuid::Uuid>());
        let correlation_id = correlation::own(request.headers()).unwrap_or_else(made);
        let is_page = page::is_wanted(request);
        Finish { correlation_id: &correlation_id, quota, is_page }.finish(response)
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
