//! Evaluation over HTTP.

use std::net::SocketAddr;

use anyhow::Result;

use crate::{
    echo,
    load::{Closed, Paced, Request, Until},
    report::{
        Figure::{Micros, Millis, PerSecond},
        Goal, Line,
    },
    stage::Stage,
};

/// How many clients ask without a pause.
const CLIENTS: usize = 64;

/// The rate at which latency is measured, a second.
const RATE: u32 = 300;

/// How many rules, and the share of the echo's rate that is to be reached.
const RULES: [(usize, f64); 2] = [(10, 0.6), (100, 0.5)];

pub(crate) fn measure(stage: &mut Stage<'_>) -> Result<Vec<Line>> {
    let (plan, echo) = (stage.plan, stage.echo()?);
    let world = stage.world()?;
    let run = |address: SocketAddr, request: Request| {
        let requests = [request];
        let until = Until::Elapsed(plan.time());
        Closed { address, requests: &requests, connections: CLIENTS, status: 200, until }.run()
    };
    let service = world.service.address;
    let mut lines = Vec::new();
    for (rules, share) in RULES {
        let request = world.tenant.evaluate(rules);
        // On both sides of the run, so that a slow moment of the machine is shared.
        let before = run(echo, request.at(echo::PATH))?;
        let used = world.service.time()?;
        let seen = run(service, request.clone())?;
        let (service_us, database_us) = world.service.time()?.each_since(used, seen.total());
        let after = run(echo, request.at(echo::PATH))?;
        let bare = PerSecond(f64::midpoint(before.rate(), after.rate()));
        let what = format!("evaluate, {rules} rules");
        lines.push(
            Line::new(format!("{what}, {CLIENTS} clients"), PerSecond(seen.rate()))
                .beside("bare echo", bare)
                .goal(Goal::Times(share)),
        );
        lines.push(Line::new(format!("{what}: processor time of the service"), Micros(service_us)));
        lines.push(Line::new(format!("{what}: of the database"), Micros(database_us)));
        let requests = [request];
        let paced = Paced {
            address: service,
            requests: &requests,
            status: 200,
            rate: RATE,
            time: plan.time(),
        };
        let paced = paced.run()?;
        lines.push(
            Line::new(format!("{what}, p99 at {RATE}/s"), Millis(paced.p99_ms()))
                .goal(Goal::AtMost(Millis(25.0))),
        );
    }
    Ok(lines)
}
