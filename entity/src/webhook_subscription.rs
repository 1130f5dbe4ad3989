//! Where alerts are sent.

use contract::{rule::Severity, webhook::WebhookSubscription};
use sea_orm::entity::prelude::*;

use crate::column::{Word, instant};

/// A subscription, with its secret under seal.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_subscriptions")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its place in the tenant's list.
    pub sequence: i64,
    /// The address that is called.
    pub webhook_url: String,
    /// Alerts of decisions of these types only; empty means every alert.
    pub decision_types: Vec<String>,
    /// The mildest severity that is sent.
    pub severity_min: Word<Severity>,
    /// Whether it is sent to.
    pub is_active: bool,
    /// What deliveries are signed with, sealed.
    pub secret: Vec<u8>,
    /// The version of the key that opens it.
    pub secret_key: i32,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// By whom.
    pub created_by: Option<String>,
}

table!(TenantOwned, Identified, Sequenced);

impl From<Model> for WebhookSubscription {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            tenant_id: row.tenant_id.into(),
            webhook_url: row.webhook_url,
            decision_types: row.decision_types,
            severity_min: row.severity_min.0,
            is_active: row.is_active,
            has_secret: !row.secret.is_empty(),
            created_at: instant(row.created_at),
        }
    }
}
