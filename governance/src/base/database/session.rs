//! Check of the database sessions at the start of the service: role, time limits, prepared statements.

use sea_orm::{
    DatabaseConnection, DbErr, QueryResult, RuntimeErr,
    sqlx::{self, PgConnection},
};

/// The role of the service. The crate `migration` creates it and sets its time limits.
const APP_ROLE: &str = "govern_app";

/// The limits that the database server enforces, so that a lost client leaves no statement or transaction
/// behind.
const LIMITS: [&str; 3] =
    ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];

const SELECT_SESSION: &str = "SELECT current_user::text, current_setting('statement_timeout'), \
     current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')";

/// A part of the message with which PgBouncer refuses startup options. Its SQLSTATE has further causes.
const REJECTED_OPTIONS: &str = "unsupported startup parameter";

/// The SQLSTATEs of a statement that another client of the same pooler has prepared.
const STATEMENT_ERRORS: [&str; 2] = ["42P05", "26000"];

/// A reason why the service does not start with a database.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    #[error(
        "database sessions run as `{0}` instead of `{APP_ROLE}`; behind a pooler, DATABASE_URL must \
         name the user `{APP_ROLE}`"
    )]
    Role(String),
    #[error(
        "the pooler rejects the startup options that set the role; behind a pooler, DATABASE_URL must \
         name the user `{APP_ROLE}`"
    )]
    StartupOptions,
    #[error(
        "the role `{APP_ROLE}` has no `{0}`; run `govern migrate` as a user that can become \
         `{APP_ROLE}`, or set it with `ALTER ROLE {APP_ROLE} SET {0} = '30s'`, and let the pooler \
         reconnect"
    )]
    Limit(&'static str),
    #[error(
        "the pooler does not support prepared statements; use PgBouncer 1.21 or newer with \
         `max_prepared_statements = 200`"
    )]
    PreparedStatements,
    #[error("the database is unavailable: {0}")]
    Database(DbErr),
}

impl From<DbErr> for ConnectError {
    fn from(error: DbErr) -> Self {
        let (DbErr::Conn(RuntimeErr::SqlxError(cause))
        | DbErr::Query(RuntimeErr::SqlxError(cause))) = &error
        else {
            return Self::Database(error);
        };
        match cause.as_database_error() {
            Some(cause) if cause.message().contains(REJECTED_OPTIONS) => Self::StartupOptions,
            Some(cause) if cause.code().is_some_and(|code| STATEMENT_ERRORS.contains(&&*code)) => {
                Self::PreparedStatements
            }
            _ => Self::Database(error),
        }
    }
}

/// Checks that sessions have the role and the limits of the service, and that its prepared statements work.
///
/// # Errors
/// The first condition that is not met, or the error of the database.
pub(super) async fn check(database: &DatabaseConnection) -> Result<(), ConnectError> {
    // Both connections prepare the same statement, outside a transaction. A pooler runs both on one session
    // of the server, where the second statement fails unless the pooler renames it.
    let pool = database.get_postgres_connection_pool();
    let mut first = pool.acquire().await.map_err(connection_error)?;
    let mut second = pool.acquire().await.map_err(connection_error)?;
    check_session(&mut first).await?;
    check_session(&mut second).await
}

async fn check_session(session: &mut PgConnection) -> Result<(), ConnectError> {
    let row = sqlx::query(SELECT_SESSION).fetch_one(session).await;
    let row = row.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))?;
    let row = QueryResult::from(row);
    let role: String = row.try_get_by_index(0)?;
    if role != APP_ROLE {
        return Err(ConnectError::Role(role));
    }
    for (index, name) in LIMITS.into_iter().enumerate() {
        let limit: String = row.try_get_by_index(1 + index)?;
        if limit == "0" {
            return Err(ConnectError::Limit(name));
        }
    }
    Ok(())
}

fn connection_error(error: sqlx::Error) -> DbErr {
    DbErr::Conn(RuntimeErr::SqlxError(error.into()))
}
