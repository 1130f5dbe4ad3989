#![doc = include_str!("../README.md")]

mod migration;
pub mod roles;

pub use migration::{MIGRATIONS, Migration};
use sea_orm_migration::sea_orm::{
    ConnectOptions, ConnectionTrait as _, Database, DatabaseConnection, DbErr,
    TransactionTrait as _,
};
pub use sea_orm_migration::{MigrationTrait, MigratorTrait};

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

/// Opens the single connection that a migration needs.
///
/// # Errors
/// Returns the database's error if it cannot be reached.
pub async fn connect(url: &str) -> Result<DatabaseConnection, DbErr> {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(1)
        .sqlx_logging(false)
        // PgBouncer rejects this startup parameter. It concerns only the text form of numbers.
        .map_sqlx_postgres_opts(|postgres| postgres.extra_float_digits(None));
    Database::connect(options).await
}

/// Applies all pending migrations in one transaction.
///
/// The user of the connection must be `govern_owner`, or be able to become or create it. Concurrent
/// calls wait for each other; later calls find no pending migrations.
///
/// # Errors
/// Returns the database's error if a migration fails or a privilege is missing.
#[expect(clippy::disallowed_methods, reason = "a migration belongs to no tenant")]
pub async fn migrate(db: &DatabaseConnection) -> Result<(), DbErr> {
    let tx = db.begin().await?;
    tx.execute_unprepared(LOCK).await?;
    tx.execute_unprepared(roles::ROLES).await?;
    tx.execute_unprepared(roles::SCHEMA).await?;
    tx.execute_unprepared(AS_OWNER).await?;
    Migrator::up(&tx, None).await?;
    tx.commit().await
}

/// Runs [`migrate`] over one connection to `url`. As [`roles::APP`], which cannot migrate, it only checks that
/// no migration is pending.
///
/// # Errors
/// Returns the errors of [`migrate`], and an error if the database cannot be reached or the user cannot apply a
/// pending migration.
pub async fn run(url: &str) -> Result<(), DbErr> {
    let db = connect(url).await?;
    let result = if roles::is_app(url) { check_current(&db).await } else { migrate(&db).await };
    db.close().await?;
    result
}

async fn check_current(db: &DatabaseConnection) -> Result<(), DbErr> {
    if is_current(db).await? {
        return Ok(());
    }
    let (app, owner) = (roles::APP, roles::OWNER);
    let message = format!(
        "`{app}` cannot apply the pending migrations; run `govern migrate` with a DATABASE_URL whose user \
         can become `{owner}`"
    );
    Err(DbErr::Custom(message))
}

/// Returns whether every migration is applied. Any of the three roles can call it.
///
/// # Errors
/// Returns the database's error, and an error if a migration is applied that this build does not contain.
pub async fn is_current(db: &DatabaseConnection) -> Result<bool, DbErr> {
    Ok(Migrator::get_pending_migrations_read_only(db).await?.is_empty())
}
