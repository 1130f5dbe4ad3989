//! Request bodies that may still be arriving while the credentials are checked.

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

use crate::edge::{error::unavailable, extract::BODY_MAX, store_limiter::StorePermit};

/// A request body that has arrived completely or in part.
#[derive(Debug)]
pub(crate) enum Arrival {
    Complete(Body),
    /// A body whose rest is still arriving.
    Partial(Body),
}

/// The number of polls before a body counts as incomplete. A connection delivers bytes that it has already
/// read only after a first poll and a further run of its task.
const POLLS_MAX: usize = 2;

/// Reads the part of a body that has arrived, without waiting for the caller.
pub(crate) async fn read_available(parts: &Parts, body: Body) -> Arrival {
    if body.is_end_stream() {
        return Arrival::Complete(body);
    }
    if parts.headers.contains_key(header::EXPECT) {
        // Polling the body would ask the caller to send it before the credentials are checked.
        return Arrival::Partial(body);
    }
    let mut reader = BodyReader::new(body);
    for poll in 0..POLLS_MAX {
        if poll > 0 {
            tokio::task::yield_now().await;
        }
        let is_complete = {
            let reading = pin!(reader.read());
            futures_util::poll!(reading).is_ready()
        };
        if is_complete && reader.bytes <= BODY_MAX {
            return Arrival::Complete(reader.into_body());
        }
    }
    Arrival::Partial(reader.into_body())
}

/// Waits until a body has arrived, but reads at most the largest size that a route accepts. The request
/// releases its store permit while it waits.
///
/// # Errors
/// Returns `SERVICE_UNAVAILABLE` if the body does not arrive within `timeout`, or no store permit is
/// available afterwards.
pub(crate) async fn wait(parts: &Parts, body: Body, timeout: Duration) -> Result<Body, Error> {
    if body.is_end_stream() {
        return Ok(body);
    }
    let permit = parts.extensions.get::<StorePermit>();
    if let Some(permit) = permit {
        permit.release();
    }
    let mut reader = BodyReader::new(body);
    if tokio::time::timeout(timeout, reader.read()).await.is_err() {
        return Err(unavailable(1, "the body did not arrive in time"));
    }
    permit.iter().try_for_each(|permit| permit.reacquire())?;
    Ok(reader.into_body())
}

/// A body and the chunks that were read from it.
struct BodyReader {
    chunks: Vec<Bytes>,
    bytes: usize,
    error: Option<BodyError>,
    rest: Body,
    is_finished: bool,
}

impl BodyReader {
    fn new(rest: Body) -> Self {
        Self { chunks: Vec::new(), bytes: 0, error: None, rest, is_finished: false }
    }

    /// Reads the body until its end, an error, or more than any route accepts. The future can be dropped; a
    /// later call continues.
    async fn read(&mut self) {
        while !self.is_finished && self.bytes <= BODY_MAX {
            match self.rest.frame().await {
                Some(Ok(frame)) => {
                    if let Ok(chunk) = frame.into_data() {
                        self.bytes = self.bytes.saturating_add(chunk.len());
                        self.chunks.push(chunk);
                    }
                    self.is_finished = self.rest.is_end_stream();
                }
                Some(Err(error)) => {
                    self.error = Some(error);
                    self.is_finished = true;
                }
                None => self.is_finished = true,
            }
        }
    }

    /// Returns a body of the same content.
    fn into_body(self) -> Body {
        let Self { mut chunks, error, rest, is_finished, .. } = self;
        if is_finished && error.is_none() {
            return match chunks.len() {
                1 => Body::from(chunks.swap_remove(0)),
                _ => Body::from(chunks.concat()),
            };
        }
        if chunks.is_empty() && error.is_none() {
            return rest;
        }
        let chunks = chunks.into_iter().map(Ok).chain(error.map(Err));
        Body::from_stream(stream::iter(chunks).chain(rest.into_data_stream()))
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
    async fn arrived_body_is_complete_and_pending_body_is_partial() {
        let Arrival::Complete(body) = read_available(&parts(), Body::from("all of it")).await
        else {
            panic!()
        };
        assert_eq!(text(body).await, "all of it");
        assert!(matches!(read_available(&parts(), Body::empty()).await, Arrival::Complete(_)));

        let (send, rest) = tokio::sync::oneshot::channel::<Result<Bytes, BodyError>>();
        let first = stream::iter([Ok(Bytes::from("first "))]);
        let rest = stream::once(async { rest.await.unwrap() });
        let body = Body::from_stream(first.chain(rest));
        let Arrival::Partial(body) = read_available(&parts(), body).await else { panic!() };
        send.send(Ok(Bytes::from("second"))).unwrap();
        let body = wait(&parts(), body, Duration::from_secs(30)).await.unwrap();
        assert_eq!(text(body).await, "first second");
    }

    #[tokio::test]
    async fn oversized_body_is_passed_on_without_buffering_all_of_it() {
        let chunks = (0..40).map(|_| Ok::<_, BodyError>(Bytes::from(vec![b'x'; BODY_MAX / 10])));
        let body = wait(&parts(), Body::from_stream(stream::iter(chunks)), Duration::MAX).await;
        assert_eq!(text(body.unwrap()).await.len(), 40 * (BODY_MAX / 10));
    }
}
