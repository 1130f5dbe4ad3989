//! Benchmark context: the service, its tenants and the echo server, started on first use.

use std::net::SocketAddr;

use anyhow::{Context as _, Result};

use crate::{Plan, echo, fixture::BenchFixture, pgbench::Pgbench, report::EngineRow};

/// The resources that a run has started so far.
#[derive(Debug)]
pub(crate) struct BenchContext<'a> {
    pub(crate) plan: &'a Plan,
    /// The rows of the table of engines.
    pub(crate) engines: Vec<EngineRow>,
    fixture: Option<BenchFixture>,
    echo: Option<SocketAddr>,
}

impl<'a> BenchContext<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Self {
        Self { plan, engines: Vec::new(), fixture: None, echo: None }
    }

    /// Returns the service with its tenants. The first call starts it.
    pub(crate) fn fixture(&mut self) -> Result<&mut BenchFixture> {
        if self.fixture.is_none() {
            eprintln!("setting up");
            self.fixture = Some(BenchFixture::set_up(&self.plan.govern).context("setting up")?);
        }
        self.fixture.as_mut().context("the fixture is set up")
    }

    /// Returns the address of the echo server. The first call starts it.
    pub(crate) fn echo(&mut self) -> Result<SocketAddr> {
        if let Some(address) = self.echo {
            return Ok(address);
        }
        let address = echo::start()?;
        self.echo = Some(address);
        Ok(address)
    }

    /// Prepares `pgbench` in the database of the service.
    pub(crate) fn pgbench(&mut self) -> Result<Pgbench> {
        Pgbench::prepare(self.fixture()?)
    }
}
