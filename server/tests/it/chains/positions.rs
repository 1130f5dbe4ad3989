//! Where a decision may stand in a chain.

use contract::json::{Limits, Value as Tree};
use receipt::{
    canonical_json::CanonicalJson,
    key::{PayloadType, PublicKey},
};
use serde_json::{Value, json};

use super::{at, member, ready, recorded, sound, steps, verified};
use crate::{
    client::text,
    service::{CHAIN, TestService, TestServiceBuilder, chained, request},
};

const OTHER: &str = "c0000000-0000-4000-8000-000000000002";
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// Canonical bytes of an answer's part.
fn canonical(value: &Value) -> CanonicalJson {
    let tree = Tree::parse(value.to_string().as_bytes(), &Limits::REQUEST).expect("it is JSON");
    CanonicalJson::from_value(&tree)
}

/// The first published key, with which receipts and links are checked.
async fn published(world: &TestService) -> PublicKey {
    let keys = world.public.get("/v1/.well-known/signing-keys").await.expect(200);
    let jwk = Tree::parse(keys["keys"][0].to_string().as_bytes(), &Limits::REQUEST);
    PublicKey::from_jwk(&jwk.expect("it is JSON")).expect("a key")
}

#[tokio::test]
async fn decisions_of_a_chain_are_linked_in_the_order_of_their_recording() {
    let world = ready().await;
    let first = recorded(&world.key, "a", json!({})).await;
    let second = recorded(&world.key, "b", json!({"chain_step": 5})).await;
    let third = recorded(&world.key, "c", json!({"parent_decision_id": first["id"]})).await;
    let fourth = recorded(&world.key, "d", json!({"chain_step": 3})).await;
    let told = sound(&world, 4).await;
    assert_eq!(steps(&told), [1, 5, 6, 3]);
    assert_eq!(told["warnings"], json!(["STEP_GAP", "STEP_ORDER"]));
    assert_eq!((&told["status"], &told["seal"]), (&json!("open"), &Value::Null));

    let key = published(&world).await;
    let items = told["items"].as_array().unwrap();
    for (decision, item) in [first, second, third.clone(), fourth].iter().zip(items) {
        assert_eq!(decision["chain_id"], CHAIN);
        for (name, own) in [
            ("decision_id", "id"),
            ("chain_step", "chain_step"),
            ("decision", "decision"),
            ("recorded_at", "recorded_at"),
            ("parent_decision_id", "parent_decision_id"),
            ("chain_integrity_hash", "chain_integrity_hash"),
            ("chain_signature", "chain_signature"),
            ("chain_signature_kid", "chain_signature_kid"),
        ] {
            assert_eq!(item[name], decision[own], "{name}");
        }
        let link = canonical(&item["link"]);
        assert_eq!(link.digest.to_string(), member(decision, "chain_integrity_hash"));
        let signature = member(decision, "chain_signature");
        assert_eq!(key.verify(PayloadType::ChainLink, &link.text, signature), Ok(()));
        let path = format!("/v1/receipts/{}", member(decision, "id"));
        let receipt = world.public.get(path).await.expect(200);
        let statement = canonical(&receipt["statement"]);
        assert_eq!(item["link"]["receipt_digest"], statement.digest.to_string());
        let chain = receipt["chain"].as_object().expect("the receipt shows its chain");
        for (name, shown) in chain {
            assert_eq!(shown, &decision[name], "{name}");
        }
        assert_eq!(chain["chain_signature_algorithm"], "Ed25519");
        assert_eq!(receipt["statement"]["chain"]["step"], decision["chain_step"]);
    }
    let stated =
        json!({"chain_id": CHAIN, "step": 6, "parent_decision_id": items[0]["decision_id"]});
    let path = format!("/v1/receipts/{}", member(&third, "id"));
    assert_eq!(world.public.get(path).await.expect(200)["statement"]["chain"], stated);
}

