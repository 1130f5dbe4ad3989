//! The scenarios, each with its row of the table.

mod clock;
mod disk_full;
mod failover;
mod faults;
mod overload;
mod slow_sockets;
mod soak;
mod terminate;

use std::{
    net::SocketAddr,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use clap::ValueEnum;

use crate::{
    Plan,
    auditor::{self, Auditor},
    ledger::Ledger,
    load::{CLIENTS, Load, PAUSE, Run, uuid},
    report::Row,
    world::World,
};

/// The time in which a restarted service, or a service whose database is back, must be ready.
const READY_LIMIT: Duration = Duration::from_secs(5);

/// The acknowledged records between two faults.
const PROGRESS: usize = 150;

/// A fault that can be run on its own. The order is that of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scenario {
    /// `kill -9` of the service.
    Kill,
    /// Immediate stops of PostgreSQL.
    DatabaseStops,
    /// All connections to PostgreSQL terminated ten times per second.
    Backends,
    /// The connection cut between a commit and its answer.
    CommitCut,
    /// `SIGTERM` with open streams and posts.
    Terminate,
    /// Clients that send one byte per second.
    SlowSockets,
    /// The same keys sent to two servers on one database.
    TwoServers,
    /// Five times as many requests as the service can answer.
    Overload,
    /// PostgreSQL that does not respond.
    Freeze,
    /// No space left for PostgreSQL.
    DiskFull,
    /// A system clock that jumps.
    Clock,
    /// Constant load for a long time.
    Soak,
}

impl Scenario {
    /// Returns the name for the table.
    pub(crate) fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().replace('-', " "))
    }

    /// Returns whether the scenario is part of the short form.
    pub(crate) fn is_short(self) -> bool {
        self != Self::Soak
    }

    /// Runs the scenario. An error is a finding: the service did not answer as documented.
    pub(crate) async fn run(self, plan: &Plan, world: &mut Option<World>) -> Row {
        self.try_run(plan, world).await.unwrap_or_else(|error| {
            *world = None; // its state is unknown, so the next scenario starts with a new one
            stopped_by(&error)
        })
    }

    async fn try_run(self, plan: &Plan, world: &mut Option<World>) -> Result<Row> {
        // These need a service of their own.
        match self {
            Self::DiskFull => return disk_full::run(plan).await,
            Self::Clock => return clock::run(plan).await,
            _ => {}
        }
        if world.is_none() {
            *world = Some(World::create(&plan.govern, &[]).await.context("setting up")?);
        }
        let world = world.as_ref().context("the world is set up")?;
        match self {
            Self::Kill => faults::kill(plan, world).await,
            Self::DatabaseStops => faults::database_stops(plan, world).await,
            Self::Backends => faults::backends(plan, world).await,
            Self::CommitCut => faults::commit_cut(plan, world).await,
            Self::Terminate => terminate::run(plan, world).await,
            Self::SlowSockets => slow_sockets::run(plan, world).await,
            Self::TwoServers => faults::two_servers(plan, world).await,
            Self::Overload => overload::run(plan, world).await,
            Self::Freeze => faults::freeze(plan, world).await,
            Self::Soak => soak::run(plan, world).await,
            Self::DiskFull | Self::Clock => unreachable!("run above"),
        }
    }
}

/// Runs the scenario of a deployment: a server is killed and the replica is promoted.
pub(crate) async fn run_failover(plan: &Plan, deployment: &Path) -> Row {
    failover::run(plan, deployment).await.unwrap_or_else(|error| stopped_by(&error))
}

fn stopped_by(error: &anyhow::Error) -> Row {
    Row {
        done: "stopped by an error".to_owned(),
        findings: vec![format!("{error:#}")],
        ..Row::default()
    }
}

/// A run of recording clients, from its start to its audit.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) run: Run,
    after_seq: i64,
    ready: Option<Duration>,
    pub(crate) findings: Vec<String>,
}

impl Recording {
    /// Prepares a run. Its name starts with `scenario` and is unique.
    pub(crate) async fn prepare(world: &World, scenario: &str) -> Result<Self> {
        let unique = uuid()?;
        let name = format!("{scenario}-{}", unique.split('-').next().unwrap_or_default());
        let run = Run { name, tenant: world.tenant.clone() };
        let after_seq = auditor::last_seq(world).await?;
        Ok(Self { run, after_seq, ready: None, findings: Vec::new() })
    }

    /// Starts the usual number of clients, which send to the service.
    pub(crate) fn start(&self, world: &World) -> Result<Load> {
        self.start_at(&[world.service.address], CLIENTS)
    }

    /// Starts clients that send to these addresses.
    pub(crate) fn start_at(&self, addresses: &[SocketAddr], clients: usize) -> Result<Load> {
        Load::start(&self.run, addresses, clients, PAUSE)
    }

    /// Injects a fault `rounds` times under the usual load, with [`PROGRESS`] acknowledged records before each and after
    /// the last.
    pub(crate) async fn inject(
        &mut self,
        world: &World,
        rounds: u64,
        mut fault: impl AsyncFnMut(&mut Self, u64) -> Result<()>,
    ) -> Result<Ledger> {
        let load = self.start(world)?;
        for round in 0..rounds {
            load.progress(PROGRESS).await?;
            fault(self, round).await?;
        }
        load.progress(PROGRESS).await?;
        load.finish().await
    }

    /// Waits until the service is ready again, which may take [`READY_LIMIT`] since `since`.
    pub(crate) fn wait_until_ready(&mut self, world: &World, since: Instant) -> Result<()> {
        self.note_ready(world.service.wait_until_ready(since)?);
        Ok(())
    }

    /// Starts a service that was stopped.
    pub(crate) fn restart(&mut self, world: &World) -> Result<()> {
        self.note_ready(world.service.start()?);
        Ok(())
    }

    pub(crate) fn note_ready(&mut self, ready: Duration) {
        if ready > READY_LIMIT {
            self.findings.push(format!("ready only after {:.1} s", ready.as_secs_f64()));
        }
        self.ready = self.ready.max(Some(ready));
    }

    /// Adds a finding if there were requests that were not acknowledged.
    pub(crate) fn forbid_failures(&mut self, ledger: &Ledger) {
        if ledger.refused + ledger.unanswered > 0 {
            self.findings.push(format!(
                "{} requests were refused and {} were not answered, without an outage",
                ledger.refused, ledger.unanswered
            ));
        }
    }

    /// Audits the run and returns its row.
    pub(crate) async fn audit(
        self,
        world: &World,
        ledger: &Ledger,
        done: impl Into<String>,
    ) -> Result<Row> {
        let auditor = Auditor { world, run: &self.run, after_seq: self.after_seq };
        let audit = auditor.audit(ledger).await.context("auditing")?;
        Ok(Row {
            done: done.into(),
            acknowledged: ledger.acknowledged(),
            unknown: ledger.unknown(),
            stored_unknown: audit.stored_unknown,
            refused: ledger.refused,
            ready: self.ready,
            findings: [self.findings, audit.findings].concat(),
        })
    }
}
