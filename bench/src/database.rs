//! The database of the service, accessed with the `PostgreSQL` command-line programs.

use std::{path::PathBuf, process::Command};

use anyhow::{Context, Result, ensure};

#[derive(Clone, Debug)]
pub(crate) struct Database {
    url: String,
}

impl Database {
    pub(crate) fn at(url: String) -> Self {
        Self { url }
    }

    /// Runs SQL as the owner of the database and returns its rows, one per line.
    pub(crate) fn sql(&self, text: &str) -> Result<String> {
        let mut command = program("psql")?;
        command.args([
            "-X",
            "-q",
            "-A",
            "-t",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            &self.url,
            "-c",
            text,
        ]);
        output_of(command).with_context(|| format!("SQL: {text}"))
    }

    /// Runs a checkpoint, so that each run starts with the same amount of unwritten data.
    pub(crate) fn checkpoint(&self) -> Result<()> {
        self.sql("CHECKPOINT").map(drop)
    }

    /// Runs `pgbench` with the database role of the service and returns its output.
    pub(crate) fn pgbench(&self, arguments: &[String]) -> Result<String> {
        let mut command = program("pgbench")?;
        command.env("PGOPTIONS", "-c role=govern_app").args(arguments).arg(&self.url);
        output_of(command)
    }
}

/// Returns `PostgreSQL` and its version number.
pub(crate) fn version() -> Result<String> {
    let mut command = program("postgres")?;
    command.arg("--version");
    let text = output_of(command)?;
    let version =
        text.split_whitespace().nth(2).context("`postgres --version` printed no version number")?;
    Ok(format!("PostgreSQL {version}"))
}

/// Returns a command for a `PostgreSQL` program of the installation that the service uses.
fn program(name: &str) -> Result<Command> {
    let directory =
        output_of(Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/postgres-bin")))?;
    Ok(Command::new(PathBuf::from(directory).join(name)))
}

/// Runs a program and returns its output. If it fails, the error contains its error output.
fn output_of(mut command: Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("`{name}` cannot be run"))?;
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name}: {message}");
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
