//! A system clock of the service that jumps forwards and backwards. The clock of the database does not.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::Result;
use tokio::time::sleep;

use super::Recording;
use crate::{
    Plan,
    report::Row,
    world::{self, World},
};

/// The offsets of the clock in hours, in order. All are after the ratification of the policy, because a
/// verifier rejects decisions before it.
const OFFSETS_H: [u32; 6] = [2, 1, 26, 3, 200, 4];

/// The acknowledged records at each offset.
const PROGRESS: usize = 100;

pub(super) async fn run(plan: &Plan) -> Result<Row> {
    let Some(library) = library() else {
        return Ok(Row::skipped("libfaketime is not installed (`scripts/setup test` installs it)"));
    };
    let clock = world::directory()?;
    let offset = clock.path().join("offset");
    fs::write(&offset, "+0h\n")?;
    let settings = [
        ("LD_PRELOAD", library.to_string_lossy().into_owned()),
        ("FAKETIME_TIMESTAMP_FILE", offset.to_string_lossy().into_owned()),
        ("FAKETIME_NO_CACHE", "1".to_owned()),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
    ];
    let world = World::create(&plan.govern, &settings).await?;
    let mut recording = Recording::prepare(&world, "clock").await?;
    let load = recording.start(&world)?;
    for hours in OFFSETS_H {
        load.progress(PROGRESS).await?;
        fs::write(&offset, format!("+{hours}h\n"))?;
        sleep(Duration::from_secs(plan.choose(1, 10))).await;
    }
    load.progress(PROGRESS).await?;
    let ledger = load.finish().await?;
    recording.forbid_failures(&ledger);
    recording.audit(&world, &ledger, format!("the clock set to +{OFFSETS_H:?} h")).await
}

/// Returns the library that changes the clock of a process.
fn library() -> Option<PathBuf> {
    let directories = fs::read_dir("/usr/lib").ok()?.flatten();
    let libraries = directories.map(|entry| entry.path().join("faketime/libfaketimeMT.so.1"));
    libraries.into_iter().find(|path| path.exists())
}
