//! A record that continues a chain. Its statement names its step, so it is signed when the head of the
//! chain is held: alone, while other records share their transactions.

use contract::chain::ChainPlace;

use super::{Asked, Outcome, sign::sign, tenant_name};
use crate::{
    chain::{self, Head},
    decision::evaluate::{decide_to_record, judge},
    error::{Error, Result},
    snapshot,
    tenancy::Tenant,
};

impl Asked<'_> {
    /// Decides first; then holds the chain, then the tenant's head.
    pub(super) async fn recorded_in_chain(
        &self,
        tenant: &Tenant<'_>,
        asked: &ChainPlace,
    ) -> Result<Outcome> {
        let cx = tenant.cx();
        let name = tenant_name(tenant).await?;
        let question = self.question();
        let decided = decide_to_record(tenant, &question).await?;
        let _turn = cx.governance.turns().take(asked.chain_id).await;
        let mut tx = tenant.begin().await?;
        if let Some(stored) = self.stored(&tx).await? {
            tx.end().await?;
            return self.is_known(stored);
        }
        let head = Head::hold_or_begin(&tx, asked.chain_id).await?;
        let place = head.place(&tx, asked).await?;
        let mut record = sign(tenant, self, &question, decided, &name, Some(&place)).await?;
        if tx.head().await?.activations != record.activations {
            let decision_type = question.context.decision_type();
            let snapshot = snapshot::within(&mut tx, cx, decision_type, question.narrowing).await?;
            let decided = judge(cx, snapshot, &question, cx.now)?;
            record = sign(tenant, self, &question, decided, &name, Some(&place)).await?;
        }
        let link = record.link.as_ref().ok_or_else(|| Error::bug("a chained record has a link"))?;
        chain::append(&mut tx, link).await?;
        self.written_alone(tenant, tx, record).await
    }
}
