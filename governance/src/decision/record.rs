//! Recording a decision: exactly once for each idempotency key, whatever happens meanwhile.

mod chained;
mod sign;
mod together;

use contract::{decision::RecordRequest, evaluation::Verdict, id::DecisionId, json::Value};
use entity::tenant as tenants;
use receipt::canon::Canonical;
use sea_orm::QuerySelect;

use self::sign::sign;
pub(crate) use self::together::Together;
use crate::{
    clock::Watch,
    cx::Cx,
    decision::evaluate::{Question, decide_to_record, judge},
    error::{Error, Result, idempotency_key_reused},
    observe::Observed,
    permission,
    recorder::{self, Record, Reply, Stored},
    snapshot::{self, Narrowing},
    tenancy::{Tenant, TenantTx},
};

/// What a record call answers: the stored record, byte for byte, and whether it is new.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The JSON text of the decision record.
    pub record: String,
    /// Whether this very call recorded it.
    pub is_new: bool,
    /// The decision.
    pub id: DecisionId,
}

/// How often a record is decided again because a policy was activated meanwhile. The next time it is
/// decided with the tenant's head in hand, so that activations wait for it.
const ATTEMPTS: u32 = 3;

/// Evaluates a context and records the decision, or answers what was recorded before under the
/// same idempotency key.
///
/// # Errors
/// `IDEMPOTENCY_KEY_REUSED`; `NO_ACTIVE_POLICIES`; `VALIDATION_ERROR`; of a chain `NOT_FOUND`,
/// `CHAIN_SEALED`, and `CONFLICT` for a step that is taken; `SERVICE_UNAVAILABLE` when
/// the store is away or overloaded: the same call may be made again and records nothing twice.
pub async fn record(cx: &Cx, body: &Value, request: RecordRequest) -> Result<Outcome> {
    let tenant = cx.tenant(permission::RECORD)?;
    let asked = Asked {
        watch: cx.governance.clock().watch(),
        id: cx.governance.chance().id(),
        request_digest: Canonical::of(body).digest.to_string(),
        request: &request,
    };
    let outcome = match &request.chain {
        Some(place) => asked.recorded_in_chain(&tenant, place).await,
        None => asked.recorded(tenant).await,
    };
    let Err(error) = outcome else { return outcome };
    // A key that is known answers before anything else is considered; and when the connection died
    // between COMMIT and its answer, the decision may be there.
    match asked.known(&tenant).await {
        Ok(Some(outcome)) => Ok(outcome),
        Err(refused @ Error::Refused(_)) => Err(refused),
        Ok(None) | Err(_) => Err(error),
    }
}

/// What one call asks for.
struct Asked<'a> {
    /// Runs since the call began.
    watch: Watch,
    /// The decision that this very call makes.
    id: DecisionId,
    request_digest: String,
    request: &'a RecordRequest,
}

