//! Records in a chain. The statement contains the step, so it is signed while the chain head is locked, in
//! a transaction of its own instead of a group.

use contract::chain::ChainRequest;

use super::{RecordCall, RecordResult, sign::sign, tenant_name};
use crate::{
    base::{
        error::{Error, Result},
        tenancy::Tenant,
    },
    deciding::{
        chain::{self, Head},
        decision::evaluate::{evaluate_for_record, evaluate_on_snapshot},
        snapshot,
    },
};

impl RecordCall<'_> {
    /// Evaluates the context, then locks the chain head and after it the tenant head.
    pub(super) async fn record_in_chain(
        &self,
        tenant: &Tenant<'_>,
        request: &ChainRequest,
    ) -> Result<RecordResult> {
        let cx = tenant.cx();
        let name = tenant_name(tenant).await?;
        let input = self.input();
        let evaluated = evaluate_for_record(tenant, &input).await?;
        let _lock = cx.governance.chain_locks().lock(request.chain_id).await;
        let mut tx = tenant.begin().await?;
        if let Some(stored) = self.find_stored(&tx).await? {
            tx.finish_read().await?;
            return self.existing_result(stored);
        }
        let head = Head::lock_or_create(&tx, request.chain_id).await?;
        let position = head.next_position(&tx, request).await?;
        let mut record = sign(tenant, self, &input, evaluated, &name, Some(&position)).await?;
        if tx.lock_head().await?.activations != record.activations {
            let decision_type = input.context.decision_type();
            let snapshot =
                snapshot::resolve_in(&mut tx, cx, decision_type, input.narrowing).await?;
            let evaluated = evaluate_on_snapshot(cx, snapshot, &input, cx.now)?;
            record = sign(tenant, self, &input, evaluated, &name, Some(&position)).await?;
        }
        let link = record.link.as_ref().ok_or_else(|| Error::bug("a chained record has a link"))?;
        chain::append(&mut tx, link).await?;
        self.write_single(tenant, tx, record).await
    }
}
