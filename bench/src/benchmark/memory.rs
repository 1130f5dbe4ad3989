//! Memory of the service process.

use anyhow::{Context as _, Result};

use crate::{
    context::BenchContext,
    process,
    report::{Figure::Mib, Goal, ReportRow},
};

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let service = &cx.fixture()?.service;
    let now = process::resident_mib(service.pid).context("the service is not running")?;
    Ok(vec![
        ReportRow::new("memory of the service, idle", Mib(service.idle_mib))
            .goal(Goal::AtMost(Mib(150.0))),
        ReportRow::new("memory of the service, after this run", Mib(now)),
    ])
}
