//! `govern serve`.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use governance::proof::{
    signing::{KeysUnusable, Purpose},
    transparency_log::Sequencer,
};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::oneshot,
};

use crate::{
    background,
    command::admin::open,
    config::{ServeConfig, StoreConfig},
    console,
    edge::{self, Edge, startup::StartupService},
    first_run,
    lint_provider::{HttpLintProvider, PATIENCE},
    mail, outbound, rekor,
    rollback_guard_file::RollbackGuardFile,
    router::router,
    state::Service,
    trust_startup,
    webhook::{self, DeliveryLoop},
};
use local_postgres::OwnerKind;

/// Serves until a shutdown signal, then finishes requests and deliveries in flight.
#[expect(clippy::print_stdout, reason = "the greeting is for the person who started the service")]
pub(crate) async fn run(store: StoreConfig, config: ServeConfig) -> Result<()> {
    config.check_public_url(store.environment)?;
    let listener = TcpListener::bind(config.addr)
        .await
        .with_context(|| format!("GOVERN_ADDR: cannot listen on {}", config.addr))?;
    // From now on the health endpoint responds. All other routes follow once the database is open and
    // migrated.
    let mut edge = Edge::new(&config.edge, store.environment);
    edge.mail_folder = mail::development_folder(&config.mail, &store);
    let starting = StartupService::new(edge.clone());
    let (stop, stop_signal) = oneshot::channel::<()>();
    let stop_signal = async {
        let _ = stop_signal.await;
    };
    let connections = config.edge.connections();
    let serving = edge::listen::serve_within(connections, listener, starting.clone(), stop_signal);
    let serving = tokio::spawn(serving);

    let backend = open(&store, OwnerKind::Service).await?;
    if let Some(url) = &config.lint_url {
        backend.governance.set_lint_provider(HttpLintProvider::new(url.clone(), PATIENCE)?);
    }
    backend.governance.set_outbound_policy(config.outbound.destinations(store.environment));
    if let Some(mail) = mail::configured(&config.mail, &store)? {
        backend.governance.sends_mail(mail);
    }
    backend.governance.set_delivery_schedule(config.webhook_schedule.clone());
    backend
        .governance
        .set_log_origin(&store.log_origin.clone().unwrap_or_else(|| config.log_origin()));
    let sequencer =
        Sequencer::new(&backend.governance, Arc::new(RollbackGuardFile::of(&store.data_dir)));
    background::ensure_log(&backend.governance, &sequencer).await;
    trust_startup::prepare(&backend.governance, &store).await?;
    let credentials = first_run::prepare(&backend.governance, &store, &config).await?;
    backend.governance.set_public_url(&config.url());
    if config.edge.redis.is_some() && !edge.limits.share().await {
        tracing::warn!("Redis is not there: this process counts requests for itself until it is");
    }
    let is_https = config.url().starts_with("https://");
    let options = console::options(config.addr)?;
    let service = Service::new(backend.governance.clone(), options, is_https, edge)?;
    let rekor = rekor::configured(&config)?;
    let keys = backend.governance.keys();
    if rekor.is_some() && keys.is_some_and(|keys| keys.rekor().is_none()) {
        bail!("{}", KeysUnusable::Missing(Purpose::Rekor));
    }
    let delivery_worker = webhook::delivery_worker(&backend.governance, outbound::CALL_TIMEOUT)?;
    let mut deliveries = DeliveryLoop::of(delivery_worker);
    starting.set_router(router(service.clone()));
    println!("{}", first_run::greeting(&store, &config, credentials.as_ref()));
    if let Some(hint) = first_run::hint(&backend.governance).await? {
        println!("  {hint}\n");
    }

    tokio::select! {
        () = shutdown_signal() => {}
        never = backend.watch() => match never {},
        never = background::run(&backend.governance, &sequencer, rekor.as_ref(), &mut deliveries) => match never {},
    }
    tracing::info!("stopping");
    service.stop();
    drop(stop);
    let (serve_result, ()) = tokio::join!(serving, deliveries.finish());
    serve_result.context("the listener was lost")?;
    backend.governance.finish_background().await;
    background::flush_key_usage(&backend.governance).await;
    background::flush_log(&backend.governance, &sequencer).await;
    backend.close().await
}

/// Resolves at the first SIGTERM or SIGINT.
async fn shutdown_signal() {
    let interrupt = tokio::signal::ctrl_c();
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! { _ = interrupt => {}, _ = terminate.recv() => {} }
        }
        Err(_) => {
            let _ = interrupt.await;
        }
    }
}
