//! A private cluster: made, joined, started, watched, and stopped by whoever leaves it last.

use std::{
    convert::Infallible,
    ffi::OsString,
    fmt::Write as _,
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::{
        ffi::OsStrExt as _,
        fs::{OpenOptionsExt as _, fchown},
    },
    path::Path,
    process::Stdio,
    time::Duration,
};

use anyhow::{Context as _, bail};
use migration::roles;
use tokio::{
    process::{Child, Command},
    time::{Instant, sleep},
};

use super::{
    Tenure,
    binaries::{self, Binaries},
    lock,
    passwords::{Passwords, SUPERUSER},
    place::Place,
    postmaster::{self, Postmaster},
};

/// How often a process is looked at that is starting or stopping.
const GLANCE: Duration = Duration::from_millis(20);

/// How often a running cluster is looked at.
const WATCH: Duration = Duration::from_millis(500);

/// For how long a start is tried again while the remains of a killed server go away.
const REMAINS: Duration = Duration::from_secs(10);

/// For how long a cluster may take to stop.
const STOP: Duration = Duration::from_mins(1);

/// After how long a wait for a server is worth a line in the log.
const LONG: Duration = Duration::from_secs(10);

/// A log beyond this size makes way at the next start, in bytes.
const LOG_BYTES_MAX: u64 = 8 << 20;

/// What the cluster is started with, whatever its configuration file says: no network, nothing
/// acknowledged that is not on disk, and no compilation of statements that take less time than it.
const SETTINGS: [&str; 8] = [
    "port=5432",
    "listen_addresses=",
    "fsync=on",
    "full_page_writes=on",
    "synchronous_commit=on",
    "jit=off",
    "timezone=UTC",
    "log_timezone=UTC",
];

/// A private cluster in use.
#[derive(Debug)]
pub(super) struct Cluster {
    place: Place,
    binaries: Binaries,
    passwords: Passwords,
    /// Shared with everybody else who uses the cluster.
    in_use: File,
    /// Held by the one service.
    _service: Option<File>,
}

impl Cluster {
    /// Makes the cluster of `data_dir` if there is none, and joins or starts it.
    pub(super) async fn open(
        data_dir: &Path,
        pg_bin: Option<&Path>,
        tenure: Tenure,
    ) -> anyhow::Result<Self> {
        let place = Place::of(data_dir)?;
        let service = match tenure {
            Tenure::Service => Some(lock::only(&place.service_lock())?.with_context(|| {
                format!("another govern serves the data directory `{}`", data_dir.display())
            })?),
            Tenure::Command => None,
        };
        let in_use = lock::shared(&place.use_lock()).await?;
        let starting = lock::alone(&place.start_lock()).await?;
        let version = binaries::version_of_data(&place.data())?;
        let binaries = Binaries::find(pg_bin, version)?;
        let passwords = match (Passwords::read(&place.passwords())?, version) {
            (Some(passwords), _) => passwords,
            (None, None) => Passwords::make(&place.passwords())?,
            (None, Some(_)) => bail!(
                "the passwords of the database are missing: put `{}` back from a backup",
                place.passwords().display()
            ),
        };
        let cluster = Self { place, binaries, passwords, in_use, _service: service };
        if version.is_none() {
            cluster.make().await?;
        }
        cluster.run().await?;
        let password = |role: &str| cluster.passwords.of(role).to_owned();
        roles::prepare(&cluster.url_of(SUPERUSER, "postgres"), password)
            .await
            .context("preparing the database")?;
        drop(starting);
        Ok(cluster)
    }

    /// How to reach the database as `role`, for us and for the programs of Postgres alike.
    pub(super) fn url(&self, role: &str) -> String {
        self.url_of(role, roles::DATABASE)
    }

    /// How to reach the database as its superuser, whom no wall holds.
    pub(super) fn superuser_url(&self) -> String {
        self.url_of(SUPERUSER, roles::DATABASE)
    }

    fn url_of(&self, role: &str, database: &str) -> String {
        let socket = percent_encoded(self.place.socket.as_os_str().as_bytes());
        format!("postgres://{role}:{}@{socket}:5432/{database}", self.passwords.of(role))
    }

    /// Starts the cluster again whenever it has stopped.
    pub(super) async fn watch(&self) -> Infallible {
        loop {
            sleep(WATCH).await;
            if let Ok(Some(_)) = Postmaster::of(&self.place.data()) {
                continue;
            }
            tracing::error!("the database has stopped; starting it again");
            match self.run_alone().await {
                Ok(()) => tracing::info!("the database runs again"),
                Err(error) => tracing::error!("the database does not start: {error:#}"),
            }
        }
    }

    /// Leaves the cluster to those who still use it, or stops it.
    pub(super) async fn leave(self) -> anyhow::Result<()> {
        if !lock::try_only(&self.in_use)? {
            return Ok(());
        }
        let since = Instant::now();
        let mut asked = false;
        while let Some(postmaster) = Postmaster::of(&self.place.data())? {
            if !asked {
                postmaster.stop()?;
                asked = true;
            }
            if since.elapsed() > STOP {
                bail!("the database has not stopped within {} seconds", STOP.as_secs());
            }
            sleep(GLANCE).await;
        }
        Ok(())
    }

