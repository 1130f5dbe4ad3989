//! Guarantees of the schema, tested directly against the database.

mod attacks;
mod keys;
mod migrations;
mod plans;
mod rights;
mod tenancy;

use sea_orm_migration::sea_orm::{
    ConnectionTrait as _, DatabaseConnection, DatabaseTransaction, DbErr, RuntimeErr,
    TransactionTrait as _,
};
use testkit::database::TENANT_A;

/// Tables whose rows each belong to a tenant.
const TENANT_TABLES: [&str; 46] = [
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
    "comment_mentions",
    "decision_hours",
    "decision_rules",
    "decisions",
    "form_submissions",
    "form_tokens",
    "forms",
    "identities",
    "identity_providers",
    "latency_hours",
    "login_codes",
    "logout_tokens",
    "mail_counts",
    "members",
    "outcomes",
    "policies",
    "policy_approvals",
    "policy_groups",
    "policy_hours",
    "policy_snapshots",
    "policy_versions",
    "removed_members",
    "review_drafts",
    "review_records",
    "review_submissions",
    "rollup_cursors",
    "rule_hours",
    "saved_filters",
    "search_texts",
    "settings",
    "snapshot_policies",
    "tenants",
    "version_comments",
    "webhook_attempts",
    "webhook_deliveries",
    "webhook_subscriptions",
];

/// Append-only tables of tenants.
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

/// Append-only tables of the transparency log. They belong to no tenant.
const LOG: [&str; 3] = ["log_checkpoints", "log_entries", "log_nodes"];

/// The transaction settings of tenant A.
const AS_A: &[(&str, &str)] = &[("app.tenant", TENANT_A)];

/// Runs statements in one transaction with these settings.
///
/// # Errors
/// Returns the code and the message of a database error.
async fn run(db: &DatabaseConnection, settings: &[(&str, &str)], sql: &str) -> Result<(), String> {
    let tx = begin(db, settings).await;
    tx.execute_unprepared(sql).await.map_err(database_error)?;
    tx.commit().await.map_err(database_error)
}

#[expect(clippy::disallowed_methods, reason = "an attack sets its own tenant, or none")]
async fn begin(db: &DatabaseConnection, settings: &[(&str, &str)]) -> DatabaseTransaction {
    let tx = db.begin().await.expect("begin a transaction");
    for (name, value) in settings {
        let set = format!("select set_config('{name}', '{value}', true)");
        tx.execute_unprepared(&set).await.expect("apply a setting");
    }
    tx
}

fn database_error(error: DbErr) -> String {
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(error)) => match error.as_database_error() {
            Some(error) => {
                format!("{} {}", error.code().unwrap_or_default(), error.message())
            }
            None => error.to_string(),
        },
        other => other.to_string(),
    }
}