#[tokio::test]
async fn a_chain_is_read_by_step_and_listed_among_the_chains() {
    let world = ready().await;
    for (key, place) in [
        ("b", json!({"chain_step": 7})),
        ("a", json!({"chain_step": 2})),
        ("other", json!({"chain_id": OTHER})),
        ("c", json!({})),
    ] {
        recorded(&world.key, key, place).await;
    }
    world.key.post("/v1/decisions/record", &request("loose", 1)).await.expect(201);
    let page = world.key.get(format!("/v1/decisions?chain_id={CHAIN}")).await.expect(200);
    let keys: Vec<_> = page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| member(item, "idempotency_key"))
        .collect();
    assert_eq!(keys, ["a", "b", "c"]);

    let first = world.key.get("/v1/chains?limit=1").await.expect(200);
    assert_eq!(first["items"][0]["chain_id"], OTHER, "the one begun last comes first");
    let cursor = text(&first["next_cursor"]);
    let second = world.key.get(format!("/v1/chains?limit=1&cursor={cursor}")).await.expect(200);
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
    let foreign = world.key.get(format!("/v1/decisions?cursor={cursor}")).await;
    assert_eq!(foreign.faults(), "/cursor cursor\n");
    let unknown = world.key.get("/v1/chains?state=open").await;
    assert_eq!(unknown.to_string(), "422 VALIDATION_ERROR");
}

#[tokio::test]
async fn a_place_that_is_taken_or_does_not_exist_is_refused_and_leaves_nothing() {
    let world = ready().await;
    let first = recorded(&world.key, "a", json!({"chain_step": 2})).await;
    let elsewhere = recorded(&world.key, "b", json!({"chain_id": OTHER})).await;
    let loose = world.key.post("/v1/decisions/record", &request("loose", 1)).await.expect(201);
    let loose = &loose["decision"]["id"];
    for (place, answer) in [
        (json!({"chain_step": 2}), "409 CONFLICT"),
        (json!({"chain_step": 2, "parent_decision_id": first["id"]}), "409 CONFLICT"),
        (json!({"parent_decision_id": NOBODY}), "422 VALIDATION_ERROR"),
        (json!({"parent_decision_id": elsewhere["id"]}), "422 VALIDATION_ERROR"),
        (json!({"parent_decision_id": loose}), "422 VALIDATION_ERROR"),
        (json!({"chain_id": NOBODY, "parent_decision_id": first["id"]}), "422 VALIDATION_ERROR"),
        // An id that names something else is no chain.
        (json!({"chain_id": first["id"]}), "404 NOT_FOUND"),
    ] {
        let refused = at(&world.key, "c", place.clone()).await;
        assert_eq!(refused.to_string(), answer, "{place}");
        if refused.status == 422 {
            assert_eq!(refused.faults(), "/chain/parent_decision_id not_in_chain\n");
        }
    }
    sound(&world, 1).await;
    assert_eq!(world.sql("select count(*)::text from chains").await, ["2"]);
    assert_eq!(world.sql("select count(*)::text from decisions").await, ["3"]);
    recorded(&world.key, "c", json!({"chain_step": 1, "parent_decision_id": first["id"]})).await;
    recorded(&world.key, "last", json!({"chain_step": 999_999})).await;
    assert_eq!(at(&world.key, "d", json!({})).await.to_string(), "409 CONFLICT");
    recorded(&world.key, "d", json!({"chain_step": 3})).await;
    assert_eq!(steps(&sound(&world, 4).await), [2, 1, 999_999, 3]);
}

#[tokio::test]
async fn a_chain_of_another_tenant_looks_as_if_the_id_were_nobody_s_to_use() {
    let world = ready().await;
    // A refused first step does not begin a chain.
    let mut ungoverned = chained("a", json!({}));
    ungoverned["context"]["decision_type"] = "loan".into();
    let refused = world.key.post("/v1/decisions/record", &ungoverned).await;
    assert_eq!(refused.to_string(), "404 NO_ACTIVE_POLICIES");
    recorded(&world.key, "a", json!({})).await;

    let neighbour = world.neighbour().await;
    let made = neighbour.admin.post("/v1/policies", &crate::service::policy("P")).await.expect(201);
    let version = format!("/v1/policies/{}/versions/1", text(&made["policy"]["id"]));
    neighbour
        .admin
        .patch("/v1/settings", &json!({"maker_checker_enabled": false}))
        .await
        .expect(200);
    neighbour.admin.post(format!("{version}/submit"), &json!({})).await.expect(200);
    let ratify = json!({"expected_revision": 1});
    neighbour.admin.post(format!("{version}/ratify"), &ratify).await.expect(200);
    neighbour.admin.post(format!("{version}/activate"), &json!({})).await.expect(200);

    assert_eq!(at(&neighbour.key, "a", json!({})).await.to_string(), "404 NOT_FOUND");
    assert_eq!(
        at(&neighbour.key, "a", json!({"chain_step": 1})).await.to_string(),
        "404 NOT_FOUND"
    );
    let seal = neighbour.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await;
    assert_eq!(seal.to_string(), "404 NOT_FOUND");
    assert_eq!(neighbour.key.get("/v1/chains").await.expect(200)["items"], json!([]));
    recorded(&neighbour.key, "a", json!({"chain_id": OTHER})).await;
    sound(&world, 1).await;
}

