#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod client;
mod clock;
pub mod decision;
pub mod document;
mod exit;
pub mod export;
pub mod login;
pub mod mcp;
mod output;
pub mod policy;
pub mod profile;
pub mod receipt;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;

use self::exit::HELP;
pub use self::exit::{Error, Exit};

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
    /// Revoke the API key of a profile and remove the profile.
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
        shell: Shell,
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

/// Runs a command and returns its exit code. `govern` is the whole command line, for `completion`.
pub async fn run(command: Command, govern: &mut clap::Command) -> ExitCode {
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
        Command::Completion { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, govern, "govern", &mut script);
            output::print_bytes(&script);
            Ok(Exit::Success)
        }
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            output::note(&format!("govern: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}
