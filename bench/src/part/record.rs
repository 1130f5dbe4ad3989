//! Records over HTTP, beside what the same database does for a plain client.

use anyhow::Result;

use crate::{
    load::{Closed, Paced, Request, Seen, Until},
    pgbench::{Pgbench, Script},
    report::{
        Figure::{Micros, Millis, PerSecond},
        Goal, Line,
    },
    stage::Stage,
    world::{TENANTS, Tenant},
};

/// How many clients record without a pause.
const CLIENTS: [usize; 3] = [1, 16, 64];

/// The rate at which latency is measured, a second.
const RATE: u32 = 150;

pub(crate) fn measure(stage: &mut Stage<'_>) -> Result<Vec<Line>> {
    let pgbench = stage.pgbench()?;
    let mut run = Run { stage, pgbench };
    let one = vec![run.stage.world()?.tenant.record()];
    let many: Vec<Request> = run.stage.world()?.tenants()?.iter().map(Tenant::record).collect();
    let mut lines = run.growing("one tenant", &one, 1, 3_000.0)?;
    lines.extend(run.growing("64 tenants", &many, TENANTS, 4_000.0)?);
    lines.push(run.paced(&one)?);
    Ok(lines)
}

/// What the runs of this part share.
#[derive(Debug)]
struct Run<'r, 'a> {
    stage: &'r mut Stage<'a>,
    pgbench: Pgbench,
}

impl Run<'_, '_> {
    /// More and more clients. At the most of them the goal counts.
    fn growing(
        &mut self,
        whose: &str,
        requests: &[Request],
        tenants: usize,
        goal: f64,
    ) -> Result<Vec<Line>> {
        let (mut lines, mut earlier) = (Vec::new(), None);
        let most = CLIENTS[CLIENTS.len() - 1];
        for clients in CLIENTS {
            let (seen, service_us, database_us) = self.record(requests, clients)?;
            let plan = self.stage.plan;
            let same = self.pgbench.run(plan, Script::Record { tenants }, clients)?;
            let one_row = self.pgbench.run(plan, Script::Insert, clients)?;
            let what = format!("record, {whose}, {clients} clients");
            let rate = PerSecond(seen.rate());
            let line = Line::new(&what, rate).beside("pgbench, the same rows", PerSecond(same));
            lines.push(if clients == most {
                line.goal(Goal::AtLeast(PerSecond(goal)))
            } else {
                line
            });
            lines.push(Line::new(&what, rate).beside("pgbench, one row", PerSecond(one_row)));
            let p99 = Line::new(format!("{what}, p99"), Millis(seen.p99_ms()));
            if clients == most {
                lines.push(p99.goal(Goal::AtMost(Millis(40.0))));
                let fewer = earlier.unwrap_or(rate);
                lines.push(
                    Line::new(&what, rate).beside("16 clients", fewer).goal(Goal::Times(1.0)),
                );
                lines.push(Line::new(
                    format!("{what}: processor time of the service"),
                    Micros(service_us),
                ));
                lines.push(Line::new(format!("{what}: of the database"), Micros(database_us)));
            } else {
                lines.push(p99);
            }
            earlier = Some(rate);
        }
        Ok(lines)
    }

    /// What was seen, and the processor time of the service and of the database for each record.
    fn record(&mut self, requests: &[Request], connections: usize) -> Result<(Seen, f64, f64)> {
        let plan = self.stage.plan;
        let world = self.stage.world()?;
        world.database.checkpoint()?;
        let address = world.service.address;
        let (used, until) = (world.service.time()?, Until::Elapsed(plan.time()));
        let seen = Closed { address, requests, connections, status: 201, until }.run()?;
        let (service, database) = world.service.time()?.each_since(used, seen.total());
        Ok((seen, service, database))
    }

    fn paced(&mut self, requests: &[Request]) -> Result<Line> {
        let time = self.stage.plan.time();
        let address = self.stage.world()?.service.address;
        let seen = Paced { address, requests, status: 201, rate: RATE, time }.run()?;
        let what = format!("record, one tenant, p99 at {RATE}/s");
        Ok(Line::new(what, Millis(seen.p99_ms())).goal(Goal::AtMost(Millis(50.0))))
    }
}
