//! A record that stands or falls with rows of its caller's: both are written in one transaction that the
//! caller has begun.

use contract::{decision::RecordRequest, id::DecisionId, json::Value};
use receipt::canon::Canonical;

use super::{Asked, Outcome, tenant_name};
use crate::{
    error::{Error, Result},
    tenancy::{Tenant, TenantTx},
};

/// A decision that is about to be recorded. Whoever asks has been let in already.
pub(crate) struct Together<'a> {
    asked: Asked<'a>,
    tenant_name: String,
}

impl<'a> Together<'a> {
    /// `request`, which is the same as another one when `body` is.
    pub(crate) async fn new(
        tenant: &Tenant<'_>,
        request: &'a RecordRequest,
        body: &Value,
    ) -> Result<Self> {
        let governance = &tenant.cx().governance;
        let asked = Asked {
            watch: governance.clock().watch(),
            id: governance.chance().id(),
            request_digest: Canonical::of(body).digest.to_string(),
            request,
        };
        Ok(Self { asked, tenant_name: tenant_name(tenant).await? })
    }

    /// The decision that will be made.
    pub(crate) fn id(&self) -> DecisionId {
        self.asked.id
    }

    /// What was recorded under the same key before.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED` when it was another request.
    pub(crate) async fn known(&self, tx: &TenantTx) -> Result<Option<Outcome>> {
        let stored = self.asked.stored(tx).await?;
        stored.map(|stored| self.asked.is_known(stored)).transpose()
    }

    /// Decides, records and commits, with everything that was written in `tx` before.
    ///
    /// # Errors
    /// As [`super::record`].
    pub(crate) async fn recorded(&self, tenant: &Tenant<'_>, tx: TenantTx) -> Result<Outcome> {
        let outcome = self.asked.recorded_in(tenant, tx, &self.tenant_name).await;
        let Err(error @ Error::Unavailable { .. }) = outcome else { return outcome };
        // When the connection died between COMMIT and its answer, the decision may be there.
        match self.asked.known(tenant).await {
            Ok(Some(outcome)) => Ok(outcome),
            _ => Err(error),
        }
    }
}
