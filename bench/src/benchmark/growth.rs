//! Growth: a tenant with many decisions, compared with a tenant that has few, of the same service.

mod export;
mod tenant;

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use harness::{Connection, Request, Tenant};

use self::tenant::MeasuredTenant;
use super::audit;
use crate::{
    context::BenchContext,
    fixture::{BenchFixture, RULES, Requests},
    load::{ClosedLoop, LoadResult, StopAfter},
    report::{
        Figure::{Millis, PerSecond},
        Goal, ReportRow,
    },
    sample::Sample,
};

/// The number of decisions of the small tenant.
const SMALL: u64 = 10_000;

/// The target: the large tenant may take at most this many times as long as the small one.
const TIMES: f64 = 1.3;

/// The target of the verification of the audit log of the large tenant, in events per second.
const AUDIT_RATE: f64 = 150_000.0;

/// The number of clients that record at the same time.
const CLIENTS: usize = 64;

/// The number of alternating runs of these clients per tenant.
const RUNS: u32 = 4;

/// The timeout for the background work after the tenants are filled.
const TIMEOUT: Duration = Duration::from_mins(10);

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let (time, decisions) = (cx.plan.time(), cx.plan.grown_decisions());
    let fixture = cx.fixture()?;
    let small = fixture.tenants(2)?.remove(1);
    fixture.ratifier.sign_in()?;
    let small = MeasuredTenant::fill(fixture, small, SMALL)?;
    let large = MeasuredTenant::fill(fixture, fixture.tenant.clone(), decisions)?;
    wait_until_settled(fixture, [&small, &large])?;
    fixture.ratifier.sign_in()?;
    Comparison { fixture, time, small, large }.measure()
}

/// Waits until the rollups and the transparency log contain all decisions, and then runs the vacuum that
/// otherwise runs at some later time.
fn wait_until_settled(fixture: &BenchFixture, tenants: [&MeasuredTenant; 2]) -> Result<()> {
    let [small, large] = tenants.map(|of| &of.tenant.id);
    let pending = format!(
        "SELECT (SELECT count(*) FROM log_pending) + (SELECT count(*) \
         FROM tenant_heads h LEFT JOIN rollup_cursors c USING (tenant_id) \
         WHERE h.tenant_id IN ('{small}', '{large}') AND coalesce(c.sequence, 0) < h.audit_seq)"
    );
    let since = Instant::now();
    while fixture.database.sql(&pending)? != "0" {
        ensure!(since.elapsed() < TIMEOUT, "the background work did not end in time");
        thread::sleep(Duration::from_millis(200));
    }
    fixture.database.sql("VACUUM (ANALYZE)").map(drop)
}

/// The tenants that are compared.
struct Comparison<'a> {
    fixture: &'a BenchFixture,
    /// The measured duration of a run under load.
    time: Duration,
    small: MeasuredTenant,
    large: MeasuredTenant,
}

