//! Transactions that write to the audit logs of several tenants, because they change the data of a user.

use crate::{access::membership, base::prelude::*};

/// The tenants whose audit logs a transaction writes to, in the lock order of their heads. Empty for a
/// user without a tenant.
#[derive(Debug)]
pub(crate) struct AuditLogs {
    first: Option<TenantId>,
    rest: Vec<TenantId>,
}

impl AuditLogs {
    /// Returns the logs of these tenants, which are in the lock order of their heads.
    pub(crate) fn new(tenants: Vec<TenantId>) -> Self {
        let mut tenants = tenants.into_iter();
        Self { first: tenants.next(), rest: tenants.collect() }
    }

    pub(crate) async fn of_user(governance: &Governance, user_id: UserId) -> Result<Self> {
        Ok(Self::new(membership::tenants_of(governance, user_id).await?))
    }

    /// Returns an empty set of logs, for operations without an audit event.
    pub(crate) fn none() -> Self {
        Self::new(Vec::new())
    }

    /// Begins a transaction in the first tenant.
    pub(crate) async fn begin(&self, cx: &Cx) -> Result<TenantTx> {
        cx.tenant_unchecked(self.first.unwrap_or(TenantId(Uuid::nil()))).begin().await
    }

    /// Writes the events to every log and commits.
    pub(crate) async fn commit(self, mut tx: TenantTx, cx: &Cx, events: &[Event]) -> Result<()> {
        let Some((last, others)) = events.split_last() else {
            return tx.commit_without_event().await;
        };
        if self.first.is_none() {
            return tx.commit_without_event().await;
        }
        for tenant in self.rest {
            events.iter().cloned().for_each(|event| tx.add_event(event));
            tx = tx.continue_in(cx, tenant).await?;
        }
        others.iter().cloned().for_each(|event| tx.add_event(event));
        tx.commit(cx, last.clone()).await
    }
}
