//! The service under measurement: the release build, with a private database in a folder of its own.

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
    clean,
    load::{Connection, Request},
    process,
};

/// For how long the service may take to be ready.
const START: Duration = Duration::from_mins(1);

/// Limits that no run reaches: what they do is not what is measured.
const NO_LIMITS: [&str; 2] = ["GOVERN_RATE_LIMIT_IP_PER_MIN", "GOVERN_RATE_LIMIT_KEY_PER_MIN"];

/// A running `govern serve`.
#[derive(Debug)]
pub(crate) struct Service {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    /// Its process.
    pub(crate) pid: u32,
    /// Its memory in MiB when it was ready and nobody had asked anything.
    pub(crate) idle_mib: f64,
    program: PathBuf,
    folder: PathBuf,
}

impl Service {
    /// Starts `program` and waits until it is ready. It is stopped, and its folder removed, with
    /// this process.
    pub(crate) fn start(program: &Path) -> Result<Self> {
        let program = program.canonicalize().with_context(|| {
            format!("there is no `{}`: build the release first (`make build`)", program.display())
        })?;
        // The user of the database, who is not root, must get through.
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        let folder =
            tempfile::Builder::new().prefix("govern-bench.").permissions(open).tempdir()?;
        let folder = folder.keep();
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let child = Arc::new(Mutex::new(None::<Child>));
        let (left, child_left) = (folder.clone(), Arc::clone(&child));
        clean::later(move || {
            let child = child_left.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(mut child) = child {
                process::stop(&mut child);
            }
            let _ = std::fs::remove_dir_all(left);
        });
        let mut service = Self { address, pid: 0, idle_mib: 0.0, program, folder };
        let log = File::create(service.folder.join("log"))?;
        let mut command = service.command(&["serve"]);
        command.env("GOVERN_ADDR", address.to_string()).stdout(log.try_clone()?).stderr(log);
        let spawned = command.spawn().context("starting govern")?;
        service.pid = spawned.id();
        *child.lock().unwrap_or_else(PoisonError::into_inner) = Some(spawned);
        service.wait_until_ready(&child)?;
        service.idle_mib = process::resident_mib(service.pid).context("no memory is told")?;
        Ok(service)
    }

    fn wait_until_ready(&self, child: &Mutex<Option<Child>>) -> Result<()> {
        let mut ready = Request::new("GET", "/v1/ready", "", None);
        let since = Instant::now();
        while since.elapsed() < START {
            let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
            if child.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None))) {
                break;
            }
            drop(child);
            let asked = Connection::open(self.address);
            if asked.is_ok_and(|mut it| it.ask(&mut ready).is_ok_and(|it| it.status() == 200)) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        bail!("govern is not ready: {}", std::fs::read_to_string(self.folder.join("log"))?)
    }

    /// What the first start on an empty database has told.
    pub(crate) fn first_run(&self) -> Result<Value> {
        Ok(serde_json::from_slice(&std::fs::read(self.data().join("first-run.json"))?)?)
    }

    /// Runs a sub-command beside the service and returns what it prints.
    pub(crate) fn tell(&self, arguments: &[&str]) -> Result<String> {
        let output = self.command(arguments).output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "govern {}: {said}", arguments.join(" "));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// Processor time that the service and its database have taken so far.
    pub(crate) fn time(&self) -> Result<Time> {
        let postmaster = std::fs::read_to_string(self.postmaster_file()?)?;
        let postmaster = postmaster.lines().next().context("an empty lock file")?.trim().parse()?;
        // The database is a child of the service, which started it.
        let (all, database) = (process::time_of_tree(self.pid), process::time_of_tree(postmaster));
        Ok(Time { service: all.saturating_sub(database), database })
    }

    /// Where the data of this run lie.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn postmaster_file(&self) -> Result<PathBuf> {
        let mut folders = vec![self.data()];
        while let Some(folder) = folders.pop() {
            let file = folder.join("postmaster.pid");
            if file.exists() {
                return Ok(file);
            }
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            folders.extend(entries.map(|entry| entry.path()).filter(|path| path.is_dir()));
        }
        bail!("there is no private database")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).stdin(Stdio::null());
        command.env_remove("DATABASE_URL").env_remove("GOVERN_DEMO");
        command.env("GOVERN_DATA_DIR", self.data()).env("GOVERN_LOG", "warn");
        // Receivers of webhooks are on this machine.
        command.env("GOVERN_WEBHOOK_ALLOW_CIDRS", "127.0.0.0/8");
        for limit in NO_LIMITS {
            command.env(limit, "4000000000");
        }
        // An interrupt of the terminal is for us, who then stop it in order.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }
}

/// Processor time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    /// Of `govern`.
    pub(crate) service: Duration,
    /// Of all processes of its database.
    pub(crate) database: Duration,
}

impl Time {
    /// How much of it each of `count` requests has taken since `before`, in microseconds.
    pub(crate) fn each_since(&self, before: Self, count: u64) -> (f64, f64) {
        let each = |now: Duration, then: Duration| {
            now.saturating_sub(then).as_secs_f64() * 1e6 / count as f64
        };
        (each(self.service, before.service), each(self.database, before.database))
    }
}
