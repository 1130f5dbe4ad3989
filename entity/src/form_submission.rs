//! Decisions submitted through a form. Append-only.

use sea_orm::entity::prelude::*;

table! {
    "form_submissions" [tenant_id: Uuid, form_id: Uuid, decision_id: Uuid] TenantOwned {}
}
