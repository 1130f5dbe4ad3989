//! Records over HTTP, compared with the same rows written by a plain client of the database.

use anyhow::Result;
use harness::{Request, Tenant};

use crate::{
    context::BenchContext,
    fixture::{Requests, TENANTS},
    load::{ClosedLoop, LoadResult, OpenLoop, StopAfter},
    pgbench::{Pgbench, Script},
    report::{
        Figure::{Bytes, Micros, Millis, PerSecond},
        Goal, ReportRow,
    },
    service::time_of_each,
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
    let mut rows = run.closed_loops("one tenant", &one, 1, 0.28)?;
    rows.extend(run.closed_loops("64 tenants", &many, TENANTS, 0.37)?);
    rows.push(run.open_loop(&one)?);
    Ok(rows)
}

/// The written log of the database, and the size of the decisions with their indexes, in bytes.
const STORED_BYTES: &str = "SELECT concat_ws(' ', pg_current_wal_insert_lsn() - '0/0'::pg_lsn, \
     pg_total_relation_size('decisions'))";

/// Parses the result of [`STORED_BYTES`].
fn byte_counts(text: &str) -> Result<Vec<f64>> {
    text.split(' ').map(|count| Ok(count.parse()?)).collect()
}

/// The cost of one record.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// The processor times of the service and of the database in microseconds.
    processor_times: (f64, f64),
    /// The bytes in the log of the database, with those of the background work in the same time.
    log_bytes: f64,
    /// The bytes of the decision with its indexes on disk.
    decision_bytes: f64,
}

impl Cost {
    fn rows(self, name: &str) -> Vec<ReportRow> {
        let [service, database] = ReportRow::processor_times(name, self.processor_times);
        let bytes = |what: &str, bytes: f64, goal: f64| {
            let row = ReportRow::new(format!("{name}: {what}"), Bytes(bytes));
            row.goal(Goal::AtMost(Bytes(goal)))
        };
        vec![
            service,
            database.goal(Goal::AtMost(Micros(200.0))),
            bytes("log of the database", self.log_bytes, 5_000.0),
            bytes("decision with its indexes", self.decision_bytes, 3_000.0),
        ]
    }
}

/// The state that the runs of this benchmark share.
#[derive(Debug)]
struct Run<'r, 'a> {
    cx: &'r mut BenchContext<'a>,
    pgbench: Pgbench,
}

impl Run<'_, '_> {
    /// Runs increasing numbers of clients. `goal` is the target of the rate with the largest number, as a multiple of
    /// inserts of one small row.
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
            let (result, cost) = self.record(requests, clients)?;
            let plan = self.cx.plan;
            let same_rows = self.pgbench.run(plan, Script::Record { tenants }, clients)?;
            let one_row = self.pgbench.run(plan, Script::Insert, clients)?;
            let name = format!("record, {tenant_label}, {clients} clients");
            let rate = PerSecond(result.rate());
            let row = ReportRow::new(&name, rate)
                .with_baseline("pgbench, the same rows", PerSecond(same_rows));
            rows.push(if clients == 1 { row.goal(Goal::TimesAtLeast(0.9)) } else { row });
            let row =
                ReportRow::new(&name, rate).with_baseline("pgbench, one row", PerSecond(one_row));
            rows.push(if clients == clients_max {
                row.goal(Goal::TimesAtLeast(goal))
            } else {
                row
            });
            let p99 = ReportRow::new(format!("{name}, p99"), Millis(result.p99_ms()));
            if clients == clients_max {
                rows.push(p99.goal(Goal::AtMost(Millis(25.0))));
                let baseline = previous.unwrap_or(rate);
                rows.push(
                    ReportRow::new(&name, rate)
                        .with_baseline("16 clients", baseline)
                        .goal(Goal::TimesAtLeast(1.0)),
                );
                rows.extend(cost.rows(&name));
            } else {
                rows.push(p99);
            }
            previous = Some(rate);
        }
        Ok(rows)
    }

    /// Records in a closed loop. Returns the result and the cost of a record.
    fn record(&mut self, requests: &[Request], connections: usize) -> Result<(LoadResult, Cost)> {
        let plan = self.cx.plan;
        let fixture = self.cx.fixture()?;
        fixture.database.checkpoint()?;
        let address = fixture.service.address;
        let stored = fixture.database.sql(STORED_BYTES)?;
        let (used, stop_after) =
            (fixture.service.processor_time()?, StopAfter::Elapsed(plan.time()));
        let result =
            ClosedLoop { address, requests, connections, status: 201, stop_after }.run()?;
        let processor_times = time_of_each(used, fixture.service.processor_time()?, result.total());
        let (before, after) =
            (byte_counts(&stored)?, byte_counts(&fixture.database.sql(STORED_BYTES)?)?);
        let each = |index: usize| (after[index] - before[index]) / result.total() as f64;
        let cost = Cost { processor_times, log_bytes: each(0), decision_bytes: each(1) };
        Ok((result, cost))
    }

    fn open_loop(&mut self, requests: &[Request]) -> Result<ReportRow> {
        let time = self.cx.plan.time();
        let address = self.cx.fixture()?.service.address;
        let result = OpenLoop { address, requests, status: 201, rate: RATE, time }.run()?;
        let name = format!("record, one tenant, p99 at {RATE}/s");
        Ok(ReportRow::new(name, Millis(result.p99_ms())).goal(Goal::AtMost(Millis(50.0))))
    }
}
