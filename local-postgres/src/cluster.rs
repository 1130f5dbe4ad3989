//! A private cluster: a database server whose files are in the data directory.

use std::{
    convert::Infallible,
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    ops::RangeInclusive,
    os::unix::{
        ffi::OsStrExt as _,
        fs::{OpenOptionsExt as _, fchown},
    },
    path::Path,
    process::Stdio,
    time::Duration,
};

use anyhow::{Context as _, anyhow, bail};
use migration::roles;
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use tokio::{
    process::{Child, Command},
    time::{Instant, sleep},
};

use super::{
    OwnerKind,
    binaries::{self, Binaries},
    lock,
    passwords::{Passwords, SUPERUSER},
    paths::ClusterPaths,
    postmaster::{self, Postmaster},
};

/// The interval of checks while the server starts or stops.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The interval of health checks of a running cluster.
const HEALTH_INTERVAL: Duration = Duration::from_millis(500);

/// The time for which a start is retried while processes of a killed server still run.
const STALE_SERVER_TIMEOUT: Duration = Duration::from_secs(10);

/// The time limit for the cluster to stop.
const STOP_TIMEOUT: Duration = Duration::from_mins(1);

/// The time after which a slow start is logged.
const SLOW_START_WARNING: Duration = Duration::from_secs(10);

/// The size in bytes above which the log is rotated at the next start.
const LOG_BYTES_MAX: u64 = 8 << 20;

/// Settings of the server that override its configuration file: no network, commits are on disk when they
/// return, no JIT compilation, and so much log between checkpoints that most changes write a row rather than its page.
const SETTINGS: &[&str] = &[
    "min_wal_size=512MB",
    "max_wal_size=2GB",
    "port=5432",
    "listen_addresses=",
    "fsync=on",
    "full_page_writes=on",
    "synchronous_commit=on",
    "jit=off",
    "timezone=UTC",
    "log_timezone=UTC",
    // After a crash, one call makes the data durable, instead of one for each of more than 1,000 files. With
    // those, a recovery takes several seconds on a busy disk. Only Linux has this call.
    #[cfg(target_os = "linux")]
    "recovery_init_sync_method=syncfs",
];

/// The share of the machine's memory that the server caches pages in. PostgreSQL recommends a quarter on a machine of
/// its own (manual, section 20.4); here the service needs memory too.
const CACHE_SHARE: u64 = 8;

/// The limits of the page cache in MiB.
const CACHE_MIB: RangeInclusive<u64> = 128..=2_048;

/// Compresses the page images in the log. A PostgreSQL that was built without lz4 refuses the value.
const FAST_COMPRESSION: &str = "wal_compression=lz4";

#[derive(Debug)]
pub(super) struct Cluster {
    paths: ClusterPaths,
    binaries: Binaries,
    passwords: Passwords,
    /// A shared lock that all processes hold while they use the cluster.
    in_use: File,
    /// The lock of the one service.
    _service: Option<File>,
}

impl Cluster {
    /// Opens the cluster of `data_dir`: creates it if it does not exist, and joins or starts it.
    pub(super) async fn open(
        data_dir: &Path,
        pg_bin: Option<&Path>,
        owner: OwnerKind,
    ) -> anyhow::Result<Self> {
        let paths = ClusterPaths::prepare(data_dir)?;
        let service = match owner {
            OwnerKind::Service => {
                Some(lock::try_exclusive(&paths.service_lock())?.with_context(|| {
                    format!(
                        "another govern process uses the data directory `{}`",
                        data_dir.display()
                    )
                })?)
            }
            OwnerKind::Command | OwnerKind::Setup => None,
        };
        let in_use = lock::shared(&paths.use_lock()).await?;
        let start_lock = lock::exclusive(&paths.start_lock()).await?;
        let version = binaries::version_of_data(&paths.data())?;
        let binaries = Binaries::find(pg_bin, version)?;
        let passwords = match (Passwords::read(&paths.passwords())?, version) {
            (Some(passwords), _) => passwords,
            (None, None) => Passwords::create(&paths.passwords())?,
            (None, Some(_)) => bail!(
                "the database passwords are missing; restore `{}` from a backup",
                paths.passwords().display()
            ),
        };
        let cluster = Self { paths, binaries, passwords, in_use, _service: service };
        if version.is_none() {
            cluster.create().await?;
        }
        cluster.run().await?;
        let password = |role: &str| cluster.passwords.password(role).to_owned();
        let url = cluster.url_of(SUPERUSER, "postgres");
        let prepared = roles::prepare(&url, password).await;
        prepared.map_err(|error| anyhow!("{}", migration::describe(&url, &error)))?;
        drop(start_lock);
        Ok(cluster)
    }

