//! Connections of the service to its store.

use std::time::Duration;

use sea_orm::{ConnectOptions, Database, DatabaseConnection};

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
