//! Evaluation of a context, and the digests with which the result can be verified.

use contract::{
    decision::{Action, Actor, DecisionContext, EvaluateRequest, EvaluateResponse},
    evaluation::EvaluationResult,
};
use engine::{Evidence, Input};
use receipt::statement::{self, Integrity, RECEIPT_SCHEMA_VERSION};

use crate::{
    access::permission,
    base::{error::result_too_large, prelude::*},
    deciding::{
        bundle_size,
        snapshot::{self, PolicySelection, Snapshot},
    },
};

/// Evaluates a context and records nothing.
///
/// # Errors
/// `NO_ACTIVE_POLICIES`; `VALIDATION_ERROR` for an unknown group or policy.
pub async fn evaluate(cx: &Cx, request: EvaluateRequest) -> Result<EvaluateResponse> {
    let (result, snapshot) = dry_run_result(cx, &request).await?;
    Ok(EvaluateResponse { result, evaluated_policies: Arc::clone(&snapshot.policies) })
}

/// Returns the result of [`evaluate`] as JSON text. The policies make up most of the text and are the same
/// for all evaluations on one snapshot, so they are serialized once per snapshot.
///
/// # Errors
/// As [`evaluate`].
pub async fn evaluate_text(cx: &Cx, request: EvaluateRequest) -> Result<String> {
    let (result, snapshot) = dry_run_result(cx, &request).await?;
    let result = serde_json::to_string(&result)?;
    let policies = snapshot.policies_text()?;
    Ok(["{\"result\":", &result, ",\"evaluated_policies\":", policies, "}"].concat())
}

async fn dry_run_result(
    cx: &Cx,
    request: &EvaluateRequest,
) -> Result<(EvaluationResult, Arc<Snapshot>)> {
    let tenant = cx.tenant(permission::EVALUATE)?;
    let input = EvaluationInput {
        context: &request.context,
        actor: request.actor.as_ref(),
        action: None,
        narrowing: PolicySelection::requested(
            request.policy_group_code.as_deref(),
            request.policy_ids.as_deref(),
        ),
        explain: request.explain.unwrap_or(false),
    };
    let decision_type = input.context.decision_type();
    let phase = cx.governance.tracer().phase("snapshot");
    let snapshot = snapshot::resolve(&tenant, decision_type, input.narrowing).await?;
    drop(phase);
    let evaluated = evaluate_on_snapshot(cx, snapshot, &input, cx.now).await?;
    Ok((dry_run(&tenant, evaluated.result), evaluated.snapshot))
}

/// Marks a result as a dry run and reports it to the observer.
pub(crate) fn dry_run(tenant: &Tenant<'_>, result: EvaluationResult) -> EvaluationResult {
    let (tenant_id, verdict) = (tenant.id(), result.decision);
    tenant.cx().governance.emit(Observed::DryRun { tenant: tenant_id, verdict });
    EvaluationResult { dry_run: true, ..result }
}

#[derive(Debug)]
pub(crate) struct EvaluationInput<'a> {
    pub(crate) context: &'a DecisionContext,
    pub(crate) actor: Option<&'a Actor>,
    pub(crate) action: Option<&'a Action>,
    pub(crate) narrowing: PolicySelection<'a>,
    pub(crate) explain: bool,
}

impl<'a> EvaluationInput<'a> {
    /// Returns the ID of the actor that the integrity hash binds: the actor of the request, or else the
    /// `actor_id` of the context's metadata.
    pub(crate) fn actor_id(&self) -> Option<&'a str> {
        let own = self.actor.and_then(|actor| actor.id.as_deref());
        own.or_else(|| self.context.metadata("actor_id"))
    }
}

/// An evaluation result with everything it depends on.
#[derive(Debug)]
pub(crate) struct EvaluatedDecision {
    pub(crate) result: EvaluationResult,
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) context: CanonicalJson,
    pub(crate) integrity: CanonicalJson,
    pub(crate) evidence: Option<Digest>,
}

/// Evaluates on the active policies and stores their snapshot, so that the decision can be recorded.
pub(crate) async fn evaluate_for_record(
    tenant: &Tenant<'_>,
    input: &EvaluationInput<'_>,
) -> Result<EvaluatedDecision> {
    let decision_type = input.context.decision_type();
    let phase = tenant.cx().governance.tracer().phase("snapshot");
    let snapshot = snapshot::resolve(tenant, decision_type, input.narrowing).await?;
    snapshot.store(tenant).await?;
    drop(phase);
    evaluate_on_snapshot(tenant.cx(), snapshot, input, tenant.cx().now).await
}

/// Like [`evaluate_for_record`], in a transaction that has locked the tenant head.
pub(crate) async fn evaluate_with_head_locked(
    tx: &mut TenantTx,
    cx: &Cx,
    input: &EvaluationInput<'_>,
) -> Result<EvaluatedDecision> {
    let decision_type = input.context.decision_type();
    let phase = cx.governance.tracer().phase("snapshot");
    let snapshot = snapshot::resolve_in(tx, cx, decision_type, input.narrowing).await?;
    drop(phase);
    evaluate_on_snapshot(cx, snapshot, input, cx.now).await
}

