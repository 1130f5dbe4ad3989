#![doc = include_str!("../README.md")]

pub mod roles;
mod step;

use sea_orm_migration::sea_orm::{
    ConnectOptions, ConnectionTrait as _, Database, DatabaseConnection, DbErr,
    TransactionTrait as _,
};
pub use sea_orm_migration::{MigrationTrait, MigratorTrait};
pub use step::{STEPS, Step};

/// The steps of the schema, as sea-orm's migrator takes them.
#[derive(Clone, Copy, Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        STEPS.iter().map(|step| Box::new(*step) as Box<dyn MigrationTrait>).collect()
    }
}

/// One at a time in each database; the bytes of `governdb`.
const LOCK: &str = "select pg_advisory_xact_lock(x'676f7665726e6462'::bigint)";

/// From here to the end of the transaction everything is made, and owned, by `govern_owner`.
const AS_OWNER: &str = "set local role govern_owner; set local search_path = public";

/// Opens the one connection that a migration needs.
///
/// # Errors
/// The database's own, when it cannot be reached.
pub async fn connect(url: &str) -> Result<DatabaseConnection, DbErr> {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    Database::connect(options).await
}

/// Brings the schema up to date: all of the missing steps, or none.
///
/// The user of the connection is `govern_owner`, or may become it, or may create it. Processes that
/// migrate at the same time wait for each other; the later ones find nothing to do.
///
/// # Errors
/// The database's own, when a step or a right is refused.
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

/// [`migrate`], over one connection to `url`.
///
/// # Errors
/// As [`migrate`]; also when the database cannot be reached.
pub async fn run(url: &str) -> Result<(), DbErr> {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    let db = Database::connect(options).await?;
    let migrated = migrate(&db).await;
    db.close().await?;
    migrated
}

/// Whether every step has been taken. Any role may ask.
///
/// # Errors
/// The database's own; also when it has taken steps that this build does not know.
pub async fn is_current(db: &DatabaseConnection) -> Result<bool, DbErr> {
    Ok(Migrator::get_pending_migrations_read_only(db).await?.is_empty())
}
