//! What is stored about a decision, held against what was asked and what was answered.

use contract::{
    decision::DecisionRecord,
    evaluation::EvaluationResult,
    id::PolicyId,
    json::{Object, Value},
    rule::Rule,
};
use engine::{Evaluation, Evidence, Input, PolicyRules, Program};
use receipt::{
    canonical_json::CanonicalJson,
    digest::Digest,
    key::PayloadType,
    statement::{self, Integrity, ReceiptStatement},
};

use super::Stored;
use crate::fixtures::{list, object, public_key, text, value};

/// Every column, preimage and digest of a stored decision fits what was asked and answered.
pub(super) fn proven(stored: &Stored, record: &DecisionRecord, request: &Value) {
    assert_eq!(stored.request_digest, CanonicalJson::from_value(request).digest.to_string());
    columns_agree(stored, record);
    context_is_kept(stored, record, request);
    snapshot_is_kept(stored, record);
    let again = decided_again(stored, record);
    assert_eq!(again.text, stored.integrity, "the preimage of the integrity hash is kept");
    assert_eq!(again.digest.to_string(), record.result.integrity_hash);
    statement_is_kept(stored, record, request);
}

fn columns_agree(stored: &Stored, record: &DecisionRecord) {
    assert_eq!(stored.id, record.id.to_string());
    assert_eq!(stored.idempotency_key, record.idempotency_key);
    assert_eq!(stored.decision_type, record.decision_type);
    assert_eq!(stored.decision, record.decision.as_str());
    assert_eq!(record.decision, record.result.decision);
    assert_eq!(stored.correlation_id, record.correlation_id);
    let told = record.context.get("metadata").unwrap();
    assert_eq!(text(told, "correlation_id"), record.correlation_id);
    assert_eq!(stored.policy_id, record.policy.id.to_string());
    assert_eq!(stored.policy_version, record.policy.version);
    assert_eq!(stored.snapshot_id, record.policy_snapshot_id);
    assert_eq!(stored.snapshot_id, record.result.policy_snapshot_id);
    assert_eq!(stored.actor_id, record.actor.as_ref().and_then(|actor| actor.id.clone()));
    let looked_at: Vec<_> = record.evaluated_policies.iter().map(|p| p.policy_id).collect();
    assert_eq!(stored.policy_ids, looked_at);
    let mut violated: Vec<_> =
        record.result.violations.iter().map(|violation| violation.rule_code.clone()).collect();
    violated.sort();
    violated.dedup();
    assert_eq!(stored.rule_codes, violated);
    assert_eq!(stored.recorded_at, record.recorded_at);
    assert_eq!(record.recorded_at, record.created_at);
}

fn context_is_kept(stored: &Stored, record: &DecisionRecord, request: &Value) {
    let sent = request.get("context").unwrap();
    assert_eq!(statement::context(sent).text, stored.context, "the preimage is what was sent");
    if sent.get("metadata").is_some() {
        assert_eq!(statement::context(&record.context).text, stored.context);
    }
    for fact in ["ip_address", "user_agent", "correlation_id"] {
        assert!(!stored.context.contains(fact), "{fact} is no part of what was decided");
    }
    let manifest = statement::evidence_manifest(&record.context);
    let manifest = manifest.map(|manifest| manifest.digest.to_string());
    assert_eq!(manifest, record.result.evidence_manifest_digest);
}

fn snapshot_is_kept(stored: &Stored, record: &DecisionRecord) {
    let body = CanonicalJson::parse(stored.body.as_bytes()).expect("the snapshot is canonical");
    assert_eq!(body.digest.to_string(), stored.snapshot_digest);
    assert_eq!(Some(&stored.snapshot_digest), record.result.policy_snapshot_digest.as_ref());
    let rules: Value = policies(&stored.body).iter().flat_map(evaluated).collect();
    let rules = CanonicalJson::from_value(&rules).digest.to_string();
    assert_eq!(rules, stored.evaluated_rules_hash);
    assert_eq!(rules, record.result.evaluated_rules_hash);
}

pub(crate) fn policies(snapshot: &str) -> Vec<Value> {
    list(&value(snapshot), "policies").to_vec()
}

/// The active rules of a policy, reduced to what decides.
fn evaluated(policy: &Value) -> Vec<Value> {
    let is_active = |rule: &&Value| rule.get("is_active") != Some(&Value::Bool(false));
    let reduced = |rule: &Value| {
        let members = ["code", "condition", "severity", "when"];
        let kept =
            members.iter().filter_map(|name| Some(((*name).to_owned(), rule.get(name)?.clone())));
        Value::Object(kept.collect::<Object>())
    };
    list(policy, "rules").iter().filter(is_active).map(reduced).collect()
}

/// Evaluates the stored snapshot on the stored preimage of the context, and nothing else.
fn decided_again(stored: &Stored, record: &DecisionRecord) -> CanonicalJson {
    let context = value(&stored.context).get("context").unwrap().clone();
    let kept: Vec<(PolicyId, bool, Vec<Rule>)> = policies(&stored.body)
        .iter()
        .map(|policy| {
            let rules = list(policy, "rules").iter();
            let rules = rules.map(|rule| serde_json::from_str(&rule.to_canonical()).unwrap());
            let is_shadow = policy.get("shadow_mode") == Some(&Value::Bool(true));
            (text(policy, "policy_id").parse().unwrap(), is_shadow, rules.collect())
        })
        .collect();
    let rules: Vec<_> = kept
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
    let own = record.actor.as_ref().and_then(|actor| actor.id.as_deref());
    let named = context.get("metadata").and_then(|metadata| metadata.get("timestamp"));
    let named = named.and_then(Value::as_str).map(|instant| instant.parse().unwrap());
    let as_of = named.unwrap_or(record.result.timestamp);
    let input = Input {
        fields: context.get("fields").and_then(Value::as_object).unwrap(),
        evidence: &evidence,
        actor_id: own,
        as_of,
    };
    let evaluation = engine::evaluate(&program, &input);
    let na_rules = evaluation.na_rules(&input);
    says_the_same(&evaluation, &record.result);
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
        actor_id: own,
        as_of: evaluation.as_of_consulted.then_some(as_of),
        narrowing: record.result.narrowing.as_ref(),
    })
}

fn item(item: &Value) -> Evidence<'_> {
    assert!(item.get("data").is_none(), "evidence data is no part of the preimage");
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    Evidence { kind: text("kind"), hash: text("hash"), data_digest: text("data_digest") }
}

fn says_the_same(again: &Evaluation<'_>, then: &EvaluationResult) {
    assert_eq!(again.decision, then.decision);
    assert_eq!(again.violations, then.violations);
    assert_eq!((again.rules_evaluated, again.rules_na), (then.rules_evaluated, then.rules_na));
    assert_eq!((again.is_shadow, again.shadow_converted), (then.is_shadow, then.shadow_converted));
    assert_eq!(again.original_decision, then.original_decision);
}

fn digest(text: &str) -> Digest {
    text.parse().unwrap()
}

fn statement_is_kept(stored: &Stored, record: &DecisionRecord, request: &Value) {
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
    let again = statement::receipt(&ReceiptStatement {
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
    assert_eq!(again.text, stored.statement);
    assert_eq!(again.digest.to_string(), stored.receipt_digest);

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
