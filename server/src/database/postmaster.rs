//! The server process of a cluster, as its lock file tells of it.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    os::unix::{ffi::OsStrExt as _, fs::OpenOptionsExt as _},
    path::{Path, PathBuf},
    process,
};

use anyhow::Context as _;
use rustix::{
    fs::OFlags,
    io::Errno,
    process::{Pid, Signal, kill_process, test_kill_process},
};

use super::file;

/// The server process that runs on a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Postmaster {
    pid: Pid,
    /// Whether it serves: not while it starts, recovers or stops.
    pub(super) ready: bool,
}

impl Postmaster {
    /// The one that runs on `data`. A lock file that a dead one has left behind counts for nothing,
    /// even when its number has gone to another process.
    pub(super) fn of(data: &Path) -> anyhow::Result<Option<Self>> {
        let postmaster = file::read(&lock_file(data))?.and_then(|text| parse(&text));
        Ok(postmaster.filter(|postmaster| runs_on(postmaster.pid, data)))
    }

    /// Asks it to stop: connections are cut, and everything is written down.
    pub(super) fn stop(self) -> anyhow::Result<()> {
        match kill_process(self.pid, Signal::INT) {
            Ok(()) | Err(Errno::SRCH) => Ok(()),
            Err(error) => Err(error).context("asking the database to stop"),
        }
    }
}

/// Takes a lock file that nobody holds from whoever has the number in it.
///
/// Postgres ignores a lock file with the number of its parent process, which is us. The file is not
/// removed: by the shared memory that it names, Postgres sees processes of a killed cluster that
/// still write.
pub(super) fn take_over(data: &Path) -> anyhow::Result<()> {
    let path = lock_file(data);
    let Some(text) = file::read(&path)? else { return Ok(()) };
    let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
    // The folder is another user's, who must not lead us to another file.
    let no_links = OFlags::NOFOLLOW.bits().cast_signed();
    let mut options = OpenOptions::new();
    let options = options.write(true).truncate(true).custom_flags(no_links);
    let written =
        options.open(&path).and_then(|mut file| write!(file, "{}\n{rest}", process::id()));
    written.with_context(|| format!("writing `{}`", path.display()))
}

fn lock_file(data: &Path) -> PathBuf {
    data.join("postmaster.pid")
}

/// The first line is the process, the eighth its state.
fn parse(text: &str) -> Option<Postmaster> {
    let mut lines = text.lines();
    let pid = Pid::from_raw(lines.next()?.trim().parse().ok()?)?;
    Some(Postmaster { pid, ready: lines.nth(6).is_some_and(|state| state.trim() == "ready") })
}

/// Whether the process lives, is one that we may stop, and was started on `data`. Where a system
/// does not show how a process was started, the lock file is believed.
fn runs_on(pid: Pid, data: &Path) -> bool {
    if test_kill_process(pid).is_err() {
        return false;
    }
    match fs::read(format!("/proc/{pid}/cmdline")) {
        Ok(arguments) => arguments
            .split(|byte| *byte == 0)
            .any(|argument| argument == data.as_os_str().as_bytes()),
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "4321\n/data\n1700000000\n5432\n/run\n\n  1234   56\nready   \n";

    #[test]
    fn a_server_is_ready_when_its_lock_file_says_so() {
        let pid = Pid::from_raw(4321).unwrap();
        assert_eq!(parse(FILE), Some(Postmaster { pid, ready: true }));
        let starting = FILE.replace("ready   ", "starting");
        assert_eq!(parse(&starting), Some(Postmaster { pid, ready: false }));
        assert_eq!(parse("4321\n/data\n"), Some(Postmaster { pid, ready: false }));
        assert_eq!(parse(""), None);
    }

    #[test]
    fn a_process_that_runs_on_something_else_is_not_the_server() {
        let this = Pid::from_raw(process::id().cast_signed()).unwrap();
        assert!(!runs_on(this, Path::new("/data")));
    }
}