    /// Returns the URL of the database for `role`, for the service and for PostgreSQL programs.
    pub(super) fn url(&self, role: &str) -> String {
        self.url_of(role, roles::DATABASE)
    }

    /// Returns the URL of the database for its superuser, which bypasses row-level security.
    pub(super) fn superuser_url(&self) -> String {
        self.url_of(SUPERUSER, roles::DATABASE)
    }

    fn url_of(&self, role: &str, database: &str) -> String {
        let socket = percent_encode(self.paths.socket.as_os_str().as_bytes(), NON_ALPHANUMERIC);
        format!("postgres://{role}:{}@{socket}:5432/{database}", self.passwords.password(role))
    }

    /// Restarts the cluster whenever it stops, as long as the future is polled.
    pub(super) async fn watch(&self) -> Infallible {
        loop {
            sleep(HEALTH_INTERVAL).await;
            if let Ok(Some(_)) = Postmaster::find(&self.paths.data()) {
                continue;
            }
            tracing::error!("the database has stopped; restarting it");
            match self.run_exclusively().await {
                Ok(()) => tracing::info!("the database is running again"),
                Err(error) => tracing::error!("the database does not start: {error:#}"),
            }
        }
    }

    /// Stops the cluster if no other process uses it.
    pub(super) async fn release(self) -> anyhow::Result<()> {
        if !lock::try_upgrade(&self.in_use)? {
            return Ok(());
        }
        let start = Instant::now();
        let mut is_stop_requested = false;
        while let Some(postmaster) = Postmaster::find(&self.paths.data())? {
            if !is_stop_requested {
                postmaster.stop()?;
                is_stop_requested = true;
            }
            if start.elapsed() > STOP_TIMEOUT {
                bail!("the database has not stopped within {} seconds", STOP_TIMEOUT.as_secs());
            }
            sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    async fn run_exclusively(&self) -> anyhow::Result<()> {
        let _start_lock = lock::exclusive(&self.paths.start_lock()).await?;
        self.run().await
    }

    /// Starts the server if it is stopped, and waits until it accepts connections.
    async fn run(&self) -> anyhow::Result<()> {
        let mut warn_at = Some(Instant::now() + SLOW_START_WARNING);
        loop {
            match Postmaster::find(&self.paths.data())? {
                Some(postmaster) if postmaster.ready => return Ok(()),
                Some(postmaster) => {
                    if warn_at.take_if(|time| *time < Instant::now()).is_some() {
                        tracing::warn!(?postmaster, "the database is recovering or stopping");
                    }
                    sleep(POLL_INTERVAL).await;
                }
                None => self.start().await?,
            }
        }
    }

    /// Starts the server and returns when it accepts connections.
    async fn start(&self) -> anyhow::Result<()> {
        let start = Instant::now();
        let has_stale_lock_file = self.paths.data().join("postmaster.pid").exists();
        loop {
            postmaster::take_over(&self.paths.data(), &self.paths.socket)?;
            let mut server = self.spawn().await?;
            if self.wait_until_ready(&mut server).await? {
                return Ok(());
            }
            if !has_stale_lock_file || start.elapsed() > STALE_SERVER_TIMEOUT {
                bail!("the database does not start: {}", self.last_log_line());
            }
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Waits until the server accepts connections or has ended. Returns whether it accepts connections.
    async fn wait_until_ready(&self, server: &mut Child) -> anyhow::Result<bool> {
        while server.try_wait()?.is_none() {
            if Postmaster::find(&self.paths.data())?.is_some_and(|postmaster| postmaster.ready) {
                return Ok(true);
            }
            sleep(POLL_INTERVAL).await;
        }
        Ok(false)
    }

    async fn spawn(&self) -> anyhow::Result<Child> {
        let log = self.open_log()?;
        let mut sockets = OsString::from("unix_socket_directories=");
        sockets.push(&self.paths.socket);
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.paths.data()).arg("-c").arg(sockets);
        command.args(["-c", &format!("shared_buffers={}MB", cache_mib())]);
        if self.supports(FAST_COMPRESSION).await? {
            command.args(["-c", FAST_COMPRESSION]);
        }
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        // A separate process group, so that Ctrl+C reaches only govern, which then stops the server in order.
        command.process_group(0).stdout(log.try_clone()?).stderr(log);
        command.spawn().context("starting postgres")
    }

    /// Returns whether the server accepts `setting`.
    async fn supports(&self, setting: &str) -> anyhow::Result<bool> {
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.paths.data()).args(["-C", "wal_compression", "-c", setting]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command.status().await.context("starting postgres")?.success())
    }

    /// Creates the cluster in a temporary directory and moves it into place when it is complete.
    async fn create(&self) -> anyhow::Result<()> {
        let (temporary, password) = (self.paths.temporary_data(), self.paths.temporary_password());
        remove(fs::remove_dir_all(&temporary))?;
        remove(fs::remove_file(&password))?;
        self.write_password(&password).context("writing the password of a new cluster")?;
        let mut command = self.command("initdb");
        command.arg("--pgdata").arg(&temporary).arg("--pwfile").arg(&password).args([
            "--username",
            SUPERUSER,
            "--encoding=UTF8",
            "--locale=C",
            "--data-checksums",
            "--auth-local=scram-sha-256",
            "--auth-host=reject",
        ]);
        let output = command.output().await.context("starting initdb")?;
        remove(fs::remove_file(&password))?;
        if !output.status.success() {
            bail!("initdb failed: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        self.paths.publish()
    }

    /// Writes the superuser password for initdb, which runs as the user of the cluster.
    fn write_password(&self, path: &Path) -> io::Result<()> {
        let mut file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(path)?;
        writeln!(file, "{}", self.passwords.password(SUPERUSER))?;
        match self.paths.system_user {
            Some(system_user) => fchown(&file, Some(system_user.uid), Some(system_user.gid)),
            None => Ok(()),
        }
    }

    /// Returns the command of a PostgreSQL program. It runs as the user of the cluster, with an empty
    /// environment.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.binaries.program(program));
        command.env_clear().env("LC_ALL", "C").env("PATH", "/usr/bin:/bin");
        command.current_dir("/").stdin(Stdio::null());
        if let Some(system_user) = self.paths.system_user {
            command.uid(system_user.uid).gid(system_user.gid);
        }
        command
    }

    fn open_log(&self) -> anyhow::Result<File> {
        let path = self.paths.log();
        let open = || {
            if fs::metadata(&path).is_ok_and(|log| log.len() > LOG_BYTES_MAX) {
                fs::rename(&path, path.with_extension("log.old"))?;
            }
            OpenOptions::new().create(true).append(true).mode(0o600).open(&path)
        };
        open().with_context(|| format!("opening `{}`", path.display()))
    }

    /// Returns the last error in the log, and the path of the log.
    fn last_log_line(&self) -> String {
        let path = self.paths.log();
        let text = fs::read(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let last = text.lines().rfind(|line| line.contains("FATAL")).unwrap_or_default();
        format!("{last} (more in `{}`)", path.display())
    }
}

/// Ignores the error of a file that does not exist.
fn remove(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).context("removing files of an earlier attempt")
        }
        _ => Ok(()),
    }
}

/// Returns the size of the page cache in MiB.
fn cache_mib() -> u64 {
    #[cfg(target_os = "linux")]
    let memory = {
        let system = rustix::system::sysinfo();
        system.totalram * u64::from(system.mem_unit)
    };
    // The size of the memory is read on Linux only; other systems get the smallest cache.
    #[cfg(not(target_os = "linux"))]
    let memory = 0;
    ((memory >> 20) / CACHE_SHARE).clamp(*CACHE_MIB.start(), *CACHE_MIB.end())
}
