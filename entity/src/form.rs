//! Hosted forms.

use contract::form::{AccessMode, BudgetWindow};
use sea_orm::entity::prelude::*;

use crate::column::Word;

/// A form.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "forms")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its place in the tenant's sequence: the number of its audit event.
    pub sequence: i64,
    /// The policy that decides on the answers.
    pub policy_id: Uuid,
    /// What people call it.
    pub title: String,
    /// What it is for.
    pub description: Option<String>,
    /// What kind of decision a submission asks for.
    pub decision_type: String,
    /// The questions, as JSON.
    pub fields: String,
    /// What it asks of whoever submits.
    pub access_mode: Word<AccessMode>,
    /// The password's hash, as PHC text.
    pub password_hash: Option<String>,
    /// Whether it is there for the public.
    pub is_published: bool,
    /// How many submissions it takes in a window.
    pub budget_limit: i32,
    /// The window.
    pub budget_window: Word<BudgetWindow>,
    /// When the window began that `tokens_used` is about.
    pub window_start: DateTimeUtc,
    /// How many submissions it took in that window.
    pub tokens_used: i32,
    /// How many submissions it took ever.
    pub submissions: i64,
    /// Who asks, as JSON.
    pub branding: String,
    /// What is said after a submission.
    pub success_message: Option<String>,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// By whom.
    pub created_by: Option<String>,
    /// When it last changed.
    pub updated_at: DateTimeUtc,
}

table!(TenantOwned, Identified, Sequenced);
