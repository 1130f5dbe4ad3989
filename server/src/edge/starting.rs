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
        correlation,
        error::{Failure, finish},
        extract::Json,
    },
    v1::health::alive,
};

/// A router that answers for the process until its own is there.
#[derive(Clone, Debug, Default)]
pub struct Starting(Arc<OnceLock<Router>>);

impl Starting {
    /// From here on `router` answers.
    pub fn started(&self, router: Router) {
        let _ = self.0.set(router);
    }

    /// The router to listen with.
    pub fn router(&self) -> Router {
        let this = self.clone();
        Router::new().fallback_service(service_fn(move |request| this.clone().answer(request)))
    }

    async fn answer(self, request: Request) -> Result<Response, Infallible> {
        match self.0.get() {
            Some(router) => router.clone().oneshot(request).await,
            None => Ok(early(&request)),
        }
    }
}

fn early(request: &Request) -> Response {
    let response = if request.uri().path() == "/v1/health" {
        Json(alive(Clock::System.now())).into_response()
    } else {
        let retry_after = Duration::from_secs(2);
        let cause = "the process is starting".into();
        Failure(Error::Unavailable { retry_after, cause }).into_response()
    };
    let made = || CorrelationId::from(Chance::System.id::<uuid::Uuid>());
    let correlation_id = correlation::own(request.headers()).unwrap_or_else(made);
    finish(response, &correlation_id)
}
