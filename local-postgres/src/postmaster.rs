//! The server process of a cluster, as recorded in its lock file.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
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

use super::paths::SOCKET_NAME;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Postmaster {
    pid: Pid,
    /// Whether it accepts connections. It does not while it starts, recovers or stops.
    pub(super) ready: bool,
}

impl Postmaster {
    /// Returns the server process that runs on `data`. The lock file of a dead process is ignored, even if
    /// its process ID now belongs to another process.
    pub(super) fn find(data: &Path) -> anyhow::Result<Option<Self>> {
        let postmaster = read(&lock_file(data))?.and_then(|text| parse(&text));
        Ok(postmaster.filter(|postmaster| runs_on(postmaster.pid, data)))
    }

    /// Requests a fast shutdown: connections are closed and all data is written.
    pub(super) fn stop(self) -> anyhow::Result<()> {
        match kill_process(self.pid, Signal::INT) {
            Ok(()) | Err(Errno::SRCH) => Ok(()),
            Err(error) => Err(error).context("stopping the database"),
        }
    }
}

/// Writes the process ID of this process into the lock files of a dead server: the one in `data`, and the one of
/// `socket`.
///
/// PostgreSQL ignores a lock file with the ID of its parent process. It refuses to start if the ID belongs to any
/// other process of its user, also to one that has ended and whose parent has not yet read its status. The files are
/// not removed, because the first names the shared memory with which PostgreSQL detects processes of a killed server
/// that still write.
pub(super) fn take_over(data: &Path, socket: &Path) -> anyhow::Result<()> {
    for path in [lock_file(data), socket_lock_file(socket)] {
        write_process_id(&path).with_context(|| format!("writing `{}`", path.display()))?;
    }
    Ok(())
}

/// Replaces the first line of `path`, if the file exists.
fn write_process_id(path: &Path) -> anyhow::Result<()> {
    let Some(text) = read(path)? else { return Ok(()) };
    let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
    // The directory belongs to another user, who could otherwise make this a link to another file.
    let no_links = OFlags::NOFOLLOW.bits().cast_signed();
    let mut file =
        OpenOptions::new().write(true).truncate(true).custom_flags(no_links).open(path)?;
    Ok(write!(file, "{}\n{rest}", process::id())?)
}

/// Returns the text of `path`, or `None` if the file does not exist.
fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("reading `{}`", path.display())),
    }
}

fn lock_file(data: &Path) -> PathBuf {
    data.join("postmaster.pid")
}

/// The lock file of a socket for port 5432.
fn socket_lock_file(socket: &Path) -> PathBuf {
    socket.join(format!("{SOCKET_NAME}.lock"))
}

/// Parses a lock file. Line 1 is the process ID, and line 8 the state.
fn parse(text: &str) -> Option<Postmaster> {
    let mut lines = text.lines();
    let pid = Pid::from_raw(lines.next()?.trim().parse().ok()?)?;
    Some(Postmaster { pid, ready: lines.nth(6).is_some_and(|state| state.trim() == "ready") })
}

/// Returns whether the process exists, can be signaled by this user, and was started on `data`. If the system
/// does not show the arguments of a process, the lock file is trusted.
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
    fn ready_state_is_parsed_from_lock_file() {
        let pid = Pid::from_raw(4321).unwrap();
        assert_eq!(parse(FILE), Some(Postmaster { pid, ready: true }));
        let starting = FILE.replace("ready   ", "starting");
        assert_eq!(parse(&starting), Some(Postmaster { pid, ready: false }));
        assert_eq!(parse("4321\n/data\n"), Some(Postmaster { pid, ready: false }));
        assert_eq!(parse(""), None);
    }

    #[test]
    fn process_with_other_arguments_is_not_the_server() {
        let current_pid = Pid::from_raw(process::id().cast_signed()).unwrap();
        assert!(!runs_on(current_pid, Path::new("/data")));
    }
}
