#![doc = include_str!("../README.md")]

mod clean;
mod database;
mod echo;
mod load;
mod machine;
mod part;
mod pgbench;
mod process;
mod report;
mod rivals;
mod sample;
mod service;
mod stage;
mod stopwatch;
mod world;

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};

use crate::{clean::Clean, part::Part, stage::Stage};

/// Measures Govern beside what it is compared with, and prints one table.
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
    /// Echo JSON; what the service is measured beside.
    #[command(hide = true)]
    Echo,
}

/// What is measured, and for how long.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Plan {
    /// Measure this part alone; may be given more than once.
    #[arg(long, value_enum)]
    only: Vec<Part>,
    /// The release build of the service.
    #[arg(long, default_value = "target/govern")]
    govern: PathBuf,
    /// How long each run under load is measured, in seconds.
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
    /// How many decisions a tenant has when its lists are measured.
    #[arg(long, default_value_t = 100_000)]
    decisions: u64,
    /// Write the table into this document too, between its marks.
    #[arg(long)]
    write: Option<PathBuf>,
}

impl Plan {
    /// How long each run under load is measured.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

fn main() -> Result<()> {
    let bench = Bench::parse();
    if let Some(Command::Echo) = bench.command {
        return echo::serve();
    }
    let _clean = Clean::start()?;
    measure(&bench.plan)
}

#[expect(clippy::print_stdout, reason = "the table is the answer")]
fn measure(plan: &Plan) -> Result<()> {
    ensure!(!cfg!(debug_assertions), "this is a debug build: run `make bench`");
    let is_chosen = |part: &Part| plan.only.is_empty() || plan.only.contains(part);
    let mut stage = Stage::new(plan);
    let mut lines = Vec::new();
    let machine = machine::describe(tempfile::tempdir()?.path(), &database::version()?)?;
    for part in Part::ALL.into_iter().filter(is_chosen) {
        eprintln!("{part:?}: load average {}", machine::load());
        let measured = part.measure(&mut stage).with_context(|| format!("measuring {part:?}"))?;
        // A part that fails takes no figure of the others along.
        for line in &measured {
            eprintln!("{}", line.row());
        }
        lines.extend(measured);
    }
    let table = report::table(&machine, &lines);
    println!("{table}");
    if let Some(path) = &plan.write {
        let document = std::fs::read_to_string(path)?;
        std::fs::write(path, report::put(&document, &table)?)?;
    }
    Ok(())
}
