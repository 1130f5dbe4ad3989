//! Processes: how much memory and time they take, and how they are stopped.

use std::{
    collections::HashMap,
    fs,
    process::Child,
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

/// For how long a process may take to stop before it is killed.
const STOP: Duration = Duration::from_secs(30);

/// The length of a tick of the kernel's accounts: 1/100 s on every Linux.
const TICK: Duration = Duration::from_millis(10);

/// Asks a child to stop, and waits until it has.
pub(crate) fn stop(child: &mut Child) {
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::TERM); // it may be gone
    }
    let since = Instant::now();
    while since.elapsed() < STOP {
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            Ok(Some(_)) | Err(_) => return,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Processor time that a process and those below it have taken, ended ones included.
pub(crate) fn time_of_tree(root: u32) -> Duration {
    let stats: HashMap<u32, Stat> = all().into_iter().map(|stat| (stat.pid, stat)).collect();
    let below = |mut pid: u32| {
        while let Some(stat) = stats.get(&pid) {
            if pid == root {
                return true;
            }
            pid = stat.parent;
        }
        false
    };
    let ticks = stats.values().filter(|stat| below(stat.pid)).map(|stat| stat.ticks).sum::<u32>();
    TICK * ticks
}

/// What the kernel says of a process.
#[derive(Debug)]
struct Stat {
    pid: u32,
    parent: u32,
    /// User and system time, its own and that of children which have ended.
    ticks: u32,
}

fn all() -> Vec<Stat> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(stat).collect()
}

fn stat(pid: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in brackets, may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u32>().ok();
    let ticks = (11..=14).map(number).sum::<Option<u32>>()?;
    Some(Stat { pid, parent: number(1)?, ticks })
}

/// The memory of a process that is in use now, in MiB.
pub(crate) fn resident_mib(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1_024.0)
}
