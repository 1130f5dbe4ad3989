//! A seal closes a chain for good.

use contract::json::{Limits, Value as Tree};
use receipt::{
    canonical_json::CanonicalJson,
    chain,
    dsse::Envelope,
    key::{PayloadType, PublicKey},
};
use serde_json::{Value, json};

use super::{at, member, ready, recorded, sound};
use crate::service::{CHAIN, MINUTE_MS};

fn tree(value: &Value) -> Tree {
    Tree::parse(value.to_string().as_bytes(), &Limits::REQUEST).expect("it is JSON")
}

#[tokio::test]
async fn a_seal_is_made_once_and_counts_every_link() {
    let world = ready().await;
    let path = format!("/v1/chains/{CHAIN}/seal");
    assert_eq!(world.key.post(&path, &json!({})).await.to_string(), "404 NOT_FOUND");
    for key in ["a", "b", "c"] {
        recorded(&world.key, key, json!({})).await;
    }
    assert_eq!(world.public.get(&path).await.to_string(), "404 NOT_FOUND", "it is open");
    let made = world.key.post(&path, &json!({})).await;
    assert_eq!(made.header("location"), Some(&*path));
    let sealed = made.expect(201);
    world.clock.advance(MINUTE_MS);
    let again = world.key.post(&path, &json!({})).await;
    assert_eq!((again.status, &again.text), (200, &made.text));
    assert_eq!(world.key.call("POST", &path).await.text, made.text, "a body is not asked for");
    let public = world.public.get(&path).await;
    assert_eq!(public.text, made.text);
    assert_eq!(public.header("access-control-allow-origin"), Some("*"));
    let etag = public.header("etag").expect("a public read has one").to_owned();
    let unchanged = world.public.get(&path).header("if-none-match", etag).await;
    assert_eq!(unchanged.status, 304);

    let told = sound(&world, 3).await;
    assert_eq!((&told["status"], &told["seal"]), (&json!("sealed"), &sealed["envelope"]));
    let seal = &sealed["seal"];
    assert_eq!(seal["step_count"], json!(3));
    assert_eq!(seal["head"], told["items"][2]["chain_integrity_hash"]);
    assert_eq!(seal["chain_id"], CHAIN);
    assert_eq!(seal["sealed_at"], crate::service::NOW);
    let hashes = told["items"].as_array().unwrap().iter();
    let hashes = hashes.map(|item| member(item, "chain_integrity_hash").parse().unwrap());
    let root = chain::merkle_root(&chain::tree(hashes)).unwrap();
    assert_eq!(seal["merkle_root"], root.to_string());
    assert_eq!(sealed["seal_digest"], CanonicalJson::from_value(&tree(seal)).digest.to_string());
    assert_eq!(sealed["transparency_anchor"], Value::Null);
    let keys = world.public.get("/v1/.well-known/signing-keys").await.expect(200);
    let key = PublicKey::from_jwk(&tree(&keys["keys"][0])).unwrap();
    let envelope = Envelope::read(&tree(&sealed["envelope"])).unwrap();
    assert_eq!(envelope.verify(PayloadType::ChainSeal, &key), Ok(()));
    assert_eq!(envelope.payload, CanonicalJson::from_value(&tree(seal)));

    for place in [json!({}), json!({"chain_step": 1}), json!({"chain_step": 9})] {
        let refused = at(&world.key, "d", place.clone()).await;
        assert_eq!(refused.to_string(), "409 CHAIN_SEALED", "{place}");
    }
    let list = world.key.get("/v1/chains").await.expect(200);
    assert_eq!(
        (&list["items"][0]["status"], &list["items"][0]["sealed_at"]),
        (&json!("sealed"), &seal["sealed_at"])
    );
}
