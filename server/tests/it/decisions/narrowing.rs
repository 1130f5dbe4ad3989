//! Decisions that are narrowed to some of the tenant's policies.

use super::id;
use crate::{
    bundles::{claim_lines, verify_bundle},
    console_bundle::plain_text,
    prelude::*,
};

#[testkit::test]
async fn narrowed_decision_states_its_narrowing_and_verifies_with_it(service: TestService) {
    create_registry(&service).await;
    let group = json!({"code": "PAY", "name": "Payments"});
    let group = service.key.post("/v1/policy-groups", &group).await.expect(201);
    let mut versions = [service.active("PAY-01").await, service.active("PAY-02").await];
    for version in &versions {
        let member = json!({"policy_group_id": group["id"]});
        service.ratifier().await.patch(version.policy_path(), &member).await.expect(200);
    }
    service.active("OTHER").await;
    versions.sort_by(|a, b| a.policy.cmp(&b.policy));
    let [first, second] = versions.map(|version| version.policy);

    let mut body = request("narrowed", 20_000);
    body["policy_ids"] = json!([second, first, second]);
    body["policy_group_code"] = json!("pay");
    let decision = record(&service.key, &body).await;
    let narrowing = json!({"policy_group_code": "pay", "policy_ids": [first, second]});
    assert_eq!(decision["result"]["narrowing"], narrowing);
    assert_eq!(decision["evaluated_policies"].as_array().map(Vec::len), Some(2));
    let mut dry_run = body.clone();
    dry_run.as_object_mut().expect("an object").remove("idempotency_key");
    let dry_run = service.key.post("/v1/decisions/evaluate", &dry_run).await.expect(200);
    for member in ["narrowing", "integrity_hash", "policy_snapshot_id"] {
        assert_eq!(dry_run["result"][member], decision["result"][member], "{member}");
    }
    let repeat = service.key.post("/v1/decisions/record", &body).await.expect(200);
    assert_eq!(repeat["decision"], decision);
    let replay = format!("/v1/decisions/{}/replay", id(&decision));
    assert_eq!(service.key.post(replay, &json!({})).await.expect(200)["matches"], true);
    let receipt = format!("/v1/receipts/{}", id(&decision));
    let receipt = service.public.get(receipt).await.expect(200);
    assert_eq!(receipt["result"]["narrowing"], narrowing);

    // A decision without narrowing verifies too.
    let unrestricted = service.record("unrestricted", 20_000).await;
    assert_eq!(unrestricted["result"].get("narrowing"), None);
    for decision in [&decision, &unrestricted] {
        let bundle = service.public.get(format!("/v1/receipts/{}/bundle", id(decision))).await;
        let report = verify_bundle(bundle.text.as_bytes(), &current_trust(&service).await);
        assert_eq!(
            claim_lines(&report),
            [
                "chain_proofs: not_applicable NO_CHAIN",
                "transparency_proof: indeterminate ANCHOR_PENDING",
                "evidence: not_applicable NO_EVIDENCE",
            ]
        );
    }

    let browser = Browser::member(&service, Role::Viewer).await;
    let page = browser.page(&format!("decisions/{}", id(&decision))).await.text;
    let name = policy("PAY-01")["name"].clone();
    let sentence = format!("Narrowed to policy group pay: {0}, {0}", text(&name));
    assert!(contains_text(&page, &sentence), "{sentence}: {}", plain_text(&page));
    let page = browser.page(&format!("decisions/{}", id(&unrestricted))).await.text;
    assert!(!contains_text(&page, "Narrowed to"), "{}", plain_text(&page));
}
