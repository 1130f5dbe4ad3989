//! A `govern serve` process that can be stopped in every way and started again.

use std::{
    fs::{self, File},
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};
use rustix::process::Signal;
use tokio::{
    process::{Child, Command},
    time::{sleep, timeout},
};

use crate::{
    http::{self, Client},
    process,
};

/// The time in which a restarted service, or a service whose database is back, must be ready.
pub(crate) const READY_LIMIT: Duration = Duration::from_secs(5);

/// The time after which a run gives up on a service that is not ready.
const READY_TIMEOUT: Duration = Duration::from_mins(1);

/// The time that a stopped process has to end when a run is over.
const END_TIMEOUT: Duration = Duration::from_secs(30);

const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Settings of every service: no rate or connection limit is reached, and warnings are logged.
const SETTINGS: [(&str, &str); 5] = [
    ("GOVERN_RATE_LIMIT_IP_PER_MIN", "4000000000"),
    ("GOVERN_RATE_LIMIT_KEY_PER_MIN", "4000000000"),
    ("GOVERN_CONNECTIONS_PER_CLIENT", "100000"),
    ("GOVERN_LOG_ORIGIN", "torture.example/log/1"),
    ("GOVERN_LOG", "warn"),
];

/// A service with its data directory. Dropping it ends its processes.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    program: PathBuf,
    directory: PathBuf,
    settings: Vec<(String, String)>,
    child: Option<Child>,
}

impl Service {
    /// Returns a service that is not started yet. Its data is in `directory`, which the user of the
    /// database must be able to enter. `settings` are additional environment variables.
    pub(crate) fn new(
        program: &Path,
        directory: &Path,
        settings: &[(&str, String)],
    ) -> Result<Self> {
        let program = program.canonicalize().with_context(|| {
            format!("`{}` not found; build it first (`make build`)", program.display())
        })?;
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let settings =
            settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Ok(Self { address, program, directory: directory.to_owned(), settings, child: None })
    }

    /// Returns a service that another program has started. Its data is in `directory`.
    pub(crate) fn running(
        program: &Path,
        directory: &Path,
        settings: &[(String, String)],
        address: SocketAddr,
    ) -> Result<Self> {
        let (directory, settings) = (directory.to_owned(), settings.to_vec());
        Ok(Self { address, program: program.canonicalize()?, directory, settings, child: None })
    }

    /// Returns the data directory.
    pub(crate) fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    /// Returns the data directory of the private PostgreSQL.
    pub(crate) fn database(&self) -> PathBuf {
        match fs::read_to_string(self.data().join("postgres.path")) {
            Ok(elsewhere) => PathBuf::from(elsewhere).join("data"),
            Err(_) => self.data().join("postgres/data"),
        }
    }

    /// Returns the executable.
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Returns the process ID of the running service.
    pub(crate) fn pid(&self) -> Result<u32> {
        self.child.as_ref().and_then(Child::id).context("the service does not run")
    }

    /// Starts the process and waits until it is ready. Returns the time that took.
    pub(crate) async fn start(&mut self) -> Result<Duration> {
        let since = Instant::now();
        let log = File::options().create(true).append(true).open(self.log())?;
        let mut command = self.command(&["serve"]);
        command.env("GOVERN_ADDR", self.address.to_string()).stdout(log.try_clone()?).stderr(log);
        self.child = Some(command.spawn().context("starting govern")?);
        self.wait_until_ready(since).await
    }

    /// Waits until the service is ready. Returns the time since `since`.
    pub(crate) async fn wait_until_ready(&mut self, since: Instant) -> Result<Duration> {
        let deadline = Instant::now() + READY_TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.child.as_mut().and_then(|child| child.try_wait().transpose())
            {
                bail!("govern has ended ({:?}): {}", status, self.log_tail());
            }
            if self.is_ready().await {
                return Ok(since.elapsed());
            }
            sleep(POLL_INTERVAL).await;
        }
        bail!("govern is not ready: {}", self.log_tail())
    }

    /// Returns whether the service reports that it is ready.
    pub(crate) async fn is_ready(&self) -> bool {
        let request = http::request("GET", "/v1/ready", "", None);
        let mut client = Client::new(self.address);
        // A frozen database delays the answer, and the service is not ready until it answers.
        let answer = timeout(READY_LIMIT, client.send(&request)).await;
        matches!(answer, Ok(Ok(response)) if response.status == 200)
    }

    /// Kills the process with `SIGKILL`. Its database keeps running.
    pub(crate) async fn kill(&mut self) -> Result<()> {
        let mut child = self.child.take().context("the service does not run")?;
        child.kill().await.context("killing govern")
    }

    /// Sends `SIGTERM` and returns the exit status and the time that the process needed.
    pub(crate) async fn terminate(&mut self) -> Result<(ExitStatus, Duration)> {
        let since = Instant::now();
        process::signal(self.pid()?, Signal::TERM)?;
        let mut child = self.child.take().context("the service does not run")?;
        let status = timeout(END_TIMEOUT, child.wait()).await.context("govern does not stop")??;
        Ok((status, since.elapsed()))
    }

    /// Runs a subcommand of `govern` and returns its output.
    pub(crate) async fn run(&self, arguments: &[&str]) -> Result<String> {
        let output = self.command(arguments).output().await?;
        let message = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "govern {}: {message}", arguments.join(" "));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).stdin(Stdio::null()).kill_on_drop(true);
        command.env_remove("DATABASE_URL").env_remove("GOVERN_DEMO");
        command.env("GOVERN_DATA_DIR", self.data()).envs(SETTINGS);
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        // A process group of its own: an interrupt in the terminal reaches only this program, which
        // then ends the service.
        command.process_group(0);
        command
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
    pub(crate) fn internal_errors(&self) -> Vec<String> {
        let text = fs::read_to_string(self.log()).unwrap_or_default();
        text.lines().filter(|line| line.contains("panicked")).map(str::to_owned).collect()
    }
}

impl Drop for Service {
    /// Ends the processes without waiting for work in flight: the data is removed next.
    fn drop(&mut self) {
        drop(self.child.take());
        let Ok(postmaster) = process::postmaster(&self.database()) else { return };
        let processes = process::children(postmaster);
        for pid in processes.into_iter().chain([postmaster]) {
            let _ = process::signal(pid, Signal::KILL); // it may have ended already
        }
    }
}
