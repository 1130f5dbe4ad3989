//! What public reads show of a tenant that leaves values out: markers that stand in values, evidence,
//! names and reasons are in no public answer.

use std::sync::Arc;

use governance::proof::transparency_log::{InMemoryGuard, Sequencer};
use serde_json::{Value, json};
use verify::{Options, Overall, verify};

use super::{checked, lines};
use crate::{
    client::text,
    forms::published,
    service::{CHAIN, TestService, Version, world},
    transparency::log_all,
    trust::{begin, trusted},
};

/// Markers, each in a place of its own. The letters order `spent` after `budget`.
const SPENT: &str = "zz-marker-spent";
const BUDGET: &str = "aa-marker-budget";
const MARKERS: [&str; 14] = [
    SPENT,
    BUDGET,
    "marker-region",
    "marker-vendor",
    "marker-payee",
    "marker-date",
    "marker-unknown",
    "marker-data",
    "marker-name",
    "marker-respondent",
    "marker-note",
    "777111777111",
    "777222777222",
    "777333777333",
];

/// One rule of each type, each of which is violated, and one that does not apply.
fn rules() -> Value {
    let rule = |code: &str, rule_type: &str, condition: Value| json!({"code": code, "severity": "high", "rule_type": rule_type, "condition": condition});
    let mut gated = rule("GATED", "presence", json!({"required_fields": ["tax_number"]}));
    gated["when"] = json!({"field": "region", "equals": "EU"});
    json!([
        rule(
            "FIELDS",
            "comparison",
            json!({"left": "spent", "operator": "lte", "right": "budget"})
        ),
        rule("NUMBERS", "comparison", json!({"left": "paid", "operator": "lte", "right": "limit"})),
        rule(
            "CONSTANT",
            "comparison",
            json!({"left": "paid", "operator": "eq", "right_value": 10})
        ),
        rule("MAX", "threshold", json!({"field": "paid", "max": 10})),
        rule("LIST", "list", json!({"field": "vendor", "allowed": ["Acme"]})),
        rule("PATTERN", "pattern", json!({"field": "payee", "matches": "^[0-9]+$"})),
        rule("DATE", "temporal", json!({"field": "due", "check": "not_expired"})),
        rule("DISTINCT", "distinct", json!({"fields": ["payee", "vendor_payee"]})),
        rule("EVIDENCE", "evidence", json!({"required_kinds": ["invoice"]})),
        gated,
    ])
}

fn fields() -> Value {
    json!({
        "spent": SPENT, "budget": BUDGET, "paid": 777_111_777_111_i64, "limit": 777, "region": "marker-region",
        "vendor": "marker-vendor", "payee": "marker-payee", "vendor_payee": "marker-payee",
        "due": "marker-date", "unknown": ["marker-unknown", 777_222_777_222_i64],
    })
}

fn request(key: &str) -> Value {
    json!({
        "idempotency_key": key,
        "actor": {"id": "agent-7", "type": "agent", "display_name": "marker-name"},
        "chain": {"chain_id": CHAIN},
        "context": {
            "decision_type": "payment",
            "fields": fields(),
            "metadata": {"note": "marker-note"},
            "evidence": [{"kind": "note", "ref": "urn:note:7", "data": ["marker-data", 777_333_777_333_i64]}],
        },
    })
}

/// A world with an active policy that finds something to say about each value.
async fn ready() -> (TestService, Sequencer, Version) {
    let world = world().await;
    world.governance.set_log_origin("govern.example/log/1");
    let sequencer = Sequencer::new(&world.governance, Arc::new(InMemoryGuard::default()));
    log_all(&world, &sequencer).await;
    begin(&world).await;
    let policy = json!({
        "code": "VALUES", "name": "Values", "decision_types": ["payment"], "rules": rules(),
    });
    let made = world.author().await.post("/v1/policies", &policy).await.expect(201);
    let version = Version { policy: text(&made["policy"]["id"]).to_owned(), number: 1 };
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    world.ratify(&version).await;
    world.activate(&version).await;
    (world, sequencer, version)
}

