//! The command `govern-verify`.

use std::process::ExitCode;

use clap::Parser as _;
use verify::command::Command;

fn main() -> ExitCode {
    Command::parse().execute()
}
