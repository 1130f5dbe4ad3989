//! Public receipts, and the keys to check them with.

use contract::json::Value as Tree;
use receipt::{
    canonical_json::CanonicalJson,
    digest::Digest,
    key::{PayloadType, PublicKey},
};
use serde_json::Value;

use crate::{
    client::text,
    journey::recorded,
    service::{NOW, payment, world},
};

#[tokio::test]
async fn anybody_can_check_a_receipt_with_the_published_key() {
    let world = world().await;
    world.active("PAY-01").await;
    let decision = recorded(&world, "k-1", 12_000).await["decision"].clone();
    let path = format!("/v1/receipts/{}", text(&decision["id"]));
    let receipt = world.public.get(path).await.expect(200);
    assert_eq!(receipt["result"], decision["result"]);
    assert_eq!(receipt["redaction"], "none");
    assert_eq!(receipt["transparency_anchor"], Value::Null);
    assert_eq!(receipt["signature_algorithm"], "Ed25519");
    assert_eq!(receipt.get("context"), None);

    let statement = &receipt["statement"];
    assert_eq!(statement["decision_id"], decision["id"]);
    assert_eq!(statement["decision"], "DENY");
    assert_eq!(statement["recorded_at"], NOW);
    assert_eq!(statement["integrity_hash"], decision["result"]["integrity_hash"]);
    assert_eq!(statement["kid"], receipt["signature_kid"]);
    let context = receipt::statement::context(&tree(&payment(12_000)));
    assert_eq!(receipt["context_digest"], context.digest.to_string());

    let keys = world.public.get("/v1/.well-known/signing-keys").await.expect(200);
    let key = PublicKey::from_jwk(&tree(&keys["keys"][0])).expect("a public key");
    assert_eq!(text(&receipt["signature_kid"]), key.kid());
    let signed = CanonicalJson::from_value(&tree(statement)).text;
    key.verify(PayloadType::Receipt, &signed, text(&receipt["signature"])).expect("it is signed");
    let forged = signed.replace("DENY", "ALLOW");
    assert!(key.verify(PayloadType::Receipt, &forged, text(&receipt["signature"])).is_err());
    let digest = world.sql("select receipt_digest from decisions").await;
    assert_eq!(digest, [Digest::compute(signed.as_bytes()).to_string()]);
}

#[tokio::test]
async fn a_receipt_can_be_read_from_anywhere_and_kept() {
    let world = world().await;
    world.active("PAY-01").await;
    let decision = recorded(&world, "k-1", 12_000).await["decision"].clone();
    let path = format!("/v1/receipts/{}", text(&decision["id"]));
    let receipt = world.public.get(&path).await;
    assert_eq!(receipt.status, 200);
    assert_eq!(receipt.header("access-control-allow-origin"), Some("*"));
    assert_eq!(receipt.header("access-control-allow-credentials"), None);
    assert_eq!(receipt.header("cache-control"), Some("no-cache"));
    let etag = receipt.header("etag").expect("a receipt has an ETag").to_owned();
    for known in [etag.clone(), format!("W/{etag}"), format!("\"x\", {etag}"), "*".to_owned()] {
        let same = world.public.get(&path).header("if-none-match", &known).await;
        assert_eq!((same.status, &*same.text), (304, ""), "{known}");
        assert_eq!(same.header("etag"), Some(&*etag));
    }
    let other = world.public.get(&path).header("if-none-match", "\"x\"").await;
    assert_eq!((other.status, other.text), (200, receipt.text));
}

#[tokio::test]
async fn the_key_set_says_what_succeeds_it() {
    let world = world().await;
    let answer = world.public.get("/v1/.well-known/signing-keys").await;
    let keys = answer.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/jwk-set+json"));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert!(answer.header("etag").is_some());
    assert!(answer.header("deprecation").is_some_and(|date| date.starts_with('@')));
    let link = "</v1/.well-known/trust-registry>; rel=\"successor-version\"";
    assert_eq!(answer.header("link"), Some(link));
    // Receipts, approvals and grants have a key each.
    let keys = keys["keys"].as_array().expect("a list of keys");
    assert_eq!(keys.len(), 3);
    assert!(keys.iter().all(|key| key.get("d").is_none()), "the private halves stay at home");
}

#[tokio::test]
async fn a_receipt_can_hide_the_values_of_the_context() {
    let world = world().await;
    world.active("PAY-01").await;
    let decision = recorded(&world, "k-1", 12_345).await["decision"].clone();
    let path = format!("/v1/receipts/{}", text(&decision["id"]));
    assert!(world.public.get(&path).await.text.contains("12345"));
    world.sql("update settings set public_receipt_redaction = 'values'").await;
    let receipt = world.public.get(&path).await;
    assert_eq!(receipt.expect(200)["redaction"], "values");
    assert!(!receipt.text.contains("12345"), "{}", receipt.text);
    assert!(!receipt.text.contains("\\\"US\\\""), "{}", receipt.text);
}

/// The same value as the strict tree.
fn tree(value: &Value) -> Tree {
    serde_json::from_value(value.clone()).expect("within the tree's limits")
}
