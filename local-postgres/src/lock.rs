//! File locks between processes. The operating system releases them when the process ends.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use anyhow::Context as _;

/// Acquires the exclusive lock of `path`, or returns `None` if another process has it.
pub(super) fn try_exclusive(path: &Path) -> anyhow::Result<Option<File>> {
    let file = open(path)?;
    Ok(try_upgrade(&file)?.then_some(file))
}

/// Tries to make the lock of `file` exclusive, and returns whether it is. If not, a previous shared lock may
/// be lost.
pub(super) fn try_upgrade(file: &File) -> anyhow::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error).context("locking a file"),
    }
}

/// Waits for the exclusive lock of `path`.
pub(super) async fn exclusive(path: &Path) -> anyhow::Result<File> {
    wait(open(path)?, File::lock).await
}

/// Waits for a shared lock of `path`.
pub(super) async fn shared(path: &Path) -> anyhow::Result<File> {
    wait(open(path)?, File::lock_shared).await
}

async fn wait(file: File, lock: fn(&File) -> std::io::Result<()>) -> anyhow::Result<File> {
    let locked = tokio::task::spawn_blocking(move || lock(&file).map(|()| file));
    locked.await?.context("locking a file")
}

fn open(path: &Path) -> anyhow::Result<File> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
    file.with_context(|| format!("opening `{}`", path.display()))
}
