//! The database of the service, entered with the programs of `PostgreSQL`.

use std::{path::PathBuf, process::Command};

use anyhow::{Context, Result, ensure};

/// A database, by its URL.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    url: String,
}

impl Database {
    /// The database at `url`.
    pub(crate) fn at(url: String) -> Self {
        Self { url }
    }

    /// Runs SQL as the keeper of the database, and returns the values of the rows, a row a line.
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
        told(command).with_context(|| format!("SQL: {text}"))
    }

    /// Writes down what is only in the log so far, so that each run begins with the same debt.
    pub(crate) fn checkpoint(&self) -> Result<()> {
        self.sql("CHECKPOINT").map(|_| ())
    }

    /// Runs `pgbench` with the rights that the service has, and returns what it says.
    pub(crate) fn pgbench(&self, arguments: &[String]) -> Result<String> {
        let mut command = program("pgbench")?;
        command.env("PGOPTIONS", "-c role=govern_app").args(arguments).arg(&self.url);
        told(command)
    }
}

/// `PostgreSQL` with its version.
pub(crate) fn version() -> Result<String> {
    let mut command = program("postgres")?;
    command.arg("--version");
    let text = told(command)?;
    let version = text.split_whitespace().nth(2).context("a version without a number")?;
    Ok(format!("PostgreSQL {version}"))
}

/// One of the programs of `PostgreSQL`, of those that the service takes.
fn program(name: &str) -> Result<Command> {
    let folder =
        told(Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/postgres-bin")))?;
    Ok(Command::new(PathBuf::from(folder).join(name)))
}

/// What a program says, if it succeeds.
fn told(mut command: Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("`{name}` cannot be run"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name}: {said}");
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
