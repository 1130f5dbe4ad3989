//! What the schema promises, asked of the database itself.

mod attacks;
mod keys;
mod plans;
mod rights;
mod steps;
mod tenancy;

use sea_orm_migration::sea_orm::{
    ConnectionTrait as _, DatabaseConnection, DatabaseTransaction, DbErr, RuntimeErr,
    TransactionTrait as _,
};
use testkit::database::TENANT_A;

/// Tables whose rows belong to a tenant each.
const TENANT_TABLES: [&str; 36] = [
    "alerts",
    "api_keys",
    "audit_checkpoints",
    "audit_events",
    "audit_personal",
    "capability_grants",
    "chain_links",
    "chain_seals",
    "chains",
    "codifications",
    "decision_hours",
    "decision_rules",
    "decisions",
    "form_submissions",
    "form_tokens",
    "forms",
    "latency_hours",
    "members",
    "outcomes",
    "policies",
    "policy_approvals",
    "policy_groups",
    "policy_hours",
    "policy_snapshots",
    "policy_versions",
    "review_records",
    "review_submissions",
    "rollup_marks",
    "rule_hours",
    "saved_filters",
    "settings",
    "snapshot_policies",
    "tenants",
    "webhook_attempts",
    "webhook_deliveries",
    "webhook_subscriptions",
];

/// Tables that grow and never change.
const APPEND_ONLY: [&str; 15] = [
    "audit_checkpoints",
    "audit_events",
    "chain_links",
    "chain_seals",
    "codifications",
    "decision_rules",
    "decisions",
    "form_submissions",
    "outcomes",
    "policy_approvals",
    "policy_snapshots",
    "review_records",
    "review_submissions",
    "snapshot_policies",
    "webhook_attempts",
];

/// Tables of the log that grow and never change. They belong to no tenant.
const LOG: [&str; 3] = ["log_checkpoints", "log_entries", "log_nodes"];

/// The settings of a transaction of the first tenant.
const AS_A: &[(&str, &str)] = &[("app.tenant", TENANT_A)];

/// Runs statements in one transaction with these settings, and says how they ended: with the code
/// and the message of the database when it refuses.
async fn run(db: &DatabaseConnection, settings: &[(&str, &str)], sql: &str) -> Result<(), String> {
    let tx = begin(db, settings).await;
    tx.execute_unprepared(sql).await.map_err(refusal)?;
    tx.commit().await.map_err(refusal)
}

#[expect(clippy::disallowed_methods, reason = "an attack names its tenant by itself, or none")]
async fn begin(db: &DatabaseConnection, settings: &[(&str, &str)]) -> DatabaseTransaction {
    let tx = db.begin().await.expect("a transaction begins");
    for (name, value) in settings {
        let set = format!("select set_config('{name}', '{value}', true)");
        tx.execute_unprepared(&set).await.expect("a setting is taken");
    }
    tx
}

fn refusal(error: DbErr) -> String {
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(error)) => match error.as_database_error() {
            Some(refusal) => {
                format!("{} {}", refusal.code().unwrap_or_default(), refusal.message())
            }
            None => error.to_string(),
        },
        other => other.to_string(),
    }
}
