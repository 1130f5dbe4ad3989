//! Sessions where there can be one: a request without cookies has none.

use std::{
    mem,
    sync::Arc,
    task::{Context, Poll},
};

use futures_util::future::Either;
use http::{Request, header};
use tower::{Layer, Service};

/// A layer that only requests with cookies go through. It is for routes that never begin a session:
/// programs, which bring a key instead, are spared what stands around one.
#[derive(Debug)]
pub(crate) struct Visitors<L>(Arc<L>);

impl<L> Visitors<L> {
    pub(crate) fn new(layer: L) -> Self {
        Self(Arc::new(layer))
    }
}

impl<L> Clone for Visitors<L> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<L, S> Layer<S> for Visitors<L> {
    type Service = Fork<L, S>;

    fn layer(&self, inner: S) -> Self::Service {
        Fork { layer: self.clone(), inner }
    }
}

/// A service with a layer around it for some requests.
#[derive(Clone, Debug)]
pub(crate) struct Fork<L, S> {
    layer: Visitors<L>,
    inner: S,
}

impl<L, S, B> Service<Request<B>> for Fork<L, S>
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
        // The one that was found ready is the one to call.
        let next = self.inner.clone();
        let ready = mem::replace(&mut self.inner, next);
        Either::Left(self.layer.0.layer(ready).call(request))
    }
}
