//! Memory of the service process.

use anyhow::Result;

use crate::{
    context::BenchContext,
    report::{Figure::Mib, Goal, ReportRow},
    service::resident_mib,
};

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let fixture = cx.fixture()?;
    let now = resident_mib(&fixture.service)?;
    Ok(vec![
        ReportRow::new("memory of the service, idle", Mib(fixture.idle_mib))
            .goal(Goal::AtMost(Mib(150.0))),
        ReportRow::new("memory of the service, after this run", Mib(now)),
    ])
}
