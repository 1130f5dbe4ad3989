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
    /// Who waits to read without a deadline, to be woken when there is one.
    reader: Option<Waker>,
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
        let deadline = Instant::now() + patience.head;
        let state = State { phase: Phase::Head, deadline, reader: None };
        Self { state: Arc::new(Mutex::new(state)), patience }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, phase: Phase, wait: Duration) {
        let deadline = Instant::now() + wait;
        let before = std::mem::replace(&mut *self.state(), State { phase, deadline, reader: None });
        if let Some(reader) = before.reader {
            reader.wake();
        }
    }

    /// The head of a request has arrived.
    pub(crate) fn busy(&self) {
        self.set(Phase::Busy, self.patience.idle);
    }

    /// The first bytes of the next request have arrived.
    fn bytes(&self) {
        let is_idle = self.state().phase == Phase::Idle;
        if is_idle {
            self.set(Phase::Head, self.patience.head);
        }
    }

    /// Ends the connection, whatever it is doing: its next read fails, and there is one at once.
    fn cut(&self) {
        self.set(Phase::Idle, Duration::ZERO);
    }

    /// Until when the connection may stay silent, if there is a limit now; without one, `reader` is
    /// woken when the phase changes: it began to wait under another limit.
    fn deadline(&self, reader: &Waker) -> Option<Instant> {
        let mut state = self.state();
        if state.phase == Phase::Busy {
            state.reader = Some(reader.clone());
            return None;
        }
        Some(state.deadline)
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
