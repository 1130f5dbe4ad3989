//! Requests that ask for some of the tenant's own policies.

use contract::scope::Role;
use serde_json::json;

use super::{id, recorded, recorded_as};
use crate::{
    bundles::{checked, lines},
    client::text,
    console_bundle::{bare, says},
    console_pages::Browser,
    service::{policy, request, world},
    trust::{begin, trusted},
};

#[tokio::test]
async fn a_narrowed_decision_states_it_and_is_proved_with_it() {
    let world = world().await;
    begin(&world).await;
    let group = json!({"code": "PAY", "name": "Payments"});
    let group = world.key.post("/v1/policy-groups", &group).await.expect(201);
    let mut versions = [world.active("PAY-01").await, world.active("PAY-02").await];
    for version in &versions {
        let member = json!({"policy_group_id": group["id"]});
        world.ratifier().await.patch(version.of(), &member).await.expect(200);
    }
    world.active("OTHER").await;
    versions.sort_by(|a, b| a.policy.cmp(&b.policy));
    let [first, second] = versions.map(|version| version.policy);

    let mut asked = request("narrowed", 20_000);
    asked["policy_ids"] = json!([second, first, second]);
    asked["policy_group_code"] = json!("pay");
    let decision = recorded_as(&world.key, &asked).await;
    let narrowing = json!({"policy_group_code": "pay", "policy_ids": [first, second]});
    assert_eq!(decision["result"]["narrowing"], narrowing);
    assert_eq!(decision["evaluated_policies"].as_array().map(Vec::len), Some(2));
    let mut dry = asked.clone();
    dry.as_object_mut().expect("an object").remove("idempotency_key");
    let dry = world.key.post("/v1/decisions/evaluate", &dry).await.expect(200);
    for member in ["narrowing", "integrity_hash", "policy_snapshot_id"] {
        assert_eq!(dry["result"][member], decision["result"][member], "{member}");
    }
    let again = world.key.post("/v1/decisions/record", &asked).await.expect(200);
    assert_eq!(again["decision"], decision);
    let replay = format!("/v1/decisions/{}/replay", id(&decision));
    assert_eq!(world.key.post(replay, &json!({})).await.expect(200)["matches"], true);
    let receipt = format!("/v1/receipts/{}", id(&decision));
    let receipt = world.public.get(receipt).await.expect(200);
    assert_eq!(receipt["result"]["narrowing"], narrowing);

    // One that looked at the same policies without being asked to has another integrity hash.
    let whole = recorded(&world, "whole", 20_000).await;
    assert_eq!(whole["result"].get("narrowing"), None);
    for decision in [&decision, &whole] {
        let bundle = world.public.get(format!("/v1/receipts/{}/bundle", id(decision))).await;
        let report = checked(bundle.text.as_bytes(), &trusted(&world).await);
        assert_eq!(
            lines(&report),
            [
                "chain_proofs: not_applicable NO_CHAIN",
                "transparency_proof: indeterminate ANCHOR_PENDING",
                "evidence: not_applicable NO_EVIDENCE",
            ]
        );
    }

    let viewer = world.person(Role::Viewer).await;
    let browser = Browser::of(&world, &viewer);
    let page = browser.page(&format!("decisions/{}", id(&decision))).await.text;
    let name = policy("PAY-01")["name"].clone();
    let said = format!("Narrowed to policy group pay: {0}, {0}", text(&name));
    assert!(says(&page, &said), "{said}: {}", bare(&page));
    let page = browser.page(&format!("decisions/{}", id(&whole))).await.text;
    assert!(!says(&page, "Narrowed to"), "{}", bare(&page));
}
