//! What is stored proves itself: every digest and signature of a recorded decision can be computed
//! again from bytes at rest, and the stored snapshot decides the stored context as it did then.

use contract::{
    decision::DecisionRecord,
    evaluation::{EvaluationResult, Verdict},
    id::{PolicyId, SnapshotId},
    json::{Object, Value},
    receipt::Redaction,
    rule::Rule,
    time::Timestamp,
};
use engine::{Evaluation, Evidence, Input, PolicyRules, Program};
use governance::{
    demo::WORKED,
    policy::{self, version},
    trust,
};
use receipt::{
    canon::Canonical,
    digest::Digest,
    jwks,
    key::PayloadType,
    statement::{self, Integrity, ReceiptStatement},
};
use serde::Deserialize;
use tokio::task::JoinSet;

use crate::{
    log,
    worked::asked,
    world::{
        House, World, body, decision_record, limit, list, object, payment, public_key, question,
        record, request, said, spending, text, value, with, world,
    },
};

/// A row of `decisions` with its snapshot.
#[derive(Debug, Deserialize)]
struct Stored {
    id: String,
    idempotency_key: String,
    request_digest: String,
    decision_type: String,
    decision: String,
    correlation_id: String,
    policy_id: String,
    policy_version: u32,
    snapshot_id: SnapshotId,
    actor_id: Option<String>,
    policy_ids: Vec<PolicyId>,
    rule_codes: Vec<String>,
    recorded_at: Timestamp,
    record: String,
    context: String,
    integrity: String,
    statement: String,
    receipt_digest: String,
    signature: Option<String>,
    kid: Option<String>,
    snapshot_digest: String,
    body: String,
    evaluated_rules_hash: String,
}

async fn stored(world: &World, key: &str) -> Stored {
    let row = format!(
        "select d.*, s.digest snapshot_digest, s.body, s.evaluated_rules_hash from decisions d \
         join policy_snapshots s on s.tenant_id = d.tenant_id and s.id = d.snapshot_id \
         where d.idempotency_key = '{key}'"
    );
    world.rows(&row).await.pop().expect("the decision is stored")
}

#[tokio::test]
async fn everything_about_a_worked_decision_can_be_computed_from_what_is_stored() {
    let world = world().await;
    let house = world.house("proof").await;
    for file in WORKED {
        house.in_force(value(file).get("policy").unwrap()).await;
    }
    for (file, worked) in WORKED.iter().map(|file| value(file)).enumerate() {
        // Each file's decisions are alike in what is stored; a third of them is enough.
        for (number, case) in list(&worked, "contexts").iter().enumerate().step_by(3) {
            let key = format!("{file}-{number}");
            recorded_and_proven(&world, &house, &with(&asked(case), "idempotency_key", &*key))
                .await;
        }
    }
    log::intact(&world, house.tenant).await;
}

#[tokio::test]
async fn everything_about_an_unusual_decision_can_be_computed_from_what_is_stored() {
    let world = world().await;
    let house = world.house("proof").await;
    house.in_force(&spending("PAY", 100)).await;
    let dated = value(
        r#"{"code":"DATED","name":"Dated","decision_types":["dated"],"rules":[
            {"code":"NEW","rule_type":"temporal","severity":"low",
             "condition":{"field":"on","check":"not_future"}},
            {"code":"OFF","is_active":false,"rule_type":"presence","severity":"critical",
             "condition":{"required_fields":["never"]}},
            {"code":"GATED","rule_type":"distinct","severity":"medium","when":{"any":[
                {"field":"x","equals":1},{"field":"y","exists":true}]},
             "condition":{"fields":["a","b"],"include_actor":true}}]}"#,
    );
    house.in_force(&dated).await;
    for (number, request) in unusual().iter().enumerate() {
        let key = format!("unusual-{number}");
        recorded_and_proven(&world, &house, &with(request, "idempotency_key", &*key)).await;
    }
}

