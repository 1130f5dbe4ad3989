//! The client commands of `govern`, for tests: `govern` without the commands of the operator.

use std::process::ExitCode;

use clap::CommandFactory as _;
use cli::Cli;

#[tokio::main]
async fn main() -> ExitCode {
    cli::completion::answer(Cli::command);
    cli::main().await
}
