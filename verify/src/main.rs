//! The command `govern-verify`. It reads files and writes a report.

mod command;

use std::process::ExitCode;

use clap::Parser as _;

use self::command::Command;

fn main() -> ExitCode {
    let command = Command::parse();
    match command.run() {
        Ok(report) => command.print(&report),
        Err(error) => {
            print_error(&error);
            ExitCode::from(2)
        }
    }
}

#[expect(clippy::print_stderr, reason = "commands report errors on standard error")]
fn print_error(error: &command::Error) {
    eprintln!("govern-verify: {error}");
}
