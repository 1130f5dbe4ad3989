//! The command `govern`.

use std::process::ExitCode;

use clap::{
    CommandFactory, Parser,
    error::{ContextKind, ContextValue},
};
use cli::ErrorFormat;
use server::command::{self, Govern};

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
    let govern = match Govern::try_parse() {
        Ok(govern) => govern,
        Err(error) => return usage(&error, format),
    };
    // The guard flushes the rest of the log when it is dropped. With `--json`, standard error has only the error.
    let _log = (format == ErrorFormat::Text)
        .then(|| govern.init_tracing().inspect_err(|error| eprintln!("govern: {error:#}")));
    match command::run(govern).await {
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
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let message = match variable(error) {
        Some(variable) => format!("{variable}: {line}"),
        None => line.to_owned(),
    };
    format.print(&cli::problem("INVALID_ARGUMENTS", &message, None));
    ExitCode::from(2)
}

/// Returns the environment variable of the argument that `error` concerns.
fn variable(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidArg) else { return None };
    let flag = name.split_whitespace().next()?.trim_start_matches("--");
    let govern = Govern::command();
    let commands = std::iter::once(&govern).chain(govern.get_subcommands());
    let mut arguments = commands.flat_map(clap::Command::get_arguments);
    let argument = arguments.find(|argument| argument.get_long() == Some(flag))?;
    argument.get_env().map(|variable| variable.to_string_lossy().into_owned())
}
