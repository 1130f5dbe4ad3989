//! The command `govern`.

use std::process::ExitCode;

use clap::{
    CommandFactory, Parser,
    error::{ContextKind, ContextValue},
};
use cli::Cli;
use server::command::{self, Govern};

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
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    match variable(error) {
        Some(variable) => eprintln!("govern: {variable}: {line}"),
        None => eprintln!("govern: {line}"),
    }
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
