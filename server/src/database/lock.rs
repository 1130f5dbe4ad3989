//! Locks between processes: they go with the process that holds them, however it ends.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use anyhow::Context as _;

/// Takes the lock of `path` if nobody holds it.
pub(super) fn only(path: &Path) -> anyhow::Result<Option<File>> {
    let file = open(path)?;
    Ok(try_only(&file)?.then_some(file))
}

/// Whether the lock of `file` is ours alone now. If not, a lock that was shared before may be gone.
pub(super) fn try_only(file: &File) -> anyhow::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error).context("locking a file"),
    }
}

/// Waits for the lock of `path`.
pub(super) async fn alone(path: &Path) -> anyhow::Result<File> {
    wait(open(path)?, File::lock).await
}

/// Waits until nobody holds the lock of `path` alone.
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
