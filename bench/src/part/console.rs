//! Pages of the console, until their first byte.

use std::time::Instant;

use anyhow::Result;
use hdrhistogram::Histogram;

use crate::{
    load::Connection,
    report::{Figure::Millis, Goal, Line},
    stage::Stage,
};

/// The lists, of 50 rows each where there are so many.
const PAGES: [&str; 2] = ["/decisions", "/policies"];

pub(crate) fn measure(stage: &mut Stage<'_>) -> Result<Vec<Line>> {
    let time = stage.plan.time() / 2;
    let world = stage.world()?;
    let mut lines = Vec::new();
    for path in PAGES {
        let mut connection = Connection::open(world.service.address)?;
        let (mut page, mut first) = (world.page(path), Histogram::<u64>::new(3)?);
        connection.ask(&mut page)?.expect(200)?;
        let since = Instant::now();
        while since.elapsed() < time {
            let (answer, took) = connection.ask_timed(&mut page)?;
            answer.expect(200)?;
            first.saturating_record(u64::try_from(took.as_micros())?);
        }
        let p95 = Millis(first.value_at_quantile(0.95) as f64 / 1e3);
        let what = format!("console, `{path}`, first byte, p95");
        lines.push(Line::new(what, p95).goal(Goal::AtMost(Millis(50.0))));
    }
    Ok(lines)
}
