//! Hosted forms.

use contract::form::{AccessMode, BudgetWindow, FormLanguage};
use sea_orm::entity::prelude::*;

use crate::column::TextEnum;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "forms")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The sequence number in the tenant; equal to that of its audit event.
    pub sequence: i64,
    /// The policy that evaluates submissions.
    pub policy_id: Uuid,
    pub title: String,
    pub description: Option<String>,
    pub decision_type: String,
    /// The form fields as JSON.
    pub fields: String,
    pub access_mode: TextEnum<AccessMode>,
    /// The password hash in PHC form.
    pub password_hash: Option<String>,
    pub is_published: bool,
    /// The maximum number of submissions per window.
    pub budget_limit: i32,
    pub budget_window: TextEnum<BudgetWindow>,
    /// The start of the window of `tokens_used`.
    pub window_start: DateTimeUtc,
    /// The number of submissions in the window.
    pub tokens_used: i32,
    /// The total number of submissions.
    pub submissions: i64,
    /// The branding of the form as JSON.
    pub branding: String,
    pub success_message: Option<String>,
    /// The language of the public pages.
    pub language: TextEnum<FormLanguage>,
    pub created_at: DateTimeUtc,
    pub created_by: Option<String>,
    pub updated_at: DateTimeUtc,
}

table!(TenantOwned, HasId, HasSequence);
