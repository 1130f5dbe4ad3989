//! The three roles of the database, and how they reach the schema.

use sea_orm_migration::sea_orm::{ConnectionTrait as _, DbBackend, DbErr, Statement};

use crate::connect;

/// Owns the schema and runs migrations, never the service.
pub const OWNER: &str = "govern_owner";

/// Serves: owns nothing and sees one tenant at a time.
pub const APP: &str = "govern_app";

/// Reads, for the offline check of the audit log; sees one tenant at a time.
pub const VERIFY: &str = "govern_verify";

/// Creates the roles where they are missing. They cannot log in until somebody gives them a
/// password, and none of them passes over row security.
pub const ROLES: &str = include_str!("roles/roles.sql");

/// Gives the roles their part of the schema `public`.
pub const SCHEMA: &str = include_str!("roles/schema.sql");

/// The name of the database in a cluster of our own.
pub const DATABASE: &str = "govern";

/// Makes a cluster of our own ready for [`migrate`](crate::migrate): the three roles, each with its
/// password, and the database [`DATABASE`]. `superuser_url` leads to any database of the cluster.
///
/// Passwords are letters and digits.
///
/// # Errors
/// The database's own.
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
