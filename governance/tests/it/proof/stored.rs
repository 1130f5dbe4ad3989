//! Comparison of a stored decision with its request and its response.

use contract::{
    decision::DecisionRecord,
    evaluation::EvaluationResult,
    json::Object,
    rule::{Rule, Severity},
};
use engine::{Evaluation, Evidence, Input, PolicyRules, Program};
use receipt::{
    canonical_json::CanonicalJson,
    digest::Digest,
    key::PayloadType,
    statement::{self, Integrity, ReceiptStatement},
};

use super::StoredDecision;
use crate::fixtures::public_key;
use crate::prelude::*;

/// Returns the text of a digest in a row that was read as JSON.
fn bytea(digest: Digest) -> String {
    format!("\\x{digest}")
}

/// Asserts that every column, preimage and digest of a stored decision matches its request and
/// response.
pub(super) fn assert_recomputable(
    stored: &StoredDecision,
    record: &DecisionRecord,
    request: &Value,
) {
    assert_eq!(stored.request_digest, bytea(CanonicalJson::from_value(request).digest));
    assert_columns_match(stored, record);
    assert_context_matches(stored, record, request);
    assert_snapshot_matches(stored, record);
    let integrity = recompute_integrity(stored, record);
    assert_eq!(integrity.text, stored.integrity, "the preimage of the integrity hash is stored");
    assert_eq!(integrity.digest.to_string(), record.result.integrity_hash);
    assert_statement_matches(stored, record, request);
}

fn assert_columns_match(stored: &StoredDecision, record: &DecisionRecord) {
    assert_eq!(stored.id, record.id.to_string());
    assert_eq!(stored.idempotency_key, record.idempotency_key);
    assert_eq!(stored.decision_type, record.decision_type);
    assert_eq!(stored.decision, record.decision.as_str());
    assert_eq!(record.decision, record.result.decision);
    assert_eq!(stored.correlation_id, record.correlation_id);
    let metadata = record.context.get("metadata").unwrap();
    assert_eq!(text(metadata, "correlation_id"), record.correlation_id);
    assert_eq!(stored.policy_id, record.policy.id.to_string());
    assert_eq!(stored.policy_version, record.policy.version);
    assert_eq!(stored.snapshot_id, record.policy_snapshot_id);
    assert_eq!(stored.snapshot_id, record.result.policy_snapshot_id);
    assert_eq!(stored.actor_id, record.actor.as_ref().and_then(|actor| actor.id.clone()));
    let policy_ids: Vec<_> = record.evaluated_policies.iter().map(|p| p.policy_id).collect();
    assert_eq!(stored.policy_ids, policy_ids);
    let mut violated: Vec<_> =
        record.result.violations.iter().map(|violation| violation.rule_code.clone()).collect();
    violated.sort();
    violated.dedup();
    assert_eq!(stored.rule_codes, violated);
    let severity = record.result.violations.iter().map(|violation| violation.severity).max();
    assert_eq!(stored.severity.as_deref(), severity.map(Severity::as_str));
    assert_eq!(stored.shadow_converted, record.result.shadow_converted);
    assert_eq!(stored.recorded_at, record.recorded_at);
    assert_eq!(record.recorded_at, record.created_at);
}

fn assert_context_matches(stored: &StoredDecision, record: &DecisionRecord, request: &Value) {
    let sent = request.get("context").unwrap();
    assert_eq!(
        statement::context(sent).text,
        stored.context,
        "the preimage is the context of the request"
    );
    if sent.get("metadata").is_some() {
        assert_eq!(statement::context(&record.context).text, stored.context);
    }
    for name in ["ip_address", "user_agent", "correlation_id"] {
        assert!(!stored.context.contains(name), "{name} is not part of the preimage");
    }
    let manifest = statement::evidence_manifest(&record.context);
    let manifest = manifest.map(|manifest| manifest.digest.to_string());
    assert_eq!(manifest, record.result.evidence_manifest_digest);
}

fn assert_snapshot_matches(stored: &StoredDecision, record: &DecisionRecord) {
    let body = CanonicalJson::parse(stored.body.as_bytes()).expect("the snapshot is canonical");
    assert_eq!(body.digest.to_string(), stored.snapshot_digest);
    assert_eq!(Some(&stored.snapshot_digest), record.result.policy_snapshot_digest.as_ref());
    let rules: Value = snapshot_policies(&stored.body).iter().flat_map(evaluated_rules).collect();
    let rules = CanonicalJson::from_value(&rules).digest.to_string();
    assert_eq!(rules, stored.evaluated_rules_hash);
    assert_eq!(rules, record.result.evaluated_rules_hash);
}

pub(crate) fn snapshot_policies(snapshot: &str) -> Vec<Value> {
    list(&value(snapshot), "policies").to_vec()
}

/// The active rules of a policy, reduced to the members that are evaluated.
fn evaluated_rules(policy: &Value) -> Vec<Value> {
    let is_active = |rule: &&Value| rule.get("is_active") != Some(&Value::Bool(false));
    let reduced = |rule: &Value| {
        let names = ["code", "condition", "severity", "when"];
        let members =
            names.iter().filter_map(|name| Some(((*name).to_owned(), rule.get(name)?.clone())));
        Value::Object(members.collect::<Object>())
    };
    list(policy, "rules").iter().filter(is_active).map(reduced).collect()
}

