//! The command `govern` and its sub-commands. Each sub-command calls a use case as the operator, apart from the
//! client commands, which call `/v1`.

pub mod admin;
pub mod backup;
pub mod doctor;
pub mod key;
pub mod keys;
pub mod log;
pub mod password;
pub mod restore;
pub mod serve;
pub mod trust;

use std::{
    io::{BufWriter, IsTerminal},
    path::PathBuf,
    process::ExitCode,
};

use clap::{
    CommandFactory, Parser, Subcommand,
    error::{ContextKind, ContextValue},
};
use cli::ErrorFormat;
use futures_util::future::BoxFuture;
use kit::console::Console;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};

use crate::{
    config::{ServeConfig, StoreConfig},
    logging as lines,
};

/// A decision governance service: approved policies and verifiable decisions.
#[derive(Debug, Parser)]
#[command(name = "govern", version, propagate_version = true)]
pub struct Govern {
    /// Read the settings from a file in the syntax of systemd's `EnvironmentFile`, instead of the environment. It must
    /// be the first option.
    #[arg(long, value_name = "FILE")]
    env_file: Option<PathBuf>,
    #[command(flatten)]
    store: StoreConfig,
    /// The log filter in the syntax of `tracing`. In production the log is JSON.
    #[arg(long, env = "GOVERN_LOG", value_parser = lines::filter, default_value = lines::FILTER, global = true)]
    log: String,
    #[command(subcommand)]
    command: Command,
}

/// Describes an invalid value in one line that names its setting. The value of a setting with a secret is left out.
pub fn invalid_value(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let Some(argument) = invalid_argument(error) else { return line.to_owned() };
    let reason = std::error::Error::source(error).map(ToString::to_string);
    let line = match reason.filter(|_| argument.is_hide_env_values_set()) {
        Some(reason) => reason,
        None if argument.is_hide_env_values_set() => "the value is not valid".to_owned(),
        None => line.to_owned(),
    };
    let name = argument.get_env().map(|variable| variable.to_string_lossy().into_owned());
    let name = name.or_else(|| argument.get_long().map(|long| format!("--{long}")));
    format!("{}: {line}", name.unwrap_or_default())
}

/// Returns the argument that `error` concerns.
fn invalid_argument(error: &clap::Error) -> Option<clap::Arg> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidArg) else { return None };
    let flag = name.split_whitespace().next()?.trim_start_matches("--").to_owned();
    let govern = Govern::command();
    let commands = std::iter::once(&govern).chain(govern.get_subcommands());
    let mut arguments = commands.flat_map(clap::Command::get_arguments);
    arguments.find(|argument| argument.get_long() == Some(&flag)).cloned()
}

/// Returns the names of all variables that the program reads.
pub(crate) fn variables() -> Vec<String> {
    let govern = Govern::command();
    let mut commands = vec![&govern];
    let mut names = Vec::new();
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands());
        let variables = command.get_arguments().filter_map(clap::Arg::get_env);
        names.extend(variables.map(|name| name.to_string_lossy().into_owned()));
    }
    names
}

/// Returns the output of `govern --version`.
pub fn version() -> String {
    Govern::command().render_version()
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and the console.
    Serve(Box<ServeConfig>),
    /// Bring the database schema up to date.
    Migrate,
    /// Create a tenant with its admin and an API key.
    Bootstrap(admin::BootstrapArgs),
    /// Manage users.
    #[command(subcommand)]
    User(admin::UserCommand),
    /// Manage tenants.
    #[command(subcommand)]
    Tenant(admin::TenantCommand),
    /// Manage API keys.
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Manage signing keys.
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// Manage the transparency log.
    #[command(subcommand)]
    Log(log::LogCommand),
    /// Manage the trust registry, which lists the signing keys of the service.
    #[command(subcommand)]
    Trust(trust::TrustCommand),
    /// Show how to connect to the database, or verify what it stores.
    #[command(subcommand)]
    Db(admin::DbCommand),
    /// Write a backup of the database, the keys and the log guard, while the service runs.
    Backup(backup::BackupArgs),
    /// Restore a backup into an empty database, and verify it.
    Restore(restore::RestoreArgs),
    /// Check the settings, the database and what they refer to. Takes the settings of `govern serve`.
    Doctor(Box<doctor::DoctorArgs>),
    #[command(flatten)]
    Client(cli::Command),
}

impl Govern {
    /// Starts logging to standard error. A separate thread writes the lines, in batches under load.
    /// Dropping the guard flushes the remaining lines.
    ///
    /// # Errors
    /// Returns an error if the process already has a global subscriber.
    pub fn init_tracing(&self) -> anyhow::Result<WorkerGuard> {
        let stderr = std::io::stderr();
        let is_terminal = stderr.is_terminal();
        let lossless = NonBlockingBuilder::default().lossy(false);
        let (writer, guard) = lossless.finish(BufWriter::new(stderr));
        let log = lines::subscriber(self.store.environment, &self.log, is_terminal, writer);
        tracing::subscriber::set_global_default(log)?;
        Ok(guard)
    }
}

/// Runs the command and returns its exit code. `govern serve` serves `console`.
///
/// # Errors
/// Returns an error with a one-line message that describes what to do.
pub fn run(govern: Govern, console: Console) -> BoxFuture<'static, anyhow::Result<ExitCode>> {
    // Boxed, because a future is compiled again for each function that awaits it.
    Box::pin(dispatch(govern, console))
}

/// Reports the error of an operator command on standard error, and returns the exit code.
pub fn report(error: &anyhow::Error, format: ErrorFormat) -> ExitCode {
    if let Some(output) = error.downcast_ref::<admin::OutputError>()
        && output.is_closed_pipe()
    {
        // As a program that SIGPIPE ends: its reader has all that it wants.
        return ExitCode::from(141);
    }
    let code = error
        .downcast_ref::<admin::RefusedError>()
        .map_or("COMMAND_FAILED", |refused| refused.code);
    format.print(&cli::problem(code, &format!("{error:#}"), None));
    ExitCode::FAILURE
}

async fn dispatch(govern: Govern, console: Console) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(govern.env_file.is_none(), "--env-file: must be the first option");
    let store = govern.store;
    match govern.command {
        Command::Client(command) => {
            return Ok(cli::run(command, ErrorFormat::of(std::env::args_os())).await);
        }
        Command::Serve(config) => Box::pin(serve::run(store, *config, console)).await,
        Command::Migrate => admin::migrate(store).await,
        Command::Bootstrap(args) => admin::bootstrap(store, args).await,
        Command::User(command) => admin::user(store, command).await,
        Command::Tenant(command) => admin::tenant(store, command).await,
        Command::Key(command) => key::run(store, command).await,
        Command::Keys(command) => keys::run(store, command).await,
        Command::Log(command) => log::run(store, command).await,
        Command::Trust(command) => trust::run(store, command).await,
        Command::Db(command) => Box::pin(admin::db(store, command)).await,
        Command::Backup(args) => backup::run(store, args).await,
        Command::Restore(args) => Box::pin(restore::run(store, args)).await,
        Command::Doctor(args) => Box::pin(doctor::run(store, *args)).await,
    }?;
    Ok(ExitCode::SUCCESS)
}
