//! Processes: memory, processor time and shutdown.

use std::{
    collections::HashMap,
    fs,
    process::Child,
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

/// The time that a process has to stop before it is killed.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// The tick of the kernel accounting: 1/100 s on every Linux.
const TICK: Duration = Duration::from_millis(10);

/// Sends `SIGTERM` to a child and waits until it has ended. Kills it after [`STOP_TIMEOUT`].
pub(crate) fn stop(child: &mut Child) {
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::TERM); // the child may have ended already
    }
    let since = Instant::now();
    while since.elapsed() < STOP_TIMEOUT {
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            Ok(Some(_)) | Err(_) => return,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Returns the processor time of a process and its descendants, including ended ones.
pub(crate) fn time_of_tree(root: u32) -> Duration {
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

/// Returns the resident memory of a process in MiB.
pub(crate) fn resident_mib(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1_024.0)
}
