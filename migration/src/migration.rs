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
    ($($name:literal),+ $(,)?) => {
        /// All migrations, oldest first.
        pub const MIGRATIONS: &[Migration] = &[$(Migration {
            name: $name,
            up: include_str!(concat!($name, "/up.sql")),
            down: include_str!(concat!($name, "/down.sql")),
        }),+];
    };
}

migrations! {
    "m0001_row_security",
    "m0002_accounts",
    "m0003_tenants",
    "m0004_api_keys",
    "m0005_audit",
    "m0006_policies",
    "m0007_reviews_and_approvals",
    "m0008_capabilities",
    "m0009_decisions",
    "m0010_chains",
    "m0011_record_group",
    "m0012_rollups",
    "m0013_alerts",
    "m0014_webhooks",
    "m0015_forms",
    "m0016_transparency_log",
    "m0017_trust_registry",
    "m0018_rekor",
    "m0019_record_groups_at_once",
    "m0020_counts_of_alerts",
    "m0021_compressed_decisions",
    "m0022_binary_digests",
    "m0023_api_keys_by_digest",
    "m0024_webhook_envelope",
    "m0025_oidc",
    "m0026_second_factors",
    "m0027_cli_login",
    "m0029_mail_order",
    "m0030_removed_members",
    "m0033_audit_forks",
    "m0034_folded_search",
    "m0035_search_index",
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
