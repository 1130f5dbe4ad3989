//! Processes: signals, children, memory and descriptors.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process};

/// Sends a signal to a process.
pub(crate) fn signal(pid: u32, signal: Signal) -> Result<()> {
    let pid = Pid::from_raw(pid.cast_signed()).context("not a process ID")?;
    kill_process(pid, signal).context("sending a signal")
}

/// Returns the process ID in the lock file of a PostgreSQL data directory.
pub(crate) fn postmaster(data: &Path) -> Result<u32> {
    let text = fs::read_to_string(data.join("postmaster.pid"))?;
    Ok(text.lines().next().context("an empty lock file")?.trim().parse()?)
}

/// Returns the child processes of a process.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| parent_of(*pid) == Some(parent)).collect()
}

fn parent_of(pid: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, can contain any character.
    text.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Returns the resident memory that a process has allocated, in KiB. Pages of the program file do not count: the kernel
/// drops them and reads them again.
pub(crate) fn allocated_kib(pid: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|line| line.strip_suffix(" kB")).context("no RssAnon")?;
    Ok(kib.trim().parse()?)
}

/// Returns the number of open descriptors of a process.
pub(crate) fn descriptors(pid: u32) -> Result<usize> {
    Ok(fs::read_dir(format!("/proc/{pid}/fd"))?.count())
}
