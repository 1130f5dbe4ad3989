//! Command-line programs of PostgreSQL.

use std::{path::PathBuf, process::Command};

use anyhow::{Context as _, Result, ensure};

/// Returns a command for a program of the installation that the service uses.
pub fn program(name: &str) -> Result<Command> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/postgres-bin");
    let (directory, _) = output(&mut Command::new(script))?;
    Ok(Command::new(PathBuf::from(directory).join(name)))
}

/// Runs SQL and returns its rows, one per line, and its notices.
pub fn sql(url: &str, text: &str) -> Result<(String, String)> {
    let mut command = program("psql")?;
    command.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", text]);
    output(&mut command).with_context(|| format!("SQL: {text}"))
}

/// Runs a program and returns its output and its messages. If it fails, the error contains its messages.
pub fn output(command: &mut Command) -> Result<(String, String)> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("`{name}` cannot be run"))?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{name}: {messages}");
    Ok((String::from_utf8(output.stdout)?.trim().to_owned(), messages))
}
