//! The measured service: the release build with a private database in a temporary directory.

use std::{path::Path, sync::Arc, time::Duration};

use anyhow::Result;
use harness::{ProcessorTime, Service, process};

use crate::cleanup;

/// Starts `program` and waits until it is ready. Cleanup stops it and removes its directory.
pub(crate) fn start(program: &Path) -> Result<Arc<Service>> {
    let directory = harness::directory("govern-bench.")?;
    let service = Arc::new(Service::new(program, directory.path(), &[])?);
    let stopped = Arc::clone(&service);
    cleanup::defer(move || {
        let _ = stopped.terminate(); // it may have ended already
        drop(directory);
    });
    service.start()?;
    Ok(service)
}

/// Returns the resident memory of the service in MiB.
pub(crate) fn resident_mib(service: &Service) -> Result<f64> {
    Ok(process::resident_kib(service.pid()?)? as f64 / 1_024.0)
}

/// Returns the processor time per request between two readings, for `count` requests, in microseconds: of the service
/// and of the database.
pub(crate) fn time_of_each(before: ProcessorTime, after: ProcessorTime, count: u64) -> (f64, f64) {
    let each = |now: Duration, before: Duration| {
        now.saturating_sub(before).as_secs_f64() * 1e6 / count as f64
    };
    (each(after.service, before.service), each(after.database, before.database))
}