impl Asked<'_> {
    fn question(&self) -> Question<'_> {
        let request = self.request;
        Question {
            context: &request.context,
            actor: request.actor.as_ref(),
            action: request.action.as_ref(),
            narrowing: Narrowing {
                policy_group_code: request.policy_group_code.as_deref(),
                policy_ids: request.policy_ids.as_deref(),
            },
            explain: false,
        }
    }

    async fn recorded(&self, mut tenant: Tenant<'_>) -> Result<Outcome> {
        let governance = &tenant.cx().governance;
        let name = tenant_name(&tenant).await?;
        for _ in 0..ATTEMPTS {
            let question = self.question();
            let decided = decide_to_record(&tenant, &question).await?;
            let record = sign(&tenant, self, &question, decided, &name, None).await?;
            let verdict = record.decision;
            match recorder::write(governance, record).await? {
                Reply::Recorded(record) => return Ok(self.is_new(&tenant, verdict, record)),
                Reply::Known(stored) => return self.is_known(stored),
                Reply::Outdated { activations } => tenant = tenant.at(activations),
            }
        }
        self.recorded_while_held(&tenant, &name).await
    }

    /// Decides and records in one transaction that holds the tenant's head from the start.
    async fn recorded_while_held(&self, tenant: &Tenant<'_>, name: &str) -> Result<Outcome> {
        self.recorded_in(tenant, tenant.begin().await?, name).await
    }

    /// The same in a transaction that was begun before, and with everything that was written in it.
    async fn recorded_in(
        &self,
        tenant: &Tenant<'_>,
        mut tx: TenantTx,
        name: &str,
    ) -> Result<Outcome> {
        let question = self.question();
        tx.head().await?;
        if let Some(stored) = self.stored(&tx).await? {
            tx.end().await?;
            return self.is_known(stored);
        }
        let decision_type = question.context.decision_type();
        let cx = tenant.cx();
        let snapshot = snapshot::within(&mut tx, cx, decision_type, question.narrowing).await?;
        let decided = judge(cx, snapshot, &question, cx.now)?;
        let record = sign(tenant, self, &question, decided, name, None).await?;
        self.written_alone(tenant, tx, record).await
    }

    /// Writes `record` and commits, or answers what was recorded under its key meanwhile.
    async fn written_alone(
        &self,
        tenant: &Tenant<'_>,
        mut tx: TenantTx,
        record: Record,
    ) -> Result<Outcome> {
        match recorder::within(&mut tx, &record).await? {
            Ok(alone) => alone.commit(&tenant.cx().governance, tx).await?,
            Err(stored) => {
                tx.end().await?;
                return self.is_known(stored);
            }
        }
        Ok(self.is_new(tenant, record.decision, record.text))
    }

    fn is_new(&self, tenant: &Tenant<'_>, verdict: Verdict, record: String) -> Outcome {
        let (governance, tenant) = (&tenant.cx().governance, tenant.id());
        governance.tell(Observed::Recorded { tenant, verdict, seconds: self.watch.seconds() });
        Outcome { record, is_new: true, id: self.id }
    }

    /// The answer to a call whose key was used before.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED` when it was another request.
    fn is_known(&self, stored: Stored) -> Result<Outcome> {
        if stored.request_digest != self.request_digest {
            return Err(idempotency_key_reused().into());
        }
        let is_new = stored.id == self.id;
        Ok(Outcome { record: stored.record, is_new, id: stored.id })
    }

    /// What was recorded under the key before, if anything.
    ///
    /// # Errors
    /// `IDEMPOTENCY_KEY_REUSED` when it was another request.
    async fn known(&self, tenant: &Tenant<'_>) -> Result<Option<Outcome>> {
        let tx = tenant.begin().await?;
        let stored = self.stored(&tx).await?;
        tx.end().await?;
        stored.map(|stored| self.is_known(stored)).transpose()
    }

    async fn stored(&self, tx: &TenantTx) -> Result<Option<Stored>> {
        let row = tx.one(KNOWN, [self.request.idempotency_key.as_str().into()]).await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Stored {
            id: DecisionId(row.try_get_by_index(0)?),
            request_digest: row.try_get_by_index(1)?,
            record: row.try_get_by_index(2)?,
        }))
    }
}

// SQL: runs for every record in a chain or of a form, and for those that are made again.
const KNOWN: &str = "SELECT id, request_digest, record FROM decisions \
                     WHERE tenant_id = $1 AND idempotency_key = $2";

/// The tenant's name, which does not change. It is read once for all who ask at the same time.
pub(crate) async fn tenant_name(tenant: &Tenant<'_>) -> Result<String> {
    let names = tenant.cx().governance.tenant_names();
    let name = names.try_get_with(tenant.id(), read_name(tenant)).await;
    name.map_err(|error| error.again())
}

async fn read_name(tenant: &Tenant<'_>) -> Result<String> {
    let tx = tenant.begin().await?;
    let name = tx.find::<tenants::Entity>().select_only().column(tenants::Column::Name);
    let name = name.into_tuple::<String>().one(tx.connection()).await?;
    tx.end().await?;
    name.ok_or_else(|| Error::bug("a tenant without its row"))
}
