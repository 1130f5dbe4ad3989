//! The HTTP listener. `axum::serve` sets no time limits, so this module drives the connections.

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
    connection::{ConnectionAbort, ConnectionState, IdleOnDrop, TimeoutStream, TrackedBody},
    connections::{Connections, OpenConnection},
};

/// The wait before the next attempt after a connection could not be accepted.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// The time for requests in flight to finish when the service stops.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(20);

/// The maximum size of a request head in bytes.
const HEAD_BYTES_MAX: usize = 64 * 1_024;

/// A service that handles the requests of all connections, such as a router.
pub trait RequestHandler:
    Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send>
    + Clone
    + Send
    + 'static
{
}

impl<S> RequestHandler for S where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send>
        + Clone
        + Send
        + 'static
{
}

/// Serves `router` until `stop` resolves, then waits a limited time for requests in flight.
pub async fn serve(
    listener: TcpListener,
    router: impl RequestHandler,
    stop: impl Future<Output = ()>,
) {
    serve_within(ConnectionLimits::default(), listener, router, stop).await;
}

/// Serves `router` like [`serve`], with the connection limits `limits`.
pub async fn serve_within(
    limits: ConnectionLimits,
    listener: TcpListener,
    router: impl RequestHandler,
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
    if tokio::time::timeout(DRAIN_TIMEOUT, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests were aborted because they did not finish in time");
    }
}

struct AdmittedConnection {
    socket: TcpStream,
    address: SocketAddr,
    connection: ConnectionState,
    open: OpenConnection,
}

/// Accepts the next connection. Closes it if its client is at the limit.
async fn admit(listener: &TcpListener, connections: &Connections) -> Option<AdmittedConnection> {
    match listener.accept().await {
        Ok((socket, address)) => {
            let (open, connection) = connections.admit(address.ip()).await?;
            Some(AdmittedConnection { socket, address, connection, open })
        }
        Err(error) => {
            // The process has probably run out of file descriptors, and closing an idle connection frees one.
            tracing::warn!(%error, "a connection was not accepted");
            connections.close_longest_idle();
            tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            None
        }
    }
}

fn spawn(admitted: AdmittedConnection, router: impl RequestHandler, graceful: &GracefulShutdown) {
    let AdmittedConnection { socket, address, connection, open } = admitted;
    let _ = socket.set_nodelay(true);
    let io = TokioIo::new(TimeoutStream::new(socket, connection.clone()));
    let service = service_fn(move |mut request: Request<Incoming>| {
        connection.request_started();
        let idle_on_drop = IdleOnDrop(connection.clone());
        request.extensions_mut().insert(ConnectInfo(address));
        request.extensions_mut().insert(ConnectionAbort::new(&connection));
        let result = router.clone().oneshot(request);
        async move {
            result.await.map(|response| response.map(|body| TrackedBody::new(body, idle_on_drop)))
        }
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
