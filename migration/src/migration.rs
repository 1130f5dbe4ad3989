//! One migration: two SQL texts and a name.

use sea_orm_migration::{
    MigrationName, MigrationTrait, SchemaManager,
    async_trait::async_trait,
    sea_orm::{ConnectionTrait as _, DbErr},
};

/// A migration of the schema. Its files never change after a release.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// The name of its directory, stored in the database when it is applied.
    pub name: &'static str,
    pub up: &'static str,
    /// The SQL that reverts it and deletes its rows.
    pub down: &'static str,
}

macro_rules! migrations {
    ($($name:literal: $($file:literal),+;)+) => {
        /// All migrations, oldest first.
        pub const MIGRATIONS: &[Migration] = &[$(Migration {
            name: $name,
            up: concat!($(include_str!(concat!($name, "/", $file, ".sql"))),+),
            down: include_str!(concat!($name, "/down.sql")),
        }),+];
    };
}

migrations! {
    // One file for each topic. A file uses only what the files before it create.
    "m0001_schema":
        "row_security",
        "folded_texts",
        "accounts",
        "tenants",
        "mail",
        "api_keys",
        "audit",
        "policies",
        "reviews_and_approvals",
        "capabilities",
        "decisions",
        "chains",
        "alerts",
        "record_group",
        "rollups",
        "webhooks",
        "forms",
        "transparency_log",
        "trust_registry",
        "rekor",
        "identity_providers",
        "second_factors",
        "cli_login",
        "search_index";
}

impl MigrationName for Migration {
    fn name(&self) -> &str {
        self.name
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides them, and async_trait must agree")]
#[async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, schema: &SchemaManager) -> Result<(), DbErr> {
        schema.get_connection().execute_unprepared(self.up).await.map(drop)
    }

    async fn down(&self, schema: &SchemaManager) -> Result<(), DbErr> {
        schema.get_connection().execute_unprepared(self.down).await.map(drop)
    }
}