fn unusual() -> Vec<Value> {
    [
        // No metadata at all, and a number that has several texts.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1e2}}}"#,
        r#"{"context":{"decision_type":"payment","fields":{"amount":100.5},"metadata":{}}}"#,
        // Facts of the transport, which no digest covers.
        r#"{"context":{"decision_type":"payment","fields":{"amount":"7"},"metadata":{
            "ip_address":"203.0.113.7","user_agent":"curl","correlation_id":"mine",
            "timestamp":"2026-11-01T23:59:59.9999+02:00"}}}"#,
        // Evidence with every kind of data, a source artifact and an action.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1},"evidence":[
            {"kind":"k","data":null},{"ref":"r","hash":"h"},{},{"data":{"b":1,"a":[2.50,-0]}}],
            "source_artifact":{"type":"PDF","byte_size":3,"hash":"x"}},
            "action":{"type":"pay","reference_id":"r-1","metadata":{"z":1e15,"a":null}}}"#,
        r#"{"context":{"decision_type":"payment","fields":{"amount":1}},"action":{"type":"pay"}}"#,
        // The actor of the request, of the metadata, and one without an id.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1},
            "metadata":{"actor_id":"meta"}},"actor":{"id":"own","display_name":"Ó"}}"#,
        r#"{"context":{"decision_type":"payment","fields":{"amount":1},
            "metadata":{"actor_id":"meta"}},"actor":{"role":"clerk"}}"#,
        // Instants: consulted, not consulted, the server's own.
        r#"{"context":{"decision_type":"dated","fields":{"on":"2026-11-02T09:30:00.001Z"}}}"#,
        r#"{"context":{"decision_type":"dated","fields":{"on":"soon","y":null,"a":"p","b":"q"},
            "metadata":{"timestamp":"2020-01-01T00:00:00Z","actor_id":"q"}}}"#,
        r#"{"context":{"decision_type":"dated","fields":{"x":1,"a":1,"b":1.0}}}"#,
        // Names and texts that sort or escape in ways of their own.
        r#"{"context":{"decision_type":"payment","fields":{"amount":1,"\ud83d\ude00":"\u001f\"\\/",
            "\ufb33":"é","e\u0301":"\u2028","":{"":[]}}}}"#,
    ]
    .map(value)
    .into()
}

/// Records a request, and proves all of what is stored about it.
async fn recorded_and_proven(world: &World, house: &House, request: &Value) {
    let dry = {
        let mut dry = request.as_object().unwrap().clone();
        dry.remove("idempotency_key");
        dry.remove("action");
        house.evaluate(&dry.into()).await.unwrap().result
    };
    let outcome = house.record(request).await.unwrap();
    assert!(outcome.is_new);
    let stored = stored(world, text(request, "idempotency_key")).await;
    assert_eq!(stored.record, outcome.record, "what is answered is what is stored");
    let record = decision_record(&stored.record);
    assert_eq!(record.result.integrity_hash, dry.integrity_hash);
    assert_eq!(record.result.policy_snapshot_id, dry.policy_snapshot_id);
    proven(&stored, &record, request);
    receipt_is_told(house, &stored, &record).await;
}

fn proven(stored: &Stored, record: &DecisionRecord, request: &Value) {
    assert_eq!(stored.request_digest, Canonical::of(request).digest.to_string());
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
    let body = Canonical::read(stored.body.as_bytes()).expect("the snapshot is canonical");
    assert_eq!(body.digest.to_string(), stored.snapshot_digest);
    assert_eq!(Some(&stored.snapshot_digest), record.result.policy_snapshot_digest.as_ref());
    let rules: Value = policies(&stored.body).iter().flat_map(evaluated).collect();
    let rules = Canonical::of(&rules).digest.to_string();
    assert_eq!(rules, stored.evaluated_rules_hash);
    assert_eq!(rules, record.result.evaluated_rules_hash);
}

