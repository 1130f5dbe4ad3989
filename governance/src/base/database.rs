//! Connection pool and transactions of the database.

mod session;

use std::{ops::RangeInclusive, time::Duration};

use sea_orm::{
    AccessMode, ConnectOptions, Database, DatabaseConnection, DatabaseTransaction, DbErr,
    DeleteMany, EntityTrait, IsolationLevel, RuntimeErr, Select, SqlxPostgresConnector,
    TransactionTrait, UpdateMany,
    sqlx::{Postgres, pool::PoolConnection, postgres::PgPoolOptions},
};

use crate::base::error::{Error, Result};

pub use self::session::ConnectError;

/// The default maximum number of connections of a process. More connections only wait for each other
/// at the tenant head rows: in a measurement, 16 beat 64 with one tenant and with 64 tenants.
pub const CONNECTIONS_DEFAULT: u32 = 16;

/// The limits of the maximum number of connections of a process. Long reads use up to half of them.
pub const CONNECTIONS_RANGE: RangeInclusive<u32> = 4..=1_000;

/// The maximum wait for a free connection before the service reports that it is overloaded.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// The idle time after which a connection is tested before use. Under load no connection is idle that
/// long. After a pause, a connection that the server has closed is replaced.
const TEST_IDLE_AFTER: Duration = Duration::from_secs(1);

/// Opens a pool of at most `connections_max` connections to `url`. Its sessions run as the role
/// `govern_app` with time limits. `url` can name a pooler in transaction mode.
///
/// # Errors
/// The database is unavailable, or its sessions are not as the service requires.
pub async fn connect(url: &str, connections_max: u32) -> Result<DatabaseConnection, ConnectError> {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections_max)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire_if_idle_for(TEST_IDLE_AFTER)
        .sqlx_logging(false)
        // PgBouncer refuses this startup parameter. Values are sent in binary form, so it has no effect.
        .map_sqlx_postgres_opts(|postgres| postgres.extra_float_digits(None));
    let database = Box::pin(Database::connect(options)).await?; // its future is large
    session::check(&database).await?;
    Ok(database)
}

const READY_TIMEOUT: Duration = Duration::from_secs(2);

/// Returns a pool of one connection to the same database. It connects on first use.
pub(crate) fn dedicated_connection(database: &DatabaseConnection) -> DatabaseConnection {
    let options = database.get_postgres_connection_pool().connect_options();
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .min_connections(0)
        .acquire_timeout(READY_TIMEOUT)
        .connect_lazy_with((*options).clone());
    SqlxPostgresConnector::from_sqlx_postgres_pool(pool)
}

/// The connections of a process.
#[derive(Clone, Copy, Debug)]
pub struct PoolStats {
    pub open: u32,
    /// The number of open connections that are not in use.
    pub idle: u32,
    pub max: u32,
}

/// Returns the maximum number of connections of a pool.
pub(crate) fn connections_max(database: &DatabaseConnection) -> usize {
    usize::try_from(connections(database).max).unwrap_or(usize::MAX)
}

pub(crate) fn connections(database: &DatabaseConnection) -> PoolStats {
    let pool = database.get_postgres_connection_pool();
    PoolStats {
        open: pool.size(),
        idle: u32::try_from(pool.num_idle()).unwrap_or(u32::MAX),
        max: pool.options().get_max_connections(),
    }
}

/// Takes a connection from the pool until it is dropped.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable or all connections are in use.
pub(crate) async fn acquire(database: &DatabaseConnection) -> Result<PoolConnection<Postgres>> {
    let acquired = database.get_postgres_connection_pool().acquire().await;
    Ok(acquired.map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(error.into())))?)
}

/// Begins a transaction.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable or all connections are in use.
pub(crate) async fn begin(database: &DatabaseConnection) -> Result<DatabaseTransaction> {
    begin_with(database, None, None).await
}

/// Begins a read-only transaction on one consistent snapshot of the database.
pub(crate) async fn begin_snapshot(database: &DatabaseConnection) -> Result<DatabaseTransaction> {
    let (isolation, access) = (IsolationLevel::RepeatableRead, AccessMode::ReadOnly);
    begin_with(database, Some(isolation), Some(access)).await
}

/// Begins a transaction. All transactions begin here.
///
/// It runs in its own task. If the future were dropped between `BEGIN` and the response, the driver
/// would return the connection to the pool with an open transaction. Later writes on that connection
/// would be acknowledged but never committed.
#[expect(clippy::disallowed_methods, reason = "this is the one place that begins a transaction")]
async fn begin_with(
    database: &DatabaseConnection,
    isolation: Option<IsolationLevel>,
    access: Option<AccessMode>,
) -> Result<DatabaseTransaction> {
    let database = database.clone();
    let begun = tokio::spawn(async move { database.begin_with_config(isolation, access).await });
    Ok(begun.await.map_err(Error::internal)??)
}

/// A table without row-level security: its rows belong to no tenant, or are read before the tenant is
/// known.
pub(crate) trait Untenanted: EntityTrait {}

macro_rules! untenanted {
    ($($table:ident),+ $(,)?) => {$(impl Untenanted for entity::$table::Entity {})+};
}

untenanted!(
    account_link,
    key_digest,
    log_checkpoint,
    log_entry,
    log_node,
    log_pending,
    log_rekor,
    log_tree,
    mail_outbox,
    operator_key,
    passkey,
    public_id,
    recovery_code,
    session_digest,
    sign_in_network,
    tenant_head,
    totp_secret,
    trust_registry,
    used_challenge,
    user,
);

/// Starts a query on a table without row-level security.
#[expect(clippy::disallowed_methods, reason = "the table has no tenant to start from")]
pub(crate) fn untenanted<E: Untenanted>() -> Select<E> {
    E::find()
}

/// Starts an update on a table without row-level security.
#[expect(clippy::disallowed_methods, reason = "the table has no tenant to start from")]
pub(crate) fn update_untenanted<E: Untenanted>() -> UpdateMany<E> {
    E::update_many()
}

/// Starts a deletion on a table without row-level security.
#[expect(clippy::disallowed_methods, reason = "the table has no tenant to start from")]
pub(crate) fn delete_untenanted<E: Untenanted>() -> DeleteMany<E> {
    E::delete_many()
}
