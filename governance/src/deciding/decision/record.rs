//! Recording of decisions, exactly once per idempotency key.

mod chained;
mod in_transaction;
mod sign;

use contract::{decision::RecordRequest, evaluation::Verdict, id::DecisionId, json::Value};
use entity::tenant as tenants;
use receipt::canonical_json::CanonicalJson;
use sea_orm::QuerySelect;

pub(crate) use self::in_transaction::RecordInTx;
use self::sign::sign;
use crate::{
    access::permission,
    base::{
        clock::Stopwatch,
        cx::Cx,
        error::{Error, Result, idempotency_key_reused},
        observe::Observed,
        tenancy::{Tenant, TenantTx},
    },
    deciding::{
        decision::evaluate::{EvaluationInput, evaluate_for_record, evaluate_on_snapshot},
        recorder::{self, Record, StoredRecord, WriteResult},
        snapshot::{self, PolicySelection},
    },
};

/// The result of a record call.
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
    let call = RecordCall {
        stopwatch: cx.governance.clock().stopwatch(),
        id: cx.governance.entropy().id(),
        request_digest: CanonicalJson::from_value(body).digest.to_string(),
        request: &request,
    };
    let result = match &request.chain {
        Some(chain) => call.record_in_chain(&tenant, chain).await,
        None => call.run(tenant).await,
    };
    let Err(error) = result else { return result };
    // A record under this key takes precedence over any other error. If the connection was lost between
    // COMMIT and its response, the decision may have been recorded.
    match call.find_existing(&tenant).await {
        Ok(Some(result)) => Ok(result),
        Err(refused @ Error::Refused(_)) => Err(refused),
        Ok(None) | Err(_) => Err(error),
    }
}

/// One record call.
struct RecordCall<'a> {
    /// Started at the beginning of the call.
    stopwatch: Stopwatch,
    /// The id of the decision if this call records it.
    id: DecisionId,
    request_digest: String,
    request: &'a RecordRequest,
}

impl RecordCall<'_> {
    fn input(&self) -> EvaluationInput<'_> {
        let request = self.request;
        EvaluationInput {
            context: &request.context,
            actor: request.actor.as_ref(),
            action: request.action.as_ref(),
            narrowing: PolicySelection {
                policy_group_code: request.policy_group_code.as_deref(),
                policy_ids: request.policy_ids.as_deref(),
            },
            explain: false,
        }
    }

    async fn run(&self, mut tenant: Tenant<'_>) -> Result<RecordResult> {
        let governance = &tenant.cx().governance;
        let name = tenant_name(&tenant).await?;
        for _ in 0..ATTEMPTS_MAX {
            let input = self.input();
            let evaluated = evaluate_for_record(&tenant, &input).await?;
            let record = sign(&tenant, self, &input, evaluated, &name, None).await?;
            let verdict = record.decision;
            match recorder::write(governance, record).await? {
                WriteResult::Recorded(record) => {
                    return Ok(self.new_result(&tenant, verdict, record));
                }
                WriteResult::Known(stored) => return self.existing_result(stored),
                WriteResult::Outdated { activations } => {
                    tenant = tenant.with_activation_counter(activations);
                }
            }
        }
        self.record_with_head_locked(&tenant, &name).await
    }

    /// Evaluates and records in one transaction that locks the tenant head first.
    async fn record_with_head_locked(
        &self,
        tenant: &Tenant<'_>,
        name: &str,
    ) -> Result<RecordResult> {
        self.record_in(tenant, tenant.begin().await?, name).await
    }

    /// Evaluates and records in `tx`, which may already contain writes of the caller, and commits it.
    async fn record_in(
        &self,
        tenant: &Tenant<'_>,
        mut tx: TenantTx,
        name: &str,
    ) -> Result<RecordResult> {
        let input = self.input();
        tx.lock_head().await?;
        if let Some(stored) = self.find_stored(&tx).await? {
            tx.finish_read().await?;
            return self.existing_result(stored);
        }
        let decision_type = input.context.decision_type();
        let cx = tenant.cx();
        let snapshot = snapshot::resolve_in(&mut tx, cx, decision_type, input.narrowing).await?;
        let evaluated = evaluate_on_snapshot(cx, snapshot, &input, cx.now)?;
        let record = sign(tenant, self, &input, evaluated, name, None).await?;
        self.write_single(tenant, tx, record).await
    }

    /// Writes `record` and commits, or returns what was recorded concurrently under its idempotency key.
    async fn write_single(
        &self,
        tenant: &Tenant<'_>,
        mut tx: TenantTx,
        record: Record,
    ) -> Result<RecordResult> {
        match recorder::write_single(&mut tx, &record).await? {
            Ok(written) => written.commit(&tenant.cx().governance, tx).await?,
            Err(stored) => {
                tx.finish_read().await?;
                return self.existing_result(stored);
            }
        }
        Ok(self.new_result(tenant, record.decision, record.text))
    }

    fn new_result(&self, tenant: &Tenant<'_>, verdict: Verdict, record: String) -> RecordResult {
        let (governance, tenant) = (&tenant.cx().governance, tenant.id());
        governance.emit(Observed::Recorded { tenant, verdict, seconds: self.stopwatch.seconds() });
        RecordResult { record, is_new: true, id: self.id }
    }

    /// Returns the result for an idempotency key that was used before.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED` if it was used for a different request.
    fn existing_result(&self, stored: StoredRecord) -> Result<RecordResult> {
        if stored.request_digest != self.request_digest {
            return Err(idempotency_key_reused().into());
        }
        let is_new = stored.id == self.id;
        Ok(RecordResult { record: stored.record, is_new, id: stored.id })
    }

    /// Returns the decision that was recorded earlier under the idempotency key, if any.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED` if it was used for a different request.
    async fn find_existing(&self, tenant: &Tenant<'_>) -> Result<Option<RecordResult>> {
        let tx = tenant.begin().await?;
        let stored = self.find_stored(&tx).await?;
        tx.finish_read().await?;
        stored.map(|stored| self.existing_result(stored)).transpose()
    }

    async fn find_stored(&self, tx: &TenantTx) -> Result<Option<StoredRecord>> {
        let row = tx
            .one(SELECT_BY_IDEMPOTENCY_KEY, [self.request.idempotency_key.as_str().into()])
            .await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(StoredRecord {
            id: DecisionId(row.try_get_by_index(0)?),
            request_digest: row.try_get_by_index(1)?,
            record: row.try_get_by_index(2)?,
        }))
    }
}

// SQL: runs for every record in a chain or of a form, and for repeated calls.
const SELECT_BY_IDEMPOTENCY_KEY: &str = "SELECT id, request_digest, record FROM decisions \
                                         WHERE tenant_id = $1 AND idempotency_key = $2";

/// Returns the tenant's name, which never changes. Concurrent first look-ups share one query.
pub(crate) async fn tenant_name(tenant: &Tenant<'_>) -> Result<String> {
    let names = tenant.cx().governance.tenant_names();
    let name = names.try_get_with(tenant.id(), read_name(tenant)).await;
    name.map_err(|error| error.clone_for_waiter())
}

async fn read_name(tenant: &Tenant<'_>) -> Result<String> {
    let tx = tenant.begin().await?;
    let name = tx.find::<tenants::Entity>().select_only().column(tenants::Column::Name);
    let name = name.into_tuple::<String>().one(tx.connection()).await?;
    tx.finish_read().await?;
    name.ok_or_else(|| Error::bug("a tenant without its row"))
}
