//! The three roles of the database, and how they reach the schema.

/// Creates the roles where they are missing and gives them the schema; changes nothing otherwise.
///
/// [`OWNER`] owns the tables, [`APP`] serves, [`VERIFY`] reads. They cannot log in until somebody
/// gives them a password, and none of them passes over row security.
pub const SQL: &str = include_str!("roles.sql");

/// Owns the schema and runs migrations, never the service.
pub const OWNER: &str = "govern_owner";

/// Serves: owns nothing and sees one tenant at a time.
pub const APP: &str = "govern_app";

/// Reads, for the offline check of the audit log; sees one tenant at a time.
pub const VERIFY: &str = "govern_verify";
