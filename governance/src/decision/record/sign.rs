//! A decision with its receipt and its event, made before the store is touched.

use std::sync::Arc;

use contract::{
    chain::Chained,
    decision::{Action, Actor, DecisionRecord, EvaluatedPolicy, GovernanceSource},
    evaluation::{EvaluationResult, Signature},
    id::DecisionId,
    json::Value,
};
use engine::verdict_of;
use receipt::{
    canon::Canonical,
    digest::Digest,
    key::{ALGORITHM, PayloadType},
    statement::{self, ReceiptStatement},
};

use super::Asked;
use crate::{
    audit::{Event, Unlinked},
    caller::Caller,
    chain::Place,
    cx::Cx,
    decision::evaluate::{Decided, Question},
    error::{Error, Result},
    observe::Observed,
    recorder::{Link, Record},
    signing::ServiceKey,
    snapshot::Snapshot,
    tenancy::Tenant,
};

/// Signs `decided`, and its link at `place`, and puts everything about it into the columns of its rows.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the key cannot be used, or its signature does not verify.
pub(super) async fn sign(
    tenant: &Tenant<'_>,
    asked: &Asked<'_>,
    question: &Question<'_>,
    decided: Decided,
    tenant_name: &str,
    place: Option<&Place>,
) -> Result<Record> {
    let cx = tenant.cx();
    let request = asked.request;
    let signer = cx.governance.signer();
    let mut result = decided.result;
    let action = result.action.as_ref().map(action_value).transpose()?;
    let statement = statement::receipt(&ReceiptStatement {
        tenant_id: tenant.id(),
        decision_id: asked.id,
        decision_type: request.context.decision_type(),
        decision: result.decision,
        timestamp: result.timestamp,
        recorded_at: cx.now,
        integrity_hash: decided.integrity.digest,
        policy_snapshot_id: decided.snapshot.id(),
        policy_snapshot_digest: decided.snapshot.digest,
        evidence_manifest_digest: decided.evidence,
        idempotency_key_digest: statement::idempotency_key(tenant.id(), &request.idempotency_key),
        action_digest: action.as_ref().map(statement::action),
        chain: place.map(|place| place.stated),
        kid: signer.map(ServiceKey::kid),
    });
    if let Some(signer) = signer {
        result.signature = Some(signature(cx, signer, &statement).await?);
    }
    let link = match place {
        Some(place) => Some(link(tenant, asked.id, place, statement.digest).await?),
        None => None,
    };
    let chain = link.as_ref().map(chained);
    let record = answer(tenant, asked, question, &decided.snapshot, result, tenant_name, chain)?;
    let mut event = Event::new("decision.record", "decision", asked.id)
        .with("decision", record.decision.as_str())
        .with("receipt_digest", statement.digest);
    if let Some(link) = &link {
        event = event
            .with("chain_id", link.stated.chain_id.to_string())
            .with("chain_integrity_hash", link.hash.as_str());
    }
    let text = serde_json::to_string(&record).map_err(|error| Error::Bug(error.into()))?;
    let mut rule_codes: Vec<String> =
        record.result.violations.into_iter().map(|violation| violation.rule_code).collect();
    rule_codes.sort_unstable();
    rule_codes.dedup();
    Ok(Record {
        tenant_id: tenant.id(),
        id: asked.id,
        activations: decided.snapshot.activations,
        idempotency_key: record.idempotency_key,
        request_digest: asked.request_digest.clone(),
        decision_type: record.decision_type,
        decision: record.decision,
        correlation_id: record.correlation_id,
        policy_id: record.policy.id,
        policy_version: i32::try_from(record.policy.version)
            .map_err(|error| Error::Bug(error.into()))?,
        snapshot_id: decided.snapshot.id(),
        actor_id: record.actor.and_then(|actor| actor.id),
        policy_ids: decided.snapshot.policies.iter().map(|policy| policy.policy_id).collect(),
        rule_codes,
        recorded_at: cx.now,
        text,
        context: decided.context.text,
        integrity: decided.integrity.text,
        receipt_digest: statement.digest.to_string(),
        statement: statement.text,
        signature: record.result.signature.map(|made| (made.signature, made.signature_kid)),
        link,
        event: Unlinked::new(cx, tenant.id(), event),
    })
}

