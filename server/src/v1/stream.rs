//! The event stream of recorded decisions (server-sent events).

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    Extension,
    body::{Body, Bytes},
    extract::{FromRequestParts, State},
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, stream};
use governance::{
    access::session::SessionToken,
    deciding::decision::{self, Stream, StreamEvent, StreamFilter},
};
use http::{HeaderName, HeaderValue, header, request::Parts};
use serde_json::json;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
    time::{Instant, MissedTickBehavior},
};
use tower_sessions::Session;

use crate::{
    edge::{ApiResult, Authorized, Query, connection::ConnectionAbort},
    endpoint::{Content, Describe, Operation},
    state::Service,
};

/// The maximum number of buffered events of a slow reader (contract, section 5).
const BUFFERED_EVENTS_MAX: usize = 256;

/// The maximum size of the buffered events of a slow reader, in bytes. A larger event waits until it is the only one.
const BUFFERED_BYTES_MAX: usize = 4 << 20;

/// The number of heartbeats after which an idle stream sends a comment.
const HEARTBEATS_PER_COMMENT: u32 = 3;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The ID of the event after which a stream continues.
struct LastEventId(Option<String>);

impl<S: Sync> FromRequestParts<S> for LastEventId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        // An ID that is not text was not issued by this service.
        let id = parts.headers.get(LAST_EVENT_ID).map(|id| id.to_str().unwrap_or("?"));
        Ok(Self(id.filter(|id| !id.is_empty()).map(str::to_owned)))
    }
}

impl Describe for LastEventId {
    fn describe(operation: &mut Operation) {
        let schema = json!({"type": "string", "pattern": "^[ -~]*$"});
        operation.header("Last-Event-ID", "The ID of the last received event", &schema);
    }
}

/// Stream decisions as they are recorded.
///
/// Server-sent events, in the order in which the tenant recorded the decisions, each exactly once. The `id`
/// of an event is opaque. A client that reconnects within an hour with the last ID in `Last-Event-ID`
/// continues after that event. IDs are also sent without an event, at the start and with the comment that is
/// sent every 15 seconds. The stream ends if the key is revoked, the user signs out or the service stops, and
/// if 256 events are buffered for a client that does not read. A key can have 20 open streams per process.
#[get(
    "/v1/decisions/stream", READ_DECISIONS,
    content = &[("text/event-stream", Content::Text)],
    200 = "`event: decision`, with a `DecisionEvent` as its `data`",
    429 = "`TOO_MANY_REQUESTS`: 20 streams are open",
)]
async fn stream(
    State(service): State<Service>,
    cx: Authorized,
    LastEventId(last): LastEventId,
    connection_abort: ConnectionAbort,
    session: Option<Extension<Session>>,
    Query(filter): Query<StreamFilter>,
) -> ApiResult<Response> {
    let stream = decision::stream(&cx, filter, last.as_deref()).await?;
    let token = session.and_then(|Extension(session)| SessionToken::from_session(&session));
    Ok(stream_response(stream.with_session(token), &service, Duration::ZERO, connection_abort))
}

/// Returns the response that sends the events of `stream`, with a `pause` after each page, until the process
/// stops.
pub(crate) fn stream_response(
    stream: Stream,
    service: &Service,
    pause: Duration,
    connection_abort: ConnectionAbort,
) -> Response {
    let heartbeat_interval = service.edge.request_limits.heartbeat_interval;
    let (events, buffered) = mpsc::channel(BUFFERED_EVENTS_MAX);
    let start = Bytes::from(format!("retry: 3000\nid: {}\n\n", stream.id()));
    let (mut stop_signal, mut stopping) = (service.stopping(), service.stopping());
    tokio::spawn(async move {
        let writer = StreamWriter {
            stream,
            events,
            buffer: Arc::new(Semaphore::new(BUFFERED_BYTES_MAX)),
            heartbeat_interval,
            pause,
            paused_until: Instant::now(),
        };
        let reason = tokio::select! {
            reason = writer.run() => reason,
            _ = stop_signal.wait_for(|is_stopping| *is_stopping) => EndReason::Normal,
        };
        if reason == EndReason::TooSlow {
            tracing::info!("a stream was aborted because its client did not read");
            connection_abort.abort();
        }
    });
    // The permit of an event is released when the connection takes the next one.
    let buffered = stream::unfold((buffered, None), |(mut buffered, last)| async {
        drop(last);
        let event: BufferedEvent = buffered.recv().await?;
        Some((event.text, (buffered, Some(event.permit))))
    });
    let stop = Box::pin(async move {
        let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
    });
    let events = stream::once(async { start }).chain(buffered).take_until(stop);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (BUFFERING, HeaderValue::from_static("no")),
    ];
    (headers, Body::from_stream(events.map(Ok::<_, Infallible>))).into_response()
}

