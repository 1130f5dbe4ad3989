//! Builds and signs a decision with its receipt and audit event before anything is written.

use std::sync::Arc;

use contract::{
    chain::ChainLinkInfo,
    decision::{Action, Actor, DecisionRecord, EvaluatedPolicy, GovernanceSource},
    evaluation::{EvaluationResult, Signature},
    id::DecisionId,
    json::Value,
};
use engine::verdict_of;
use receipt::{
    canonical_json::CanonicalJson,
    digest::Digest,
    key::{ALGORITHM, PayloadType},
    statement::{self, ReceiptStatement},
};

use super::RecordCall;
use crate::{
    base::{
        audit_event::{Event, PendingEvent},
        caller::Caller,
        cx::Cx,
        error::{Error, Result},
        observe::Observed,
        tenancy::Tenant,
    },
    deciding::{
        chain::LinkPosition,
        decision::evaluate::{EvaluatedDecision, EvaluationInput},
        recorder::{Link, Record},
        snapshot::Snapshot,
    },
    proof::signing::ServiceKey,
};

/// Signs the receipt of an evaluation and, at `position`, its chain link, and returns the columns of all
/// rows.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the signing key is unavailable or its signature fails verification.
pub(super) async fn sign(
    tenant: &Tenant<'_>,
    call: &RecordCall<'_>,
    input: &EvaluationInput<'_>,
    evaluated: EvaluatedDecision,
    tenant_name: &str,
    position: Option<&LinkPosition>,
) -> Result<Record> {
    let cx = tenant.cx();
    let request = call.request;
    let signer = cx.governance.signer();
    let mut result = evaluated.result;
    let action = result.action.as_ref().map(action_value).transpose()?;
    let statement = statement::receipt(&ReceiptStatement {
        tenant_id: tenant.id(),
        decision_id: call.id,
        decision_type: request.context.decision_type(),
        decision: result.decision,
        timestamp: result.timestamp,
        recorded_at: cx.now,
        integrity_hash: evaluated.integrity.digest,
        policy_snapshot_id: evaluated.snapshot.id(),
        policy_snapshot_digest: evaluated.snapshot.digest,
        evidence_manifest_digest: evaluated.evidence,
        idempotency_key_digest: statement::idempotency_key(tenant.id(), &request.idempotency_key),
        action_digest: action.as_ref().map(statement::action),
        chain: position.map(|position| position.stated),
        kid: signer.map(ServiceKey::kid),
    });
    if let Some(signer) = signer {
        result.signature = Some(signature(cx, signer, &statement).await?);
    }
    let link = match position {
        Some(position) => Some(link(tenant, call.id, position, statement.digest).await?),
        None => None,
    };
    let chain = link.as_ref().map(link_info);
    let record = to_response(tenant, call, input, &evaluated.snapshot, result, tenant_name, chain)?;
    let mut event = Event::new("decision.record", "decision", call.id)
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
        id: call.id,
        activations: evaluated.snapshot.activations,
        idempotency_key: record.idempotency_key,
        request_digest: call.request_digest.clone(),
        decision_type: record.decision_type,
        decision: record.decision,
        correlation_id: record.correlation_id,
        policy_id: record.policy.id,
        policy_version: i32::try_from(record.policy.version)
            .map_err(|error| Error::Bug(error.into()))?,
        snapshot_id: evaluated.snapshot.id(),
        actor_id: record.actor.and_then(|actor| actor.id),
        policy_ids: evaluated.snapshot.policies.iter().map(|policy| policy.policy_id).collect(),
        rule_codes,
        recorded_at: cx.now,
        text,
        context: evaluated.context.text,
        integrity: evaluated.integrity.text,
        receipt_digest: statement.digest.to_string(),
        statement: statement.text,
        signature: record
            .result
            .signature
            .map(|signature| (signature.signature, signature.signature_kid)),
        link,
        event: PendingEvent::new(cx, tenant.id(), event),
    })
}

async fn signature(cx: &Cx, signer: &ServiceKey, statement: &CanonicalJson) -> Result<Signature> {
    let stopwatch = cx.governance.clock().stopwatch();
    let signature = signer.sign(PayloadType::Receipt, statement).await?;
    cx.governance.emit(Observed::Signed { seconds: stopwatch.seconds() });
    Ok(Signature {
        signature,
        signature_kid: signer.kid().to_owned(),
        signature_algorithm: ALGORITHM.to_owned(),
    })
}

/// Creates and signs the chain link of a decision.
async fn link(
    tenant: &Tenant<'_>,
    decision_id: DecisionId,
    position: &LinkPosition,
    receipt_digest: Digest,
) -> Result<Link> {
    let link = receipt::chain::Link {
        tenant_id: tenant.id(),
        chain_id: position.stated.chain_id,
        position: position.position,
        step: position.stated.step,
        decision_id,
        receipt_digest,
        prev: position.prev,
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
        stated: position.stated,
        decision_id,
        position: position.position,
        signature,
        hash: canonical.digest.to_string(),
        text: canonical.text,
        prev: position.prev.map(|prev| prev.to_string()).unwrap_or_default(),
    })
}

fn link_info(link: &Link) -> ChainLinkInfo {
    let (signature, kid) = link.signature.clone().unzip();
    ChainLinkInfo {
        chain_id: link.stated.chain_id,
        chain_step: link.stated.step,
        parent_decision_id: link.stated.parent_decision_id,
        chain_integrity_hash: link.hash.clone(),
        chain_signature_algorithm: signature.as_ref().map(|_| ALGORITHM.to_owned()),
        chain_signature: signature,
        chain_signature_kid: kid,
    }
}

/// Builds the record that is returned and stored.
fn to_response(
    tenant: &Tenant<'_>,
    call: &RecordCall<'_>,
    input: &EvaluationInput<'_>,
    snapshot: &Snapshot,
    result: EvaluationResult,
    tenant_name: &str,
    chain: Option<ChainLinkInfo>,
) -> Result<DecisionRecord> {
    let cx = tenant.cx();
    let request = call.request;
    let policy = deciding_policy(snapshot, &result)?;
    let context = request.context.clone().with_correlation_id(cx.correlation_id.as_str());
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
        id: call.id,
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
        actor: actor(input),
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

/// Returns the actor of the request, or else an actor with the actor id of the context.
fn actor(input: &EvaluationInput<'_>) -> Option<Actor> {
    let id = input.actor_id().map(str::to_owned);
    match input.actor {
        Some(actor) => Some(Actor { id, ..actor.clone() }),
        None => id.map(|id| Actor { id: Some(id), ..Actor::default() }),
    }
}

/// Returns the policy that determined the verdict: the first whose own violations demand it.
fn deciding_policy<'s>(
    snapshot: &'s Snapshot,
    result: &EvaluationResult,
) -> Result<&'s EvaluatedPolicy> {
    let demands_verdict = |policy: &&EvaluatedPolicy| {
        let own = result.violations.iter().filter(|v| v.policy_id == policy.policy_id);
        verdict_of(own) == result.decision
    };
    let policies = &snapshot.policies;
    let deciding = policies.iter().find(demands_verdict).or_else(|| policies.first());
    deciding.ok_or_else(|| Error::bug("a verdict without a policy"))
}
