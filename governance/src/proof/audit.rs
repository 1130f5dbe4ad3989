//! The audit log: every change of state writes one event in its own transaction.

mod checkpoint;
mod list;
mod verify;

pub use checkpoint::CheckpointWorker;
pub use list::{list, object_names};
pub use verify::verify;
pub(crate) use verify::verify_log_of;

use entity::tenant_head::{Column, Entity};

use crate::base::prelude::*;

/// Returns the number of the last event of every tenant. Not subject to row-level security, because it is
/// read before a tenant is selected.
pub(crate) async fn heads(governance: &Governance) -> Result<Vec<(TenantId, i64)>> {
    let heads = untenanted::<Entity>()
        .select_only()
        .columns([Column::TenantId, Column::AuditSeq])
        .into_tuple::<(Uuid, i64)>()
        .all(governance.database())
        .await?;
    Ok(heads.into_iter().map(|(tenant, seq)| (TenantId(tenant), seq)).collect())
}
