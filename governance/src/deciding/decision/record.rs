//! Recording of decisions, exactly once per idempotency key.

mod sign;

use contract::{chain::ChainRequest, decision::RecordRequest};
use entity::tenant as tenants;
use receipt::statement::ChainPosition;

use self::sign::{sign, sign_with_link};
use crate::{
    access::permission,
    base::{clock::Stopwatch, error::idempotency_key_reused, prelude::*},
    deciding::{
        chain::{self, Head},
        decision::evaluate::{EvaluationInput, evaluate_for_record, evaluate_with_head_locked},
        recorder::{self, Record, StoredRecord, WriteResult},
        snapshot::PolicySelection,
    },
};

#[derive(Clone, Debug)]
pub struct RecordResult {
    /// The JSON text of the decision record, exactly as stored.
    pub record: String,
    /// Whether this call recorded it.
    pub is_new: bool,
    pub id: DecisionId,
}

/// The number of attempts before the tenant head is locked. An attempt fails if a policy was activated
/// during it. With the head locked, activations wait for the record.
const ATTEMPTS_MAX: u32 = 3;

/// Evaluates a context and records the decision, or returns the decision that was recorded earlier under
/// the same idempotency key.
///
/// # Errors
/// - `IDEMPOTENCY_KEY_REUSED`, `NO_ACTIVE_POLICIES`, `VALIDATION_ERROR`
/// - for a chain: `NOT_FOUND`, `CHAIN_SEALED`, and `CONFLICT` if the step is taken
/// - `SERVICE_UNAVAILABLE` if the database is unavailable or overloaded; repeating the same call is safe
pub async fn record(cx: &Cx, body: &Value, request: RecordRequest) -> Result<RecordResult> {
    let tenant = cx.tenant(permission::RECORD)?;
    let input = EvaluationInput {
        context: &request.context,
        actor: request.actor.as_ref(),
        action: request.action.as_ref(),
        narrowing: PolicySelection::requested(
            request.policy_group_code.as_deref(),
            request.policy_ids.as_deref(),
        ),
        explain: false,
    };
    let call = RecordCall::new(tenant, input, &request.idempotency_key, body).await?;
    let result = match &request.chain {
        Some(chain) => call.record_in_chain(chain, parent_path(body)).await,
        None => call.record_in_group().await,
    };
    call.result_or_existing(result).await
}

/// Returns the path of the parent decision in a body, whose chain members can be at the top level.
fn parent_path(body: &Value) -> &'static str {
    match body.get("chain").and_then(Value::as_object) {
        Some(_) => "/chain/parent_decision_id",
        None => "/parent_decision_id",
    }
}

/// One call that records a decision. The caller is authorized.
pub(crate) struct RecordCall<'a> {
    tenant: Tenant<'a>,
    tenant_name: String,
    stopwatch: Stopwatch,
    /// The ID of the decision if this call records it.
    pub(crate) id: DecisionId,
    idempotency_key: &'a str,
    request_digest: Digest,
    input: EvaluationInput<'a>,
}

impl<'a> RecordCall<'a> {
    /// Prepares the record of a request. Two requests are equal if their `body` is equal.
    pub(crate) async fn new(
        tenant: Tenant<'a>,
        input: EvaluationInput<'a>,
        idempotency_key: &'a str,
        body: &Value,
    ) -> Result<Self> {
        let governance = &tenant.cx().governance;
        Ok(Self {
            stopwatch: governance.clock().stopwatch(),
            id: governance.entropy().id(),
            request_digest: CanonicalJson::from_value(body).digest,
            // Read before a transaction begins, because the look-up may need a connection of its own.
            tenant_name: tenant_name(&tenant).await?,
            tenant,
            idempotency_key,
            input,
        })
    }

    async fn record_in_group(&self) -> Result<RecordResult> {
        let mut tenant = self.tenant;
        for _ in 0..ATTEMPTS_MAX {
            let evaluated = Box::pin(evaluate_for_record(&tenant, &self.input)).await?;
            let record = sign(self, evaluated).await?;
            let verdict = record.decision;
            match recorder::write(&tenant.cx().governance, record).await? {
                WriteResult::Stored(stored) => return self.written_result(verdict, stored),
                WriteResult::Outdated { activations } => {
                    tenant = tenant.with_activation_counter(activations);
                }
            }
        }
        self.record_in(tenant.begin().await?).await
    }

