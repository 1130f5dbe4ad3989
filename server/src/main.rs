//! The command `govern`.

use std::process::ExitCode;

use clap::Parser;
use server::command::{self, Govern};
use tracing_subscriber::EnvFilter;

#[tokio::main]
#[expect(clippy::print_stderr, reason = "a command says on standard error why it failed")]
async fn main() -> ExitCode {
    let govern = match Govern::try_parse() {
        Ok(govern) => govern,
        Err(error) => return usage(&error),
    };
    let filter = EnvFilter::try_from_env("GOVERN_LOG")
        .unwrap_or_else(|_| EnvFilter::new("warn,server=info,governance=info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    match command::run(govern).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("govern: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Help is printed whole; a bad value takes one line that names it.
#[expect(clippy::print_stderr, reason = "a command says on standard error why it failed")]
fn usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{InvalidValue, ValueValidation};
    if !matches!(error.kind(), InvalidValue | ValueValidation) {
        error.exit();
    }
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    eprintln!("govern: {}", line.trim_start_matches("error: "));
    ExitCode::from(2)
}
