//! `govern serve`.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use governance::{
    ServiceOptions,
    base::{clock::Clock, replica::Replica},
    proof::{
        signing::{LoadKeysError, Purpose},
        transparency_log::Sequencer,
    },
};
use kit::console::Console;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::oneshot,
};

use crate::{
    background,
    command::admin::{connect_error, open_with},
    config::{ServeConfig, StoreConfig, edge::EdgeConfig},
    console,
    edge::{
        Edge,
        listen::{self, ConnectionLimits},
        startup::StartupService,
    },
    first_run, keys,
    lint_provider::{self, HttpLintProvider},
    mail,
    metrics::Metrics,
    outbound,
    provider_client::HttpProviderClient,
    rekor,
    rollback_guard_file::RollbackGuardFile,
    router::router,
    state::Service,
    traces::Traces,
    trust_startup,
    webhook::{self, DeliveryLoop},
};
use local_postgres::OwnerKind;

/// Serves until a shutdown signal, then finishes requests and deliveries in flight.
#[expect(clippy::print_stdout, reason = "the greeting is for the person who started the service")]
pub(crate) async fn run(store: StoreConfig, config: ServeConfig, console: Console) -> Result<()> {
    config.check_public_url(store.environment)?;
    if store.database_url.as_deref().is_some_and(|url| !migration::roles::is_app(url)) {
        tracing::warn!(
            "DATABASE_URL is used for all roles; the service could become the schema owner with `set role`"
        );
    }
    let listener = TcpListener::bind(config.addr)
        .await
        .with_context(|| format!("GOVERN_ADDR: cannot listen on {}", config.addr))?;
    // From now on the health endpoint responds. All other routes follow once the database is open and
    // migrated.
    let mut edge = Edge::new(&config.edge, store.environment);
    edge.mail_directory = mail::development_directory(&config.mail, &store);
    let (starting, startup) = StartupService::new(edge.clone());
    let (stop, stop_signal) = oneshot::channel::<()>();
    let stop_signal = async {
        let _ = stop_signal.await;
    };
    let EdgeConfig { trusted_proxies, connections_per_client, .. } = config.edge;
    let connections = ConnectionLimits::behind(trusted_proxies, connections_per_client);
    let serving = listen::serve_within(connections, listener, starting, stop_signal);
    let serving = tokio::spawn(serving);

    let metrics = Metrics::new(Clock::System.now())?;
    let keys = keys::load(&store).await?;
    let traces = Traces::from_config(&config.traces)?;
    let options = ServiceOptions {
        tracer: traces.tracer(),
        replica: replica(&store, &config).await?,
        ..options(&store, &config, &edge, &metrics)?
    };
    let backend = open_with(&store, OwnerKind::Service, keys, options).await?;
    let sequencer =
        Sequencer::new(&backend.governance, Arc::new(RollbackGuardFile::new(&store.data_dir)));
    background::ensure_log(&backend.governance, &sequencer).await;
    trust_startup::prepare(&backend.governance, &store).await?;
    let credentials = first_run::prepare(&backend.governance, &store, &config).await?;
    if config.edge.redis.is_some() && !edge.limits.connect_redis().await {
        tracing::warn!(
            "Redis is unavailable; this process counts requests locally until it is available"
        );
    }
    let is_https = config.url().starts_with("https://");
    let leptos = console::options(config.addr)?;
    let service =
        Service::new(backend.governance.clone(), metrics, console, leptos, is_https, edge);
    let rekor = rekor::from_config(&config)?;
    let keys = backend.governance.keys();
    if rekor.is_some() && keys.is_some_and(|keys| keys.rekor().is_none()) {
        bail!("{}", LoadKeysError::Missing(Purpose::Rekor));
    }
    let delivery_worker = webhook::delivery_worker(&backend.governance, outbound::CALL_TIMEOUT)?;
    let mut deliveries = DeliveryLoop::new(delivery_worker);
    startup.complete(router(service.clone()));
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
    serve_result.context("the listener task failed")?;
    backend.governance.finish_background().await;
    background::flush_key_usage(&backend.governance).await;
    tokio::join!(background::flush_log(&backend.governance, &sequencer), traces.shutdown());
    backend.close().await
}

/// Returns the options of the use cases that the configuration sets.
fn options(
    store: &StoreConfig,
    config: &ServeConfig,
    edge: &Edge,
    metrics: &Metrics,
) -> Result<ServiceOptions> {
    let lint_provider = match &config.lint_url {
        Some(url) => {
            Some(Box::new(HttpLintProvider::new(url.clone(), lint_provider::CALL_TIMEOUT)?)
                as Box<_>)
        }
        None => None,
    };
    let outbound_policy = config.outbound.policy(store.environment);
    Ok(ServiceOptions {
        public_url: config.url().trim_end_matches('/').to_owned(),
        lint_provider,
        provider_client: Some(Arc::new(HttpProviderClient::new(outbound_policy.clone())?)),
        outbound_policy,
        mail: mail::from_config(&config.mail, store)?,
        delivery_schedule: config.webhook_schedule.clone(),
        log_origin: Some(store.log_origin.clone().unwrap_or_else(|| config.log_origin())),
        shared_attempts: Some(Box::new(edge.limits.clone())),
        observer: metrics.observer(),
        ..ServiceOptions::default()
    })
}

/// Opens the replica, if one is configured.
async fn replica(store: &StoreConfig, config: &ServeConfig) -> Result<Option<Replica>> {
    let Some(url) = &config.database_read_url else { return Ok(None) };
    if store.database_url.is_none() {
        bail!(
            "GOVERN_DATABASE_READ_URL: requires DATABASE_URL, because the private PostgreSQL has no replica"
        );
    }
    let url = local_postgres::app_url(url);
    let replica = Replica::open(&url, store.database_connections).await;
    let replica = replica.map_err(|error| connect_error(&url, error));
    Ok(Some(replica.context("GOVERN_DATABASE_READ_URL")?))
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