    /// Evaluates with the tenant head locked, records in `tx`, which may already contain writes of the caller,
    /// and commits it.
    pub(crate) async fn record_in(&self, mut tx: TenantTx) -> Result<RecordResult> {
        let queue = self.tenant.cx().governance.tracer().phase("queue");
        tx.lock_head().await?;
        drop(queue);
        if let Some(existing) = self.existing(&tx).await? {
            tx.finish_read().await?;
            return Ok(existing);
        }
        let evaluated =
            Box::pin(evaluate_with_head_locked(&mut tx, self.tenant.cx(), &self.input)).await?;
        let record = sign(self, evaluated).await?;
        self.write_single(tx, record, None).await
    }

    /// Writes `record` and commits.
    async fn write_single(
        &self,
        tx: TenantTx,
        record: Record,
        chain: Option<ChainPosition>,
    ) -> Result<RecordResult> {
        let verdict = record.decision;
        let governance = &self.tenant.cx().governance;
        let stored = recorder::write_single(governance, tx, record, chain).await?;
        self.written_result(verdict, stored)
    }

    /// Returns the result of a write, and reports the decision to the observer if it is new.
    fn written_result(&self, verdict: Verdict, stored: StoredRecord) -> Result<RecordResult> {
        let result = self.stored_result(stored)?;
        if result.is_new {
            let (tenant, seconds) = (self.tenant.id(), self.stopwatch.seconds());
            let recorded = Observed::Recorded { tenant, verdict, seconds };
            self.tenant.cx().governance.emit(recorded);
        }
        Ok(result)
    }

    /// Returns the result for a stored record.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED` if its request was different.
    fn stored_result(&self, stored: StoredRecord) -> Result<RecordResult> {
        if stored.request_digest != self.request_digest {
            return Err(idempotency_key_reused().into());
        }
        let is_new = stored.id == self.id;
        Ok(RecordResult { record: stored.record, is_new, id: stored.id })
    }

    /// Returns `result`, unless it is an error and a decision is recorded under the idempotency key. Then
    /// returns that decision: this call may have recorded it and lost the connection before the response
    /// to its COMMIT.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED` if the key was used for a different request; otherwise the error of `result`.
    pub(crate) async fn result_or_existing(
        &self,
        result: Result<RecordResult>,
    ) -> Result<RecordResult> {
        let Err(error) = result else { return result };
        match self.find_existing().await {
            Ok(Some(existing)) => Ok(existing),
            Err(refused @ Error::Refused(_)) => Err(refused),
            Ok(None) | Err(_) => Err(error),
        }
    }

    /// Evaluates the context, then locks the chain head and after it the tenant head. The statement contains the step, so
    /// it is signed while the chain head is locked, in a transaction of its own instead of a group.
    async fn record_in_chain(
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

    async fn find_existing(&self) -> Result<Option<RecordResult>> {
        let tx = self.tenant.begin().await?;
        let existing = self.existing(&tx).await?;
        tx.finish_read().await?;
        Ok(existing)
    }

    /// Returns the decision that was recorded earlier under the idempotency key, if any.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED` if it was used for a different request.
    pub(crate) async fn existing(&self, tx: &TenantTx) -> Result<Option<RecordResult>> {
        let row = tx.optional(SELECT_BY_IDEMPOTENCY_KEY, [self.idempotency_key.into()]).await?;
        row.map(|row| self.stored_result(StoredRecord::read(row)?)).transpose()
    }
}

// SQL: runs for every record in a chain or of a form, and for repeated calls.
const SELECT_BY_IDEMPOTENCY_KEY: &str = "SELECT id, request_digest, texts FROM decisions \
                                         WHERE tenant_id = $1 AND idempotency_key = $2";

/// Returns the tenant's name, which never changes. Concurrent first look-ups share one query.
pub(crate) async fn tenant_name(tenant: &Tenant<'_>) -> Result<String> {
    let names = &tenant.cx().governance.deciding().tenant_names;
    let name = names.load(tenant.id(), |_| true, read_name(tenant)).await?;
    Ok(String::clone(&name))
}

async fn read_name(tenant: &Tenant<'_>) -> Result<Arc<String>> {
    let tx = tenant.begin().await?;
    let name = tx.find::<tenants::Entity>().select_only().column(tenants::Column::Name);
    let name = name.into_tuple::<String>().one(tx.connection()).await?;
    tx.finish_read().await?;
    name.map(Arc::new).or_bug("a tenant without its row")
}