fn policies(snapshot: &str) -> Vec<Value> {
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
fn decided_again(stored: &Stored, record: &DecisionRecord) -> Canonical {
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
    let input = Input {
        fields: context.get("fields").and_then(Value::as_object).unwrap(),
        evidence: &evidence,
        actor_id: own,
        as_of: record.result.timestamp,
    };
    let evaluation = engine::evaluate(&program, &input);
    let na_rules = evaluation.na_rules(&input);
    says_the_same(&evaluation, &record.result);
    assert_eq!(na_rules, record.result.na_rules);
    statement::integrity(&Integrity {
        decision_type: &stored.decision_type,
        decision: evaluation.decision,
        context_digest: Digest::of(stored.context.as_bytes()),
        policy_snapshot_digest: Digest::of(stored.body.as_bytes()),
        evaluated_rules_hash: digest(&stored.evaluated_rules_hash),
        evidence_manifest_digest: record.result.evidence_manifest_digest.as_deref().map(digest),
        violations: &evaluation.violations,
        na_rules: &na_rules,
        is_shadow: evaluation.is_shadow,
        shadow_converted: evaluation.shadow_converted,
        original_decision: evaluation.original_decision,
        actor_id: own,
        as_of: evaluation.as_of_consulted.then_some(record.result.timestamp),
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
        Canonical::of(&action).digest
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
        idempotency_key_digest: Canonical::of(&key).digest,
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

async fn receipt_is_told(house: &House, stored: &Stored, record: &DecisionRecord) {
    let anybody = house.governance.public(house.governance.correlation_id());
    let receipt = governance::decision::receipt(&anybody, record.id).await.unwrap();
    assert_eq!(receipt.statement.as_ref().unwrap().to_canonical(), stored.statement);
    assert_eq!(receipt.context_digest, Digest::of(stored.context.as_bytes()).to_string());
    assert_eq!(receipt.result, record.result);
    assert_eq!(receipt.policy, record.policy);
    assert_eq!(receipt.signature, stored.signature);
    assert_eq!(receipt.payload_type.as_deref(), Some(PayloadType::Receipt.as_str()));
    let read = governance::decision::read(&house.by_key().await, record.id).await.unwrap();
    assert_eq!(&read, record);
}

#[tokio::test]
async fn a_redacted_receipt_hides_values_and_can_still_be_checked() {
    let world = world().await;
    let house = world.house("redacted").await;
    house.in_force(&spending("PAY", 100)).await;
    let id = house.record(&request("k", payment(7_777_777))).await.unwrap().id;
    let anybody = || world.governance.public(world.governance.correlation_id());
    let open = governance::decision::receipt(&anybody(), id).await.unwrap();
    assert!(serde_json::to_string(&open).unwrap().contains("7777777"));
    world.force("update settings set public_receipt_redaction = 'values'").await;
    let redacted = governance::decision::receipt(&anybody(), id).await.unwrap();
    assert!(!serde_json::to_string(&redacted).unwrap().contains("7777777"));
    assert_eq!(redacted.redaction, Redaction::Values);
    assert_eq!(redacted.result.violations[0].reason, "VALUE_ABOVE_MAX");
    assert_eq!(redacted.statement, open.statement);
    let signature = redacted.signature.unwrap();
    let statement = redacted.statement.as_ref().unwrap().to_canonical();
    public_key().verify(PayloadType::Receipt, &statement, &signature).unwrap();
    // The tenant still reads all of it.
    let read = governance::decision::read(&house.by_key().await, id).await.unwrap();
    assert_eq!(read.result, open.result);
}

#[tokio::test]
async fn the_published_key_checks_the_receipts() {
    let world = world().await;
    let published = trust::signing_keys(&world.governance).await.unwrap();
    let keys = jwks::read(&published).unwrap();
    assert_eq!(keys[0], public_key());
    // Approvals and grants have keys of their own.
    assert!(keys.len() == 3 && keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
}

#[tokio::test]
async fn without_a_signing_key_a_receipt_claims_none() {
    let world = world().await;
    let house = world.house("unsigned").await;
    house.in_force(&spending("PAY", 100)).await;
    let unsigned = house.in_process(&world.unsigned_process(2).await);
    let outcome = unsigned.record(&request("k", payment(5))).await.unwrap();
    assert!(!outcome.record.contains("signature"));
    let stored = stored(&world, "k").await;
    assert_eq!((stored.signature, stored.kid), (None, None));
    let statement = value(&stored.statement);
    assert_eq!((statement.get("alg"), statement.get("kid")), (None, None));
    let published = trust::signing_keys(&unsigned.governance).await.unwrap();
    assert_eq!(jwks::read(&published), Ok(Vec::new()));
}

#[tokio::test]
async fn without_a_signing_key_an_approval_claims_none() {
    let world = world().await;
    let house = world.house("unsigned").await;
    let unsigned = house.in_process(&world.unsigned_process(2).await);
    let id = unsigned.drafted(&spending("PAY", 100)).await;
    unsigned.ratified(id, 1).await;
    let cx = unsigned.by_key().await;
    let told = version::approval(&cx, id, 1).await.unwrap();
    assert_eq!((told.approval.get("alg"), told.approval.get("kid")), (None, None));
    assert_eq!(told.envelope, None);
    let text = told.approval.to_canonical();
    assert_eq!(told.approval_digest, Digest::of(text.as_bytes()).to_string());
}

#[tokio::test]
async fn shadow_mode_softens_the_verdict_and_says_so() {
    let world = world().await;
    let house = world.house("shadow").await;
    let watching = with(&spending("A-WATCHES", 10), "shadow_mode", true);
    let watching = with(&watching, "rules", limit("WATCHED", 10));
    house.in_force(&watching).await;

    // Alone in force: everything is in shadow mode.
    recorded_and_proven(&world, &house, &request("alone", payment(50))).await;
    let alone = decision_record(&stored(&world, "alone").await.record);
    assert_eq!(alone.decision, Verdict::Alert);
    assert_eq!(alone.result.original_decision, Some(Verdict::Deny));
    assert!(alone.result.is_shadow && alone.result.shadow_converted);
    assert_eq!(alone.policy.code, "A-WATCHES");

    // Beside a policy that is enforced, whose verdict wins.
    house.in_force(&spending("B-ENFORCES", 100)).await;
    for (key, amount, verdict, original, deciding) in [
        ("none", 5, Verdict::Allow, None, "A-WATCHES"),
        ("first", 50, Verdict::Alert, Some(Verdict::Deny), "A-WATCHES"),
        ("both", 500, Verdict::Deny, None, "B-ENFORCES"),
    ] {
        recorded_and_proven(&world, &house, &request(key, payment(amount))).await;
        let record = decision_record(&stored(&world, key).await.record);
        assert_eq!(record.decision, verdict, "{key}");
        assert_eq!(record.result.original_decision, original, "{key}");
        assert_eq!(record.result.shadow_converted, original.is_some(), "{key}");
        assert!(!record.result.is_shadow, "{key}");
        assert_eq!(record.policy.code, deciding, "{key}");
    }
}

#[tokio::test]
async fn a_repeat_answers_the_stored_text_whatever_policies_say_now() {
    let world = world().await;
    let house = world.house("repeat").await;
    let id = house.in_force(&spending("PAY", 100)).await;
    let first = house.record(&request("k", payment(50))).await.unwrap();
    assert!(first.is_new);
    assert_eq!(decision_record(&first.record).decision, Verdict::Allow);

    let stricter = house.next_draft(id, &limit("LIMIT", 10)).await;
    house.ratified(id, stricter).await;
    house.activated(id, stricter).await.unwrap();
    world.governance.clock().advance(86_400_000);
    // The same request in another order and with other white space.
    let reordered = value(
        r#" {"context" : {"fields":{"amount": 50.0},  "decision_type":"payment"},
             "idempotency_key":"k"} "#,
    );
    let elsewhere = house.in_process(&world.another_process(2).await);
    for again in [
        house.record(&reordered).await,
        elsewhere.record(&reordered).await,
        record(&house.by_author().await, &reordered).await,
    ] {
        let again = again.unwrap();
        assert!(!again.is_new);
        assert_eq!((again.id, &again.record), (first.id, &first.record));
    }

    let reason = body(&object([("reason", "over".into())]));
    policy::deactivate(&house.by_admin().await, id, reason).await.unwrap();
    assert_eq!(house.record(&reordered).await.unwrap().record, first.record);
    let new = house.record(&request("l", payment(50))).await;
    assert_eq!(said(&new), "404 NO_ACTIVE_POLICIES");

    for other in [
        request("k", payment(51)),
        with(&reordered, "actor", object([("id", "a".into())])),
        with(&reordered, "action", object([("type", "pay".into())])),
    ] {
        assert_eq!(said(&house.record(&other).await), "422 IDEMPOTENCY_KEY_REUSED");
    }
    assert_eq!(world.count("select count(*) from decisions").await, 1);
}

#[tokio::test]
async fn a_repeat_is_answered_even_while_nothing_new_can_be_recorded() {
    /// Whoever looks at the activation counter finds another number.
    const STORM: &str = "alter table tenant_heads rename to heads; \
         create view tenant_heads as select tenant_id, audit_seq, audit_hash, ancestors, \
         floor(random() * 1e15)::bigint as activation_counter from heads; \
         grant select, update on tenant_heads to govern_app";
    let world = world().await;
    let house = world.house("storm").await;
    house.in_force(&spending("PAY", 100)).await;
    let first = house.record(&request("k", payment(50))).await.unwrap();
    world.force(STORM).await;
    let house = house.in_process(&world.another_process(2).await);
    assert_eq!(said(&house.record(&request("l", payment(50))).await), "503 SERVICE_UNAVAILABLE");
    let again = house.record(&request("k", payment(50))).await.unwrap();
    assert_eq!((again.is_new, again.record), (false, first.record));
    let other = house.record(&request("k", payment(51))).await;
    assert_eq!(said(&other), "422 IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn keys_are_compared_by_bytes() {
    let world = world().await;
    let house = world.house("bytes").await;
    house.in_force(&spending("PAY", 100)).await;
    for key in ["k", "K", "k ", "é", "e\u{301}", "ﬁ", "fi"] {
        let outcome = house.record(&request(key, payment(1))).await.unwrap();
        assert!(outcome.is_new, "{key}");
    }
}

/// Snapshots, and the events that tell of them.
async fn snapshots(world: &World, house: &House) -> (usize, usize) {
    let rows = world.count("select count(*) from policy_snapshots").await;
    let events = log::intact(world, house.tenant).await;
    let told = events.iter().filter(|entry| entry.action == "snapshot.append").count();
    (rows, told)
}

#[tokio::test]
async fn a_snapshot_is_appended_only_when_none_has_its_content() {
    let world = world().await;
    let house = world.house("snapshots").await;
    let everything = with(&spending("ALL", 100), "decision_types", value("[]"));
    let id = house.in_force(&everything).await;
    for _ in 0..5 {
        house.evaluate(&question(payment(1))).await.unwrap();
    }
    assert_eq!(snapshots(&world, &house).await, (1, 1));

    // Another type under the same policies has the same snapshot.
    let other = value(r#"{"decision_type":"refund","fields":{"amount":1}}"#);
    let first = house.evaluate(&question(payment(1))).await.unwrap().result.policy_snapshot_id;
    let same = house.evaluate(&question(other)).await.unwrap().result.policy_snapshot_id;
    assert_eq!(first, same);
    assert_eq!(snapshots(&world, &house).await, (1, 1));

    // Another version is another snapshot; the first version has its own again.
    let second = house.next_draft(id, &limit("LIMIT", 100)).await;
    house.ratified(id, second).await;
    house.activated(id, second).await.unwrap();
    let now = house.evaluate(&question(payment(1))).await.unwrap().result.policy_snapshot_id;
    assert_ne!(first, now);
    house.activated(id, 1).await.unwrap();
    let again = house.evaluate(&question(payment(1))).await.unwrap().result.policy_snapshot_id;
    assert_eq!(first, again);
    assert_eq!(snapshots(&world, &house).await, (2, 2));

    // A process that has seen nothing finds it too.
    let elsewhere = house.in_process(&world.another_process(2).await);
    let found = elsewhere.evaluate(&question(payment(1))).await.unwrap();
    assert_eq!(found.result.policy_snapshot_id, first);
    assert_eq!(snapshots(&world, &house).await, (2, 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn first_evaluations_at_once_append_one_snapshot() {
    let world = world().await;
    let house = world.house("snapshots").await;
    house.in_force(&spending("PAY", 100)).await;
    let mut at_once = JoinSet::new();
    for seed in 2..6 {
        let process = house.in_process(&world.another_process(seed).await);
        for _ in 0..8 {
            let process = process.clone();
            at_once.spawn(async move { process.evaluate(&question(payment(1))).await.unwrap() });
        }
    }
    let seen = at_once.join_all().await;
    let first = &seen[0].result;
    assert!(seen.iter().all(|other| &other.result == first));
    assert_eq!(snapshots(&world, &house).await, (1, 1));
}

#[tokio::test]
async fn processes_that_all_see_no_snapshot_append_one() {
    let world = world().await;
    let house = world.house("snapshots").await;
    house.in_force(&spending("PAY", 100)).await;
    let mut processes = Vec::new();
    for seed in 2..6 {
        processes.push(house.in_process(&world.another_process(seed).await));
    }
    let acts = processes
        .into_iter()
        .map(|process| async move { process.evaluate(&question(payment(1))).await.unwrap() });
    let seen = world.held_up(acts).await;
    assert!(seen.iter().all(|other| other.result == seen[0].result));
    assert_eq!(snapshots(&world, &house).await, (1, 1));
}

#[tokio::test]
async fn a_snapshot_holds_the_policies_of_the_request_in_order_and_no_others() {
    let world = world().await;
    let house = world.house("snapshots").await;
    let mut ids = Vec::new();
    for (code, types) in
        [("b", r#"["payment"]"#), ("C", r#"["payment","x"]"#), ("a", "[]"), ("D", r#"["x"]"#)]
    {
        let policy = with(&spending(code, 100), "decision_types", value(types));
        ids.push(house.in_force(&policy).await);
    }
    house.drafted(&spending("E-DRAFT", 1)).await;
    let seen = house.evaluate(&question(payment(1))).await.unwrap();
    let codes = |seen: &contract::decision::Evaluated| {
        let policies = seen.evaluated_policies.iter();
        policies.map(|policy| policy.policy_code.clone()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(codes(&seen), "C a b", "by the bytes of the code");

    let narrowed = |ids: &[PolicyId]| {
        let ids: Value = ids.iter().map(ToString::to_string).collect();
        with(&question(payment(1)), "policy_ids", ids)
    };
    let two = house.evaluate(&narrowed(&[ids[0], ids[2]])).await.unwrap();
    assert_eq!(codes(&two), "a b");
    assert_ne!(two.result.policy_snapshot_id, seen.result.policy_snapshot_id);
    let none = house.evaluate(&narrowed(&[ids[3]])).await;
    assert_eq!(said(&none), "404 NO_ACTIVE_POLICIES", "it governs another type");
    let bodies = world.texts("select body from policy_snapshots").await;
    for body in &bodies {
        let codes: Vec<_> = policies(body).iter().map(|p| text(p, "code").to_owned()).collect();
        assert!(codes.is_sorted(), "{codes:?}");
    }
    assert_eq!(bodies.len(), 2, "a refused request appends nothing");
}

#[tokio::test]
async fn rules_are_kept_as_they_were_authored() {
    let world = world().await;
    let house = world.house("rules").await;
    let rules = value(
        r#"[{"severity":"low","code":"Z","rule_type":"presence","name":"é","is_active":true,
             "condition":{"min_length":{"b":2,"a":1.0}},"source_ref":{"section":"1"}},
            {"code":"A","rule_type":"list","severity":"high","is_active":false,
             "condition":{"field":"f","allowed":[1,"1",true]}}]"#,
    );
    let id = house.in_force(&with(&spending("PAY", 1), "rules", rules.clone())).await;
    house.evaluate(&question(payment(1))).await.unwrap();
    let kept = world.texts("select rules from policy_versions").await.concat();
    assert_eq!(kept, rules.to_canonical());
    let [policy] = &policies(&world.texts("select body from policy_snapshots").await.concat())[..]
    else {
        panic!("one policy is in force")
    };
    assert_eq!(policy.get("rules"), Some(&rules), "order and members are the author's");
    let by_hand = object([("schema", "service-policy-rules/v1".into()), ("rules", rules)]);
    let version = version::read(&house.by_key().await, id, 1).await.unwrap();
    assert_eq!(version.rules_digest, Canonical::of(&by_hand).digest.to_string());
}
