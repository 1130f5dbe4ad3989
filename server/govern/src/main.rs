#![doc = include_str!("../README.md")]

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};
use cli::ErrorFormat;
use server::{
    command::{self, Govern},
    settings_file,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
#[expect(clippy::print_stderr, reason = "a command reports its error on standard error")]
async fn main() -> ExitCode {
    cli::completion::answer(Govern::command);
    // Client commands ignore the settings of the service, and are not logged.
    let first = std::env::args_os().nth(1);
    if first.is_some_and(|name| name.to_str().is_some_and(cli::is_command)) {
        return cli::main().await;
    }
    let format = ErrorFormat::of(std::env::args_os());
    if let Some(error) = settings_file::restart_with_settings() {
        format.print(&cli::problem("INVALID_ARGUMENTS", &format!("{error:#}"), None));
        return ExitCode::from(2);
    }
    let govern = match Govern::try_parse() {
        Ok(govern) => govern,
        Err(error) => return usage(&error, format),
    };
    // The guard flushes the rest of the log when it is dropped. With `--json`, standard error has only the error.
    let _log = (format == ErrorFormat::Text)
        .then(|| govern.init_tracing().inspect_err(|error| eprintln!("govern: {error:#}")));
    match command::run(govern, app::CONSOLE).await {
        Ok(exit) => exit,
        Err(error) => command::report(&error, format),
    }
}

/// Prints a usage error and returns its exit code. Help is printed in full; an invalid value is reported in
/// one line that names the setting.
fn usage(error: &clap::Error, format: ErrorFormat) -> ExitCode {
    use clap::error::ErrorKind::{InvalidValue, ValueValidation};
    if !matches!(error.kind(), InvalidValue | ValueValidation) {
        format.exit_for_usage(error);
    }
    format.print(&cli::problem("INVALID_ARGUMENTS", &command::invalid_value(error), None));
    ExitCode::from(2)
}
