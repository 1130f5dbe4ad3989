//! Where the rows live: in the database that was named, or in a private cluster of Postgres below
//! the data directory.

mod account;
mod binaries;
mod cluster;
mod file;
mod lock;
mod passwords;
mod place;
mod postmaster;

use std::{convert::Infallible, fmt, future, path::PathBuf};

use migration::roles;

use self::cluster::Cluster;

/// What a database is opened from.
#[derive(Clone)]
pub struct Config {
    /// The database that was named (`DATABASE_URL`).
    pub url: Option<String>,
    /// Where the private cluster goes otherwise (`GOVERN_DATA_DIR`). It is made when missing.
    pub data_dir: PathBuf,
    /// The folder of the Postgres programs (`PG_BIN`), if not to be looked for.
    pub pg_bin: Option<PathBuf>,
}

impl fmt::Debug for Config {
    /// Without the URL, which may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Config");
        fields.field("data_dir", &self.data_dir).field("pg_bin", &self.pg_bin);
        fields.finish_non_exhaustive()
    }
}

/// For how long a database is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tenure {
    /// For good: a data directory has one such owner at a time.
    Service,
    /// For one command. It may run beside the service, and shares its cluster.
    Command,
}

/// A way in for each of the three roles.
///
/// Dropped without [`close`](Self::close), it leaves its cluster running, as a killed process does;
/// the next to open the data directory joins it.
pub struct Database {
    /// For migrations: `govern_owner`, or whoever the named URL lets in.
    pub owner_url: String,
    /// For the service: `govern_app`.
    pub app_url: String,
    /// For the offline check: `govern_verify`.
    pub verify_url: String,
    /// For whoever keeps a private cluster, with `psql` or `pgbench`: its superuser, whom no wall
    /// holds. Of a named database, the URL that was named.
    pub keeper_url: String,
    cluster: Option<Cluster>,
}

impl fmt::Debug for Database {
    /// Without the URLs, which hold passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").field("cluster", &self.cluster).finish_non_exhaustive()
    }
}

/// Opens the database that `config` names, or the private cluster, which is made, joined or started
/// as need be. The schema is for `migration` to lay: a new database has the three roles and no table.
///
/// A named database is not contacted.
///
/// # Errors
/// One line on what to do: a second service in the same data directory, no Postgres to be found,
/// data of another major version, a cluster that does not start.
pub async fn open(config: &Config, tenure: Tenure) -> anyhow::Result<Database> {
    if let Some(url) = &config.url {
        return Ok(Database::named(url));
    }
    let cluster = Cluster::open(&config.data_dir, config.pg_bin.as_deref(), tenure).await?;
    Ok(Database {
        owner_url: cluster.url(roles::OWNER),
        app_url: cluster.url(roles::APP),
        verify_url: cluster.url(roles::VERIFY),
        keeper_url: cluster.superuser_url(),
        cluster: Some(cluster),
    })
}

impl Database {
    /// The database behind one URL. Its user becomes app or auditor as the connection starts, and
    /// `reset role` leads back to that role; yet `set role` can still leave it.
    fn named(url: &str) -> Self {
        tracing::warn!(
            "one URL for all: the wall between the service and the owner of the tables is thinner"
        );
        Self {
            owner_url: url.to_owned(),
            app_url: with_role(url, roles::APP),
            verify_url: with_role(url, roles::VERIFY),
            keeper_url: url.to_owned(),
            cluster: None,
        }
    }

    /// Starts a private cluster again whenever it has stopped, for as long as it is awaited.
    pub async fn watch(&self) -> Infallible {
        match &self.cluster {
            Some(cluster) => cluster.watch().await,
            None => future::pending().await,
        }
    }

    /// Leaves the database. Whoever leaves a private cluster last stops it.
    ///
    /// # Errors
    /// When the cluster does not stop.
    pub async fn close(self) -> anyhow::Result<()> {
        match self.cluster {
            Some(cluster) => cluster.leave().await,
            None => Ok(()),
        }
    }
}

/// The same way in, as `role`.
fn with_role(url: &str, role: &str) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}options=-c%20role%3D{role}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_database_is_entered_as_its_roles() {
        let database = Database::named("postgres://ada@db.example/govern?sslmode=require");
        assert_eq!(
            database.app_url,
            "postgres://ada@db.example/govern?sslmode=require&options=-c%20role%3Dgovern_app"
        );
        assert_eq!(
            with_role("postgres:///govern", roles::VERIFY),
            "postgres:///govern?options=-c%20role%3Dgovern_verify"
        );
    }
}