/// Evaluates the stored snapshot with the stored preimage of the context, without other input.
fn recompute_integrity(stored: &StoredDecision, record: &DecisionRecord) -> CanonicalJson {
    let context = value(&stored.context).get("context").unwrap().clone();
    let policies: Vec<(PolicyId, bool, Vec<Rule>)> = snapshot_policies(&stored.body)
        .iter()
        .map(|policy| {
            let rules = list(policy, "rules").iter();
            let rules = rules.map(|rule| serde_json::from_str(&rule.to_canonical()).unwrap());
            let is_shadow = policy.get("shadow_mode") == Some(&Value::Bool(true));
            (text(policy, "policy_id").parse().unwrap(), is_shadow, rules.collect())
        })
        .collect();
    let rules: Vec<_> = policies
        .iter()
        .map(|(policy_id, shadow_mode, rules)| PolicyRules {
            policy_id: *policy_id,
            shadow_mode: *shadow_mode,
            rules,
        })
        .collect();
    let program = Program::compile(&rules).unwrap();
    let items = context.get("evidence").and_then(Value::as_array).unwrap_or_default();
    let evidence: Vec<_> = items.iter().map(item).collect();
    let actor_id = record.actor.as_ref().and_then(|actor| actor.id.as_deref());
    let timestamp = context.get("metadata").and_then(|metadata| metadata.get("timestamp"));
    let timestamp = timestamp.and_then(Value::as_str).map(|text| text.parse().unwrap());
    let as_of = timestamp.unwrap_or(record.result.timestamp);
    let input = Input {
        fields: context.get("fields").and_then(Value::as_object).unwrap(),
        evidence: &evidence,
        actor_id,
        as_of,
    };
    let evaluation = engine::evaluate(&program, &input).unwrap();
    let na_rules = evaluation.na_rules(&input).unwrap();
    assert_same_result(&evaluation, &record.result);
    assert_eq!(na_rules, record.result.na_rules);
    statement::integrity(&Integrity {
        decision_type: &stored.decision_type,
        decision: evaluation.decision,
        context_digest: Digest::compute(stored.context.as_bytes()),
        policy_snapshot_digest: Digest::compute(stored.body.as_bytes()),
        evaluated_rules_hash: digest(&stored.evaluated_rules_hash),
        evidence_manifest_digest: record.result.evidence_manifest_digest.as_deref().map(digest),
        violations: &evaluation.violations,
        na_rules: &na_rules,
        is_shadow: evaluation.is_shadow,
        shadow_converted: evaluation.shadow_converted,
        original_decision: evaluation.original_decision,
        actor_id,
        as_of: evaluation.as_of_consulted.then_some(as_of),
        narrowing: record.result.narrowing.as_ref(),
    })
}

fn item(item: &Value) -> Evidence<'_> {
    assert!(item.get("data").is_none(), "evidence data is not part of the preimage");
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    Evidence { kind: text("kind"), hash: text("hash"), data_digest: text("data_digest") }
}

fn assert_same_result(evaluation: &Evaluation<'_>, recorded: &EvaluationResult) {
    assert_eq!(evaluation.decision, recorded.decision);
    assert_eq!(evaluation.violations, recorded.violations);
    assert_eq!(
        (evaluation.rules_evaluated, evaluation.rules_na),
        (recorded.rules_evaluated, recorded.rules_na)
    );
    assert_eq!(
        (evaluation.is_shadow, evaluation.shadow_converted),
        (recorded.is_shadow, recorded.shadow_converted)
    );
    assert_eq!(evaluation.original_decision, recorded.original_decision);
}

fn digest(text: &str) -> Digest {
    text.parse().unwrap()
}

fn assert_statement_matches(stored: &StoredDecision, record: &DecisionRecord, request: &Value) {
    let result = &record.result;
    let key = object([
        ("schema", "service-idempotency-key/v1".into()),
        ("tenant_id", record.tenant_id.to_string().into()),
        ("idempotency_key", record.idempotency_key.as_str().into()),
    ]);
    let action = request.get("action").map(|action| {
        let action = object([("schema", "service-action/v1".into()), ("action", action.clone())]);
        CanonicalJson::from_value(&action).digest
    });
    let statement = statement::receipt(&ReceiptStatement {
        tenant_id: record.tenant_id,
        decision_id: record.id,
        decision_type: &record.decision_type,
        decision: record.decision,
        timestamp: result.timestamp,
        recorded_at: record.recorded_at,
        integrity_hash: digest(&result.integrity_hash),
        policy_snapshot_id: stored.snapshot_id,
        policy_snapshot_digest: digest(&stored.snapshot_digest),
        evidence_manifest_digest: result.evidence_manifest_digest.as_deref().map(digest),
        idempotency_key_digest: CanonicalJson::from_value(&key).digest,
        action_digest: action,
        chain: None,
        kid: stored.kid.as_deref(),
    });
    assert_eq!(statement.text, stored.statement);
    assert_eq!(bytea(statement.digest), stored.receipt_digest);

    let signature = result.signature.as_ref().expect("the test key signs");
    assert_eq!(Some(&signature.signature), stored.signature.as_ref());
    assert_eq!(Some(&signature.signature_kid), stored.kid.as_ref());
    let key = public_key();
    assert_eq!(signature.signature_kid, key.kid());
    key.verify(PayloadType::Receipt, &stored.statement, &signature.signature).unwrap();
    let other = stored.statement.replace(&record.id.to_string(), &record.policy.id.to_string());
    assert_ne!(other, stored.statement);
    key.verify(PayloadType::Receipt, &other, &signature.signature).unwrap_err();
}