/// A decision of a chain, and a submission to a form, by the public reads that show them.
async fn reads(world: &TestService, version: &Version) -> Vec<String> {
    let made = world.key.post("/v1/decisions/record", &request("k")).await.expect(201);
    let id = text(&made["decision"]["id"]).to_owned();
    world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201);
    let field = |name: &str| json!({"name": name, "label": name, "type": "text"});
    let asked = ["spent", "budget", "region", "vendor", "payee", "due"].map(field);
    let form = published(world, version, json!({"fields": asked})).await;
    let form = text(&form["id"]).to_owned();
    let mut values = fields();
    values
        .as_object_mut()
        .expect("an object")
        .retain(|name, _| asked.iter().any(|field| field["name"] == *name));
    let submission = json!({
        "values": values, "respondent": {"id": "r-1", "display_name": "marker-respondent"},
    });
    let sent = world.public.post(format!("/v1/forms/{form}/submit"), &submission).await.expect(201);
    let sent = text(&sent["decision_id"]).to_owned();
    let of = |id: &str| {
        [
            format!("/v1/receipts/{id}"),
            format!("/v1/receipts/{id}/bundle"),
            format!("/v1/receipts/{id}/bundle?format=json"),
            format!("/r/{id}"),
            format!("/verify?id={id}"),
        ]
    };
    let mut reads: Vec<String> = of(&id).into_iter().chain(of(&sent)).collect();
    reads.extend(
        ["verify", "seal", "bundle", "bundle?format=json"]
            .map(|of| format!("/v1/chains/{CHAIN}/{of}")),
    );
    reads.extend([
        format!("/v1/forms/{form}/receipts/{sent}"),
        format!("/f/{form}/receipts/{sent}"),
        format!("/v1/forms/{form}/schema"),
        format!("/v1/forms/{form}/api-contract"),
        format!("/f/{form}"),
        "/v1/log/checkpoint".to_owned(),
        "/v1/.well-known/trust-registry".to_owned(),
    ]);
    reads
}

/// Which markers all public reads show together.
async fn shown(world: &TestService, reads: &[String]) -> Vec<String> {
    let mut shown = Vec::new();
    for path in reads {
        let mut read = world.public.get(path);
        if !path.starts_with("/v1") {
            read = read.header("accept", "text/html").header("sec-fetch-site", "same-origin");
        }
        let answer = read.await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        // Envelopes hold their payload in base64.
        let text = format!("{}{}", answer.text, decoded(&answer.text));
        shown.extend(
            MARKERS
                .iter()
                .filter(|marker| text.contains(**marker))
                .map(|marker| format!("{path} {marker}")),
        );
    }
    shown
}

/// The payloads of all envelopes in a text.
fn decoded(text: &str) -> String {
    use base64::Engine as _;
    let payloads = text.split("payload").skip(1).filter_map(|rest| {
        let from = rest.find(|c: char| c.is_ascii_alphanumeric())?;
        let rest = &rest[from..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+/=".contains(c)))?;
        base64::engine::general_purpose::STANDARD.decode(&rest[..end]).ok()
    });
    payloads.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

#[tokio::test]
async fn no_value_name_or_reason_is_in_a_public_answer_of_a_redacted_tenant() {
    let (world, sequencer, version) = ready().await;
    let reads = reads(&world, &version).await;
    log_all(&world, &sequencer).await;
    let open = shown(&world, &reads).await;
    for marker in MARKERS.iter().filter(|marker| **marker != "marker-respondent") {
        assert!(open.iter().any(|shown| shown.ends_with(marker)), "{marker} is nowhere: {open:#?}");
    }
    let redact = json!({"public_receipt_redaction": "values"});
    world.admin().await.patch("/v1/settings", &redact).await.expect(200);
    assert_eq!(shown(&world, &reads).await, [""; 0]);

    // What remains are codes, constants of rules, and what members of the tenant may read.
    let receipt = world.public.get(&reads[0]).await.expect(200);
    let violation = |code: &str| {
        let violations = receipt["result"]["violations"].as_array().expect("a list");
        violations.iter().find(|found| found["rule_code"] == code).expect("it is violated").clone()
    };
    assert_eq!(violation("FIELDS").get("expected_value"), None);
    assert_eq!(violation("FIELDS")["reason"], "COMPARISON_FAILED");
    assert_eq!(violation("CONSTANT")["expected_value"], "== 10");
    assert_eq!(violation("MAX")["expected_value"], "<= 10");
    assert_eq!(violation("LIST").get("actual_value"), None);
    assert_eq!(receipt["result"]["na_rules"][0]["reason"], "not applicable");
    let chain = world.public.get(format!("/v1/chains/{CHAIN}/verify")).await.expect(200);
    assert_eq!(chain["items"][0]["actor"], json!({"id": "agent-7", "type": "agent"}));
    assert_eq!(chain["valid"], true);

    let trust = trusted(&world).await;
    for path in [&reads[1], &reads[2], &format!("/v1/chains/{CHAIN}/bundle")] {
        let bundle = world.public.get(path).await;
        let report = checked(&bundle.bytes, &trust);
        let withheld = [
            "receipt: verified VALUES_REDACTED",
            "evidence: indeterminate EVIDENCE_WITHHELD",
            "evaluation: indeterminate CONTEXT_WITHHELD",
        ];
        let found = lines(&report);
        assert!(withheld.iter().all(|line| found.contains(&(*line).to_owned())), "{found:?}");
        let options = Options { allow_withheld: true, ..Options::default() };
        let report = verify(&bundle.bytes, &trust, &options);
        assert_eq!(report.overall, Overall::Verified, "{:#?}", report.claims);
    }
}
