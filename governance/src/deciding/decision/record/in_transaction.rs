//! Records that are committed together with rows of the caller, in a transaction that the caller started.

use contract::{decision::RecordRequest, id::DecisionId, json::Value};
use receipt::canonical_json::CanonicalJson;

use super::{RecordCall, RecordResult, tenant_name};
use crate::base::{
    error::{Error, Result},
    tenancy::{Tenant, TenantTx},
};

/// A decision to record in a transaction of the caller, who is already authorized.
pub(crate) struct RecordInTx<'a> {
    call: RecordCall<'a>,
    tenant_name: String,
}

impl<'a> RecordInTx<'a> {
    /// Prepares the record of `request`. Two requests are the same if their `body` is.
    pub(crate) async fn new(
        tenant: &Tenant<'_>,
        request: &'a RecordRequest,
        body: &Value,
    ) -> Result<Self> {
        let governance = &tenant.cx().governance;
        let call = RecordCall {
            stopwatch: governance.clock().stopwatch(),
            id: governance.entropy().id(),
            request_digest: CanonicalJson::from_value(body).digest.to_string(),
            request,
        };
        Ok(Self { call, tenant_name: tenant_name(tenant).await? })
    }

    /// Returns the id that the decision will have.
    pub(crate) fn id(&self) -> DecisionId {
        self.call.id
    }

    /// Returns the decision that was recorded earlier under the same idempotency key, if any.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED` if it was used for a different request.
    pub(crate) async fn existing(&self, tx: &TenantTx) -> Result<Option<RecordResult>> {
        let stored = self.call.find_stored(tx).await?;
        stored.map(|stored| self.call.existing_result(stored)).transpose()
    }

    /// Evaluates, records and commits, together with everything already written in `tx`.
    ///
    /// # Errors
    /// As [`super::record`].
    pub(crate) async fn record(&self, tenant: &Tenant<'_>, tx: TenantTx) -> Result<RecordResult> {
        let result = self.call.record_in(tenant, tx, &self.tenant_name).await;
        let Err(error @ Error::Unavailable { .. }) = result else { return result };
        // If the connection was lost between COMMIT and its response, the decision may have been recorded.
        match self.call.find_existing(tenant).await {
            Ok(Some(result)) => Ok(result),
            _ => Err(error),
        }
    }
}
