//! One step of the schema: two SQL texts and a name.

use sea_orm_migration::{
    MigrationName, MigrationTrait, SchemaManager,
    async_trait::async_trait,
    sea_orm::{ConnectionTrait as _, DbErr},
};

/// A step of the schema's history. Never edited once released.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The folder's name; the database remembers it.
    pub name: &'static str,
    /// Takes the step.
    pub up: &'static str,
    /// Takes it back, with the rows it held.
    pub down: &'static str,
}

macro_rules! steps {
    ($($name:literal),+ $(,)?) => {
        /// All steps, oldest first.
        pub const STEPS: &[Step] = &[$(Step {
            name: $name,
            up: include_str!(concat!($name, "/up.sql")),
            down: include_str!(concat!($name, "/down.sql")),
        }),+];
    };
}

steps! {
    "m0001_walls",
    "m0002_tenants",
    "m0003_doors",
    "m0004_policies",
    "m0005_decisions",
    "m0006_audit",
    "m0007_operator_keys",
    "m0008_policy_groups",
    "m0009_outcomes",
    "m0010_audit_checkpoints",
    "m0011_rollups",
    "m0012_record_group",
    "m0013_saved_filters",
    "m0014_record_cost",
    "m0015_review",
    "m0016_people",
    "m0017_heirs",
    "m0018_codifications",
    "m0019_compression",
    "m0020_chains",
    "m0021_log",
    "m0022_trust",
    "m0023_rekor",
    "m0024_alerts",
    "m0025_webhooks",
    "m0026_forms",
    "m0027_revoked_form_tokens",
    "m0028_delivery_times",
    "m0029_log_seeds",
    "m0030_accounts",
    "m0031_sessions",
    "m0033_independent_keys",
    "m0035_lifecycle",
    "m0037_key_owners",
}

impl MigrationName for Step {
    fn name(&self) -> &str {
        self.name
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides them, and async_trait must agree")]
#[async_trait]
impl MigrationTrait for Step {
    async fn up(&self, schema: &SchemaManager) -> Result<(), DbErr> {
        schema.get_connection().execute_unprepared(self.up).await.map(drop)
    }

    async fn down(&self, schema: &SchemaManager) -> Result<(), DbErr> {
        schema.get_connection().execute_unprepared(self.down).await.map(drop)
    }
}
