#![doc = include_str!("../README.md")]

mod connection_error;
mod migration;
pub mod roles;
mod schema_state;
mod server_state;

use std::time::Duration;

pub use connection_error::{describe, is_url};
pub use migration::{MIGRATIONS, Migration};
pub use schema_state::{SchemaState, schema_state};
pub use sea_orm_migration::sea_orm::DbErr;
use sea_orm_migration::sea_orm::{
    ConnectOptions, ConnectionTrait as _, Database, DatabaseConnection, TransactionTrait as _,
};
pub use sea_orm_migration::{MigrationTrait, MigratorTrait};
pub use server_state::{ServerState, server_state};

/// The migrations of the schema, for sea-orm's migrator.
#[derive(Clone, Copy, Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        MIGRATIONS.iter().map(|migration| Box::new(*migration) as Box<dyn MigrationTrait>).collect()
    }
}

/// Serializes migrations of one database; the number is the bytes of `governdb`.
const LOCK: &str = "select pg_advisory_xact_lock(x'676f7665726e6462'::bigint)";

/// Until the end of the transaction, `govern_owner` creates and owns every object.
const AS_OWNER: &str = "set local role govern_owner; set local search_path = public";

/// The time for which a connection is attempted. A server that is starting may refuse the first attempts.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);

/// Opens the single connection that a migration needs.
///
/// # Errors
/// Returns the database's error if it cannot be reached within 5 seconds. [`describe`] makes one line of it.
pub async fn connect(url: &str) -> Result<DatabaseConnection, DbErr> {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(1)
        .acquire_timeout(CONNECT_TIMEOUT)
        .connect_timeout(CONNECT_TIMEOUT)
        .sqlx_logging(false)
        // PgBouncer rejects this startup parameter. It concerns only the text form of numbers.
        .map_sqlx_postgres_opts(|postgres| postgres.extra_float_digits(None));
    // The future of a connection is large.
    match Box::pin(Database::connect(options)).await {
        // The pool hides why its attempts failed.
        Err(error) if connection_error::is_timeout(&error) => {
            Err(connection_error::cause(url).await.unwrap_or(error))
        }
        connected => connected,
    }
}

/// Applies all pending migrations in one transaction, and returns the state before.
///
/// The user of the connection must be `govern_owner`, or be able to become or create it. Concurrent
/// calls wait for each other; later calls find no pending migrations. A database that a newer build has
/// migrated is left unchanged.
///
/// # Errors
/// Returns the database's error if a migration fails or a privilege is missing, and the errors of
/// [`SchemaState::check`].
#[expect(clippy::disallowed_methods, reason = "a migration belongs to no tenant")]
pub async fn migrate(db: &DatabaseConnection) -> Result<SchemaState, DbErr> {
    let tx = db.begin().await?;
    tx.execute_unprepared(LOCK).await?;
    tx.execute_unprepared(roles::ROLES).await?;
    tx.execute_unprepared(roles::SCHEMA).await?;
    tx.execute_unprepared(AS_OWNER).await?;
    let state = schema_state(&tx).await?;
    state.check()?;
    if state.newer.is_empty() {
        Migrator::up(&tx, None).await?;
    }
    tx.commit().await?;
    Ok(state)
}

/// Runs [`migrate`] over one connection to `url`. As [`roles::APP`], which cannot migrate, it only checks that
/// no migration is pending.
///
/// # Errors
/// Returns the errors of [`migrate`], and an error if the database cannot be reached or the user cannot apply a
/// pending migration.
pub async fn run(url: &str) -> Result<SchemaState, DbErr> {
    let db = connect(url).await?;
    let result = if roles::is_app(url) { check_current(&db).await } else { migrate(&db).await };
    db.close().await?;
    result
}

/// Creates missing roles, whose privileges a dump refers to, and lets the owner create objects.
///
/// # Errors
/// Returns the database's error if it cannot be reached or a privilege is missing.
pub async fn prepare_roles(url: &str) -> Result<(), DbErr> {
    let db = connect(url).await?;
    db.execute_unprepared(roles::ROLES).await?;
    db.execute_unprepared(roles::SCHEMA).await?;
    db.close().await
}

async fn check_current(db: &DatabaseConnection) -> Result<SchemaState, DbErr> {
    let state = schema_state(db).await?;
    state.check()?;
    if state.pending.is_empty() {
        return Ok(state);
    }
    let (app, owner) = (roles::APP, roles::OWNER);
    let message = format!(
        "`{app}` cannot apply the pending migrations; run `govern migrate` with a DATABASE_URL whose user \
         can become `{owner}`"
    );
    Err(DbErr::Custom(message))
}

/// Returns whether every migration of this build is applied. Any of the three roles can call it.
///
/// # Errors
/// Returns the database's error.
pub async fn is_current(db: &DatabaseConnection) -> Result<bool, DbErr> {
    Ok(schema_state(db).await?.pending.is_empty())
}
