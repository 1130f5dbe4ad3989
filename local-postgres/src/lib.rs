#![doc = include_str!("../README.md")]

mod binaries;
mod cluster;
mod lock;
mod passwords;
mod paths;
mod postmaster;
mod system_user;

use std::{convert::Infallible, future, path::PathBuf};

use anyhow::ensure;
use migration::roles;

use self::cluster::Cluster;
pub use binaries::client_program;
pub use paths::create_data_dir;

/// The name of the log guard of a service in its data directory.
pub const LOG_GUARD: &str = "log-memory.json";

/// The database to open. Its debug output leaves out the URL, which may contain a password.
#[derive(Clone, derive_more::Debug)]
#[debug("Config {{ data_dir: {data_dir:?}, pg_bin: {pg_bin:?}, .. }}")]
pub struct Config {
    /// The URL of the database (`DATABASE_URL`). Without it a private cluster is used.
    pub url: Option<String>,
    /// The directory of the private cluster (`GOVERN_DATA_DIR`), which is created if it is missing.
    pub data_dir: PathBuf,
    /// The directory of the PostgreSQL programs (`PG_BIN`). Without it, the usual directories are searched.
    pub pg_bin: Option<PathBuf>,
}

impl Config {
    /// Returns whether the database exists, as far as the files show: a configured one is assumed to exist.
    pub fn exists(&self) -> bool {
        let is_private = |name: &str| self.data_dir.join(name).exists();
        self.url.is_some() || is_private("postgres/data") || is_private("postgres.path")
    }

    /// Checks that the database exists, or that `owner` may create it.
    ///
    /// # Errors
    /// Returns one line that describes what to do.
    pub fn check(&self, owner: OwnerKind) -> anyhow::Result<()> {
        if self.exists() {
            return Ok(());
        }
        let directory = self.data_dir.display();
        ensure!(
            owner != OwnerKind::Command,
            "the data directory `{directory}` has no database; set DATABASE_URL or GOVERN_DATA_DIR as for the \
             service, or start the service first, which creates its database"
        );
        // The service writes the log guard with its first entries.
        ensure!(
            owner != OwnerKind::Setup || !self.data_dir.join(LOG_GUARD).exists(),
            "the service of the data directory `{directory}` has another database; set DATABASE_URL as for the service"
        );
        Ok(())
    }
}

/// The kind of process that opens a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerKind {
    /// The service. A data directory has at most one at a time.
    Service,
    /// A command. It can run at the same time as the service and shares its cluster. It never creates one.
    Command,
    /// A command that prepares a new service. It creates the cluster, unless the data directory has files of a service
    /// with another database.
    Setup,
}

/// The connection URLs of the three roles.
///
/// If it is dropped without [`close`](Self::close), its cluster keeps running, as after a killed process. The
/// next process that opens the data directory joins it. The debug output leaves out the URLs, which contain passwords.
#[derive(derive_more::Debug)]
#[debug("Database {{ cluster: {cluster:?}, .. }}")]
pub struct Database {
    /// The URL for migrations: `govern_owner`, or the user of the configured URL.
    pub owner_url: String,
    /// The URL for the service: `govern_app`.
    pub app_url: String,
    /// The URL for offline verification: `govern_verify`.
    pub verify_url: String,
    /// The URL of the superuser of a private cluster, who bypasses row-level security, for `psql` and
    /// `pgbench`. With a configured URL, this is that URL.
    pub superuser_url: String,
    cluster: Option<Cluster>,
}

/// Opens the configured database, or the private cluster, which is joined or started as needed, and created if `owner`
/// may create it. A configured database is not contacted. A new cluster has the three roles and no tables; `migration` creates
/// them.
///
/// # Errors
/// Returns one line that describes what to do: if there is no cluster and `owner` may not create it, if another service
/// uses the data directory, if no suitable PostgreSQL is installed, if the data has another major version, or if the cluster does not start.
pub async fn open(config: &Config, owner: OwnerKind) -> anyhow::Result<Database> {
    if let Some(url) = &config.url {
        return Ok(Database::from_url(url));
    }
    config.check(owner)?;
    let cluster = Cluster::open(&config.data_dir, config.pg_bin.as_deref(), owner).await?;
    Ok(Database {
        owner_url: cluster.url(roles::OWNER),
        app_url: cluster.url(roles::APP),
        verify_url: cluster.url(roles::VERIFY),
        superuser_url: cluster.superuser_url(),
        cluster: Some(cluster),
    })
}

impl Database {
    /// Returns the database of one URL. If its user is the app role, connections of the service need no startup
    /// options, and the user cannot migrate. Otherwise, each connection starts as the app or verify role, and
    /// `reset role` returns to it. `set role` can still leave the role.
    fn from_url(url: &str) -> Self {
        Self {
            owner_url: url.to_owned(),
            app_url: app_url(url),
            verify_url: with_role(url, roles::VERIFY, &[]),
            superuser_url: url.to_owned(),
            cluster: None,
        }
    }

    /// Restarts a private cluster whenever it stops, as long as the future is polled.
    pub async fn watch(&self) -> Infallible {
        match &self.cluster {
            Some(cluster) => cluster.watch().await,
            None => future::pending().await,
        }
    }

    /// Releases the database. The last process that releases a private cluster stops it.
    ///
    /// # Errors
    /// Returns an error if the cluster does not stop.
    pub async fn close(self) -> anyhow::Result<()> {
        match self.cluster {
            Some(cluster) => cluster.release().await,
            None => Ok(()),
        }
    }
}

/// Returns the URL for connections of the service. If the user of `url` is not the app role, each connection starts
/// as that role with its limits.
pub fn app_url(url: &str) -> String {
    if roles::is_app(url) { url.to_owned() } else { with_role(url, roles::APP, &roles::APP_LIMITS) }
}

/// Returns the URL for connections as `role` with these settings, as `name=value`.
fn with_role(url: &str, role: &str, settings: &[&str]) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    let mut url = format!("{url}{separator}options=-c%20role%3D{role}");
    for setting in settings {
        url.push_str("%20-c%20");
        url.push_str(&setting.replace('=', "%3D"));
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configured_database_uses_roles() {
        let database = Database::from_url("postgres://ada@db.example/govern?sslmode=require");
        assert_eq!(
            database.app_url,
            "postgres://ada@db.example/govern?sslmode=require&options=-c%20role%3Dgovern_app\
             %20-c%20statement_timeout%3D25s%20-c%20lock_timeout%3D10s\
             %20-c%20idle_in_transaction_session_timeout%3D30s"
        );
        assert_eq!(
            with_role("postgres:///govern", roles::VERIFY, &[]),
            "postgres:///govern?options=-c%20role%3Dgovern_verify"
        );
    }

    #[test]
    fn a_url_of_the_app_role_has_no_startup_options() {
        for url in [
            "postgres://govern_app:secret@pooler.example:6432/govern",
            "postgres:///?user=govern_app",
        ] {
            let database = Database::from_url(url);
            assert_eq!((&*database.app_url, &*database.owner_url), (url, url));
        }
    }
}
