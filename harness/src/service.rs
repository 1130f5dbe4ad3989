//! A service process that can be stopped in every way and started again.

use std::{
    ffi::OsString,
    fs::{self, File},
    net::SocketAddr,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::{
    http::{Connection, Request},
    postgres,
    process::{self, Signal},
    unused_address,
};

/// The time after which a run gives up on a service that is not ready.
const READY_TIMEOUT: Duration = Duration::from_secs(90);

/// The time in which a ready service answers.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// The time that a stopped process has to end when a run is over.
const END_TIMEOUT: Duration = Duration::from_secs(30);

const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Settings of every service: no rate limit is reached, warnings are logged, and receivers run on this machine.
const SETTINGS: [(&str, &str); 4] = [
    ("GOVERN_RATE_LIMIT_IP_PER_MIN", "4000000000"),
    ("GOVERN_RATE_LIMIT_KEY_PER_MIN", "4000000000"),
    ("GOVERN_WEBHOOK_ALLOW_CIDRS", "127.0.0.0/8"),
    ("GOVERN_LOG", "warn"),
];

/// A service with its data directory. Dropping it ends its processes.
///
/// Its functions block: those that wait for the service look at it every few milliseconds.
#[derive(Debug)]
pub struct Service {
    /// The address at which it serves.
    pub address: SocketAddr,
    program: PathBuf,
    arguments: Vec<OsString>,
    directory: PathBuf,
    settings: Vec<(String, String)>,
    child: Mutex<Option<Child>>,
}

impl Service {
    /// Returns a service that is not started yet. Its data is in `directory`, which the user of the
    /// database must be able to enter. `settings` are additional environment variables.
    pub fn new(program: &Path, directory: &Path, settings: &[(&str, String)]) -> Result<Self> {
        let settings =
            settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Self::running(program, directory, settings, unused_address()?)
    }

    /// Returns a service that another program has started. Its data is in `directory`.
    pub fn running(
        program: &Path,
        directory: &Path,
        settings: Vec<(String, String)>,
        address: SocketAddr,
    ) -> Result<Self> {
        let program = program.canonicalize().with_context(|| {
            format!("`{}` not found; build it first (`make build`)", program.display())
        })?;
        let arguments = vec!["serve".into()];
        let (directory, child) = (directory.to_owned(), Mutex::default());
        Ok(Self { address, program, arguments, directory, settings, child })
    }

    /// Returns the service with other arguments than `serve`.
    #[must_use]
    pub fn with_arguments(mut self, arguments: &[&str]) -> Self {
        self.arguments = arguments.iter().map(OsString::from).collect();
        self
    }

    /// Returns the data directory.
    pub fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    /// Returns the data directory of the private PostgreSQL.
    pub fn database(&self) -> PathBuf {
        match fs::read_to_string(self.data().join("postgres.path")) {
            Ok(elsewhere) => PathBuf::from(elsewhere).join("data"),
            Err(_) => self.data().join("postgres/data"),
        }
    }

    /// Returns the executable.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Returns the process ID of the running service.
    pub fn pid(&self) -> Result<u32> {
        self.child().as_ref().map(Child::id).context("the service does not run")
    }

    /// Returns the output file of the first start on an empty database.
    pub fn first_run(&self) -> Result<Value> {
        Ok(serde_json::from_slice(&fs::read(self.data().join("first-run.json"))?)?)
    }

    /// Starts the process.
    pub fn spawn(&self) -> Result<()> {
        fs::create_dir_all(&self.directory)?;
        let log = File::options().create(true).append(true).open(self.log())?;
        let mut command = self.command();
        command.args(&self.arguments).env("GOVERN_ADDR", self.address.to_string());
        let child = command.stdout(log.try_clone()?).stderr(log).spawn();
        *self.child() = Some(child.with_context(|| self.program.display().to_string())?);
        Ok(())
    }

    /// Starts the process and waits until it is ready. Returns the time that took.
    pub fn start(&self) -> Result<Duration> {
        let since = Instant::now();
        self.spawn()?;
        self.wait_until_ready(since)
    }

    /// Waits until the service is ready. Returns the time since `since`.
    pub fn wait_until_ready(&self, since: Instant) -> Result<Duration> {
        let deadline = Instant::now() + READY_TIMEOUT;
        while Instant::now() < deadline {
            let ended = self.child().as_mut().and_then(|child| child.try_wait().transpose());
            if let Some(status) = ended {
                bail!("govern has ended ({status:?}): {}", self.log_tail());
            }
            if self.is_ready() {
                return Ok(since.elapsed());
            }
            thread::sleep(POLL_INTERVAL);
        }
        bail!("govern is not ready: {}", self.log_tail())
    }

    /// Returns whether the service reports that it is ready. A frozen database delays the answer, and the service is not
    /// ready until it answers.
    pub fn is_ready(&self) -> bool {
        is_answered(self.address, "/v1/ready")
    }

    /// Kills the process with `SIGKILL`. Its database keeps running.
    pub fn kill(&self) -> Result<()> {
        let mut child = self.child().take().context("the service does not run")?;
        child.kill()?;
        child.wait()?;
        Ok(())
    }

    /// Sends `SIGTERM` and returns the exit status and the time that the process needed.
    pub fn terminate(&self) -> Result<(ExitStatus, Duration)> {
        let since = Instant::now();
        process::signal(self.pid()?, Signal::TERM)?;
        let mut child = self.child().take().context("the service does not run")?;
        while since.elapsed() < END_TIMEOUT {
            if let Some(status) = child.try_wait()? {
                return Ok((status, since.elapsed()));
            }
            thread::sleep(POLL_INTERVAL);
        }
        child.kill()?;
        bail!("govern does not stop")
    }

    /// Runs a subcommand of `govern` and returns its output.
    pub fn run(&self, arguments: &[&str]) -> Result<String> {
        let (output, _) = postgres::output(self.command().args(arguments))
            .with_context(|| arguments.join(" "))?;
        Ok(output)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.stdin(Stdio::null()).env_remove("DATABASE_URL").env_remove("GOVERN_DEMO");
        command.env("GOVERN_DATA_DIR", self.data()).envs(SETTINGS);
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        // A process group of its own: an interrupt in the terminal reaches only this program, which
        // then ends the service.
        command.process_group(0);
        command
    }

    /// Returns the processor time of the service and its database so far.
    pub fn processor_time(&self) -> Result<ProcessorTime> {
        // The database is a child process of the service.
        let all = process::time_of_tree(self.pid()?);
        let database = process::time_of_tree(process::postmaster(&self.database())?);
        Ok(ProcessorTime { service: all.saturating_sub(database), database })
    }

    fn log(&self) -> PathBuf {
        self.directory.join("log")
    }

    fn log_tail(&self) -> String {
        let text = fs::read_to_string(self.log()).unwrap_or_default();
        let lines: Vec<&str> = text.lines().rev().take(20).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    /// Returns the lines of the log that report an internal error.
    pub fn internal_errors(&self) -> Vec<String> {
        let text = fs::read_to_string(self.log()).unwrap_or_default();
        text.lines().filter(|line| line.contains("panicked")).map(str::to_owned).collect()
    }

    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Service {
    /// Ends the processes without waiting for work in flight: the data is removed next.
    fn drop(&mut self) {
        let _ = self.kill(); // it may have ended already
        let Ok(postmaster) = process::postmaster(&self.database()) else { return };
        let processes = process::children(postmaster);
        for pid in processes.into_iter().chain([postmaster]) {
            let _ = process::signal(pid, Signal::KILL);
        }
    }
}

/// Waits until a server answers a request for a path with status 200.
pub fn wait_until_answered(address: SocketAddr, path: &str) -> Result<()> {
    let deadline = Instant::now() + READY_TIMEOUT;
    while Instant::now() < deadline {
        if is_answered(address, path) {
            return Ok(());
        }
        thread::sleep(POLL_INTERVAL);
    }
    bail!("no answer with status 200")
}

fn is_answered(address: SocketAddr, path: &str) -> bool {
    let mut request = Request::new("GET", path, "", None);
    Connection::open_with_timeout(address, ANSWER_TIMEOUT).is_ok_and(|mut connection| {
        connection.send(&mut request).is_ok_and(|response| response.status() == 200)
    })
}

/// The processor time that a service and its database have used.
#[derive(Clone, Copy, Debug)]
pub struct ProcessorTime {
    /// The processor time of the service.
    pub service: Duration,
    /// The processor time of all processes of the database.
    pub database: Duration,
}
