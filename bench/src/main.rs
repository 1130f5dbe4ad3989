#![doc = include_str!("../README.md")]

mod benchmark;
mod cerbos;
mod cleanup;
mod competitors;
mod context;
mod database;
mod echo;
mod fixture;
mod load;
mod machine;
mod pgbench;
mod report;
mod sample;
mod service;
mod stopwatch;

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand, ValueEnum as _};

use crate::{benchmark::Benchmark, cleanup::Cleanup, context::BenchContext};

/// Measures Govern and its baselines, and prints two tables.
#[derive(Debug, Parser)]
#[command(name = "bench", args_conflicts_with_subcommands = true)]
struct Bench {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    plan: Plan,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the echo server, the baseline of the evaluation benchmark.
    #[command(hide = true)]
    Echo,
}

/// Options of a run: what is measured, and for how long.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Plan {
    /// Run only this benchmark; can be repeated.
    #[arg(long, value_enum)]
    only: Vec<Benchmark>,
    /// The release build of the service.
    #[arg(long, default_value = "target/govern")]
    govern: PathBuf,
    /// Measured duration of each run under load, in seconds.
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
    /// Number of decisions of the measured tenant [default: 100000; 1000000 for `growth`].
    #[arg(long)]
    decisions: Option<u64>,
    /// Also write the tables into this document, between its markers.
    #[arg(long)]
    write: Option<PathBuf>,
}

impl Plan {
    /// Returns the measured duration of each run under load.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }

    /// Returns the number of decisions of the tenant whose lists and pages are measured.
    pub(crate) fn decisions(&self) -> u64 {
        self.decisions.unwrap_or(100_000)
    }

    /// Returns the number of decisions of the large tenant of `growth`.
    pub(crate) fn grown_decisions(&self) -> u64 {
        self.decisions.unwrap_or(1_000_000)
    }
}

fn main() -> Result<()> {
    let bench = Bench::parse();
    if let Some(Command::Echo) = bench.command {
        return echo::serve();
    }
    let _cleanup = Cleanup::start()?;
    measure(&bench.plan)
}

#[expect(clippy::print_stdout, reason = "the tables are the output of the program")]
fn measure(plan: &Plan) -> Result<()> {
    ensure!(!cfg!(debug_assertions), "this is a debug build: run `make bench`");
    let is_selected =
        |benchmark: &&Benchmark| plan.only.is_empty() || plan.only.contains(*benchmark);
    let mut cx = BenchContext::new(plan);
    let mut rows = Vec::new();
    let machine = machine::describe(tempfile::tempdir()?.path(), &database::version()?)?;
    for benchmark in Benchmark::value_variants().iter().filter(is_selected) {
        eprintln!("{benchmark:?}: load average {}", machine::load());
        let measured =
            benchmark.measure(&mut cx).with_context(|| format!("measuring {benchmark:?}"))?;
        // Printed immediately, so that a benchmark that fails later does not lose these figures.
        for row in &measured {
            eprintln!("{}", row.to_markdown());
        }
        rows.extend(measured);
    }
    let tables = report::tables(&machine, &rows, &cx.engines);
    println!("{tables}");
    if let Some(path) = &plan.write {
        let document = std::fs::read_to_string(path)?;
        std::fs::write(path, report::replace_tables(&document, &tables)?)?;
    }
    Ok(())
}
