//! Connection state and timeouts.

use std::{
    convert::Infallible,
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
    time::Duration,
};

use axum::{body::Bytes, extract::FromRequestParts};
use http::request::Parts;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep},
};

use crate::endpoint::describe_nothing;

/// The time limits of a silent connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionTimeouts {
    /// The limit until all headers of a request have arrived.
    pub head: Duration,
    /// The limit between two requests.
    pub idle: Duration,
}

impl Default for ConnectionTimeouts {
    /// Returns the timeouts of the contract, section 1.
    fn default() -> Self {
        Self { head: Duration::from_secs(10), idle: Duration::from_mins(1) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectionPhase {
    /// Waiting for the head of a request, until the deadline.
    Head,
    /// Handling a request, which has its own deadlines.
    Busy,
    /// Waiting for the next request, until the deadline.
    Idle,
}

#[derive(Debug)]
struct PhaseState {
    phase: ConnectionPhase,
    deadline: Instant,
    /// The time at which the last request ended, or the connection was accepted.
    idle_since: Instant,
    /// Whether the connection closes as soon as it handles no request.
    is_closing: bool,
    /// The task that waits to read; woken when the deadline becomes earlier.
    reader: Option<Waker>,
}

impl PhaseState {
    /// Returns the time until which the connection may be silent, if there is a limit.
    fn limit(&self) -> Option<Instant> {
        (self.phase != ConnectionPhase::Busy).then_some(self.deadline)
    }
}

/// The state of one connection, shared by its socket and its requests.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionState {
    state: Arc<Mutex<PhaseState>>,
    timeouts: ConnectionTimeouts,
}

impl ConnectionState {
    /// Creates the state of a connection that was just accepted.
    pub(crate) fn new(timeouts: ConnectionTimeouts) -> Self {
        let now = Instant::now();
        let state = PhaseState {
            phase: ConnectionPhase::Head,
            deadline: now + timeouts.head,
            idle_since: now,
            is_closing: false,
            reader: None,
        };
        Self { state: Arc::new(Mutex::new(state)), timeouts }
    }

    fn state(&self) -> MutexGuard<'_, PhaseState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, phase: ConnectionPhase, wait: Duration) {
        self.change(|state, now| {
            state.phase = phase;
            state.deadline = if state.is_closing { now } else { now + wait };
            if phase == ConnectionPhase::Idle {
                state.idle_since = now;
            }
        });
    }

    /// Changes the state, and wakes the reader if the limit becomes earlier.
    fn change<T>(&self, change: impl FnOnce(&mut PhaseState, Instant) -> T) -> T {
        let mut state = self.state();
        let before = state.limit();
        let changed = change(&mut state, Instant::now());
        let is_closer =
            state.limit().is_some_and(|limit| before.is_none_or(|before| limit < before));
        let reader = if is_closer { state.reader.take() } else { None };
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
        changed
    }

    /// Marks the connection as busy, because the head of a request has arrived.
    pub(crate) fn request_started(&self) {
        self.set(ConnectionPhase::Busy, self.timeouts.idle);
    }

    /// Starts the head timeout of an idle connection, because the first bytes of a request have arrived.
    fn request_bytes_received(&self) {
        let mut state = self.state();
        let is_idle = state.phase == ConnectionPhase::Idle;
        // The reader is running and checks the limit before it waits again.
        state.reader = None;
        drop(state);
        if is_idle {
            self.set(ConnectionPhase::Head, self.timeouts.head);
        }
    }

    /// Restarts the idle timeout, because a part of the last response was sent only now.
    fn response_bytes_sent(&self) {
        let mut state = self.state();
        if state.phase == ConnectionPhase::Idle && !state.is_closing {
            state.deadline = Instant::now() + self.timeouts.idle;
        }
    }

    /// Ends the connection in any phase: the reader is woken and its read fails.
    fn abort(&self) {
        self.set(ConnectionPhase::Idle, Duration::ZERO);
    }

    /// Returns the time at which the connection became idle, or `None` while it handles a request or is
    /// closing. The first bytes of a request do not end the idle time, because they are cheap to send.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let state = self.state();
        (state.phase != ConnectionPhase::Busy && !state.is_closing).then_some(state.idle_since)
    }

    /// Closes the connection if it has been idle since `since`, and returns whether it did.
    pub(crate) fn close_idle(&self, since: Instant) -> bool {
        if self.idle_since() != Some(since) {
            return false;
        }
        self.change(|state, now| {
            let is_idle = state.phase != ConnectionPhase::Busy && state.idle_since == since;
            if is_idle {
                state.is_closing = true;
                state.deadline = now;
            }
            is_idle
        })
    }

