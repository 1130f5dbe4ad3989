//! The state of a database server that operators need to know: version, user, settings, size and clock.

use std::collections::BTreeMap;

use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement};

/// The settings of [`ServerState`].
const SETTINGS: &str = "'archive_mode', 'data_checksums', 'fsync', 'full_page_writes', \
     'idle_in_transaction_session_timeout', 'lock_timeout', 'max_connections', 'server_encoding', \
     'statement_timeout', 'synchronous_commit', 'wal_level'";

const SELECT_STATE: &str = "select current_setting('server_version_num')::int, current_setting('server_version'), \
     current_user::text, rolsuper or rolbypassrls, \
     not exists (select from pg_class where relnamespace = 'public'::regnamespace \
         and relkind in ('r', 'p', 'v', 'm', 'S', 'f')), \
     pg_is_in_recovery(), pg_database_size(current_database()), \
     (extract(epoch from clock_timestamp()) * 1000)::bigint, \
     (select count(*) from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity \
         and not row_security_active(oid)) \
     from pg_roles where rolname = current_user";

/// The state of a database server, as one user sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerState {
    /// The version as a number: 150018 for 15.18.
    pub version_number: i32,
    pub version: String,
    pub user: String,
    /// Whether the user reads the rows of all tenants, as a backup requires.
    pub bypasses_row_security: bool,
    /// Whether the schema `public` contains no table.
    pub is_empty: bool,
    /// Whether the server is a replica.
    pub is_replica: bool,
    /// The size of the database in bytes.
    pub size_bytes: i64,
    /// The time of the server in milliseconds since 1970.
    pub now_ms: i64,
    /// The number of tables with row-level security that does not apply to the user.
    pub unprotected_tables: i64,
    /// Settings of the session, by name.
    pub settings: BTreeMap<String, String>,
}

impl ServerState {
    /// Returns the major version.
    pub fn major(&self) -> u32 {
        u32::try_from(self.version_number / 10_000).unwrap_or_default()
    }
}

/// Reads the state of the server.
///
/// # Errors
/// Returns the database's error.
pub async fn server_state(db: &impl ConnectionTrait) -> Result<ServerState, DbErr> {
    let query = |sql: String| Statement::from_string(DbBackend::Postgres, sql);
    let row = db.query_one_raw(query(SELECT_STATE.to_owned())).await?;
    let row =
        row.ok_or_else(|| DbErr::Custom("the user of the session does not exist".to_owned()))?;
    let settings = format!("select name, setting from pg_settings where name in ({SETTINGS})");
    let settings = db.query_all_raw(query(settings)).await?;
    let setting = |row: &QueryResult| -> Result<(String, String), DbErr> {
        Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))
    };
    Ok(ServerState {
        version_number: row.try_get_by_index(0)?,
        version: row.try_get_by_index(1)?,
        user: row.try_get_by_index(2)?,
        bypasses_row_security: row.try_get_by_index(3)?,
        is_empty: row.try_get_by_index(4)?,
        is_replica: row.try_get_by_index(5)?,
        size_bytes: row.try_get_by_index(6)?,
        now_ms: row.try_get_by_index(7)?,
        unprotected_tables: row.try_get_by_index(8)?,
        settings: settings.iter().map(setting).collect::<Result<_, DbErr>>()?,
    })
}
