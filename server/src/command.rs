//! `govern` and its sub-commands: each builds an operator's operation and calls a use case.

pub mod admin;
pub mod key;
pub mod keys;
pub mod log;
pub mod password;
pub mod serve;
pub mod trust;

use std::io::{BufWriter, IsTerminal};

use clap::{CommandFactory, Parser, Subcommand};
use futures_util::future::BoxFuture;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};

use crate::{
    config::{ServeConfig, StoreConfig},
    log as lines,
};

/// Governs decisions: policies that people approved, verdicts that anyone can check.
#[derive(Debug, Parser)]
#[command(name = "govern", version, propagate_version = true)]
pub struct Govern {
    #[command(flatten)]
    store: StoreConfig,
    /// What is logged, as a filter of `tracing`; in production as JSON.
    #[arg(long, env = "GOVERN_LOG", value_parser = lines::filter, default_value = lines::FILTER, global = true)]
    log: String,
    #[command(subcommand)]
    command: Command,
}

/// Returns what `govern --version` prints.
pub fn version() -> String {
    Govern::command().render_version()
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and the console.
    Serve(Box<ServeConfig>),
    /// Bring the database schema up to date.
    Migrate,
    /// Make a tenant with its admin and a key.
    Bootstrap(admin::BootstrapArgs),
    /// People.
    #[command(subcommand)]
    User(admin::UserCommand),
    /// Tenants.
    #[command(subcommand)]
    Tenant(admin::TenantCommand),
    /// API keys.
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// The keys that sign.
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// The transparency log.
    #[command(subcommand)]
    Log(log::LogCommand),
    /// The trust registry: which keys are the service's.
    #[command(subcommand)]
    Trust(trust::TrustCommand),
    /// The database.
    #[command(subcommand)]
    Db(admin::DbCommand),
}

impl Govern {
    /// From here on the process writes its log, to standard error. A thread writes it, many lines at
    /// once where there are many; the guard waits for the last of them when it is dropped.
    ///
    /// # Errors
    /// When it writes one already.
    pub fn begin_log(&self) -> anyhow::Result<WorkerGuard> {
        let stderr = std::io::stderr();
        let is_terminal = stderr.is_terminal();
        let lossless = NonBlockingBuilder::default().lossy(false);
        let (writer, guard) = lossless.finish(BufWriter::new(stderr));
        let log = lines::subscriber(self.store.environment, &self.log, is_terminal, writer);
        tracing::subscriber::set_global_default(log)?;
        Ok(guard)
    }
}

/// Runs the command.
///
/// # Errors
/// One that says in a line what to do.
pub fn run(govern: Govern) -> BoxFuture<'static, anyhow::Result<()>> {
    // Behind a pointer, because a future is compiled where it is awaited: all of it, in each place.
    Box::pin(act(govern))
}

async fn act(govern: Govern) -> anyhow::Result<()> {
    let store = govern.store;
    match govern.command {
        Command::Serve(config) => serve::run(store, *config).await,
        Command::Migrate => admin::migrate(store).await,
        Command::Bootstrap(args) => admin::bootstrap(store, args).await,
        Command::User(command) => admin::user(store, command).await,
        Command::Tenant(command) => admin::tenant(store, command).await,
        Command::Key(command) => key::run(store, command).await,
        Command::Keys(command) => keys::run(store, command).await,
        Command::Log(command) => log::run(store, command).await,
        Command::Trust(command) => trust::run(store, command).await,
        Command::Db(command) => admin::db(store, command).await,
    }
}
