//! Redaction: public responses of a tenant with redaction contain none of the markers in its
//! values, evidence, names and reasons.

use governance::proof::transparency_log::Sequencer;
use verify::{Options, Overall, verify};

use super::{claim_lines, verify_bundle};
use crate::{forms::publish_form, prelude::*};

/// Markers, each in a different member. In alphabetical order, `spent` is after `budget`.
const SPENT: &str = "zz-marker-spent";
const BUDGET: &str = "aa-marker-budget";
const MARKERS: [&str; 13] = [
    SPENT,
    BUDGET,
    "marker-region",
    "marker-vendor",
    "marker-payee",
    "marker-date",
    "marker-unknown",
    "marker-data",
    "marker-name",
    "marker-note",
    "777111777111",
    "777222777222",
    "777333777333",
];

/// One violated rule of each type, and one rule that does not apply.
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

/// A service with an active policy whose rules report each value.
async fn with_violated_rules() -> (TestService, Sequencer, Version) {
    let service = test_service().await;
    let sequencer = service.log_with_registry().await;
    let policy = json!({
        "code": "VALUES", "name": "Values", "decision_types": ["payment"], "rules": rules(),
    });
    let version = service.active_policy(&policy).await;
    (service, sequencer, version)
}

/// Records a decision in a chain and a form submission, and returns the paths of the public reads
/// that show them.
async fn public_paths(service: &TestService, version: &Version) -> Vec<String> {
    let created = service.key.post("/v1/decisions/record", &request("k")).await.expect(201);
    let id = text(&created["decision"]["id"]).to_owned();
    service.seal_chain().await;
    let field = |name: &str| json!({"name": name, "label": name, "type": "text"});
    let questions = ["spent", "budget", "region", "vendor", "payee", "due"].map(field);
    let form = publish_form(service, version, json!({"fields": questions})).await;
    let form = text(&form["id"]).to_owned();
    let mut values = fields();
    values
        .as_object_mut()
        .expect("an object")
        .retain(|name, _| questions.iter().any(|field| field["name"] == *name));
    let submission = json!({"values": values});
    let response =
        service.public.post(format!("/v1/forms/{form}/submit"), &submission).await.expect(201);
    let submission_decision = text(&response["decision_id"]).to_owned();
    let paths_of = |id: &str| {
        [
            format!("/v1/receipts/{id}"),
            format!("/v1/receipts/{id}/bundle"),
            format!("/v1/receipts/{id}/bundle?format=json"),
            format!("/r/{id}"),
            format!("/verify?id={id}"),
        ]
    };
    let mut paths: Vec<String> =
        paths_of(&id).into_iter().chain(paths_of(&submission_decision)).collect();
    paths.extend(
        ["verify", "seal", "bundle", "bundle?format=json"]
            .map(|view| format!("/v1/chains/{CHAIN}/{view}")),
    );
    paths.extend([
        format!("/v1/forms/{form}/receipts/{submission_decision}"),
        format!("/f/{form}/receipts/{submission_decision}"),
        format!("/v1/forms/{form}/schema"),
        format!("/v1/forms/{form}/api-contract"),
        format!("/f/{form}"),
        "/v1/log/checkpoint".to_owned(),
        "/v1/.well-known/trust-registry".to_owned(),
    ]);
    paths
}

/// Returns the markers in the responses of all public reads, each with its path.
async fn visible_markers(service: &TestService, paths: &[String]) -> Vec<String> {
    let mut visible = Vec::new();
    for path in paths {
        let mut call = service.public.get(path);
        if !path.starts_with("/v1") {
            call = call.header("accept", "text/html").header("sec-fetch-site", "same-origin");
        }
        let response = call.await;
        assert_eq!(response.status, 200, "{path}: {}", response.text);
        // The payload of an envelope is in base64.
        let text = format!("{}{}", response.text, decode_payloads(&response.text));
        visible.extend(
            MARKERS
                .iter()
                .filter(|marker| text.contains(**marker))
                .map(|marker| format!("{path} {marker}")),
        );
    }
    visible
}

/// Returns the decoded payloads of all envelopes in a text.
fn decode_payloads(text: &str) -> String {
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
async fn public_responses_of_a_redacted_tenant_contain_no_value_name_or_reason() {
    let (service, sequencer, version) = with_violated_rules().await;
    let paths = public_paths(&service, &version).await;
    append_pending(&service, &sequencer).await;
    let unredacted = visible_markers(&service, &paths).await;
    for marker in MARKERS {
        assert!(
            unredacted.iter().any(|line| line.ends_with(marker)),
            "{marker} is missing: {unredacted:#?}"
        );
    }
    let redact = json!({"public_receipt_redaction": "values"});
    service.admin().await.patch("/v1/settings", &redact).await.expect(200);
    assert_eq!(visible_markers(&service, &paths).await, [""; 0]);

    // Codes, constants of rules and the actor without its name remain.
    let receipt = service.public.get(&paths[0]).await.expect(200);
    let violation = |code: &str| {
        let violations = receipt["result"]["violations"].as_array().expect("a list");
        violations
            .iter()
            .find(|violation| violation["rule_code"] == code)
            .expect("the rule is violated")
            .clone()
    };
    assert_eq!(violation("FIELDS").get("expected_value"), None);
    assert_eq!(violation("FIELDS")["reason"], "COMPARISON_FAILED");
    assert_eq!(violation("CONSTANT")["expected_value"], "== 10");
    assert_eq!(violation("MAX")["expected_value"], "<= 10");
    assert_eq!(violation("LIST").get("actual_value"), None);
    assert_eq!(receipt["result"]["na_rules"][0]["reason"], "not applicable");
    let chain = service.public.get(format!("/v1/chains/{CHAIN}/verify")).await.expect(200);
    assert_eq!(chain["items"][0]["actor"], json!({"id": "agent-7", "type": "agent"}));
    assert_eq!(chain["valid"], true);

    let trust = current_trust(&service).await;
    for path in [&paths[1], &paths[2], &format!("/v1/chains/{CHAIN}/bundle")] {
        let bundle = service.public.get(path).await;
        let report = verify_bundle(&bundle.bytes, &trust);
        let withheld = [
            "receipt: verified VALUES_REDACTED",
            "evidence: indeterminate EVIDENCE_WITHHELD",
            "evaluation: indeterminate CONTEXT_WITHHELD",
        ];
        let lines = claim_lines(&report);
        assert!(withheld.iter().all(|line| lines.contains(&(*line).to_owned())), "{lines:?}");
        let options = Options { allow_withheld: true, ..Options::default() };
        let report = verify(&bundle.bytes, &trust, &options);
        assert_eq!(report.overall, Overall::Verified, "{:#?}", report.claims);
    }
}
