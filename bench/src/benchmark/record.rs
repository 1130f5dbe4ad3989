//! Records over HTTP, compared with the same rows written by a plain client of the database.

use anyhow::Result;

use crate::{
    context::BenchContext,
    fixture::{TENANTS, Tenant},
    load::{ClosedLoop, LoadResult, OpenLoop, Request, StopAfter},
    pgbench::{Pgbench, Script},
    report::{
        Figure::{Millis, PerSecond},
        Goal, ReportRow,
    },
};

/// The numbers of clients in the closed loop.
const CLIENTS: [usize; 3] = [1, 16, 64];

/// The request rate of the latency measurement, per second.
const RATE: u32 = 150;

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let pgbench = cx.pgbench()?;
    let mut run = Run { cx, pgbench };
    let one = vec![run.cx.fixture()?.tenant.record()];
    let many: Vec<Request> =
        run.cx.fixture()?.tenants(TENANTS)?.iter().map(Tenant::record).collect();
    let mut rows = run.closed_loops("one tenant", &one, 1, 3_000.0)?;
    rows.extend(run.closed_loops("64 tenants", &many, TENANTS, 4_000.0)?);
    rows.push(run.open_loop(&one)?);
    Ok(rows)
}

/// The state that the runs of this benchmark share.
#[derive(Debug)]
struct Run<'r, 'a> {
    cx: &'r mut BenchContext<'a>,
    pgbench: Pgbench,
}

impl Run<'_, '_> {
    /// Runs increasing numbers of clients. The targets apply to the largest number.
    fn closed_loops(
        &mut self,
        tenant_label: &str,
        requests: &[Request],
        tenants: usize,
        goal: f64,
    ) -> Result<Vec<ReportRow>> {
        let (mut rows, mut previous) = (Vec::new(), None);
        let clients_max = CLIENTS[CLIENTS.len() - 1];
        for clients in CLIENTS {
            let (result, processor_times) = self.record(requests, clients)?;
            let plan = self.cx.plan;
            let same_rows = self.pgbench.run(plan, Script::Record { tenants }, clients)?;
            let one_row = self.pgbench.run(plan, Script::Insert, clients)?;
            let name = format!("record, {tenant_label}, {clients} clients");
            let rate = PerSecond(result.rate());
            let row = ReportRow::new(&name, rate)
                .with_baseline("pgbench, the same rows", PerSecond(same_rows));
            rows.push(if clients == clients_max {
                row.goal(Goal::AtLeast(PerSecond(goal)))
            } else {
                row
            });
            rows.push(
                ReportRow::new(&name, rate).with_baseline("pgbench, one row", PerSecond(one_row)),
            );
            let p99 = ReportRow::new(format!("{name}, p99"), Millis(result.p99_ms()));
            if clients == clients_max {
                rows.push(p99.goal(Goal::AtMost(Millis(40.0))));
                let baseline = previous.unwrap_or(rate);
                rows.push(
                    ReportRow::new(&name, rate)
                        .with_baseline("16 clients", baseline)
                        .goal(Goal::TimesAtLeast(1.0)),
                );
                rows.extend(ReportRow::processor_times(&name, processor_times));
            } else {
                rows.push(p99);
            }
            previous = Some(rate);
        }
        Ok(rows)
    }

    /// Records in a closed loop. Returns the result and the processor time of the service and of
    /// the database for each record.
    fn record(
        &mut self,
        requests: &[Request],
        connections: usize,
    ) -> Result<(LoadResult, (f64, f64))> {
        let plan = self.cx.plan;
        let fixture = self.cx.fixture()?;
        fixture.database.checkpoint()?;
        let address = fixture.service.address;
        let (used, stop_after) =
            (fixture.service.processor_time()?, StopAfter::Elapsed(plan.time()));
        let result =
            ClosedLoop { address, requests, connections, status: 201, stop_after }.run()?;
        let processor_times = fixture.service.processor_time()?.each_since(used, result.total());
        Ok((result, processor_times))
    }

    fn open_loop(&mut self, requests: &[Request]) -> Result<ReportRow> {
        let time = self.cx.plan.time();
        let address = self.cx.fixture()?.service.address;
        let result = OpenLoop { address, requests, status: 201, rate: RATE, time }.run()?;
        let name = format!("record, one tenant, p99 at {RATE}/s");
        Ok(ReportRow::new(name, Millis(result.p99_ms())).goal(Goal::AtMost(Millis(50.0))))
    }
}
