//! Memory, open files and start time of this process, with the metric names of Prometheus.

use std::fs;

use contract::time::Timestamp;
use prometheus::{IntGauge, Registry};

/// Metrics of the process. A gauge is 0 if the system does not provide its value.
#[derive(Debug)]
pub(super) struct Process {
    memory: IntGauge,
    files: IntGauge,
}

impl Process {
    /// Registers the metrics of a process that started at `started`.
    pub(super) fn new(registry: &Registry, started: Timestamp) -> Result<Self, prometheus::Error> {
        let started_at = "Start time of the process in Unix seconds.";
        super::gauge(registry, "process_start_time_seconds", started_at)?
            .set(started.millis() / 1_000);
        let (memory, files) = ("Resident memory in bytes.", "Open file descriptors.");
        Ok(Self {
            memory: super::gauge(registry, "process_resident_memory_bytes", memory)?,
            files: super::gauge(registry, "process_open_fds", files)?,
        })
    }

    pub(super) fn sample(&self) {
        self.memory.set(resident_bytes().unwrap_or_default());
        let files = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        self.files.set(i64::try_from(files).unwrap_or(i64::MAX));
    }
}

fn resident_bytes() -> Option<i64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: i64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    kibibytes.checked_mul(1_024)
}
