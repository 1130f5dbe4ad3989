//! Request bodies that are still on their way when the credentials of the request are checked.

use std::{pin::pin, time::Duration};

use axum::{
    Error as BodyError,
    body::{Body, Bytes},
};
use futures_util::{StreamExt as _, stream};
use governance::Error;
use http::{header, request::Parts};
use http_body::Body as _;
use http_body_util::BodyExt as _;

use crate::edge::{extract::BODY_MAX, overload::Place};

/// A body, of which a part may have arrived.
#[derive(Debug)]
pub(crate) enum Arrival {
    /// All of it is here.
    Whole(Body),
    /// The rest is on its way.
    Partial(Body),
}

/// How often a body is looked at before it counts as being on its way. The connection hands over what it
/// has read already when it is asked to, and then needs a turn to do so.
const LOOKS: usize = 2;

/// Takes what has arrived of a body, without waiting for the caller.
pub(crate) async fn look(parts: &Parts, body: Body) -> Arrival {
    if body.is_end_stream() {
        return Arrival::Whole(body);
    }
    if parts.headers.contains_key(header::EXPECT) {
        // To ask for the body would have the caller send it before the credentials are checked.
        return Arrival::Partial(body);
    }
    let mut taken = Taken::new(body);
    for look in 0..LOOKS {
        if look > 0 {
            tokio::task::yield_now().await;
        }
        let is_whole = {
            let taking = pin!(taken.take());
            futures_util::poll!(taking).is_ready()
        };
        if is_whole && taken.bytes <= BODY_MAX {
            return Arrival::Whole(taken.into_body());
        }
    }
    Arrival::Partial(taken.into_body())
}

/// Waits until a body has arrived, but takes no more of it than any route does. A request uses no store
/// while it waits for its caller.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when it does not arrive within `patience`, or the store has no place any more.
pub(crate) async fn wait(parts: &Parts, body: Body, patience: Duration) -> Result<Body, Error> {
    if body.is_end_stream() {
        return Ok(body);
    }
    let place = parts.extensions.get::<Place>();
    if let Some(place) = place {
        place.leave();
    }
    let mut taken = Taken::new(body);
    if tokio::time::timeout(patience, taken.take()).await.is_err() {
        let cause = "the body did not arrive in time".into();
        return Err(Error::Unavailable { retry_after: Duration::from_secs(1), cause });
    }
    place.iter().try_for_each(|place| place.enter())?;
    Ok(taken.into_body())
}

/// A body, and what was taken of it.
struct Taken {
    chunks: Vec<Bytes>,
    bytes: usize,
    fault: Option<BodyError>,
    rest: Body,
    is_over: bool,
}

impl Taken {
    fn new(rest: Body) -> Self {
        Self { chunks: Vec::new(), bytes: 0, fault: None, rest, is_over: false }
    }

    /// Takes the body until its end, a fault, or more than any route accepts. A caller may stop to wait and
    /// go on later.
    async fn take(&mut self) {
        while !self.is_over && self.bytes <= BODY_MAX {
            match self.rest.frame().await {
                Some(Ok(frame)) => {
                    if let Ok(chunk) = frame.into_data() {
                        self.bytes = self.bytes.saturating_add(chunk.len());
                        self.chunks.push(chunk);
                    }
                    self.is_over = self.rest.is_end_stream();
                }
                Some(Err(fault)) => {
                    self.fault = Some(fault);
                    self.is_over = true;
                }
                None => self.is_over = true,
            }
        }
    }

    /// Returns a body of the same content.
    fn into_body(self) -> Body {
        let Self { mut chunks, fault, rest, is_over, .. } = self;
        if is_over && fault.is_none() {
            return match chunks.len() {
                1 => Body::from(chunks.swap_remove(0)),
                _ => Body::from(chunks.concat()),
            };
        }
        if chunks.is_empty() && fault.is_none() {
            return rest;
        }
        let taken = chunks.into_iter().map(Ok).chain(fault.map(Err));
        Body::from_stream(stream::iter(taken).chain(rest.into_data_stream()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> Parts {
        http::Request::new(()).into_parts().0
    }

    async fn text(body: Body) -> String {
        String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn a_body_that_is_here_is_whole_and_one_on_its_way_is_not() {
        let Arrival::Whole(body) = look(&parts(), Body::from("all of it")).await else { panic!() };
        assert_eq!(text(body).await, "all of it");
        assert!(matches!(look(&parts(), Body::empty()).await, Arrival::Whole(_)));

        let (send, rest) = tokio::sync::oneshot::channel::<Result<Bytes, BodyError>>();
        let first = stream::iter([Ok(Bytes::from("first "))]);
        let rest = stream::once(async { rest.await.unwrap() });
        let body = Body::from_stream(first.chain(rest));
        let Arrival::Partial(body) = look(&parts(), body).await else { panic!() };
        send.send(Ok(Bytes::from("second"))).unwrap();
        let body = wait(&parts(), body, Duration::from_secs(30)).await.unwrap();
        assert_eq!(text(body).await, "first second");
    }

    #[tokio::test]
    async fn a_body_beyond_every_limit_is_not_taken_as_a_whole() {
        let chunks = (0..40).map(|_| Ok::<_, BodyError>(Bytes::from(vec![b'x'; BODY_MAX / 10])));
        let body = wait(&parts(), Body::from_stream(stream::iter(chunks)), Duration::MAX).await;
        assert_eq!(text(body.unwrap()).await.len(), 40 * (BODY_MAX / 10));
    }
}
