//! Alerts: events that need attention until a user acknowledges them.

use contract::{
    alert::{Alert, AlertType},
    json::{Limits, Value},
    rule::Severity,
};
use sea_orm::entity::prelude::*;

use crate::column::{TextEnum, from_column};

table! {
    /// Decision alerts are created by a database trigger.
    "alerts" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId {
        /// The position in lists, allocated by the database.
        pub sequence: i64,
        pub alert_type: TextEnum<AlertType>,
        pub severity: TextEnum<Severity>,
        pub message: String,
        pub decision_id: Option<Uuid>,
        pub decision_type: Option<String>,
        /// The policies of the violated rules.
        pub policy_ids: Vec<Uuid>,
        /// The violated rules.
        pub rule_codes: Vec<String>,
        /// JSON for programs, byte for byte.
        pub data: String,
        pub created_at: DateTimeUtc,
        pub acknowledged_at: Option<DateTimeUtc>,
        pub acknowledged_by: Option<String>,
        /// The member who handles the alert.
        pub assigned_to: Option<Uuid>,
        /// Until then the alert is not open.
        pub snoozed_until: Option<DateTimeUtc>,
        /// The time of the last change by a user or API key.
        pub changed_at: Option<DateTimeUtc>,
        /// The user or API key that made it.
        pub changed_by: Option<String>,
    }
}

impl From<Model> for Alert {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            tenant_id: row.tenant_id.into(),
            alert_type: row.alert_type.0,
            severity: row.severity.0,
            message: row.message,
            created_at: from_column(row.created_at),
            decision_id: row.decision_id.map(Into::into),
            // Stored by the schema, so it is always valid JSON.
            data: Value::parse(row.data.as_bytes(), &Limits::REQUEST).unwrap_or_default(),
            acknowledged_at: row.acknowledged_at.map(from_column),
            acknowledged_by: row.acknowledged_by,
            assigned_to: row.assigned_to.map(Into::into),
            snoozed_until: row.snoozed_until.map(from_column),
        }
    }
}
