//! Builds and signs a decision with its receipt and audit event before anything is written.

use contract::{
    chain::ChainLinkInfo,
    decision::{Action, Actor, DecisionRecord, EvaluatedPolicy, GovernanceSource},
    evaluation::{EvaluationResult, Signature},
};
use engine::verdict_of;
use entity::decision_texts::DecisionTexts;
use receipt::{
    key::{ALGORITHM, PayloadType},
    statement::{self, ChainPosition, ReceiptStatement},
};

use super::RecordCall;
use crate::{
    base::{audit_event::PendingEvent, prelude::*},
    deciding::{
        chain::{Link, LinkPosition},
        decision::evaluate::{EvaluatedDecision, EvaluationInput},
        recorder::Record,
        snapshot::Snapshot,
    },
    proof::signing::ServiceKey,
};

/// Signs the receipt of an evaluation.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the signing key is unavailable or its signature fails verification.
pub(super) async fn sign(
    call: &RecordCall<'_>,
    mut evaluated: EvaluatedDecision,
) -> Result<Record> {
    let _phase = call.tenant.cx().governance.tracer().phase("sign");
    let statement = sign_statement(call, &mut evaluated, None).await?;
    to_record(call, evaluated, statement, None)
}

/// Signs the receipt of an evaluation and its chain link at `position`.
pub(super) async fn sign_with_link(
    call: &RecordCall<'_>,
    mut evaluated: EvaluatedDecision,
    position: LinkPosition,
) -> Result<(Record, Link)> {
    let _phase = call.tenant.cx().governance.tracer().phase("sign");
    let statement = sign_statement(call, &mut evaluated, Some(position.chain_position)).await?;
    let link = sign_link(call, position, statement.digest).await?;
    Ok((to_record(call, evaluated, statement, Some(&link))?, link))
}

