//! Checks of the machine: the data directory and its disk.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use super::Finding;
use crate::config::StoreConfig;

const DIRECTORY: &str = "directory";
const DISK: &str = "disk";

/// The free space in MiB below which a finding is a warning, or failed.
const FREE_MIB: (u64, u64) = (2_048, 256);

/// The free space in percent below which a finding is a warning, or failed.
const FREE_PERCENT: (u64, u64) = (10, 2);

/// The permission to write for users other than the owner.
const WRITABLE_BY_OTHERS: u32 = 0o022;

pub(super) fn check(store: &StoreConfig) -> Vec<Finding> {
    let directory = &store.data_dir;
    let Ok(metadata) = fs::metadata(directory) else {
        let message = format!("`{}` does not exist yet", directory.display());
        let action =
            "the service creates it at its first start; check GOVERN_DATA_DIR if there was one";
        return vec![Finding::warning(DIRECTORY, message, action)];
    };
    let mode = metadata.permissions().mode() & 0o7777;
    let name = directory.display();
    let access = if mode & WRITABLE_BY_OTHERS == 0 {
        Finding::ok(DIRECTORY, format!("`{name}` can be written by its owner only"))
    } else {
        let message = format!("`{name}` can be written by other users (mode {mode:04o})");
        Finding::failed(DIRECTORY, message, format!("run `chmod go-w {name}`"))
    };
    vec![access, space(directory)]
}

fn space(directory: &Path) -> Finding {
    match rustix::fs::statvfs(directory) {
        Ok(disk) => {
            let mib = |blocks: u64| blocks.saturating_mul(disk.f_frsize) >> 20;
            of_space(mib(disk.f_bavail), mib(disk.f_blocks))
        }
        Err(error) => {
            let message = format!("the free space cannot be read: {error}");
            Finding::warning(DISK, message, "check the disk of the data directory")
        }
    }
}

/// Returns the finding for this free space of a disk of `total` MiB.
fn of_space(free: u64, total: u64) -> Finding {
    let percent = free.saturating_mul(100) / total.max(1);
    let message = format!("{free} MiB ({percent} %) of the disk of the data directory are free");
    let action = "free space or enlarge the disk; without space, nothing is recorded or signed";
    if free < FREE_MIB.1 || percent < FREE_PERCENT.1 {
        Finding::failed(DISK, message, action)
    } else if free < FREE_MIB.0 || percent < FREE_PERCENT.0 {
        Finding::warning(DISK, message, action)
    } else {
        Finding::ok(DISK, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Status;

    #[test]
    fn low_space_is_reported() {
        for (free, total, status) in [
            (50_000, 100_000, Status::Ok),
            (9_999, 100_000, Status::Warning),
            (1_500, 4_000, Status::Warning),
            (1_999, 100_000, Status::Failed),
            (255, 1_000, Status::Failed),
            (0, 0, Status::Failed),
        ] {
            assert_eq!(of_space(free, total).status, status, "{free} of {total}");
        }
    }
}
