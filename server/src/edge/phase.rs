//! Where a connection stands, and how long it may stand there.

use std::{
    convert::Infallible,
    future::Future,
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
    time::Duration,
};

use axum::extract::FromRequestParts;
use http::request::Parts;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep},
};

/// How long a connection may stay silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Until the first byte and all headers of a request are there.
    pub head: Duration,
    /// Between two requests.
    pub idle: Duration,
}

impl Default for Patience {
    /// The contract's, section 1.
    fn default() -> Self {
        Self { head: Duration::from_secs(10), idle: Duration::from_mins(1) }
    }
}

/// What a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Waiting for the head of a request, until the deadline.
    Head,
    /// A request is at work; its own deadlines hold.
    Busy,
    /// Waiting for the next request, until the deadline.
    Idle,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    deadline: Instant,
    /// When the last request ended, or the connection was accepted.
    idle_since: Instant,
    /// Whether the connection ends as soon as no request is under way.
    is_closing: bool,
    /// Who waits to read, to be woken when the deadline comes closer.
    reader: Option<Waker>,
}

impl State {
    /// Until when the connection may stay silent, if there is a limit.
    fn limit(&self) -> Option<Instant> {
        (self.phase != Phase::Busy).then_some(self.deadline)
    }
}

/// The phase of one connection, shared by its socket and its requests.
#[derive(Clone, Debug)]
pub(crate) struct Phases {
    state: Arc<Mutex<State>>,
    patience: Patience,
}

impl Phases {
    /// A connection that was just accepted.
    pub(crate) fn accepted(patience: Patience) -> Self {
        let now = Instant::now();
        let state = State {
            phase: Phase::Head,
            deadline: now + patience.head,
            idle_since: now,
            is_closing: false,
            reader: None,
        };
        Self { state: Arc::new(Mutex::new(state)), patience }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, phase: Phase, wait: Duration) {
        self.change(|state, now| {
            state.phase = phase;
            state.deadline = if state.is_closing { now } else { now + wait };
            if phase == Phase::Idle {
                state.idle_since = now;
            }
        });
    }

    /// Changes the state, and wakes who waits to read if the limit comes closer.
    fn change<T>(&self, change: impl FnOnce(&mut State, Instant) -> T) -> T {
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

    /// The head of a request has arrived.
    pub(crate) fn busy(&self) {
        self.set(Phase::Busy, self.patience.idle);
    }

    /// The first bytes of the next request have arrived.
    fn bytes(&self) {
        let mut state = self.state();
        let is_idle = state.phase == Phase::Idle;
        // The reader is at work, and looks at the limit when it waits again.
        state.reader = None;
        drop(state);
        if is_idle {
            self.set(Phase::Head, self.patience.head);
        }
    }

    /// Ends the connection, whatever it is doing: its next read fails, and there is one at once.
    fn cut(&self) {
        self.set(Phase::Idle, Duration::ZERO);
    }

    /// Returns since when no request has been under way; `None` while one is, or when the connection ends already.
    /// The first bytes of a request do not make it active: they cost nothing.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let state = self.state();
        (state.phase != Phase::Busy && !state.is_closing).then_some(state.idle_since)
    }

    /// Ends the connection if it has been idle since `since`, and returns whether it has.
    pub(crate) fn close_idle(&self, since: Instant) -> bool {
        if self.idle_since() != Some(since) {
            return false;
        }
        self.change(|state, now| {
            let is_idle = state.phase != Phase::Busy && state.idle_since == since;
            if is_idle {
                state.is_closing = true;
                state.deadline = now;
            }
            is_idle
        })
    }

    /// Until when the connection may stay silent, if there is a limit now. `reader` is woken when that changes
    /// to an earlier time.
    fn deadline(&self, reader: &Waker) -> Option<Instant> {
        let mut state = self.state();
        match &mut state.reader {
            Some(known) => known.clone_from(reader),
            none => *none = Some(reader.clone()),
        }
        state.limit()
    }
}

/// Cuts off the connection of a request whose caller does not take its answer.
#[derive(Clone, Debug, Default)]
pub struct Cutter(Option<Phases>);

impl Cutter {
    pub(crate) fn of(phases: &Phases) -> Self {
        Self(Some(phases.clone()))
    }

    /// Cuts it off.
    pub(crate) fn cut(&self) {
        self.0.iter().for_each(Phases::cut);
    }
}

impl<S: Sync> FromRequestParts<S> for Cutter {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}

pin_project! {
    /// A socket that fails to read once its connection has been silent for too long.
    #[derive(Debug)]
    pub(crate) struct Timed<S> {
        #[pin]
        socket: S,
        phases: Phases,
        timer: Pin<Box<Sleep>>,
    }
}

impl<S> Timed<S> {
    pub(crate) fn new(socket: S, phases: Phases) -> Self {
        let timer = Box::pin(tokio::time::sleep(phases.patience.head));
        Self { socket, phases, timer }
    }
}

impl<S: AsyncRead> AsyncRead for Timed<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.project();
        let before = buffer.filled().len();
        if let Poll::Ready(read) = this.socket.poll_read(cx, buffer) {
            if buffer.filled().len() > before {
                this.phases.bytes();
            }
            return Poll::Ready(read);
        }
        let Some(deadline) = this.phases.deadline(cx.waker()) else { return Poll::Pending };
        // Deadlines move with each request, mostly to later: the timer is set anew when it rings too
        // early, which costs less than to do so each time.
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

impl<S: AsyncWrite> AsyncWrite for Timed<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.project().socket.poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().socket.poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().socket.poll_shutdown(cx)
    }
}

/// Makes the connection idle when the answer has been sent, or given up.
#[derive(Debug)]
pub(crate) struct UntilSent(pub(crate) Phases);

impl Drop for UntilSent {
    fn drop(&mut self) {
        self.0.set(Phase::Idle, self.0.patience.idle);
    }
}

pin_project! {
    /// The body of an answer, which keeps its connection busy until it ends.
    #[derive(Debug)]
    pub(crate) struct Sending<B> {
        #[pin]
        body: B,
        until_sent: UntilSent,
    }
}

impl<B> Sending<B> {
    pub(crate) fn new(body: B, until_sent: UntilSent) -> Self {
        Self { body, until_sent }
    }
}

impl<B: Body> Body for Sending<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        self.project().body.poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
