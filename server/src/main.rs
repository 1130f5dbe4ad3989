//! The command `govern`.

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use cli::Cli;
use server::{
    command::{self, Govern},
    settings_file,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
#[expect(clippy::print_stderr, reason = "a command reports its error on standard error")]
async fn main() -> ExitCode {
    // Client commands ignore the settings of the service, and are not logged.
    let first = std::env::args_os().nth(1);
    if first.is_some_and(|name| name.to_str().is_some_and(cli::is_command)) {
        return cli::run(Cli::parse().command, &mut Govern::command()).await;
    }
    if let Some(error) = settings_file::restart_with_settings() {
        eprintln!("govern: {error:#}");
        return ExitCode::from(2);
    }
    let govern = match Govern::try_parse() {
        Ok(govern) => govern,
        Err(error) => return usage(&error),
    };
    // The guard flushes the rest of the log when it is dropped.
    let _log = govern.init_tracing().inspect_err(|error| eprintln!("govern: {error:#}"));
    match command::run(govern).await {
        Ok(exit) => exit,
        Err(error) => {
            eprintln!("govern: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints a usage error and returns its exit code. Help is printed in full; an invalid value is reported in
/// one line that names the setting.
#[expect(clippy::print_stderr, reason = "a command reports its error on standard error")]
fn usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{InvalidValue, ValueValidation};
    if !matches!(error.kind(), InvalidValue | ValueValidation) {
        error.exit();
    }
    eprintln!("govern: {}", command::invalid_value(error));
    ExitCode::from(2)
}
