//! Webhook subscriptions.

use contract::{
    rule::Severity,
    webhook::{WebhookEnvelope, WebhookSubscription},
};
use sea_orm::entity::prelude::*;

use crate::column::{TextEnum, from_column};

table! {
    /// A subscription with its encrypted secret.
    "webhook_subscriptions" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId, HasSequence {
        /// The position in the tenant's list.
        pub sequence: i64,
        pub webhook_url: String,
        /// The decision types whose alerts are sent; empty means all alerts.
        pub decision_types: Vec<String>,
        pub severity_min: TextEnum<Severity>,
        /// The form of the body of its deliveries.
        pub envelope: TextEnum<WebhookEnvelope>,
        pub is_active: bool,
        /// The encrypted signing secret of deliveries.
        pub secret: Vec<u8>,
        /// The version of the encryption key of `secret`.
        pub secret_key: i32,
        pub created_at: DateTimeUtc,
        pub created_by: Option<String>,
    }
}

impl From<Model> for WebhookSubscription {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            tenant_id: row.tenant_id.into(),
            webhook_url: row.webhook_url,
            decision_types: row.decision_types,
            severity_min: row.severity_min.0,
            envelope: row.envelope.0,
            is_active: row.is_active,
            has_secret: !row.secret.is_empty(),
            created_at: from_column(row.created_at),
        }
    }
}
