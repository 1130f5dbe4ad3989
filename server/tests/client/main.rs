//! The client commands of `govern`, for tests: `govern` without the commands of the operator.

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use cli::Cli;

#[tokio::main]
async fn main() -> ExitCode {
    cli::run(Cli::parse().command, &mut Cli::command()).await
}