    /// Returns the time until which the connection may be silent, if there is a limit. Wakes `reader` when
    /// the limit becomes earlier.
    fn deadline(&self, reader: &Waker) -> Option<Instant> {
        let mut state = self.state();
        match &mut state.reader {
            Some(stored) => stored.clone_from(reader),
            empty => *empty = Some(reader.clone()),
        }
        state.limit()
    }
}

/// Handle that aborts the connection of a request whose caller does not read the response.
#[derive(Clone, Debug, Default)]
pub struct ConnectionAbort(Option<ConnectionState>);

describe_nothing!(ConnectionAbort);

impl ConnectionAbort {
    pub(crate) fn new(connection: &ConnectionState) -> Self {
        Self(Some(connection.clone()))
    }

    pub(crate) fn abort(&self) {
        self.0.iter().for_each(ConnectionState::abort);
    }
}

impl<S: Sync> FromRequestParts<S> for ConnectionAbort {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}

pin_project! {
    /// A socket whose reads fail once its connection has been silent for too long, and whose writes fail once its client
    /// has read nothing for too long.
    #[derive(Debug)]
    pub(crate) struct TimeoutStream<S> {
        #[pin]
        socket: S,
        connection: ConnectionState,
        timer: Pin<Box<Sleep>>,
        // Runs while a write waits for the client.
        write_timer: Option<Pin<Box<Sleep>>>,
    }
}

impl<S> TimeoutStream<S> {
    pub(crate) fn new(socket: S, connection: ConnectionState) -> Self {
        let timer = Box::pin(tokio::time::sleep(connection.timeouts.head));
        Self { socket, connection, timer, write_timer: None }
    }
}

impl<S: AsyncRead> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.project();
        let before = buffer.filled().len();
        if let Poll::Ready(read) = this.socket.poll_read(cx, buffer) {
            if buffer.filled().len() > before {
                this.connection.request_bytes_received();
            }
            return Poll::Ready(read);
        }
        let Some(deadline) = this.connection.deadline(cx.waker()) else { return Poll::Pending };
        // Each request moves the deadline, usually to a later time. The timer is reset only when it fires too
        // early, which costs less than resetting it each time.
        if this.timer.deadline() > deadline {
            this.timer.as_mut().reset(deadline);
        }
        while this.timer.as_mut().poll(cx).is_ready() {
            if this.timer.deadline() >= deadline {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            this.timer.as_mut().reset(deadline);
        }
        Poll::Pending
    }
}

impl<S: AsyncWrite> AsyncWrite for TimeoutStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.project();
        if let Poll::Ready(written) = this.socket.poll_write(cx, bytes) {
            *this.write_timer = None;
            this.connection.response_bytes_sent();
            return Poll::Ready(written);
        }
        let timeout = this.connection.timeouts.idle;
        let timer = this.write_timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        timer.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().socket.poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().socket.poll_shutdown(cx)
    }
}

/// Guard that makes the connection idle when the response has been sent or dropped.
#[derive(Debug)]
pub(crate) struct IdleOnDrop(pub(crate) ConnectionState);

impl Drop for IdleOnDrop {
    fn drop(&mut self) {
        self.0.set(ConnectionPhase::Idle, self.0.timeouts.idle);
    }
}

/// The maximum size of the parts in which a response is given to the connection, in bytes. The connection stays busy and
/// the body in memory until its last part is sent.
const PART_BYTES_MAX: usize = 64 * 1_024;

pin_project! {
    /// A response body that keeps its connection busy until it ends.
    #[derive(Debug)]
    pub(crate) struct TrackedBody<B> {
        #[pin]
        body: B,
        // The rest of the last frame.
        rest: Bytes,
        idle_on_drop: IdleOnDrop,
    }
}

impl<B> TrackedBody<B> {
    pub(crate) fn new(body: B, idle_on_drop: IdleOnDrop) -> Self {
        Self { body, rest: Bytes::new(), idle_on_drop }
    }
}

impl<B: Body<Data = Bytes>> Body for TrackedBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = self.project();
        if this.rest.is_empty() {
            match this.body.poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => *this.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                other => return other,
            }
        }
        let part = this.rest.split_to(this.rest.len().min(PART_BYTES_MAX));
        Poll::Ready(Some(Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = u64::try_from(self.rest.len()).unwrap_or(u64::MAX);
        let of_body = self.body.size_hint();
        let mut size = SizeHint::new();
        size.set_lower(of_body.lower().saturating_add(rest));
        if let Some(upper) = of_body.upper() {
            size.set_upper(upper.saturating_add(rest));
        }
        size
    }
}
