//! The verdict on a context, and the digests that let anyone check it.

use std::sync::Arc;

use contract::{
    decision::{Action, Actor, DecisionContext, EvaluateRequest, Evaluated},
    evaluation::{self, EvaluationResult, NaRule},
    json::{Object, Value},
    time::Timestamp,
};
use engine::{Evaluation, Evidence, Input};
use receipt::{
    canon::Canonical,
    digest::Digest,
    statement::{self, Integrity, RECEIPT_SCHEMA_VERSION},
};

use crate::{
    cx::Cx,
    error::{Error, Result},
    observe::Observed,
    permission,
    snapshot::{self, Narrowing, Snapshot},
    tenancy::Tenant,
};

/// Evaluates a context and records nothing.
///
/// # Errors
/// `NO_ACTIVE_POLICIES`; `VALIDATION_ERROR` for a group or policy that is not there.
pub async fn evaluate(cx: &Cx, request: EvaluateRequest) -> Result<Evaluated> {
    let (result, snapshot) = tried(cx, &request).await?;
    Ok(Evaluated { result, evaluated_policies: Arc::clone(&snapshot.policies) })
}

/// [`evaluate`], as the JSON text of its answer. The policies are most of that text, and the same for
/// all who are decided on one snapshot: they are written once for all of these.
///
/// # Errors
/// As [`evaluate`].
pub async fn evaluate_text(cx: &Cx, request: EvaluateRequest) -> Result<String> {
    let (result, snapshot) = tried(cx, &request).await?;
    let result = serde_json::to_string(&result).map_err(|error| Error::Bug(error.into()))?;
    let policies = snapshot.policies_text()?;
    Ok(["{\"result\":", &result, ",\"evaluated_policies\":", policies, "}"].concat())
}

/// The verdict, and the snapshot that it rests on.
async fn tried(cx: &Cx, request: &EvaluateRequest) -> Result<(EvaluationResult, Arc<Snapshot>)> {
    let tenant = cx.tenant(permission::EVALUATE)?;
    let question = Question {
        context: &request.context,
        actor: request.actor.as_ref(),
        action: None,
        narrowing: Narrowing {
            policy_group_code: request.policy_group_code.as_deref(),
            policy_ids: request.policy_ids.as_deref(),
        },
        explain: request.explain.unwrap_or(false),
    };
    let decided = decide(&tenant, &question).await?;
    Ok((dry_run(&tenant, decided.result), decided.snapshot))
}

/// The answer where nothing is recorded.
pub(crate) fn dry_run(tenant: &Tenant<'_>, result: EvaluationResult) -> EvaluationResult {
    let (tenant_id, verdict) = (tenant.id(), result.decision);
    tenant.cx().governance.tell(Observed::DryRun { tenant: tenant_id, verdict });
    EvaluationResult { dry_run: true, ..result }
}

/// What is asked, whether it will be recorded or not.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub(crate) context: &'a DecisionContext,
    pub(crate) actor: Option<&'a Actor>,
    pub(crate) action: Option<&'a Action>,
    pub(crate) narrowing: Narrowing<'a>,
    pub(crate) explain: bool,
}

impl<'a> Question<'a> {
    /// The actor that the verdict is bound to: the request's own, else the context's.
    pub(crate) fn actor_id(&self) -> Option<&'a str> {
        let own = self.actor.and_then(|actor| actor.id.as_deref());
        own.or_else(|| self.context.metadata("actor_id"))
    }
}

/// A verdict with everything that it rests on.
#[derive(Debug)]
pub(crate) struct Decided {
    pub(crate) result: EvaluationResult,
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) context: Canonical,
    pub(crate) integrity: Canonical,
    pub(crate) evidence: Option<Digest>,
}

/// Decides a question on the policies in force, for a record: their snapshot has its row afterwards.
pub(crate) async fn decide_to_record(
    tenant: &Tenant<'_>,
    question: &Question<'_>,
) -> Result<Decided> {
    let decision_type = question.context.decision_type();
    let snapshot = snapshot::of(tenant, decision_type, question.narrowing).await?;
    snapshot.store(tenant).await?;
    judge(tenant.cx(), snapshot, question, tenant.cx().now)
}

