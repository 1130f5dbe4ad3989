//! Chain seals: a seal closes a chain permanently.

use receipt::{canonical_json::CanonicalJson, chain, dsse::Envelope, key::PayloadType};

use super::{assert_verified, at, member, record, with_active_policy};
use crate::prelude::*;

#[tokio::test]
async fn a_seal_is_created_once_and_counts_every_link() {
    let service = with_active_policy().await;
    let path = format!("/v1/chains/{CHAIN}/seal");
    assert_eq!(service.key.post(&path, &json!({})).await.to_string(), "404 NOT_FOUND");
    for key in ["a", "b", "c"] {
        record(&service.key, key, json!({})).await;
    }
    assert_eq!(
        service.public.get(&path).await.to_string(),
        "404 NOT_FOUND",
        "the chain is not sealed"
    );
    let created = service.key.post(&path, &json!({})).await;
    assert_eq!(created.header("location"), Some(&*path));
    let sealed = created.expect(201);
    service.clock.advance(MINUTE_MS);
    let repeated = service.key.post(&path, &json!({})).await;
    assert_eq!((repeated.status, &repeated.text), (200, &created.text));
    assert_eq!(service.key.call("POST", &path).await.text, created.text, "the body is optional");
    let public = service.public.get(&path).await;
    assert_eq!(public.text, created.text);
    assert_eq!(public.header("access-control-allow-origin"), Some("*"));
    let etag = public.header("etag").expect("a public response has an ETag").to_owned();
    let unchanged = service.public.get(&path).header("if-none-match", etag).await;
    assert_eq!(unchanged.status, 304);

    let report = assert_verified(&service, 3).await;
    assert_eq!((&report["status"], &report["seal"]), (&json!("sealed"), &sealed["envelope"]));
    let seal = &sealed["seal"];
    assert_eq!(seal["step_count"], json!(3));
    assert_eq!(seal["head"], report["items"][2]["chain_integrity_hash"]);
    assert_eq!(seal["chain_id"], CHAIN);
    assert_eq!(seal["sealed_at"], crate::service::NOW);
    let hashes = items(&report).iter();
    let hashes = hashes.map(|item| member(item, "chain_integrity_hash").parse().unwrap());
    let root = chain::merkle_root(&chain::tree(hashes)).unwrap();
    assert_eq!(seal["merkle_root"], root.to_string());
    assert_eq!(sealed["seal_digest"], CanonicalJson::from_value(&tree(seal)).digest.to_string());
    assert_eq!(sealed["transparency_anchor"], Value::Null);
    let envelope = Envelope::read(&tree(&sealed["envelope"])).unwrap();
    let key = &service.published_keys().await[0];
    assert_eq!(envelope.verify(PayloadType::ChainSeal, key), Ok(()));
    assert_eq!(envelope.payload, CanonicalJson::from_value(&tree(seal)));

    for chain_request in [json!({}), json!({"chain_step": 1}), json!({"chain_step": 9})] {
        let refusal = at(&service.key, "d", chain_request.clone()).await;
        assert_eq!(refusal.to_string(), "409 CHAIN_SEALED", "{chain_request}");
    }
    let list = service.key.get("/v1/chains").await.expect(200);
    assert_eq!(
        (&list["items"][0]["status"], &list["items"][0]["sealed_at"]),
        (&json!("sealed"), &seal["sealed_at"])
    );
}
