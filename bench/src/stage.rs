//! What parts share: the service with its tenants, started when the first part asks for it.

use std::net::SocketAddr;

use anyhow::{Context as _, Result};

use crate::{Plan, echo, pgbench::Pgbench, world::World};

/// What a run has started so far.
#[derive(Debug)]
pub(crate) struct Stage<'a> {
    /// What is measured.
    pub(crate) plan: &'a Plan,
    world: Option<World>,
    echo: Option<SocketAddr>,
}

impl<'a> Stage<'a> {
    /// With nothing started.
    pub(crate) fn new(plan: &'a Plan) -> Self {
        Self { plan, world: None, echo: None }
    }

    /// The service with its tenants.
    pub(crate) fn world(&mut self) -> Result<&mut World> {
        if self.world.is_none() {
            eprintln!("setting up");
            self.world = Some(World::set_up(&self.plan.govern).context("setting up")?);
        }
        self.world.as_mut().context("the world was just set up")
    }

    /// Where the bare echo listens.
    pub(crate) fn echo(&mut self) -> Result<SocketAddr> {
        if let Some(address) = self.echo {
            return Ok(address);
        }
        let address = echo::start()?;
        self.echo = Some(address);
        Ok(address)
    }

    /// `pgbench`, ready to work in the database of the service.
    pub(crate) fn pgbench(&mut self) -> Result<Pgbench> {
        Pgbench::prepare(self.world()?)
    }
}
