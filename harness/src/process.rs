//! Processes: signals, children, memory, descriptors and processor time.

use std::{
    collections::HashMap,
    fs,
    path::Path,
    process::Child,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use rustix::process::{Pid, kill_process};

pub use rustix::process::Signal;

/// The time that a process has to stop before it is killed.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// The interval between two looks at a process.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The tick of the kernel accounting: 1/100 s on every Linux.
const TICK: Duration = Duration::from_millis(10);

/// Sends a signal to a process.
pub fn signal(pid: u32, signal: Signal) -> Result<()> {
    let pid = Pid::from_raw(pid.cast_signed()).context("not a process ID")?;
    kill_process(pid, signal).context("sending a signal")
}

/// Sends `SIGTERM` to a child and waits until it has ended. Kills it after 30 seconds.
pub fn stop(child: &mut Child) {
    let _ = signal(child.id(), Signal::TERM); // the child may have ended already
    let since = Instant::now();
    while since.elapsed() < STOP_TIMEOUT {
        match child.try_wait() {
            Ok(None) => thread::sleep(POLL_INTERVAL),
            Ok(Some(_)) | Err(_) => return,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Returns the process ID in the lock file of a PostgreSQL data directory.
pub fn postmaster(data: &Path) -> Result<u32> {
    let text = fs::read_to_string(data.join("postmaster.pid"))?;
    Ok(text.lines().next().context("an empty lock file")?.trim().parse()?)
}

/// Returns the child processes of a process.
pub fn children(parent: u32) -> Vec<u32> {
    all().into_iter().filter(|stat| stat.parent == parent).map(|stat| stat.pid).collect()
}

/// Returns the processor time of a process and its descendants, including ended ones.
pub fn time_of_tree(root: u32) -> Duration {
    let stats: HashMap<u32, Stat> = all().into_iter().map(|stat| (stat.pid, stat)).collect();
    let is_descendant = |mut pid: u32| {
        while let Some(stat) = stats.get(&pid) {
            if pid == root {
                return true;
            }
            pid = stat.parent;
        }
        false
    };
    let ticks =
        stats.values().filter(|stat| is_descendant(stat.pid)).map(|stat| stat.ticks).sum::<u32>();
    TICK * ticks
}

/// Kernel accounting of a process.
#[derive(Debug)]
struct Stat {
    pid: u32,
    parent: u32,
    /// User and system time of the process and of its ended children.
    ticks: u32,
}

fn all() -> Vec<Stat> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(stat).collect()
}

fn stat(pid: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, can contain any character.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u32>().ok();
    let ticks = (11..=14).map(number).sum::<Option<u32>>()?;
    Some(Stat { pid, parent: number(1)?, ticks })
}

/// Returns the resident memory of a process in KiB.
pub fn resident_kib(pid: u32) -> Result<u64> {
    memory_kib(pid, "VmRSS:")
}

/// Returns the resident memory that a process has allocated, in KiB. Pages of the program file do not count: the kernel
/// drops them and reads them again.
pub fn allocated_kib(pid: u32) -> Result<u64> {
    memory_kib(pid, "RssAnon:")
}

fn memory_kib(pid: u32, name: &str) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.strip_suffix(" kB")).context("no memory")?;
    Ok(kib.trim().parse()?)
}

/// Returns the number of open descriptors of a process.
pub fn descriptors(pid: u32) -> Result<usize> {
    Ok(fs::read_dir(format!("/proc/{pid}/fd"))?.count())
}