/// Evaluates on a snapshot at time `now`. The same context and snapshot always produce the same verdict and
/// hashes. Date rules use the timestamp of the context if it has one; the result always contains `now`.
///
/// An evaluation that may need much time waits for a permit and runs outside the async workers.
pub(crate) async fn evaluate_on_snapshot(
    cx: &Cx,
    snapshot: Arc<Snapshot>,
    input: &EvaluationInput<'_>,
    now: Timestamp,
) -> Result<EvaluatedDecision> {
    let tenant_id = snapshot.tenant_id;
    let steps = input.context.fields().map_or(0, |fields| snapshot.program().steps(fields));
    let work = || evaluate_now(cx, snapshot, input, now);
    cx.governance.deciding().long_work.run(tenant_id, steps, work).await?
}

fn evaluate_now(
    cx: &Cx,
    snapshot: Arc<Snapshot>,
    input: &EvaluationInput<'_>,
    now: Timestamp,
) -> Result<EvaluatedDecision> {
    let _phase = cx.governance.tracer().phase("engine");
    let stopwatch = cx.governance.clock().stopwatch();
    let fields = input.context.fields().or_bug("a context without fields")?;
    let as_of = input.context.timestamp().unwrap_or(now);
    let digests = data_digests(input.context);
    let evidence = evidence(input.context, &digests);
    let engine_input = Input { fields, evidence: &evidence, actor_id: input.actor_id(), as_of };
    let evaluation =
        engine::evaluate(snapshot.program(), &engine_input).map_err(result_too_large)?;
    let na_rules = evaluation.na_rules(&engine_input).map_err(result_too_large)?;
    let rules = input.explain.then(|| evaluation.rules());
    let context = statement::context(input.context.value());
    let evidence = statement::evidence_manifest(input.context.value()).map(|m| m.digest);
    let narrowing = input.narrowing.to_narrowing();
    let integrity = statement::integrity(&Integrity {
        decision_type: input.context.decision_type(),
        decision: evaluation.decision,
        context_digest: context.digest,
        policy_snapshot_digest: snapshot.digest,
        evaluated_rules_hash: snapshot.rules_hash,
        evidence_manifest_digest: evidence,
        violations: &evaluation.violations,
        na_rules: &na_rules,
        is_shadow: evaluation.is_shadow,
        shadow_converted: evaluation.shadow_converted,
        original_decision: evaluation.original_decision,
        actor_id: input.actor_id(),
        as_of: evaluation.as_of_consulted.then_some(as_of),
        narrowing: narrowing.as_ref(),
    });
    bundle_size::check(snapshot.texts_bytes, &integrity)?;
    let result = EvaluationResult {
        decision: evaluation.decision,
        rules_evaluated: evaluation.rules_evaluated,
        rules_na: evaluation.rules_na,
        shadow_converted: evaluation.shadow_converted,
        original_decision: evaluation.original_decision,
        is_shadow: evaluation.is_shadow,
        narrowing,
        violations: evaluation.violations,
        na_rules,
        evaluation_time_ms: stopwatch.millis(),
        timestamp: now,
        policy_snapshot_id: snapshot.id(),
        policy_snapshot_digest: Some(snapshot.digest.to_string()),
        evaluated_rules_hash: snapshot.rules_hash.to_string(),
        integrity_hash: integrity.digest.to_string(),
        evidence_manifest_digest: evidence.map(|digest| digest.to_string()),
        receipt_schema_version: RECEIPT_SCHEMA_VERSION,
        action: input.action.cloned(),
        signature: None,
        transparency_anchor: None,
        dry_run: false,
        rules,
    };
    cx.governance.emit(Observed::Evaluated { seconds: stopwatch.seconds() });
    Ok(EvaluatedDecision { result, snapshot, context, integrity, evidence })
}

/// Returns the data digest of each evidence item that has data. A stored context contains `data_digest`
/// instead of `data`; in a request `data_digest` is not a member of an item.
fn data_digests(context: &DecisionContext) -> Vec<Option<String>> {
    let digest = |item: &Value| match item.get("data") {
        Some(data) => Some(statement::data_digest(data).to_string()),
        None => item.get("data_digest").and_then(Value::as_str).map(str::to_owned),
    };
    context.evidence().iter().map(digest).collect()
}

fn evidence<'a>(context: &'a DecisionContext, digests: &'a [Option<String>]) -> Vec<Evidence<'a>> {
    let text = |item: &'a Object, name: &str| item.get(name).and_then(Value::as_str);
    context
        .evidence()
        .iter()
        .filter_map(Value::as_object)
        .zip(digests)
        .map(|(item, digest)| Evidence {
            kind: text(item, "kind"),
            hash: text(item, "hash"),
            data_digest: digest.as_deref(),
        })
        .collect()
}
