//! Console pages: time to the first byte.

use std::time::Instant;

use super::list;
use crate::{
    context::BenchContext,
    load::{Connection, LoadResult},
    report::{Figure::Millis, Goal, ReportRow},
};
use anyhow::Result;

/// The number of rows of a page of decisions.
const ROWS: u64 = 50;

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let time = cx.plan.time() / 2;
    let fixture = cx.fixture()?;
    list::fill(fixture, ROWS)?;
    let mut connection = Connection::open(fixture.service.address)?;
    let (mut page, mut first_bytes) = (fixture.page("decisions"), LoadResult::new());
    let start = Instant::now();
    while start.elapsed() < time {
        let (response, latency) = connection.send_timed(&mut page)?;
        response.expect(200)?;
        first_bytes.record(latency);
    }
    let name = format!("console, list of {ROWS} decisions, first byte, p95");
    Ok(vec![
        ReportRow::new(name, Millis(first_bytes.quantile_ms(0.95)))
            .goal(Goal::AtMost(Millis(50.0))),
    ])
}
