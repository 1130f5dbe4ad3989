//! Session handling for requests that have a cookie.

use std::{
    mem,
    sync::Arc,
    task::{Context, Poll},
};

use futures_util::future::Either;
use http::{Request, header};
use tower::{Layer, Service};

/// A layer that applies only to requests with cookies. It is for routes that never start a session. API
/// clients authenticate with a key there and skip the cost of session handling.
#[derive(Debug)]
pub(crate) struct SessionIfCookie<L>(Arc<L>);

impl<L> SessionIfCookie<L> {
    pub(crate) fn new(layer: L) -> Self {
        Self(Arc::new(layer))
    }
}

impl<L> Clone for SessionIfCookie<L> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<L, S> Layer<S> for SessionIfCookie<L> {
    type Service = SessionIfCookieService<L, S>;

    fn layer(&self, inner: S) -> Self::Service {
        SessionIfCookieService { layer: self.clone(), inner }
    }
}

/// A service that applies the layer to some requests.
#[derive(Clone, Debug)]
pub(crate) struct SessionIfCookieService<L, S> {
    layer: SessionIfCookie<L>,
    inner: S,
}

impl<L, S, B> Service<Request<B>> for SessionIfCookieService<L, S>
where
    S: Service<Request<B>> + Clone,
    L: Layer<S>,
    L::Service: Service<Request<B>, Response = S::Response, Error = S::Error>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Either<<L::Service as Service<Request<B>>>::Future, S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        if !request.headers().contains_key(header::COOKIE) {
            return Either::Right(self.inner.call(request));
        }
        // The instance that reported readiness must handle the request.
        let next = self.inner.clone();
        let ready = mem::replace(&mut self.inner, next);
        Either::Left(self.layer.0.layer(ready).call(request))
    }
}
