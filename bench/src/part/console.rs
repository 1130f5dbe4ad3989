//! Pages of the console, until their first byte.

use std::time::Instant;

use crate::{
    load::{Connection, Seen},
    report::{Figure::Millis, Goal, Line},
    stage::Stage,
};
use anyhow::Result;

/// The lists, of 50 rows each where there are so many.
const PAGES: [&str; 2] = ["decisions", "policies"];

pub(crate) fn measure(stage: &mut Stage<'_>) -> Result<Vec<Line>> {
    let time = stage.plan.time() / 2;
    let world = stage.world()?;
    let mut lines = Vec::new();
    for path in PAGES {
        let mut connection = Connection::open(world.service.address)?;
        let (mut page, mut first) = (world.page(path), Seen::new());
        connection.ask(&mut page)?.expect(200)?;
        let since = Instant::now();
        while since.elapsed() < time {
            let (answer, took) = connection.ask_timed(&mut page)?;
            answer.expect(200)?;
            first.note(took);
        }
        let what = format!("console, list of {path}, first byte, p95");
        lines.push(
            Line::new(what, Millis(first.quantile_ms(0.95))).goal(Goal::AtMost(Millis(50.0))),
        );
    }
    Ok(lines)
}
