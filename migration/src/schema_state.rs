//! The migrations of a database, compared with those of this build.

use std::collections::BTreeSet;

use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};

use crate::MIGRATIONS;

/// The part of a name that marks a migration after which earlier builds cannot run: it removes or changes what
/// they use. All other migrations only add (`docs/OPERATIONS.md`, "Upgrade").
const CONTRACT: &str = "_contract_";

/// The migrations of a database, compared with those of this build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemaState {
    /// The applied migrations, in order of their names.
    pub applied: Vec<String>,
    /// The migrations of this build that are not applied.
    pub pending: Vec<&'static str>,
    /// The applied migrations that this build does not contain.
    pub newer: Vec<String>,
}

impl SchemaState {
    /// Compares `applied` with the migrations of this build.
    pub fn new(applied: Vec<String>) -> Self {
        let names = MIGRATIONS.iter().map(|migration| migration.name);
        let own: BTreeSet<&str> = names.clone().collect();
        let stored: BTreeSet<&str> = applied.iter().map(String::as_str).collect();
        let pending = names.filter(|name| !stored.contains(name)).collect();
        let newer = applied.iter().filter(|name| !own.contains(name.as_str())).cloned().collect();
        Self { applied, pending, newer }
    }

    /// Checks that this build can use the database. It can if a newer build has only added to the schema.
    ///
    /// # Errors
    /// Returns an error if a migration of a newer build excludes this build, or if the database has migrations
    /// of another build and lacks some of this one.
    pub fn check(&self) -> Result<(), DbErr> {
        let Some(last) = self.newer.last() else { return Ok(()) };
        if let Some(name) = self.newer.iter().find(|name| name.contains(CONTRACT)) {
            let message = format!(
                "the migration `{name}` of a newer version excludes this version; start a newer version"
            );
            return Err(DbErr::Custom(message));
        }
        match self.pending.first() {
            None => Ok(()),
            Some(name) => Err(DbErr::Custom(format!(
                "the database has the migration `{last}`, which this version does not contain, and lacks \
                 `{name}`; start the version that migrated it"
            ))),
        }
    }
}

/// Reads the migrations of a database. Any of the three roles can call it.
///
/// # Errors
/// Returns the database's error.
pub async fn schema_state(db: &impl ConnectionTrait) -> Result<SchemaState, DbErr> {
    let query = |sql| Statement::from_string(DbBackend::Postgres, sql);
    let installed = "select to_regclass('public.seaql_migrations') is not null";
    let installed = db.query_one_raw(query(installed)).await?;
    if !installed.is_some_and(|row| row.try_get_by_index(0).unwrap_or_default()) {
        return Ok(SchemaState::new(Vec::new()));
    }
    let applied = "select version from public.seaql_migrations order by version";
    let rows = db.query_all_raw(query(applied)).await?;
    let applied = rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?;
    Ok(SchemaState::new(applied))
}
