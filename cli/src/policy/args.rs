//! The arguments of `govern policy`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::{exit::HELP, profile::ConnectionArgs};

/// `govern policy`.
#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    /// Write a policy of the service into a file.
    ///
    /// The extension of the file is its format: .yaml, .yml or .json. The order of members is fixed. An
    /// existing YAML file is changed: unchanged parts have the same text, with their comments.
    #[command(after_help = HELP)]
    Pull(PullArgs),
    /// Write policy files to drafts on the service. Nothing becomes active.
    ///
    /// A policy with a new code is created. Otherwise the open draft of the policy is changed, or a new draft
    /// is created if there is none. Without differences, nothing is written.
    #[command(after_help = HELP)]
    Push(PushArgs),
    /// Show what a policy file changes, rule by rule.
    #[command(after_help = HELP)]
    Diff(DiffArgs),
    /// Evaluate the test cases of policy files, without a service.
    ///
    /// The cases of expense.policy.yaml are in expense.cases.yaml: a list of {name, context, expect}. `expect`
    /// is a verdict, or {decision, violations} with the codes of all violated rules.
    #[command(after_help = HELP)]
    Test(TestArgs),
    /// Submit the draft of a policy file for ratification.
    ///
    /// The draft must equal the file, so that reviewers see what was tested.
    #[command(after_help = HELP)]
    Submit(SubmitArgs),
}

/// The arguments of `govern policy pull`.
#[derive(Debug, Args)]
pub struct PullArgs {
    /// The code of the policy [default: the code in the existing file]
    #[arg(long)]
    pub(super) code: Option<String>,
    /// The number of the version [default: the open draft, else the active version]
    #[arg(long, value_name = "NUMBER")]
    pub(super) version_number: Option<u32>,
    /// The file to write
    pub(super) file: PathBuf,
    /// Print the policy and the version as JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) connection: ConnectionArgs,
}

/// The arguments of `govern policy push`.
#[derive(Debug, Args)]
pub struct PushArgs {
    /// Policy files, or directories with files *.policy.yaml, *.policy.yml and *.policy.json
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Also change the name, decision types, shadow mode and other members of a policy that is active. They
    /// take effect immediately
    #[arg(long)]
    pub(super) change_active: bool,
    /// Print the versions as JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) connection: ConnectionArgs,
}

/// The arguments of `govern policy diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The policy file
    pub(super) file: PathBuf,
    /// The number of the version to compare with [default: the open draft, else the active version]
    #[arg(long, value_name = "NUMBER")]
    pub(super) version_number: Option<u32>,
    /// Show the differences of the text
    #[arg(long, conflicts_with = "json")]
    pub(super) unified: bool,
    /// Print the differences as JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) connection: ConnectionArgs,
}

/// The arguments of `govern policy test`.
#[derive(Debug, Args)]
pub struct TestArgs {
    /// Policy files, or directories with files *.policy.yaml, *.policy.yml and *.policy.json
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Write the results to a file in JUnit format
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `govern policy submit`.
#[derive(Debug, Args)]
pub struct SubmitArgs {
    /// The policy file
    pub(super) file: PathBuf,
    /// Print the version as JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) connection: ConnectionArgs,
}
