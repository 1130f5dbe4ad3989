//! No space left for PostgreSQL: its data is in a small file system in memory.

use std::{
    fs::{self, File},
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::Result;
use tempfile::TempDir;
use tokio::time::sleep;

use super::Recording;
use crate::{
    Plan,
    report::Row,
    world::{self, World},
};

/// The size of the file system. The data of a new service needs a fifth of it.
const SIZE: &str = "size=512m,mode=755";

pub(super) async fn run(plan: &Plan) -> Result<Row> {
    let time = Duration::from_secs(plan.choose(8, 30));
    // Declared first, so that it is unmounted after the service has ended.
    let Some(disk) = Disk::mount()? else {
        return Ok(Row::skipped("mounting a file system needs root and the right to mount"));
    };
    let permissions = fs::Permissions::from_mode(0o755);
    let directory = tempfile::Builder::new().permissions(permissions).tempdir_in(disk.0.path())?;
    let world = World::create_in(&plan.govern, &[], directory).await?;
    let mut recording = Recording::prepare(&world, "disk").await?;
    let fill_disk = async |recording: &mut Recording, _| {
        let filler = disk.0.path().join("filler");
        let since = Instant::now();
        // Again and again, because the service may free space, for example by removing old segments.
        while since.elapsed() < time {
            fill(&filler)?;
            sleep(Duration::from_millis(200)).await;
        }
        let since = Instant::now();
        fs::remove_file(filler)?;
        recording.wait_until_ready(&world, since)
    };
    let ledger = recording.inject(&world, 1, fill_disk).await?;
    if ledger.refused == 0 {
        recording.findings.push("no request was refused, so the disk was not full".to_owned());
    }
    let done = format!("no space left for {} s", time.as_secs());
    recording.audit(&world, &ledger, done).await
}

/// Appends to a file until there is no space left.
fn fill(path: &Path) -> Result<()> {
    let mut file = File::options().create(true).append(true).open(path)?;
    for size in [1 << 20, 4_096] {
        let block = vec![0; size];
        while file.write_all(&block).is_ok() {}
    }
    Ok(())
}

/// A small file system, unmounted when it is dropped.
#[derive(Debug)]
struct Disk(TempDir);

impl Disk {
    /// Mounts the file system, or returns `None` if this user may not.
    fn mount() -> Result<Option<Self>> {
        let directory = world::directory()?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", SIZE, "torture"]).arg(directory.path());
        let is_mounted = mount.output().is_ok_and(|output| output.status.success());
        Ok(is_mounted.then_some(Self(directory)))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Processes of the database may still be ending.
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).output();
    }
}
