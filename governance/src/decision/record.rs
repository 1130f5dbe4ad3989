//! Recording a decision: exactly once for each idempotency key, whatever happens meanwhile.

use contract::{
    decision::{Actor, DecisionRecord, GovernanceSource, RecordRequest},
    evaluation::Signature,
    id::DecisionId,
    json::Value,
};
use engine::verdict_of;
use receipt::{
    canon::Canonical,
    digest::Digest,
    key::PayloadType,
    statement::{self, ReceiptStatement},
};
use sea_orm::QueryResult;

use crate::{
    audit::Event,
    caller::Caller,
    cx::Cx,
    decision::evaluate::{Decided, Question, decide},
    error::{Error, Result, constraint, idempotency_key_reused},
    observe::Observed,
    permission,
    snapshot::{Narrowing, Snapshot},
    tenancy::{Tenant, TenantTx, instant},
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

/// How often a record is evaluated again because a policy was activated meanwhile.
const ATTEMPTS: u32 = 5;

/// Evaluates a context and records the decision, or answers what was recorded before under the
/// same idempotency key.
///
/// # Errors
/// `IDEMPOTENCY_KEY_REUSED`; `NO_ACTIVE_POLICIES`; `VALIDATION_ERROR`; `SERVICE_UNAVAILABLE` when
/// the store is away: the same call may be made again and records nothing twice.
pub async fn record(cx: &Cx, body: &Value, request: RecordRequest) -> Result<Outcome> {
    let mut tenant = cx.tenant(permission::RECORD)?;
    let request_digest = Canonical::of(body).digest;
    for _ in 0..ATTEMPTS {
        let attempt = attempt(&tenant, &request, request_digest).await;
        match attempt {
            Ok(Attempt::Recorded(outcome)) => return Ok(outcome),
            Ok(Attempt::Outdated { activations }) => tenant = tenant.at(activations),
            // A key that is known answers before anything else is considered; and when the
            // connection died between COMMIT and its answer, the decision may be there.
            Err(error) => {
                let known = known(&tenant, &request.idempotency_key, request_digest).await;
                return match known {
                    Ok(Some(outcome)) => Ok(outcome),
                    Err(refused @ Error::Refused(_)) => Err(refused),
                    Ok(None) | Err(_) => Err(error),
                };
            }
        }
    }
    if let Some(outcome) = known(&tenant, &request.idempotency_key, request_digest).await? {
        return Ok(outcome);
    }
    Err(Error::Unavailable {
        retry_after: std::time::Duration::from_secs(1),
        cause: "policies were activated faster than a decision could be recorded".into(),
    })
}

/// How one attempt ended.
enum Attempt {
    Recorded(Outcome),
    /// A policy was activated after the evaluation: it must be made again.
    Outdated {
        activations: i64,
    },
}

async fn attempt(
    tenant: &Tenant<'_>,
    request: &RecordRequest,
    request_digest: Digest,
) -> Result<Attempt> {
    let cx = tenant.cx();
    let watch = cx.governance.clock().watch();
    let question = Question {
        context: &request.context,
        actor: request.actor.as_ref(),
        action: request.action.as_ref(),
        narrowing: Narrowing {
            policy_group_code: request.policy_group_code.as_deref(),
            policy_ids: request.policy_ids.as_deref(),
        },
        explain: false,
    };
    let decided = decide(tenant, &question).await?;
    let activations = decided.snapshot.activations;
    let name = tenant_name(tenant).await?;
    let signed = sign(tenant, request, &question, decided, name)?;

    let mut tx = tenant.begin().await?;
    let now = tx.head().await?.activations;
    if now != activations {
        tx.end().await?;
        return Ok(Attempt::Outdated { activations: now });
    }
    if let Err(error) = insert(&mut tx, cx, &signed, request_digest).await {
        drop(tx);
        return Err(error);
    }
    let event = Event::new("decision.record", "decision", signed.id)
        .with("decision", signed.record.decision.as_str())
        .with("receipt_digest", signed.statement.digest);
    tx.commit(cx, event).await?;
    let (tenant, verdict) = (tenant.id(), signed.record.decision);
    cx.governance.tell(Observed::Recorded { tenant, verdict, seconds: watch.seconds() });
    Ok(Attempt::Recorded(Outcome { record: signed.text, is_new: true, id: signed.id }))
}

/// A decision with its receipt, ready to be stored.
struct Signed {
    id: DecisionId,
    record: DecisionRecord,
    text: String,
    decided: Receipted,
    statement: Canonical,
    signature: Option<Signature>,
}

/// The preimages that are kept beside the record.
struct Receipted {
    context: Canonical,
    integrity: Canonical,
}

fn sign(
    tenant: &Tenant<'_>,
    request: &RecordRequest,
    question: &Question<'_>,
    decided: Decided,
    tenant_name: String,
) -> Result<Signed> {
    let cx = tenant.cx();
    let id: DecisionId = cx.governance.chance().id();
    let signer = cx.governance.signer();
    let mut result = decided.result;
    let statement = statement::receipt(&ReceiptStatement {
        tenant_id: tenant.id(),
        decision_id: id,
        decision_type: request.context.decision_type(),
        decision: result.decision,
        timestamp: result.timestamp,
        recorded_at: cx.now,
        integrity_hash: decided.integrity.digest,
        policy_snapshot_id: decided.snapshot.id,
        policy_snapshot_digest: decided.snapshot.digest,
        evidence_manifest_digest: decided.evidence,
        idempotency_key_digest: statement::idempotency_key(tenant.id(), &request.idempotency_key),
        action_digest: result
            .action
            .as_ref()
            .map(action_value)
            .transpose()?
            .as_ref()
            .map(statement::action),
        chain: None,
        kid: signer.map(receipt::key::SigningKey::kid),
    });
    if let Some(signer) = signer {
        let watch = cx.governance.clock().watch();
        let signature =
            signer.sign(PayloadType::Receipt, &statement).map_err(|error| Error::Unavailable {
                retry_after: std::time::Duration::from_secs(2),
                cause: error.into(),
            })?;
        cx.governance.tell(Observed::Signed { seconds: watch.seconds() });
        result.signature = Some(Signature {
            signature,
            signature_kid: signer.kid().to_owned(),
            signature_algorithm: "Ed25519".to_owned(),
        });
    }
    let signature = result.signature.clone();
    let policy = deciding_policy(&decided.snapshot, &result)?;
    let context = request.context.clone().correlated(cx.correlation_id.as_str());
    let (api_key_id, api_key_name) = match &cx.caller {
        Caller::Key(key) => (Some(key.id.to_string()), Some(key.name.clone())),
        _ => (None, None),
    };
    let record = DecisionRecord {
        id,
        tenant_id: tenant.id(),
        idempotency_key: request.idempotency_key.clone(),
        decision_type: request.context.decision_type().to_owned(),
        decision: result.decision,
        correlation_id: context
            .metadata("correlation_id")
            .unwrap_or(cx.correlation_id.as_str())
            .to_owned(),
        context: context.value().clone(),
        policy_snapshot_id: decided.snapshot.id,
        recorded_at: cx.now,
        created_at: cx.now,
        governance_source: GovernanceSource { tenant_id: tenant.id(), tenant_name, level: 0 },
        policy_group_id: policy.policy_group_id,
        policy_group_code: policy.policy_group_code.clone(),
        policy: Snapshot::deciding(policy),
        evaluated_policies: decided.snapshot.policies.clone(),
        actor: actor(question),
        api_key_id,
        api_key_name,
        outcome: None,
        result,
    };
    let text = serde_json::to_string(&record).map_err(|error| Error::Bug(error.into()))?;
    let decided = Receipted { context: decided.context, integrity: decided.integrity };
    Ok(Signed { id, record, text, decided, statement, signature })
}

fn action_value(action: &contract::decision::Action) -> Result<Value> {
    let text = serde_json::to_value(action).map_err(|error| Error::Bug(error.into()))?;
    serde_json::from_value(text).map_err(|error| Error::Bug(error.into()))
}

/// The request's own actor; without one, the context's actor id stands for it.
fn actor(question: &Question<'_>) -> Option<Actor> {
    let id = question.actor_id().map(str::to_owned);
    match question.actor {
        Some(actor) => Some(Actor { id, ..actor.clone() }),
        None => id.map(|id| Actor { id: Some(id), ..Actor::default() }),
    }
}

/// The policy that gave the verdict: the first whose own violations demand it.
fn deciding_policy<'s>(
    snapshot: &'s Snapshot,
    result: &contract::evaluation::EvaluationResult,
) -> Result<&'s contract::decision::EvaluatedPolicy> {
    let demands = |policy: &&contract::decision::EvaluatedPolicy| {
        let own = result.violations.iter().filter(|v| v.policy_id == policy.policy_id);
        verdict_of(own) == result.decision
    };
    let policies = &snapshot.policies;
    let deciding = policies.iter().find(demands).or_else(|| policies.first());
    deciding.ok_or_else(|| Error::bug("a verdict without a policy"))
}

