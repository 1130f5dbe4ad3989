//! Steps and positions of decisions in chains.

use receipt::{canonical_json::CanonicalJson, key::PayloadType};

use super::{assert_verified, at, member, record, steps, verify, with_active_policy};
use crate::prelude::*;

const OTHER: &str = "c0000000-0000-4000-8000-000000000002";
const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";

/// The canonical JSON of a part of a response.
fn canonical(value: &Value) -> CanonicalJson {
    CanonicalJson::from_value(&tree(value))
}

#[tokio::test]
async fn a_chain_has_at_most_15000_decisions() {
    let service = with_active_policy().await;
    record(&service.key, "a", json!({})).await;
    service.sql("update chains set links = 14999").await;
    record(&service.key, "b", json!({})).await;
    let refusal = at(&service.key, "c", json!({})).await;
    assert_eq!(refusal.to_string(), "409 CONFLICT");
}

#[tokio::test]
async fn decisions_of_a_chain_are_linked_in_recording_order() {
    let service = with_active_policy().await;
    let first = record(&service.key, "a", json!({})).await;
    let second = record(&service.key, "b", json!({"chain_step": 5})).await;
    let third = record(&service.key, "c", json!({"parent_decision_id": first["id"]})).await;
    let fourth = record(&service.key, "d", json!({"chain_step": 3})).await;
    let verification = assert_verified(&service, 4).await;
    assert_eq!(steps(&verification), [1, 5, 6, 3]);
    assert_eq!(verification["warnings"], json!(["STEP_GAP", "STEP_ORDER"]));
    assert_eq!((&verification["status"], &verification["seal"]), (&json!("open"), &Value::Null));

    // The first key signs receipts and links.
    let key = &service.published_keys().await[0];
    let items = items(&verification);
    for (decision, item) in [first, second, third.clone(), fourth].iter().zip(items) {
        assert_eq!(decision["chain_id"], CHAIN);
        for (name, member_name) in [
            ("decision_id", "id"),
            ("chain_step", "chain_step"),
            ("decision", "decision"),
            ("recorded_at", "recorded_at"),
            ("parent_decision_id", "parent_decision_id"),
            ("chain_integrity_hash", "chain_integrity_hash"),
            ("chain_signature", "chain_signature"),
            ("chain_signature_kid", "chain_signature_kid"),
        ] {
            assert_eq!(item[name], decision[member_name], "{name}");
        }
        let link = canonical(&item["link"]);
        assert_eq!(link.digest.to_string(), member(decision, "chain_integrity_hash"));
        let signature = member(decision, "chain_signature");
        assert_eq!(key.verify(PayloadType::ChainLink, &link.text, signature), Ok(()));
        let path = format!("/v1/receipts/{}", member(decision, "id"));
        let receipt = service.public.get(path).await.expect(200);
        let statement = canonical(&receipt["statement"]);
        assert_eq!(item["link"]["receipt_digest"], statement.digest.to_string());
        let chain = receipt["chain"].as_object().expect("the receipt shows its chain");
        for (name, value) in chain {
            assert_eq!(value, &decision[name], "{name}");
        }
        assert_eq!(chain["chain_signature_algorithm"], "Ed25519");
        assert_eq!(receipt["statement"]["chain"]["step"], decision["chain_step"]);
    }
    let expected =
        json!({"chain_id": CHAIN, "step": 6, "parent_decision_id": items[0]["decision_id"]});
    let path = format!("/v1/receipts/{}", member(&third, "id"));
    assert_eq!(service.public.get(path).await.expect(200)["statement"]["chain"], expected);
}

#[tokio::test]
async fn a_chain_is_read_by_step_and_listed_among_the_chains() {
    let service = with_active_policy().await;
    for (key, chain_members) in [
        ("b", json!({"chain_step": 7})),
        ("a", json!({"chain_step": 2})),
        ("other", json!({"chain_id": OTHER})),
        ("c", json!({})),
    ] {
        record(&service.key, key, chain_members).await;
    }
    service.record("loose", 1).await;
    let page = service.key.get(format!("/v1/decisions?chain_id={CHAIN}")).await.expect(200);
    assert_eq!(texts(&page, "idempotency_key"), ["a", "b", "c"]);

    let first = service.key.get("/v1/chains?limit=1").await.expect(200);
    assert_eq!(first["items"][0]["chain_id"], OTHER, "the newest chain is first");
    let cursor = text(&first["next_cursor"]);
    let second = service.key.get(format!("/v1/chains?limit=1&cursor={cursor}")).await.expect(200);
    assert_eq!(second["next_cursor"], Value::Null);
    let chain = &second["items"][0];
    assert_eq!(chain["head"], page["items"][2]["chain_integrity_hash"]);
    for (name, value) in [
        ("chain_id", json!(CHAIN)),
        ("status", json!("open")),
        ("steps", json!(3)),
        ("highest_step", json!(8)),
        ("created_at", page["items"][1]["recorded_at"].clone()),
        ("last_recorded_at", page["items"][2]["recorded_at"].clone()),
        ("sealed_at", Value::Null),
    ] {
        assert_eq!(chain[name], value, "{name}");
    }
}

