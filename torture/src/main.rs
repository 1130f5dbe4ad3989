#![doc = include_str!("../README.md")]
#![expect(clippy::cast_precision_loss, reason = "figures are printed without decimals")]

mod auditor;
mod ledger;
mod load;
mod proxy;
mod report;
mod scenario;
mod world;

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::{Parser, ValueEnum as _};
use tokio::signal::unix::{SignalKind, signal};

use crate::{report::HEAD, scenario::Scenario};

/// Options of a run.
#[derive(Debug, Parser)]
#[command(
    name = "torture",
    about = "Breaks a running Govern in every way and audits what it stored."
)]
pub(crate) struct Plan {
    /// Run the form of a few minutes: fewer repetitions and no soak.
    #[arg(long)]
    pub(crate) short: bool,
    /// Run only this scenario; can be repeated.
    #[arg(long, value_enum)]
    only: Vec<Scenario>,
    /// The service.
    #[arg(long, default_value = "target/govern")]
    pub(crate) govern: PathBuf,
    /// The directory of a deployment that `deploy/up` started (`DEPLOY_DIR`). Runs only the scenario of deployments.
    #[arg(long)]
    deployment: Option<PathBuf>,
}

impl Plan {
    /// Returns `full`, or `short` in the short form.
    pub(crate) fn choose<T>(&self, short: T, full: T) -> T {
        if self.short { short } else { full }
    }
}

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let plan = Plan::parse();
    let mut terminate = signal(SignalKind::terminate())?;
    // A signal drops the run, which ends all processes and removes their data.
    tokio::select! {
        result = run(&plan) => result,
        _ = tokio::signal::ctrl_c() => Ok(ExitCode::from(130)),
        _ = terminate.recv() => Ok(ExitCode::from(143)),
    }
}

#[expect(clippy::print_stdout, reason = "the table is the output of the program")]
async fn run(plan: &Plan) -> Result<ExitCode> {
    let is_selected = |scenario: &&Scenario| {
        if plan.only.is_empty() {
            !plan.short || scenario.is_short()
        } else {
            plan.only.contains(*scenario)
        }
    };
    println!("{HEAD}");
    if let Some(deployment) = &plan.deployment {
        let row = scenario::run_failover(plan, deployment).await;
        println!("{}", row.to_markdown("failover"));
        return Ok(if row.is_passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let mut is_passed = true;
    let mut world = None;
    for scenario in Scenario::value_variants().iter().filter(is_selected) {
        let row = scenario.run(plan, &mut world).await;
        println!("{}", row.to_markdown(&scenario.name()));
        is_passed &= row.is_passed();
    }
    Ok(if is_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
