//! Listening: `axum::serve` sets no time limits, so connections are driven here.

use std::{convert::Infallible, future::Future, net::SocketAddr, time::Duration};

use axum::{extract::ConnectInfo, response::Response};
use http::Request;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::net::{TcpListener, TcpStream};
use tower::{Service, ServiceExt};

pub use super::connections::ConnectionLimits;
use super::{
    connections::{Connections, OpenConnection},
    phase::{Cutter, Phases, Sending, Timed, UntilSent},
};

/// How long the listener waits after it could not accept a connection.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// How long requests may take to finish once the service stops.
const DRAIN: Duration = Duration::from_secs(20);

/// The most bytes of a request's head.
const HEAD_BYTES_MAX: usize = 64 * 1_024;

/// What answers the requests of all connections: a router, or what stands for one.
pub trait Answers:
    Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send>
    + Clone
    + Send
    + 'static
{
}

impl<S> Answers for S where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send>
        + Clone
        + Send
        + 'static
{
}

/// Serves `router` until `stop` resolves, then lets requests under way finish within a bound.
pub async fn serve(listener: TcpListener, router: impl Answers, stop: impl Future<Output = ()>) {
    serve_within(ConnectionLimits::default(), listener, router, stop).await;
}

/// [`serve`], with as many connections as `limits` allow.
pub async fn serve_within(
    limits: ConnectionLimits,
    listener: TcpListener,
    router: impl Answers,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let connections = Connections::new(limits);
    let mut stop = std::pin::pin!(stop);
    loop {
        let admitted = tokio::select! {
            () = &mut stop => break,
            admitted = admit(&listener, &connections) => admitted,
        };
        if let Some(admitted) = admitted {
            spawn(admitted, router.clone(), &graceful);
        }
    }
    drop(listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests were cut off because they did not finish in time");
    }
}

/// A connection that is served.
struct Admitted {
    socket: TcpStream,
    address: SocketAddr,
    phases: Phases,
    open: OpenConnection,
}

/// Accepts the next connection. One that is beyond the limit of its client is closed.
async fn admit(listener: &TcpListener, connections: &Connections) -> Option<Admitted> {
    match listener.accept().await {
        Ok((socket, address)) => {
            let (open, phases) = connections.admit(address.ip()).await?;
            Some(Admitted { socket, address, phases, open })
        }
        Err(error) => {
            // The process is out of file descriptors, most likely: an idle connection has one.
            tracing::warn!(%error, "a connection was not accepted");
            connections.close_longest_idle();
            tokio::time::sleep(ACCEPT_AGAIN).await;
            None
        }
    }
}

fn spawn(admitted: Admitted, router: impl Answers, graceful: &GracefulShutdown) {
    let Admitted { socket, address, phases, open } = admitted;
    let _ = socket.set_nodelay(true);
    let io = TokioIo::new(Timed::new(socket, phases.clone()));
    let service = service_fn(move |mut request: Request<Incoming>| {
        phases.busy();
        let until_sent = UntilSent(phases.clone());
        request.extensions_mut().insert(ConnectInfo(address));
        request.extensions_mut().insert(Cutter::of(&phases));
        let answer = router.clone().oneshot(request);
        async move { answer.await.map(|response| response.map(|body| Sending::new(body, until_sent))) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(io, service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended early");
        }
        drop(open);
    });
}
