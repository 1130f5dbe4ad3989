//! Connections of the service to its store.

use std::time::Duration;

use sea_orm::{
    AccessMode, ConnectOptions, Database, DatabaseConnection, DatabaseTransaction, DbErr,
    DeleteMany, EntityTrait, IsolationLevel, RuntimeErr, Select, SqlxPostgresConnector,
    TransactionTrait, UpdateMany,
    sqlx::{Postgres, pool::PoolConnection, postgres::PgPoolOptions},
};

use crate::error::{Error, Result};

/// How many connections a process holds: more only wait for each other at the tenants' head rows
/// (measured: 16 beat 64 at one tenant and at 64 tenants).
pub(crate) const CONNECTIONS_MAX: u32 = 16;

/// How long a request waits for a free connection before the service says that it is overloaded.
const ACQUIRE: Duration = Duration::from_secs(5);

/// How long a connection may have been unused before it is tried: under load none is, and after a
/// pause a connection that the server has cut meanwhile is replaced.
const TRIED_AFTER: Duration = Duration::from_secs(1);

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
        .test_before_acquire_if_idle_for(TRIED_AFTER)
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

/// A connection for statements of their own, kept until it is dropped.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away or every connection is taken.
pub(crate) async fn acquire(database: &DatabaseConnection) -> Result<PoolConnection<Postgres>> {
    let acquired = database.get_postgres_connection_pool().acquire().await;
    Ok(acquired.map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(error.into())))?)
}

/// Begins a transaction.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away or every connection is taken.
pub(crate) async fn begin(database: &DatabaseConnection) -> Result<DatabaseTransaction> {
    begin_as(database, None, None).await
}

/// Begins a transaction that only reads, and sees everything as it is at one moment.
///
/// # Errors
/// As [`begin`].
pub(crate) async fn begin_snapshot(database: &DatabaseConnection) -> Result<DatabaseTransaction> {
    let (isolation, access) = (IsolationLevel::RepeatableRead, AccessMode::ReadOnly);
    begin_as(database, Some(isolation), Some(access)).await
}

/// The only place that begins a transaction.
///
/// It is done in a task of its own. Dropped between `BEGIN` and its answer, the driver would give the
/// connection back to the pool inside a transaction that nobody ends, and what is written over it next
/// would be acknowledged without being committed.
#[expect(clippy::disallowed_methods, reason = "this is the one place that begins a transaction")]
async fn begin_as(
    database: &DatabaseConnection,
    isolation: Option<IsolationLevel>,
    access: Option<AccessMode>,
) -> Result<DatabaseTransaction> {
    let database = database.clone();
    let begun = tokio::spawn(async move { database.begin_with_config(isolation, access).await });
    Ok(begun.await.map_err(|error| Error::Bug(error.into()))??)
}

/// A table without row-level security: its rows belong to no tenant, or are read before one is known.
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
    public_id,
    session_digest,
    sign_in_network,
    tenant_head,
    trust_registry,
    user,
);

/// The rows of a table that no tenant owns.
#[expect(clippy::disallowed_methods, reason = "the table has no tenant to start from")]
pub(crate) fn untenanted<E: Untenanted>() -> Select<E> {
    E::find()
}

/// An update of rows of a table that no tenant owns.
#[expect(clippy::disallowed_methods, reason = "the table has no tenant to start from")]
pub(crate) fn update_untenanted<E: Untenanted>() -> UpdateMany<E> {
    E::update_many()
}

/// A deletion of rows of a table that no tenant owns.
#[expect(clippy::disallowed_methods, reason = "the table has no tenant to start from")]
pub(crate) fn delete_untenanted<E: Untenanted>() -> DeleteMany<E> {
    E::delete_many()
}
