//! The measured service: the release build with a private database in a temporary directory.

use std::{
    fs::File,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::{
    cleanup,
    load::{Connection, Request},
    process,
};

/// The time in which the service must become ready.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// The settings of rate limits, which are raised so that no run reaches them.
const RATE_LIMIT_SETTINGS: [&str; 2] =
    ["GOVERN_RATE_LIMIT_IP_PER_MIN", "GOVERN_RATE_LIMIT_KEY_PER_MIN"];

/// A running `govern serve`.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    pub(crate) pid: u32,
    /// The memory in MiB when the service was ready, before the first request.
    pub(crate) idle_mib: f64,
    program: PathBuf,
    directory: PathBuf,
}

impl Service {
    /// Starts `program` and waits until it is ready. Cleanup stops it and removes its directory.
    pub(crate) fn start(program: &Path) -> Result<Self> {
        let program = program.canonicalize().with_context(|| {
            format!("`{}` not found; build the release first (`make build`)", program.display())
        })?;
        // The user of the database, who is not root, needs access.
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        let directory =
            tempfile::Builder::new().prefix("govern-bench.").permissions(permissions).tempdir()?;
        let directory = directory.keep();
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let child = Arc::new(Mutex::new(None::<Child>));
        let (directory_to_remove, child_to_stop) = (directory.clone(), Arc::clone(&child));
        cleanup::defer(move || {
            let child = child_to_stop.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(mut child) = child {
                process::stop(&mut child);
            }
            let _ = std::fs::remove_dir_all(directory_to_remove);
        });
        let mut service = Self { address, pid: 0, idle_mib: 0.0, program, directory };
        let log = File::create(service.directory.join("log"))?;
        let mut command = service.command(&["serve"]);
        command.env("GOVERN_ADDR", address.to_string()).stdout(log.try_clone()?).stderr(log);
        let spawned = command.spawn().context("starting govern")?;
        service.pid = spawned.id();
        *child.lock().unwrap_or_else(PoisonError::into_inner) = Some(spawned);
        service.wait_until_ready(&child)?;
        service.idle_mib =
            process::resident_mib(service.pid).context("the memory of the service is unknown")?;
        Ok(service)
    }

    fn wait_until_ready(&self, child: &Mutex<Option<Child>>) -> Result<()> {
        let mut ready = Request::new("GET", "/v1/ready", "", None);
        let since = Instant::now();
        while since.elapsed() < START_TIMEOUT {
            let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
            if child.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None))) {
                break;
            }
            drop(child);
            let connection = Connection::open(self.address);
            if connection.is_ok_and(|mut connection| {
                connection.send(&mut ready).is_ok_and(|response| response.status() == 200)
            }) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        bail!("govern is not ready: {}", std::fs::read_to_string(self.directory.join("log"))?)
    }

    /// Returns the output file of the first start on an empty database.
    pub(crate) fn first_run(&self) -> Result<Value> {
        Ok(serde_json::from_slice(&std::fs::read(self.data().join("first-run.json"))?)?)
    }

    /// Runs a subcommand of `govern` and returns its output.
    pub(crate) fn run_command(&self, arguments: &[&str]) -> Result<String> {
        let output = self.command(arguments).output()?;
        let message = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "govern {}: {message}", arguments.join(" "));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// Returns the processor time of the service and its database so far.
    pub(crate) fn processor_time(&self) -> Result<ProcessorTime> {
        let postmaster = std::fs::read_to_string(self.postmaster_file()?)?;
        let postmaster = postmaster.lines().next().context("an empty lock file")?.trim().parse()?;
        // The database is a child process of the service.
        let (all, database) = (process::time_of_tree(self.pid), process::time_of_tree(postmaster));
        Ok(ProcessorTime { service: all.saturating_sub(database), database })
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    fn postmaster_file(&self) -> Result<PathBuf> {
        let mut directories = vec![self.data()];
        while let Some(directory) = directories.pop() {
            let file = directory.join("postmaster.pid");
            if file.exists() {
                return Ok(file);
            }
            let entries = std::fs::read_dir(&directory).into_iter().flatten().flatten();
            directories.extend(entries.map(|entry| entry.path()).filter(|path| path.is_dir()));
        }
        bail!("private database not found")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).stdin(Stdio::null());
        command.env_remove("DATABASE_URL").env_remove("GOVERN_DEMO");
        command.env("GOVERN_DATA_DIR", self.data()).env("GOVERN_LOG", "warn");
        // Webhook receivers run on this machine.
        command.env("GOVERN_WEBHOOK_ALLOW_CIDRS", "127.0.0.0/8");
        for setting in RATE_LIMIT_SETTINGS {
            command.env(setting, "4000000000");
        }
        // A process group of its own: an interrupt in the terminal reaches only this process, which
        // then stops the service.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessorTime {
    pub(crate) service: Duration,
    /// The processor time of all processes of the database.
    pub(crate) database: Duration,
}

impl ProcessorTime {
    /// Returns the processor time per request since `before`, for `count` requests, in
    /// microseconds: of the service and of the database.
    pub(crate) fn each_since(&self, before: Self, count: u64) -> (f64, f64) {
        let each = |now: Duration, before: Duration| {
            now.saturating_sub(before).as_secs_f64() * 1e6 / count as f64
        };
        (each(self.service, before.service), each(self.database, before.database))
    }
}
