//! Public receipts and the published keys that verify them.

use receipt::{canonical_json::CanonicalJson, digest::Digest, key::PayloadType};

use crate::prelude::*;

#[testkit::test]
async fn receipt_verifies_with_the_published_key(service: TestService) {
    service.active("PAY-01").await;
    let decision = service.record("k-1", 12_000).await;
    let path = format!("/v1/receipts/{}", text(&decision["id"]));
    let receipt = service.public.get(path).await.expect(200);
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

    let key = &service.published_keys().await[0];
    assert_eq!(text(&receipt["signature_kid"]), key.kid());
    let signed = CanonicalJson::from_value(&tree(statement)).text;
    key.verify(PayloadType::Receipt, &signed, text(&receipt["signature"]))
        .expect("a valid signature");
    let forged = signed.replace("DENY", "ALLOW");
    assert!(key.verify(PayloadType::Receipt, &forged, text(&receipt["signature"])).is_err());
    let digest = service.sql("select encode(receipt_digest, 'hex') from decisions").await;
    assert_eq!(digest, [Digest::compute(signed.as_bytes()).to_string()]);
}

#[testkit::test]
async fn receipt_allows_any_origin_and_conditional_requests(service: TestService) {
    service.active("PAY-01").await;
    let decision = service.record("k-1", 12_000).await;
    let path = format!("/v1/receipts/{}", text(&decision["id"]));
    let receipt = service.public.get(&path).await;
    assert_eq!(receipt.status, 200);
    assert_eq!(receipt.header("access-control-allow-origin"), Some("*"));
    assert_eq!(receipt.header("access-control-allow-credentials"), None);
    assert_eq!(receipt.header("cache-control"), Some("no-cache"));
    let etag = receipt.header("etag").expect("a receipt has an ETag").to_owned();
    for known in [etag.clone(), format!("W/{etag}"), format!("\"x\", {etag}"), "*".to_owned()] {
        let same = service.public.get(&path).header("if-none-match", &known).await;
        assert_eq!((same.status, &*same.text), (304, ""), "{known}");
        assert_eq!(same.header("etag"), Some(&*etag));
    }
    let other = service.public.get(&path).header("if-none-match", "\"x\"").await;
    assert_eq!((other.status, other.text), (200, receipt.text));
    let redaction = json!({"public_receipt_redaction": "values"});
    service.key.patch("/v1/settings", &redaction).await.expect(200);
    assert_eq!(service.public.get(&path).header("if-none-match", &etag).await.status, 200);
}
