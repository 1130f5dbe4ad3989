//! The three database roles and their access to the schema.

use sea_orm_migration::sea_orm::{
    ConnectionTrait as _, DbBackend, DbErr, Statement, sqlx::postgres::PgConnectOptions,
};

use crate::connect;

/// The role that owns the schema and runs migrations. The service never uses it.
pub const OWNER: &str = "govern_owner";

/// The role of the service. It owns nothing and can access one tenant at a time.
pub const APP: &str = "govern_app";

/// The role for offline verification of the audit log. It can read one tenant at a time.
pub const VERIFY: &str = "govern_verify";

/// SQL that creates missing roles. They cannot log in until they have a password, and none of them can bypass
/// row-level security.
pub const ROLES: &str = include_str!("roles/roles.sql");

/// SQL that grants the roles their privileges on the schema `public`.
pub const SCHEMA: &str = include_str!("roles/schema.sql");

/// The time limits of the service. [`ROLES`] sets them for logins as [`APP`]. Another user's sessions need
/// them as startup options.
pub const APP_LIMITS: [&str; 3] =
    ["statement_timeout=25s", "lock_timeout=10s", "idle_in_transaction_session_timeout=30s"];

/// Returns whether `url` names [`APP`] as its user.
pub fn is_app(url: &str) -> bool {
    is_user(url, APP)
}

/// Returns which of the three roles `url` names as its user. It can become none of the others.
pub fn named_in(url: &str) -> Option<&'static str> {
    [OWNER, APP, VERIFY].into_iter().find(|role| is_user(url, role))
}

fn is_user(url: &str, name: &str) -> bool {
    url.parse::<PgConnectOptions>().is_ok_and(|options| options.get_username() == name)
}

/// The name of the database in a private cluster.
pub const DATABASE: &str = "govern";

/// Prepares a private cluster for [`migrate`](crate::migrate): creates the three roles with passwords and
/// the database [`DATABASE`]. `superuser_url` names any database of the cluster.
///
/// Passwords consist of letters and digits.
///
/// # Errors
/// Returns the database's error.
pub async fn prepare(superuser_url: &str, password: impl Fn(&str) -> String) -> Result<(), DbErr> {
    let server = connect(superuser_url).await?;
    server.execute_unprepared(ROLES).await?;
    for role in [OWNER, APP, VERIFY] {
        let password = password(role);
        let login = format!("alter role {role} login password '{password}'");
        server.execute_unprepared(&login).await?;
    }
    let existing = "select from pg_database where datname = $1";
    let existing = Statement::from_sql_and_values(DbBackend::Postgres, existing, [DATABASE.into()]);
    if server.query_one_raw(existing).await?.is_none() {
        server.execute_unprepared(&format!("create database {DATABASE} owner {OWNER}")).await?;
    }
    server.close().await
}