#[tokio::test]
async fn a_malformed_place_is_refused_with_every_fault() {
    let world = ready().await;
    for (place, faults) in [
        (json!([]), "/chain type\n"),
        (json!({}), "/chain/chain_id required\n"),
        (json!({"chain_id": "x"}), "/chain/chain_id format\n"),
        (json!({"chain_id": CHAIN, "chain_step": 0}), "/chain/chain_step range\n"),
        (json!({"chain_id": CHAIN, "chain_step": -1}), "/chain/chain_step range\n"),
        (json!({"chain_id": CHAIN, "chain_step": 1.5}), "/chain/chain_step range\n"),
        (json!({"chain_id": CHAIN, "chain_step": "1"}), "/chain/chain_step range\n"),
        (json!({"chain_id": CHAIN, "chain_step": 1_000_000}), "/chain/chain_step range\n"),
        (
            json!({"chain_id": 7, "step": 1, "parent_decision_id": null}),
            "/chain/chain_id format\n/chain/step unknown\n",
        ),
    ] {
        let mut body = request("k", 1);
        body["chain"] = place.clone();
        let refused = world.key.post("/v1/decisions/record", &body).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{place}");
        assert_eq!(refused.faults(), faults, "{place}");
    }
    let absent = world.public.get(format!("/v1/chains/{CHAIN}/verify")).await;
    assert_eq!(absent.to_string(), "404 NOT_FOUND");
}

#[tokio::test]
async fn a_repeat_is_answered_as_it_was_whatever_became_of_the_chain() {
    let world = ready().await;
    let body = chained("a", json!({}));
    let first = world.key.post("/v1/decisions/record", &body).await;
    recorded(&world.key, "b", json!({"chain_step": 999_999})).await;
    world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201);
    let again = world.key.post("/v1/decisions/record", &body).await;
    assert_eq!((first.status, again.status), (201, 200));
    assert_eq!(again.text, first.text.replace("\"is_new\":true", "\"is_new\":false"));
    let known = at(&world.key, "b", json!({"chain_step": 999_999})).await;
    assert_eq!(known.status, 200);
    for other in [
        chained("a", json!({"chain_step": 1})),
        chained("a", json!({"chain_id": OTHER})),
        request("a", 1),
    ] {
        let reused = world.key.post("/v1/decisions/record", &other).await;
        assert_eq!(reused.to_string(), "422 IDEMPOTENCY_KEY_REUSED", "{other}");
    }
    sound(&world, 2).await;
}

#[tokio::test]
async fn without_a_key_links_and_seal_are_unsigned_and_say_so() {
    let world =
        TestServiceBuilder { is_signed: false, ..TestServiceBuilder::default() }.world().await;
    world.active("PAY-01").await;
    let decision = recorded(&world.key, "a", json!({})).await;
    recorded(&world.key, "b", json!({})).await;
    assert!(decision["chain_integrity_hash"].is_string());
    for name in ["chain_signature", "chain_signature_kid", "chain_signature_algorithm"] {
        assert_eq!(decision.get(name), None, "{name}");
    }
    let sealed = world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201);
    assert_eq!(sealed["seal"].get("kid"), None);
    assert_eq!(sealed["envelope"]["signatures"], json!([]));
    let told = verified(&world).await;
    assert_eq!(told["problems"], json!([]));
    assert_eq!((&told["valid"], &told["warnings"]), (&json!(true), &json!(["UNSIGNED"])));
    for item in told["items"].as_array().unwrap() {
        assert_eq!((&item["link_valid"], &item["signature_valid"]), (&json!(true), &Value::Null));
    }
}