/// Decides a question on the policies in force, and writes nothing. The same context and snapshot give the same verdict
/// and the same hashes, whoever asks and whenever.
pub(crate) async fn decide(tenant: &Tenant<'_>, question: &Question<'_>) -> Result<Decided> {
    let decision_type = question.context.decision_type();
    let snapshot = snapshot::of(tenant, decision_type, question.narrowing).await?;
    judge(tenant.cx(), snapshot, question, tenant.cx().now)
}

/// Decides a question on a snapshot, at `now`. Rules hold dates against the instant that the context names,
/// if it names one: the result still says when it was decided.
pub(crate) fn judge(
    cx: &Cx,
    snapshot: Arc<Snapshot>,
    question: &Question<'_>,
    now: Timestamp,
) -> Result<Decided> {
    let watch = cx.governance.clock().watch();
    let fields = question.context.fields().ok_or_else(|| Error::bug("a context without fields"))?;
    let as_of = question.context.timestamp().unwrap_or(now);
    let digests = data_digests(question.context);
    let evidence = evidence(question.context, &digests);
    let input = Input { fields, evidence: &evidence, actor_id: question.actor_id(), as_of };
    let evaluation = engine::evaluate(&snapshot.program, &input);
    let na_rules = evaluation.na_rules(&input);
    let rules = question.explain.then(|| evaluation.rules());
    let context = statement::context(question.context.value());
    let evidence = statement::evidence_manifest(question.context.value()).map(|m| m.digest);
    let narrowing = question.narrowing.stated();
    let integrity = integrity(&Basis {
        question,
        narrowing: narrowing.as_ref(),
        snapshot: &snapshot,
        evaluation: &evaluation,
        na_rules: &na_rules,
        context: context.digest,
        evidence,
        as_of,
    });
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
        evaluation_time_ms: watch.millis(),
        timestamp: now,
        policy_snapshot_id: snapshot.id(),
        policy_snapshot_digest: Some(snapshot.digest.to_string()),
        evaluated_rules_hash: snapshot.rules_hash.to_string(),
        integrity_hash: integrity.digest.to_string(),
        evidence_manifest_digest: evidence.map(|digest| digest.to_string()),
        receipt_schema_version: RECEIPT_SCHEMA_VERSION,
        action: question.action.cloned(),
        signature: None,
        transparency_anchor: None,
        dry_run: false,
        rules,
    };
    cx.governance.tell(Observed::Evaluated { seconds: watch.seconds() });
    Ok(Decided { result, snapshot, context, integrity, evidence })
}

/// What the integrity hash binds.
struct Basis<'a> {
    question: &'a Question<'a>,
    narrowing: Option<&'a evaluation::Narrowing>,
    snapshot: &'a Snapshot,
    evaluation: &'a Evaluation<'a>,
    na_rules: &'a [NaRule],
    context: Digest,
    evidence: Option<Digest>,
    as_of: Timestamp,
}

fn integrity(basis: &Basis<'_>) -> Canonical {
    let evaluation = basis.evaluation;
    statement::integrity(&Integrity {
        decision_type: basis.question.context.decision_type(),
        decision: evaluation.decision,
        context_digest: basis.context,
        policy_snapshot_digest: basis.snapshot.digest,
        evaluated_rules_hash: basis.snapshot.rules_hash,
        evidence_manifest_digest: basis.evidence,
        violations: &evaluation.violations,
        na_rules: basis.na_rules,
        is_shadow: evaluation.is_shadow,
        shadow_converted: evaluation.shadow_converted,
        original_decision: evaluation.original_decision,
        actor_id: basis.question.actor_id(),
        as_of: evaluation.as_of_consulted.then_some(basis.as_of),
        narrowing: basis.narrowing,
    })
}

/// The digest of each evidence item's data, where it has any. A context that is kept has the digests
/// in place of the data; in a request `data_digest` is not a member of an item.
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