impl Comparison<'_> {
    fn measure(&self) -> Result<Vec<ReportRow>> {
        let one = |request: fn(&Tenant) -> Request| self.each(|of| vec![request(&of.tenant)]);
        let evaluate = |tenant: &Tenant| tenant.evaluate(RULES, &Sample::NARROW.fields());
        let mut rows = vec![
            self.compare("record", 201, one(Tenant::record))?,
            self.record_concurrently()?,
            self.compare("evaluate", 200, one(evaluate))?,
        ];
        rows.extend(self.lists()?);
        rows.extend(self.reads()?);
        rows.extend(export::measure(self.fixture, &self.small, &self.large)?);
        let verification = audit::verified_by_service(self.fixture, &self.large.tenant)?;
        let name = format!("{}, audit log, verified by the service", self.large.title());
        let goal = Goal::AtLeast(PerSecond(AUDIT_RATE));
        rows.push(ReportRow::new(name, PerSecond(verification.rate)).goal(goal));
        Ok(rows)
    }

    /// Returns a value for the small and for the large tenant.
    fn each<T>(&self, value: impl FnMut(&MeasuredTenant) -> T) -> [T; 2] {
        [&self.small, &self.large].map(value)
    }

    /// Measures an operation on both tenants alternately. Each round sends the next request of each.
    fn compare(
        &self,
        operation: &str,
        status: u16,
        mut requests: [Vec<Request>; 2],
    ) -> Result<ReportRow> {
        let mut connection = Connection::open(self.fixture.service.address)?;
        let mut results = [LoadResult::new(), LoadResult::new()];
        let (start, mut round) = (Instant::now() + self.time / 8, 0);
        while start.elapsed() < self.time / 2 {
            for (requests, result) in requests.iter_mut().zip(&mut results) {
                let number = round % requests.len();
                let sent = Instant::now();
                connection.send(&mut requests[number])?.expect(status)?;
                if sent >= start {
                    result.record(sent.elapsed());
                }
            }
            round += 1;
        }
        Ok(self.row(operation, results))
    }

    /// Returns a row with the median latencies of the small and of the large tenant.
    fn row(&self, operation: &str, results: [LoadResult; 2]) -> ReportRow {
        let [small, large] = results.map(|result| Millis(result.quantile_ms(0.5)));
        ReportRow::new(format!("{}, {operation}, median", self.large.title()), large)
            .with_baseline(format!("{} decisions", self.small.decisions), small)
            .goal(Goal::TimesAtMost(TIMES))
    }

    /// Measures records of many clients in alternating runs.
    fn record_concurrently(&self) -> Result<ReportRow> {
        self.fixture.database.checkpoint()?;
        let mut results = [LoadResult::new(), LoadResult::new()];
        for _ in 0..RUNS {
            let requests = self.each(|of| [of.tenant.record()]);
            for (requests, result) in requests.iter().zip(&mut results) {
                let (address, stop_after) =
                    (self.fixture.service.address, StopAfter::Elapsed(self.time / RUNS));
                let clients =
                    ClosedLoop { address, requests, connections: CLIENTS, status: 201, stop_after };
                result.merge(&clients.run()?);
            }
        }
        Ok(self.row(&format!("record, {CLIENTS} clients"), results))
    }

    /// Measures the lists of decisions with each filter: the first page, and a page further down.
    fn lists(&self) -> Result<Vec<ReportRow>> {
        let mut rows = Vec::new();
        let [of_small, of_large] = self.each(MeasuredTenant::filters);
        for (of_small, of_large) in of_small.into_iter().zip(of_large) {
            let name = format!("list of 50, {}", of_small.name);
            let pages = [self.small.page(&of_small.query), self.large.page(&of_large.query)];
            rows.push(self.compare(&name, 200, pages.map(|page| vec![page]))?);
            let pages = (
                self.small.deep_page(self.fixture, &of_small)?,
                self.large.deep_page(self.fixture, &of_large)?,
            );
            // A list with few decisions has no further page.
            let (Some(small), Some(large)) = pages else { continue };
            let pages = [vec![small], vec![large]];
            rows.push(self.compare(&format!("{name}, further down"), 200, pages)?);
        }
        Ok(rows)
    }

    /// Measures the reads of single objects, the other lists, and pages of the console.
    fn reads(&self) -> Result<Vec<ReportRow>> {
        let mut rows = Vec::new();
        for (name, path) in [
            ("decision", "/v1/decisions/{decision}"),
            ("receipt", "/v1/receipts/{decision}"),
            ("bundle of a decision", "/v1/receipts/{decision}/bundle"),
            ("bundle of a chain of three", "/v1/chains/{chain}/bundle"),
            ("list of 50 chains", "/v1/chains?limit=50"),
            ("list of 50 alerts", "/v1/alerts?limit=50"),
            ("list of 50 open alerts", "/v1/alerts?limit=50&status=open"),
            ("list of 50 alerts of one type", "/v1/alerts?limit=50&alert_type=shadow_violation"),
            ("list of 50 audit events", "/v1/audit-log?limit=50"),
            (
                "list of 50 audit events of one action",
                "/v1/audit-log?limit=50&action=decision.outcome",
            ),
        ] {
            let requests =
                self.each(|of| of.paths(path).iter().map(|path| of.tenant.get(path)).collect());
            rows.push(self.compare(name, 200, requests)?);
        }
        for (name, path) in [
            ("overview", ""),
            ("decisions", "/decisions"),
            ("decision", "/decisions/{decision}"),
            ("alerts", "/alerts"),
            ("inbox", "/inbox"),
            ("audit log", "/audit"),
            ("search for a word", "/search?q=bench"),
        ] {
            let page = |of: &MeasuredTenant, path: &str| self.fixture.page(&of.tenant, path);
            let requests =
                self.each(|of| of.paths(path).iter().map(|path| page(of, path)).collect());
            rows.push(self.compare(&format!("console, {name}"), 200, requests)?);
        }
        Ok(rows)
    }
}
