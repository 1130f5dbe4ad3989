//! Memory of the service's own process.

use anyhow::{Context as _, Result};

use crate::{
    process,
    report::{Figure::Mib, Goal, Line},
    stage::Stage,
};

pub(crate) fn measure(stage: &mut Stage<'_>) -> Result<Vec<Line>> {
    let service = &stage.world()?.service;
    let now = process::resident_mib(service.pid).context("the service has gone")?;
    Ok(vec![
        Line::new("memory of the service, idle", Mib(service.idle_mib))
            .goal(Goal::AtMost(Mib(150.0))),
        Line::new("memory of the service, after this run", Mib(now)),
    ])
}
