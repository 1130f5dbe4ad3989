//! Evaluation over HTTP.

use std::net::SocketAddr;

use anyhow::Result;

use crate::{
    context::BenchContext,
    echo,
    load::{ClosedLoop, OpenLoop, Request, StopAfter},
    report::{
        Figure::{Millis, PerSecond},
        Goal, ReportRow,
    },
};

/// The number of clients in the closed loop.
const CLIENTS: usize = 64;

/// The request rate of the latency measurement, per second.
const RATE: u32 = 300;

/// The numbers of rules, each with the target as a share of the rate of the echo server.
const RULES: [(usize, f64); 2] = [(10, 0.6), (100, 0.5)];

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let (plan, echo) = (cx.plan, cx.echo()?);
    let fixture = cx.fixture()?;
    let run = |address: SocketAddr, request: Request| {
        let requests = [request];
        let stop_after = StopAfter::Elapsed(plan.time());
        ClosedLoop { address, requests: &requests, connections: CLIENTS, status: 200, stop_after }
            .run()
    };
    let service = fixture.service.address;
    let mut rows = Vec::new();
    for (rules, share) in RULES {
        let request = fixture.tenant.evaluate(rules);
        // The echo server is measured before and after, so that a slow period of the machine
        // affects both.
        let echo_before = run(echo, request.with_path(echo::PATH))?;
        let used = fixture.service.processor_time()?;
        let result = run(service, request.clone())?;
        let processor_times = fixture.service.processor_time()?.each_since(used, result.total());
        let echo_after = run(echo, request.with_path(echo::PATH))?;
        let baseline = PerSecond(f64::midpoint(echo_before.rate(), echo_after.rate()));
        let name = format!("evaluate, {rules} rules");
        rows.push(
            ReportRow::new(format!("{name}, {CLIENTS} clients"), PerSecond(result.rate()))
                .with_baseline("echo server", baseline)
                .goal(Goal::TimesAtLeast(share)),
        );
        rows.extend(ReportRow::processor_times(&name, processor_times));
        let requests = [request];
        let open_loop = OpenLoop {
            address: service,
            requests: &requests,
            status: 200,
            rate: RATE,
            time: plan.time(),
        };
        let result = open_loop.run()?;
        rows.push(
            ReportRow::new(format!("{name}, p99 at {RATE}/s"), Millis(result.p99_ms()))
                .goal(Goal::AtMost(Millis(25.0))),
        );
    }
    Ok(rows)
}
