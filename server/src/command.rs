//! `govern` and its sub-commands: each builds an operator's operation and calls a use case.

pub mod admin;
pub mod key;
pub mod serve;

use std::io::IsTerminal;

use clap::{Parser, Subcommand};

use crate::{
    config::{ServeConfig, StoreConfig},
    log,
};

/// Governs decisions: policies that people approved, verdicts that anyone can check.
#[derive(Debug, Parser)]
#[command(name = "govern", version, propagate_version = true)]
pub struct Govern {
    #[command(flatten)]
    store: StoreConfig,
    /// What is logged, as a filter of `tracing`; in production as JSON.
    #[arg(long, env = "GOVERN_LOG", value_parser = log::filter, default_value = log::FILTER, global = true)]
    log: String,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and the console.
    Serve(ServeConfig),
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
    /// The database.
    #[command(subcommand)]
    Db(admin::DbCommand),
}

impl Govern {
    /// From here on the process writes its log, to standard error.
    ///
    /// # Errors
    /// When it writes one already.
    pub fn begin_log(&self) -> anyhow::Result<()> {
        let is_terminal = std::io::stderr().is_terminal();
        let environment = self.store.environment;
        let log = log::subscriber(environment, &self.log, is_terminal, std::io::stderr);
        Ok(tracing::subscriber::set_global_default(log)?)
    }
}

/// Runs the command.
///
/// # Errors
/// One that says in a line what to do.
pub async fn run(govern: Govern) -> anyhow::Result<()> {
    let store = govern.store;
    match govern.command {
        Command::Serve(config) => serve::run(store, config).await,
        Command::Migrate => admin::migrate(store).await,
        Command::Bootstrap(args) => admin::bootstrap(store, args).await,
        Command::User(command) => admin::user(store, command).await,
        Command::Tenant(command) => admin::tenant(store, command).await,
        Command::Key(command) => key::run(store, command).await,
        Command::Db(command) => admin::db(store, command).await,
    }
}
