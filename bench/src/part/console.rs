//! Pages of the console, until their first byte.

use std::time::Instant;

use super::list;
use crate::{
    load::{Connection, Seen},
    report::{Figure::Millis, Goal, Line},
    stage::Stage,
};
use anyhow::Result;

/// How many rows a page of decisions shows.
const ROWS: u64 = 50;

pub(crate) fn measure(stage: &mut Stage<'_>) -> Result<Vec<Line>> {
    let time = stage.plan.time() / 2;
    let world = stage.world()?;
    list::fill(world, ROWS)?;
    let mut connection = Connection::open(world.service.address)?;
    let (mut page, mut first) = (world.page("decisions"), Seen::new());
    let since = Instant::now();
    while since.elapsed() < time {
        let (answer, took) = connection.ask_timed(&mut page)?;
        answer.expect(200)?;
        first.note(took);
    }
    let what = format!("console, list of {ROWS} decisions, first byte, p95");
    Ok(vec![Line::new(what, Millis(first.quantile_ms(0.95))).goal(Goal::AtMost(Millis(50.0)))])
}