const TENANT_NAME: &str = "SELECT name FROM tenants WHERE tenant_id = $1";

async fn tenant_name(tenant: &Tenant<'_>) -> Result<String> {
    let names = tenant.cx().governance.tenant_names();
    if let Some(name) = names.get(&tenant.id()).await {
        return Ok(name);
    }
    let tx = tenant.begin().await?;
    let row = tx.one(TENANT_NAME, []).await?;
    tx.end().await?;
    let row = row.ok_or_else(|| Error::bug("a tenant without its row"))?;
    let name: String = row.try_get_by_index(0)?;
    names.insert(tenant.id(), name.clone()).await;
    Ok(name)
}

const INSERT: &str = "INSERT INTO decisions (tenant_id, id, sequence, idempotency_key, \
     request_digest, decision_type, decision, correlation_id, policy_id, policy_version, \
     snapshot_id, actor_id, policy_ids, rule_codes, recorded_at, record, context, integrity, \
     statement, receipt_digest, signature, kid) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, \
     $19, $20, $21, $22)";

const INSERT_PUBLIC_ID: &str =
    "INSERT INTO public_ids (tenant_id, id, kind) VALUES ($1, $2, 'decision')";

async fn insert(tx: &mut TenantTx, cx: &Cx, signed: &Signed, request_digest: Digest) -> Result<()> {
    let sequence = tx.next_sequence().await?;
    let record = &signed.record;
    let policy_ids: Vec<uuid::Uuid> =
        record.evaluated_policies.iter().map(|policy| policy.policy_id.0).collect();
    let mut rule_codes: Vec<String> =
        record.result.violations.iter().map(|violation| violation.rule_code.clone()).collect();
    rule_codes.sort_unstable();
    rule_codes.dedup();
    let version = i32::try_from(record.policy.version).map_err(|error| Error::Bug(error.into()))?;
    let row = [
        signed.id.0.into(),
        sequence.into(),
        record.idempotency_key.as_str().into(),
        request_digest.to_string().into(),
        record.decision_type.as_str().into(),
        record.decision.as_str().into(),
        record.correlation_id.as_str().into(),
        record.policy.id.0.into(),
        version.into(),
        record.policy_snapshot_id.0.into(),
        record.actor.as_ref().and_then(|actor| actor.id.clone()).into(),
        policy_ids.into(),
        rule_codes.into(),
        instant(cx.now),
        signed.text.as_str().into(),
        signed.decided.context.text.as_str().into(),
        signed.decided.integrity.text.as_str().into(),
        signed.statement.text.as_str().into(),
        signed.statement.digest.to_string().into(),
        signed.signature.as_ref().map(|signature| signature.signature.clone()).into(),
        signed.signature.as_ref().map(|signature| signature.signature_kid.clone()).into(),
    ];
    tx.execute(INSERT, row).await.map_err(|error| match constraint(&error) {
        // Somebody recorded under this key first; `known` answers what.
        Some("decisions_unique_idempotency_key") => idempotency_key_reused().into(),
        _ => Error::from(error),
    })?;
    tx.execute(INSERT_PUBLIC_ID, [signed.id.0.into()]).await?;
    Ok(())
}

const KNOWN: &str = "SELECT id, request_digest, record FROM decisions \
                     WHERE tenant_id = $1 AND idempotency_key = $2";

/// What was recorded under a key before, if anything.
///
/// # Errors
/// `IDEMPOTENCY_KEY_REUSED` when it was another request.
async fn known(
    tenant: &Tenant<'_>,
    idempotency_key: &str,
    request_digest: Digest,
) -> Result<Option<Outcome>> {
    let tx = tenant.begin().await?;
    let row = tx.one(KNOWN, [idempotency_key.into()]).await?;
    tx.end().await?;
    row.map(|row| same_request(&row, request_digest)).transpose()
}

fn same_request(row: &QueryResult, request_digest: Digest) -> Result<Outcome> {
    let stored: String = row.try_get_by_index(1)?;
    if stored != request_digest.to_string() {
        return Err(idempotency_key_reused().into());
    }
    Ok(Outcome {
        record: row.try_get_by_index(2)?,
        is_new: false,
        id: DecisionId(row.try_get_by_index(0)?),
    })
}