/// Returns the statement of the receipt, and adds its signature to the result.
async fn sign_statement(
    call: &RecordCall<'_>,
    evaluated: &mut EvaluatedDecision,
    chain: Option<ChainPosition>,
) -> Result<CanonicalJson> {
    let (tenant, cx) = (call.tenant.id(), call.tenant.cx());
    let signer = cx.governance.signer();
    let result = &mut evaluated.result;
    let action = result.action.as_ref().map(action_value).transpose()?;
    let statement = statement::receipt(&ReceiptStatement {
        tenant_id: tenant,
        decision_id: call.id,
        decision_type: call.input.context.decision_type(),
        decision: result.decision,
        timestamp: result.timestamp,
        recorded_at: cx.now,
        integrity_hash: evaluated.integrity.digest,
        policy_snapshot_id: evaluated.snapshot.id(),
        policy_snapshot_digest: evaluated.snapshot.digest,
        evidence_manifest_digest: evaluated.evidence,
        idempotency_key_digest: statement::idempotency_key(tenant, call.idempotency_key),
        action_digest: action.as_ref().map(statement::action),
        chain,
        kid: signer.map(ServiceKey::kid),
    });
    if let Some(signer) = signer {
        result.signature = Some(signature(cx, signer, &statement).await?);
    }
    Ok(statement)
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

async fn sign_link(
    call: &RecordCall<'_>,
    position: LinkPosition,
    receipt_digest: Digest,
) -> Result<Link> {
    let canonical = receipt::chain::Link {
        tenant_id: call.tenant.id(),
        chain_id: position.chain_position.chain_id,
        position: position.position,
        step: position.chain_position.step,
        decision_id: call.id,
        receipt_digest,
        prev: position.prev,
    }
    .canonical();
    let signature = match call.tenant.cx().governance.signer() {
        Some(signer) => {
            let signature = signer.sign(PayloadType::ChainLink, &canonical).await?;
            Some((signature, signer.kid().to_owned()))
        }
        None => None,
    };
    Ok(Link { decision_id: call.id, position, canonical, signature })
}

/// Returns the record with its audit event, as the columns of its rows.
fn to_record(
    call: &RecordCall<'_>,
    evaluated: EvaluatedDecision,
    statement: CanonicalJson,
    link: Option<&Link>,
) -> Result<Record> {
    let (tenant_id, cx) = (call.tenant.id(), call.tenant.cx());
    let snapshot = evaluated.snapshot;
    let response = to_response(call, &snapshot, evaluated.result, link)?;
    let mut event = Event::new("decision.record", "decision", call.id)
        .with("decision", response.decision.as_str())
        .with("receipt_digest", statement.digest);
    if let Some(link) = link {
        event = event
            .with("chain_id", link.position.chain_position.chain_id.to_string())
            .with("chain_integrity_hash", link.canonical.digest);
    }
    let text = serde_json::to_string(&response)?;
    let texts = DecisionTexts {
        record: text,
        context: evaluated.context.text,
        integrity: Some(evaluated.integrity.text),
        statement: Some(statement.text),
    };
    let violations = response.result.violations;
    let severity = violations.iter().map(|violation| violation.severity).max();
    let mut violated_policies: Vec<PolicyId> =
        violations.iter().map(|violation| violation.policy_id).collect();
    violated_policies.sort_unstable();
    violated_policies.dedup();
    let mut rule_codes: Vec<String> =
        violations.into_iter().map(|violation| violation.rule_code).collect();
    rule_codes.sort_unstable();
    rule_codes.dedup();
    Ok(Record {
        tenant_id,
        id: call.id,
        activations: snapshot.activations,
        idempotency_key: response.idempotency_key,
        request_digest: call.request_digest,
        decision_type: response.decision_type,
        decision: response.decision,
        correlation_id: response.correlation_id,
        policy_id: response.policy.id,
        policy_code: response.policy.code,
        policy_version: i32::try_from(response.policy.version)?,
        snapshot_id: snapshot.id(),
        actor_id: response.actor.and_then(|actor| actor.id),
        policy_ids: snapshot.policies.iter().map(|policy| policy.policy_id).collect(),
        rule_codes,
        violated_policies,
        severity,
        shadow_converted: response.result.shadow_converted,
        recorded_at: cx.now,
        texts: texts.encode().map_err(Error::internal)?,
        text: texts.record,
        receipt_digest: statement.digest,
        signature: response.result.signature,
        event: PendingEvent::new(cx, tenant_id, event),
    })
}

fn link_info(link: &Link) -> ChainLinkInfo {
    let chain_position = link.position.chain_position;
    let (signature, kid) = link.signature.clone().unzip();
    ChainLinkInfo {
        chain_id: chain_position.chain_id,
        chain_step: chain_position.step,
        parent_decision_id: chain_position.parent_decision_id,
        chain_integrity_hash: link.canonical.digest.to_string(),
        chain_signature_algorithm: signature.as_ref().map(|_| ALGORITHM.to_owned()),
        chain_signature: signature,
        chain_signature_kid: kid,
    }
}

/// Builds the record that is returned and stored.
fn to_response(
    call: &RecordCall<'_>,
    snapshot: &Snapshot,
    result: EvaluationResult,
    link: Option<&Link>,
) -> Result<DecisionRecord> {
    let (tenant_id, cx, input) = (call.tenant.id(), call.tenant.cx(), &call.input);
    let policy = deciding_policy(snapshot, &result)?;
    let context = input.context.clone().with_correlation_id(cx.correlation_id.as_str());
    let correlation_id = context.metadata("correlation_id").unwrap_or(cx.correlation_id.as_str());
    let (api_key_id, api_key_name) = match &cx.caller {
        Caller::Key(key) => (Some(key.id.to_string()), Some(key.name.clone())),
        _ => (None, None),
    };
    let own = || GovernanceSource { tenant_id, tenant_name: call.tenant_name.clone(), level: 0 };
    Ok(DecisionRecord {
        id: call.id,
        tenant_id,
        idempotency_key: call.idempotency_key.to_owned(),
        decision_type: context.decision_type().to_owned(),
        decision: result.decision,
        correlation_id: correlation_id.to_owned(),
        context: context.into_value(),
        policy_snapshot_id: snapshot.id(),
        chain: link.map(link_info),
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
    let text = serde_json::to_value(action)?;
    Ok(serde_json::from_value(text)?)
}

/// Returns the actor of the request, or else an actor with the actor ID of the context.
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
    deciding.or_bug("a verdict without a policy")
}