/// The reason why a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndReason {
    /// The client left or lost its authorization, or the database or the process is unavailable.
    Normal,
    /// The client does not read.
    TooSlow,
}

/// An event that waits for its client, and its share of [`BUFFERED_BYTES_MAX`].
struct BufferedEvent {
    text: Bytes,
    permit: OwnedSemaphorePermit,
}

/// Writer that sends the events of a stream to the connection.
struct StreamWriter {
    stream: Stream,
    events: mpsc::Sender<BufferedEvent>,
    /// The bytes that are left for buffered events.
    buffer: Arc<Semaphore>,
    heartbeat_interval: Duration,
    pause: Duration,
    paused_until: Instant,
}

impl StreamWriter {
    async fn run(mut self) -> EndReason {
        let mut heartbeats = tokio::time::interval_at(
            Instant::now() + self.heartbeat_interval,
            self.heartbeat_interval,
        );
        heartbeats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heartbeat_count = 0_u32;
        loop {
            let reason = tokio::select! {
                () = self.events.closed() => Some(EndReason::Normal),
                _ = heartbeats.tick() => {
                    heartbeat_count = heartbeat_count.wrapping_add(1);
                    self.heartbeat(heartbeat_count.is_multiple_of(HEARTBEATS_PER_COMMENT)).await
                }
                () = async {
                    tokio::time::sleep_until(self.paused_until).await;
                    self.stream.changed().await;
                } => self.send_page().await,
            };
            if let Some(reason) = reason {
                return reason;
            }
        }
    }

    /// Checks the authorization of the client, and sends a comment if `sends_comment` is true.
    async fn heartbeat(&mut self, sends_comment: bool) -> Option<EndReason> {
        match self.stream.heartbeat().await {
            // If the buffer is full, the comment is not needed.
            Ok(id) if sends_comment => {
                let text = Bytes::from(format!(": listening\nid: {id}\n\n"));
                if let Ok(permit) = Arc::clone(&self.buffer).try_acquire_many_owned(share(&text)) {
                    let _ = self.events.try_send(BufferedEvent { text, permit });
                }
                None
            }
            Ok(_) => None,
            Err(error) => Some(end_reason(&error)),
        }
    }

    /// Buffers an event, and returns whether there was space for it within a heartbeat interval.
    async fn send(&self, text: Bytes) -> bool {
        let send = async {
            let permit = Arc::clone(&self.buffer).acquire_many_owned(share(&text)).await.ok()?;
            self.events.send(BufferedEvent { text, permit }).await.ok()
        };
        matches!(tokio::time::timeout(self.heartbeat_interval, send).await, Ok(Some(())))
    }

    /// Sends the next events.
    async fn send_page(&mut self) -> Option<EndReason> {
        let page = match self.stream.page().await {
            Ok(page) => page,
            Err(error) => return Some(end_reason(&error)),
        };
        if !page.is_empty() {
            self.paused_until = Instant::now() + self.pause;
        }
        for StreamEvent { id, event, text } in page {
            let text = format!("id: {id}\nevent: {event}\ndata: {text}\n\n");
            // A burst is normal: a client is too slow only if it reads nothing for a whole heartbeat
            // interval.
            if !self.send(Bytes::from(text)).await {
                let is_gone = self.events.is_closed();
                return Some(if is_gone { EndReason::Normal } else { EndReason::TooSlow });
            }
        }
        None
    }
}

/// Returns the share of an event in [`BUFFERED_BYTES_MAX`].
fn share(text: &Bytes) -> u32 {
    u32::try_from(text.len().min(BUFFERED_BYTES_MAX)).unwrap_or(u32::MAX)
}

fn end_reason(error: &governance::Error) -> EndReason {
    tracing::info!(%error, "a stream ended");
    EndReason::Normal
}
