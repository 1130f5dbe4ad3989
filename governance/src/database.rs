//! Connections of the service to its store.

use std::time::Duration;

use sea_orm::{
    ConnectOptions, Database, DatabaseConnection, SqlxPostgresConnector,
    sqlx::postgres::PgPoolOptions,
};

use crate::error::Result;

/// How many connections a process holds: more only wait for each other at the tenants' head rows
/// (measured: 16 beat 64 at one tenant and at 64 tenants).
const CONNECTIONS_MAX: u32 = 16;

/// How long a request waits for a free connection before the service says that it is overloaded.
const ACQUIRE: Duration = Duration::from_secs(5);

/// Limits that the server itself holds, so that a lost client leaves nothing behind.
const LIMITS: [(&str, &str); 3] = [
    ("statement_timeout", "25s"),
    ("lock_timeout", "10s"),
    ("idle_in_transaction_session_timeout", "30s"),
];

/// A pool of connections to `url`, whose user has the rights of `govern_app`.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn connect(url: &str) -> Result<DatabaseConnection> {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(CONNECTIONS_MAX)
        .acquire_timeout(ACQUIRE)
        .connect_timeout(ACQUIRE)
        .sqlx_logging(false)
        .map_sqlx_postgres_opts(|postgres| postgres.options(LIMITS));
    Ok(Database::connect(options).await?)
}

/// How long readiness waits for its answer.
const READY: Duration = Duration::from_secs(2);

/// One more connection to the same store, made when it is first used.
pub(crate) fn beside(database: &DatabaseConnection) -> DatabaseConnection {
    let options = database.get_postgres_connection_pool().connect_options();
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .min_connections(0)
        .acquire_timeout(READY)
        .connect_lazy_with((*options).clone());
    SqlxPostgresConnector::from_sqlx_postgres_pool(pool)
}

/// How many connections a process holds.
#[derive(Clone, Copy, Debug)]
pub struct Connections {
    /// Those that are open.
    pub open: u32,
    /// Of these, those that nobody uses.
    pub idle: u32,
    /// The most that may be open.
    pub max: u32,
}

pub(crate) fn connections(database: &DatabaseConnection) -> Connections {
    let pool = database.get_postgres_connection_pool();
    Connections {
        open: pool.size(),
        idle: u32::try_from(pool.num_idle()).unwrap_or(u32::MAX),
        max: pool.options().get_max_connections(),
    }
}
