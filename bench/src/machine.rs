//! Description of the machine of a run.

use std::{
    fs::{self, File},
    io::Write as _,
    path::Path,
    process::Command,
    time::Instant,
};

use anyhow::Result;

const WRITES: usize = 200;

/// Returns one line that describes the machine, its software and its load before the run.
pub(crate) fn describe(directory: &Path, database: &str) -> Result<String> {
    let cores = std::thread::available_parallelism()?;
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = info.lines().find_map(|line| line.strip_prefix("model name"));
    let cpu = cpu.map_or("unknown", |line| line.trim_start_matches([' ', '\t', ':']));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    Ok(format!(
        "{cores} cores ({cpu}), shared by service, database and load generator. Linux {}, {database}, {}. \
         A write of 8 KiB with fdatasync takes {:.0} µs (median). The load average before the run was {}.",
        kernel.trim(),
        rustc(),
        write_us(directory)?,
        load(),
    ))
}

/// Returns the load average of the last minute.
pub(crate) fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

fn rustc() -> String {
    let output = Command::new("rustc").arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.unwrap_or_default().split(" (").next().unwrap_or_default().to_owned()
}

/// Returns the median duration of a durable write of 8 KiB, in microseconds.
fn write_us(directory: &Path) -> Result<f64> {
    let path = directory.join("write");
    let mut file = File::create(&path)?;
    let mut times = Vec::new();
    for _ in 0..WRITES {
        let since = Instant::now();
        file.write_all(&[0; 8_192])?;
        file.sync_data()?;
        times.push(since.elapsed());
    }
    fs::remove_file(path)?;
    times.sort_unstable();
    Ok(times[WRITES / 2].as_secs_f64() * 1e6)
}
