//! `govern serve`.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use governance::{
    log::Sequencer,
    signing::{KeysUnusable, Purpose},
};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::oneshot,
};

use crate::{
    answerer::{HttpAnswerer, PATIENCE},
    command::admin::open,
    config::{ServeConfig, StoreConfig},
    console,
    database::Tenure,
    edge::{self, Edge, starting::Starting},
    first_run,
    log_memory::MemoryFile,
    mail, outbound, registry, rekor,
    router::router,
    state::Service,
    webhook::{self, Deliveries},
    worker,
};

/// Serves until the process is told to stop, then lets what is under way finish.
#[expect(clippy::print_stdout, reason = "the greeting is for the person who started the service")]
pub(crate) async fn run(store: StoreConfig, config: ServeConfig) -> Result<()> {
    config.check_public_url(store.environment)?;
    let listener = TcpListener::bind(config.addr)
        .await
        .with_context(|| format!("GOVERN_ADDR: cannot listen on {}", config.addr))?;
    // Health is answered from here on; everything else once the store is open and its schema laid.
    let mut edge = Edge::new(&config.edge, store.environment);
    edge.mail_folder = mail::development_folder(&config.mail, &store);
    let starting = Starting::new(edge.clone());
    let (stop, stopped) = oneshot::channel::<()>();
    let stopped = async {
        let _ = stopped.await;
    };
    let connections = config.edge.connections();
    let serving = edge::listen::serve_within(connections, listener, starting.clone(), stopped);
    let serving = tokio::spawn(serving);

    let opened = open(&store, Tenure::Service).await?;
    if let Some(url) = &config.lint_url {
        opened.governance.asks(HttpAnswerer::new(url.clone(), PATIENCE)?);
    }
    opened.governance.calls(config.outbound.destinations(store.environment));
    if let Some(mail) = mail::configured(&config.mail, &store)? {
        opened.governance.sends_mail(mail);
    }
    opened.governance.tries_again(config.webhook_schedule.clone());
    opened.governance.logs_as(&store.log_origin.clone().unwrap_or_else(|| config.log_origin()));
    let sequencer = Sequencer::new(&opened.governance, Arc::new(MemoryFile::of(&store.data_dir)));
    worker::begin_log(&opened.governance, &sequencer).await;
    registry::prepare(&opened.governance, &store).await?;
    let made = first_run::prepare(&opened.governance, &store, &config).await?;
    opened.governance.reached_at(&config.url());
    if config.edge.redis.is_some() && !edge.limits.share().await {
        tracing::warn!("Redis is not there: this process counts requests for itself until it is");
    }
    let is_https = config.url().starts_with("https://");
    let options = console::options(config.addr)?;
    let service = Service::new(opened.governance.clone(), options, is_https, edge)?;
    let rekor = rekor::configured(&config)?;
    let signs = opened.governance.keys();
    if rekor.is_some() && signs.is_some_and(|keys| keys.rekor().is_none()) {
        bail!("{}", KeysUnusable::Missing(Purpose::Rekor));
    }
    let mailer = webhook::mailer(&opened.governance, outbound::PATIENCE)?;
    let mut deliveries = Deliveries::of(mailer);
    starting.started(router(service.clone()));
    println!("{}", first_run::greeting(&store, &config, made.as_ref()));
    if let Some(hint) = first_run::hint(&opened.governance).await? {
        println!("  {hint}\n");
    }

    tokio::select! {
        () = told_to_stop() => {}
        never = opened.watch() => match never {},
        never = worker::run(&opened.governance, &sequencer, rekor.as_ref(), &mut deliveries) => match never {},
    }
    tracing::info!("stopping");
    service.stop();
    drop(stop);
    let (served, ()) = tokio::join!(serving, deliveries.finish());
    served.context("the listener was lost")?;
    opened.governance.finish_background().await;
    worker::note_key_uses(&opened.governance).await;
    worker::log_the_last(&opened.governance, &sequencer).await;
    opened.close().await
}

/// Resolves at the first SIGTERM or SIGINT.
async fn told_to_stop() {
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
