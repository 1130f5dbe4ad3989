#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod client;
mod clock;
pub mod completion;
pub mod decision;
pub mod document;
mod exit;
pub mod export;
pub mod login;
pub mod mcp;
mod output;
mod output_file;
pub mod policy;
pub mod profile;
pub mod receipt;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use self::exit::HELP;
pub use self::exit::{Error, ErrorFormat, Exit, problem, usage_message};

/// A client command of `govern`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Sign in to a service through the browser, and store its URL and a new API key in a profile.
    ///
    /// The command opens a page of the console, on which you choose the tenant, the scopes and the expiry of the key. In
    /// CI, pass an existing key on standard input. Profiles are in ~/.config/govern/profiles.toml, which only its owner
    /// can read.
    #[command(after_help = HELP)]
    Login(login::LoginArgs),
    /// Remove a profile, and revoke its API key if `govern login` created it on this machine.
    #[command(after_help = HELP)]
    Logout(login::LogoutArgs),
    /// Manage policies as files.
    #[command(subcommand)]
    Policy(policy::PolicyCommand),
    /// Evaluate a context without recording a decision.
    #[command(after_help = HELP)]
    Evaluate(decision::EvaluateArgs),
    /// Evaluate a context and record the decision, exactly once per idempotency key.
    #[command(after_help = HELP)]
    Record(decision::RecordArgs),
    /// Show recorded decisions.
    #[command(subcommand)]
    Decision(decision::DecisionCommand),
    /// Export recorded decisions.
    #[command(after_help = HELP)]
    Export(export::ExportArgs),
    /// Show the public receipt of a decision, or download its verification bundle.
    #[command(after_help = HELP)]
    Receipt(receipt::ReceiptArgs),
    /// Verify a bundle offline, as `govern-verify` does. Only the pinned keys are trusted.
    #[command(
        after_help = "Exit codes: 0 verified, 1 failed, 2 usage error or unreadable file, 3 incomplete"
    )]
    Verify(verify::command::Command),
    /// Serve the Model Context Protocol: tools with which an agent asks before it acts.
    #[command(after_help = HELP)]
    Mcp(mcp::McpArgs),
    /// Print the completion script of a shell.
    Completion {
        /// The shell
        shell: completion::Shell,
    },
}

/// `govern` with only its client commands, which need none of the settings of the service.
#[derive(Debug, Parser)]
#[command(name = "govern", version, propagate_version = true)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Returns whether `name` is the name of a client command.
pub fn is_command(name: &str) -> bool {
    Cli::command().get_subcommands().any(|command| command.get_name() == name)
}

/// Runs the client command in the arguments of the process, and returns its exit code.
pub async fn main() -> ExitCode {
    let format = ErrorFormat::of(std::env::args_os());
    match Cli::try_parse() {
        Ok(cli) => run(cli.command, format).await,
        Err(error) => format.exit_for_usage(&error),
    }
}

/// Runs a command and returns its exit code.
pub async fn run(command: Command, format: ErrorFormat) -> ExitCode {
    let result = match command {
        Command::Login(args) => login::run(args).await,
        Command::Logout(args) => login::log_out(args).await,
        Command::Policy(command) => policy::run(command).await,
        Command::Evaluate(args) => decision::evaluate(args).await,
        Command::Record(args) => decision::record(args).await,
        Command::Decision(command) => decision::run(command).await,
        Command::Export(args) => export::run(args).await,
        Command::Receipt(args) => receipt::run(args).await,
        Command::Verify(command) => return command.execute(),
        Command::Mcp(args) => mcp::run(args).await,
        Command::Completion { shell } => completion::run(shell),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => error.report(format),
    }
}
