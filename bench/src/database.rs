//! The database of the service, accessed with the `PostgreSQL` command-line programs.

use anyhow::{Context as _, Result};
use harness::postgres;

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
        postgres::sql(&self.url, text).map(|(rows, _)| rows)
    }

    /// Runs a checkpoint, so that each run starts with the same amount of unwritten data.
    pub(crate) fn checkpoint(&self) -> Result<()> {
        self.sql("CHECKPOINT").map(drop)
    }

    /// Runs `pgbench` with the database role of the service and returns its output.
    pub(crate) fn pgbench(&self, arguments: &[String]) -> Result<String> {
        let mut command = postgres::program("pgbench")?;
        command.env("PGOPTIONS", "-c role=govern_app").args(arguments).arg(&self.url);
        postgres::output(&mut command).map(|(output, _)| output)
    }
}

/// Returns `PostgreSQL` and its version number.
pub(crate) fn version() -> Result<String> {
    let (text, _) = postgres::output(postgres::program("postgres")?.arg("--version"))?;
    let version =
        text.split_whitespace().nth(2).context("`postgres --version` printed no version number")?;
    Ok(format!("PostgreSQL {version}"))
}
