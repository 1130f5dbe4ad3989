//! Listening: `axum::serve` sets no time limits, so connections are driven here.

use std::{convert::Infallible, future::Future, net::SocketAddr, sync::Arc, time::Duration};

use axum::{extract::ConnectInfo, response::Response};
use http::Request;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};
use tower::{Service, ServiceExt};

use crate::edge::phase::{Cutter, Patience, Phases, Sending, Timed, UntilSent};

/// How many connections are served at once; further ones wait in the listener's queue.
const CONNECTIONS_MAX: usize = 4_096;

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
    serve_within(Patience::default(), listener, router, stop).await;
}

/// [`serve`], with connections that may stay silent for as long as `patience` lasts.
pub async fn serve_within(
    patience: Patience,
    listener: TcpListener,
    router: impl Answers,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut stop = std::pin::pin!(stop);
    loop {
        let place = Arc::clone(&places);
        let accepted = async {
            let permit = place.acquire_owned().await;
            (listener.accept().await, permit)
        };
        tokio::select! {
            () = &mut stop => break,
            (accepted, permit) = accepted => match (accepted, permit) {
                (Ok((socket, address)), Ok(permit)) => {
                    let phases = Phases::accepted(patience);
                    spawn(socket, address, phases, router.clone(), &graceful, permit);
                }
                (Err(error), _) => {
                    // Out of descriptors, most likely: give the others time to finish.
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                (_, Err(_)) => break,
            },
        }
    }
    drop(listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests were cut off because they did not finish in time");
    }
}

fn spawn(
    socket: TcpStream,
    address: SocketAddr,
    phases: Phases,
    router: impl Answers,
    graceful: &GracefulShutdown,
    permit: OwnedSemaphorePermit,
) {
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
        drop(permit);
    });
}