async fn signature(cx: &Cx, signer: &ServiceKey, statement: &Canonical) -> Result<Signature> {
    let watch = cx.governance.clock().watch();
    let signature = signer.sign(PayloadType::Receipt, statement).await?;
    cx.governance.tell(Observed::Signed { seconds: watch.seconds() });
    Ok(Signature {
        signature,
        signature_kid: signer.kid().to_owned(),
        signature_algorithm: ALGORITHM.to_owned(),
    })
}

/// The link of a decision, signed.
async fn link(
    tenant: &Tenant<'_>,
    decision_id: DecisionId,
    place: &Place,
    receipt_digest: Digest,
) -> Result<Link> {
    let link = receipt::chain::Link {
        tenant_id: tenant.id(),
        chain_id: place.stated.chain_id,
        position: place.position,
        step: place.stated.step,
        decision_id,
        receipt_digest,
        prev: place.prev,
    };
    let canonical = link.canonical();
    let signature = match tenant.cx().governance.signer() {
        Some(signer) => {
            let signature = signer.sign(PayloadType::ChainLink, &canonical).await?;
            Some((signature, signer.kid().to_owned()))
        }
        None => None,
    };
    Ok(Link {
        stated: place.stated,
        decision_id,
        position: place.position,
        signature,
        hash: canonical.digest.to_string(),
        text: canonical.text,
        prev: place.prev.map(|prev| prev.to_string()).unwrap_or_default(),
    })
}

fn chained(link: &Link) -> Chained {
    let (signature, kid) = link.signature.clone().unzip();
    Chained {
        chain_id: link.stated.chain_id,
        chain_step: link.stated.step,
        parent_decision_id: link.stated.parent_decision_id,
        chain_integrity_hash: link.hash.clone(),
        chain_signature_algorithm: signature.as_ref().map(|_| ALGORITHM.to_owned()),
        chain_signature: signature,
        chain_signature_kid: kid,
    }
}

/// The record as it is answered and kept.
fn answer(
    tenant: &Tenant<'_>,
    asked: &Asked<'_>,
    question: &Question<'_>,
    snapshot: &Snapshot,
    result: EvaluationResult,
    tenant_name: &str,
    chain: Option<Chained>,
) -> Result<DecisionRecord> {
    let cx = tenant.cx();
    let request = asked.request;
    let policy = deciding_policy(snapshot, &result)?;
    let context = request.context.clone().correlated(cx.correlation_id.as_str());
    let correlation_id = context.metadata("correlation_id").unwrap_or(cx.correlation_id.as_str());
    let (api_key_id, api_key_name) = match &cx.caller {
        Caller::Key(key) => (Some(key.id.to_string()), Some(key.name.clone())),
        _ => (None, None),
    };
    let own = || GovernanceSource {
        tenant_id: tenant.id(),
        tenant_name: tenant_name.to_owned(),
        level: 0,
    };
    Ok(DecisionRecord {
        id: asked.id,
        tenant_id: tenant.id(),
        idempotency_key: request.idempotency_key.clone(),
        decision_type: request.context.decision_type().to_owned(),
        decision: result.decision,
        correlation_id: correlation_id.to_owned(),
        context: context.value().clone(),
        policy_snapshot_id: snapshot.id(),
        chain,
        recorded_at: cx.now,
        created_at: cx.now,
        governance_source: snapshot.inherited.get(&policy.policy_id).cloned().unwrap_or_else(own),
        policy_group_id: policy.policy_group_id,
        policy_group_code: policy.policy_group_code.clone(),
        policy: Snapshot::deciding(policy),
        evaluated_policies: Arc::clone(&snapshot.policies),
        actor: actor(question),
        api_key_id,
        api_key_name,
        outcome: None,
        result,
    })
}

fn action_value(action: &Action) -> Result<Value> {
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
    result: &EvaluationResult,
) -> Result<&'s EvaluatedPolicy> {
    let demands = |policy: &&EvaluatedPolicy| {
        let own = result.violations.iter().filter(|v| v.policy_id == policy.policy_id);
        verdict_of(own) == result.decision
    };
    let policies = &snapshot.policies;
    let deciding = policies.iter().find(demands).or_else(|| policies.first());
    deciding.ok_or_else(|| Error::bug("a verdict without a policy"))
}
