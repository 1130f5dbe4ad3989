//! What people should look at.

use contract::{
    alert::{Alert, AlertType},
    json::{Limits, Value},
    rule::Severity,
};
use sea_orm::entity::prelude::*;

use crate::column::{Word, instant};

/// An alert. It is raised with what it is about, by the store itself.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "alerts")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its place in lists; the database gives it out.
    pub sequence: i64,
    /// What it is about.
    pub alert_type: Word<AlertType>,
    /// How bad it is.
    pub severity: Word<Severity>,
    /// A sentence for people.
    pub message: String,
    /// The decision that raised it.
    pub decision_id: Option<Uuid>,
    /// The kind of that decision.
    pub decision_type: Option<String>,
    /// The rules that it violates.
    pub rule_codes: Vec<String>,
    /// Facts for programs, byte for byte.
    pub data: String,
    /// When it was raised.
    pub created_at: DateTimeUtc,
    /// When somebody acknowledged it.
    pub acknowledged_at: Option<DateTimeUtc>,
    /// Who did.
    pub acknowledged_by: Option<String>,
}

table!(TenantOwned, Identified);

impl From<Model> for Alert {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            tenant_id: row.tenant_id.into(),
            alert_type: row.alert_type.0,
            severity: row.severity.0,
            message: row.message,
            created_at: instant(row.created_at),
            decision_id: row.decision_id.map(Into::into),
            // The schema writes the text itself.
            data: Value::parse(row.data.as_bytes(), &Limits::REQUEST).unwrap_or_default(),
            acknowledged_at: row.acknowledged_at.map(instant),
            acknowledged_by: row.acknowledged_by,
        }
    }
}