    async fn run_alone(&self) -> anyhow::Result<()> {
        let _starting = lock::alone(&self.place.start_lock()).await?;
        self.run().await
    }

    /// Returns once the cluster serves. One that is running is joined, one that is stopping is
    /// waited for, and one that recovers takes its time.
    async fn run(&self) -> anyhow::Result<()> {
        let mut worth_a_line = Some(Instant::now() + LONG);
        loop {
            match Postmaster::of(&self.place.data())? {
                Some(postmaster) if postmaster.ready => return Ok(()),
                Some(postmaster) => {
                    if worth_a_line.take_if(|at| *at < Instant::now()).is_some() {
                        tracing::warn!(?postmaster, "the database recovers, or is being stopped");
                    }
                    sleep(GLANCE).await;
                }
                None => self.start().await?,
            }
        }
    }

    /// Starts the server and returns when it serves.
    async fn start(&self) -> anyhow::Result<()> {
        let since = Instant::now();
        let remains = self.place.data().join("postmaster.pid").exists();
        loop {
            postmaster::take_over(&self.place.data())?;
            let mut server = self.spawn()?;
            if self.serves(&mut server).await? {
                return Ok(());
            }
            if !remains || since.elapsed() > REMAINS {
                bail!("the database does not start: {}", self.last_words());
            }
            sleep(GLANCE).await;
        }
    }

    /// Waits until the server serves, or has ended.
    async fn serves(&self, server: &mut Child) -> anyhow::Result<bool> {
        while server.try_wait()?.is_none() {
            if Postmaster::of(&self.place.data())?.is_some_and(|postmaster| postmaster.ready) {
                return Ok(true);
            }
            sleep(GLANCE).await;
        }
        Ok(false)
    }

    fn spawn(&self) -> anyhow::Result<Child> {
        let log = self.open_log()?;
        let mut sockets = OsString::from("unix_socket_directories=");
        sockets.push(&self.place.socket);
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.place.data()).arg("-c").arg(sockets);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        // A group of its own: the interrupt of a terminal is for govern, which then stops it in order.
        command.process_group(0).stdout(log.try_clone()?).stderr(log);
        command.spawn().context("starting postgres")
    }

    /// Makes the cluster aside and puts it in place when it is whole.
    async fn make(&self) -> anyhow::Result<()> {
        let (aside, password) = (self.place.data_aside(), self.place.password_aside());
        remove(fs::remove_dir_all(&aside))?;
        remove(fs::remove_file(&password))?;
        self.write_password(&password).context("writing the password of a new cluster")?;
        let mut command = self.command("initdb");
        command.arg("--pgdata").arg(&aside).arg("--pwfile").arg(&password).args([
            "--username",
            SUPERUSER,
            "--encoding=UTF8",
            "--locale=C",
            "--data-checksums",
            "--auth-local=scram-sha-256",
            "--auth-host=reject",
        ]);
        let made = command.output().await.context("starting initdb")?;
        remove(fs::remove_file(&password))?;
        if !made.status.success() {
            bail!("initdb failed: {}", String::from_utf8_lossy(&made.stderr).trim());
        }
        self.place.settle()
    }

    /// For initdb, which reads it as the user of the cluster.
    fn write_password(&self, path: &Path) -> io::Result<()> {
        let mut file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(path)?;
        writeln!(file, "{}", self.passwords.of(SUPERUSER))?;
        match self.place.account {
            Some(account) => fchown(&file, Some(account.uid), Some(account.gid)),
            None => Ok(()),
        }
    }

    /// A program of Postgres, run by the user of the cluster and told nothing by our environment.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.binaries.program(program));
        command.env_clear().env("LC_ALL", "C").env("PATH", "/usr/bin:/bin");
        command.current_dir("/").stdin(Stdio::null());
        if let Some(account) = self.place.account {
            command.uid(account.uid).gid(account.gid);
        }
        command
    }

    fn open_log(&self) -> anyhow::Result<File> {
        let path = self.place.log();
        let open = || {
            if fs::metadata(&path).is_ok_and(|log| log.len() > LOG_BYTES_MAX) {
                fs::rename(&path, path.with_extension("log.old"))?;
            }
            OpenOptions::new().create(true).append(true).mode(0o600).open(&path)
        };
        open().with_context(|| format!("opening `{}`", path.display()))
    }

    /// The last line of the log, and where the others are.
    fn last_words(&self) -> String {
        let path = self.place.log();
        let text = fs::read(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let last = text.lines().rfind(|line| line.contains("FATAL")).unwrap_or_default();
        format!("{last} (more in `{}`)", path.display())
    }
}

/// Takes it for removed what was not there.
fn remove(removed: io::Result<()>) -> anyhow::Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).context("removing what an earlier attempt has left")
        }
        _ => Ok(()),
    }
}

/// As the host of a URL takes it: every byte but letters and digits by its number.
fn percent_encoded(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        if byte.is_ascii_alphanumeric() {
            text.push(char::from(*byte));
        } else {
            let _ = write!(text, "%{byte:02X}"); // a string takes any text
        }
    }
    text
}