#[tokio::test]
async fn a_used_step_or_an_unknown_parent_is_rejected_without_side_effects() {
    let service = with_active_policy().await;
    let first = record(&service.key, "a", json!({"chain_step": 2})).await;
    let in_other_chain = record(&service.key, "b", json!({"chain_id": OTHER})).await;
    let without_chain = service.record("loose", 1).await;
    let without_chain = &without_chain["id"];
    for (chain, expected) in [
        (json!({"chain_step": 2}), "409 CONFLICT"),
        (json!({"chain_step": 2, "parent_decision_id": first["id"]}), "409 CONFLICT"),
        (json!({"parent_decision_id": UNKNOWN}), "422 VALIDATION_ERROR"),
        (json!({"parent_decision_id": in_other_chain["id"]}), "422 VALIDATION_ERROR"),
        (json!({"parent_decision_id": without_chain}), "422 VALIDATION_ERROR"),
        (json!({"chain_id": UNKNOWN, "parent_decision_id": first["id"]}), "422 VALIDATION_ERROR"),
        // The ID of another resource is not a chain.
        (json!({"chain_id": first["id"]}), "404 NOT_FOUND"),
    ] {
        let refusal = at(&service.key, "c", chain.clone()).await;
        assert_eq!(refusal.to_string(), expected, "{chain}");
        if refusal.status == 422 {
            assert_eq!(refusal.field_errors(), "/chain/parent_decision_id not_in_chain\n");
        }
    }
    let mut at_top_level = request("c", 1);
    at_top_level["chain_id"] = json!(CHAIN);
    at_top_level["parent_decision_id"] = json!(UNKNOWN);
    let refusal = service.key.post("/v1/decisions/record", &at_top_level).await;
    assert_eq!(refusal.field_errors(), "/parent_decision_id not_in_chain\n");
    assert_verified(&service, 1).await;
    assert_eq!(service.sql("select count(*)::text from chains").await, ["2"]);
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["3"]);
    record(&service.key, "c", json!({"chain_step": 1, "parent_decision_id": first["id"]})).await;
    record(&service.key, "last", json!({"chain_step": 999_999})).await;
    assert_eq!(at(&service.key, "d", json!({})).await.to_string(), "409 CONFLICT");
    record(&service.key, "d", json!({"chain_step": 3})).await;
    assert_eq!(steps(&assert_verified(&service, 4).await), [2, 1, 999_999, 3]);
}

#[tokio::test]
async fn a_chain_id_of_another_tenant_is_not_found() {
    let service = with_active_policy().await;
    // A refused first step does not create a chain.
    let mut ungoverned = chain_request("a", json!({}));
    ungoverned["context"]["decision_type"] = "loan".into();
    let refusal = service.key.post("/v1/decisions/record", &ungoverned).await;
    assert_eq!(refusal.to_string(), "404 NO_ACTIVE_POLICIES");
    record(&service.key, "a", json!({})).await;

    let neighbour = service.other_tenant().await;
    neighbour.activate_policy("P").await;

    assert_eq!(at(&neighbour.key, "a", json!({})).await.to_string(), "404 NOT_FOUND");
    assert_eq!(
        at(&neighbour.key, "a", json!({"chain_step": 1})).await.to_string(),
        "404 NOT_FOUND"
    );
    let seal = neighbour.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await;
    assert_eq!(seal.to_string(), "404 NOT_FOUND");
    assert_eq!(neighbour.key.get("/v1/chains").await.expect(200)["items"], json!([]));
    record(&neighbour.key, "a", json!({"chain_id": OTHER})).await;
    assert_verified(&service, 1).await;
}

#[tokio::test]
async fn a_repeated_request_returns_the_original_response_after_the_chain_is_sealed() {
    let service = with_active_policy().await;
    let body = chain_request("a", json!({}));
    let first = service.key.post("/v1/decisions/record", &body).await;
    record(&service.key, "b", json!({"chain_step": 999_999})).await;
    service.seal_chain().await;
    let repeated = service.key.post("/v1/decisions/record", &body).await;
    assert_eq!((first.status, repeated.status), (201, 200));
    assert_eq!(repeated.text, first.text.replace("\"is_new\":true", "\"is_new\":false"));
    let second = at(&service.key, "b", json!({"chain_step": 999_999})).await;
    assert_eq!(second.status, 200);
    for other in [
        chain_request("a", json!({"chain_step": 1})),
        chain_request("a", json!({"chain_id": OTHER})),
        request("a", 1),
    ] {
        let reused = service.key.post("/v1/decisions/record", &other).await;
        assert_eq!(reused.to_string(), "422 IDEMPOTENCY_KEY_REUSED", "{other}");
    }
    assert_verified(&service, 2).await;
}

#[tokio::test]
async fn without_a_signing_key_links_and_seals_are_reported_as_unsigned() {
    let service =
        TestServiceBuilder { is_signed: false, ..TestServiceBuilder::default() }.start().await;
    service.active("PAY-01").await;
    let decision = record(&service.key, "a", json!({})).await;
    record(&service.key, "b", json!({})).await;
    assert!(decision["chain_integrity_hash"].is_string());
    for name in ["chain_signature", "chain_signature_kid", "chain_signature_algorithm"] {
        assert_eq!(decision.get(name), None, "{name}");
    }
    let sealed = service.seal_chain().await;
    assert_eq!(sealed["seal"].get("kid"), None);
    assert_eq!(sealed["envelope"]["signatures"], json!([]));
    let verification = verify(&service).await;
    assert_eq!(verification["problems"], json!([]));
    assert_eq!(
        (&verification["valid"], &verification["warnings"]),
        (&json!(true), &json!(["UNSIGNED"]))
    );
    for item in items(&verification) {
        assert_eq!((&item["link_valid"], &item["signature_valid"]), (&json!(true), &Value::Null));
    }
}
