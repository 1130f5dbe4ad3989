//! Records in a chain. The statement contains the step, so it is signed while the chain head is locked, in
//! a transaction of its own instead of a group.

use contract::chain::ChainRequest;

use super::{RecordCall, RecordResult, sign::sign_with_link};
use crate::{
    base::error::Result,
    deciding::{
        chain::{self, Head},
        decision::evaluate::{evaluate_for_record, evaluate_with_head_locked},
    },
};

impl RecordCall<'_> {
    /// Evaluates the context, then locks the chain head and after it the tenant head.
    pub(super) async fn record_in_chain(
        &self,
        request: &ChainRequest,
        parent_path: &str,
    ) -> Result<RecordResult> {
        let (tenant, cx) = (&self.tenant, self.tenant.cx());
        let evaluated = evaluate_for_record(tenant, &self.input).await?;
        let queue = cx.governance.tracer().phase("queue");
        let _lock = cx.governance.deciding().chain_locks.lock(request.chain_id).await;
        let mut tx = tenant.begin().await?;
        if let Some(existing) = self.existing(&tx).await? {
            tx.finish_read().await?;
            return Ok(existing);
        }
        let head = Head::lock_or_create(&tx, request.chain_id).await?;
        drop(queue);
        let position = head.next_position(&tx, request, parent_path).await?;
        let (mut record, mut link) = sign_with_link(self, evaluated, position).await?;
        if tx.lock_head().await?.activations != record.activations {
            let evaluated = evaluate_with_head_locked(&mut tx, cx, &self.input).await?;
            (record, link) = sign_with_link(self, evaluated, position).await?;
        }
        chain::append(&mut tx, &link).await?;
        self.write_single(tx, record, Some(position.chain_position)).await
    }
}
