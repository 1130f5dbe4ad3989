//! Chains of grants: signed link by link, carried with key and terms, revoked from a link on.

use insta::assert_snapshot;
use receipt::{
    dsse::Envelope,
    grant::{CapabilityGrant, check_lineage},
    key::{PayloadType, PublicKey},
};
use serde_json::{Value, json};

use super::{EVERY, FOLLOW, asked};
use crate::{
    client::text,
    service::{NOW, TestService, rules, world},
};

/// The key that grants are signed with, as it is published.
async fn signer(world: &TestService, kid: &str) -> PublicKey {
    let keys = world.public.get("/v1/.well-known/signing-keys").await.expect(200);
    let keys = keys["keys"].as_array().expect("a list");
    let jwk = keys.iter().find(|key| key["kid"] == kid).expect("it is published");
    let jwk = serde_json::from_value(jwk.clone()).expect("a tree");
    PublicKey::from_jwk(&jwk).expect("a public key")
}

#[tokio::test]
async fn the_chain_of_a_grant_verifies_with_the_published_key() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let grant = world.grant(&version, &EVERY).await;
    world.anew(&version).await;
    let carried = world.carry(&grant, 2).await;
    let path = format!("/v1/authoring-capabilities/{}", text(&carried["id"]));
    let read = world.key.get(path).await.expect(200);
    let chain = read["chain"].as_array().expect("a chain");
    let ids: Vec<&str> = chain.iter().map(|one| text(&one["id"])).collect();
    assert_eq!(ids, [&*grant.id, text(&carried["id"])]);
    let mut lineage = Vec::new();
    for link in chain {
        let envelope = serde_json::from_value(link["envelope"].clone()).expect("a tree");
        let envelope = Envelope::read(&envelope).expect("an envelope");
        let kid = &envelope.signatures[0].keyid;
        let signer = signer(&world, kid).await;
        envelope.verify(PayloadType::CapabilityGrant, &signer).expect("a good signature");
        let digest = envelope.payload.digest;
        assert_eq!(digest.to_string(), link["grant_digest"]);
        let statement = contract::json::Value::parse(
            envelope.payload.text.as_bytes(),
            &contract::json::Limits::BUNDLE_MEMBER,
        );
        let statement = CapabilityGrant::read(&statement.expect("JSON")).expect("a grant");
        assert_eq!(statement.capability_id.to_string(), link["id"]);
        assert_eq!(statement.policy_version_id.to_string(), link["policy_version_id"]);
        lineage.push((digest, statement));
    }
    check_lineage(&lineage).expect("a whole lineage");
}

#[tokio::test]
async fn a_grant_is_carried_to_a_successor_draft_with_its_key_and_its_terms() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let mut asked = asked(&version, &EVERY);
    asked["max_uses"] = json!(2);
    asked["expires_at"] = json!("2026-09-15T10:00:00Z");
    let grant = world.grant_of(&asked).await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    grant.key.patch(version.path(), &edit).await.expect(200);
    let next = world.anew(&version).await;
    let carried = world.carry(&grant, 2).await;

    let issued = &grant.issued["capability"];
    let mut expected = issued.clone();
    for (name, value) in [
        ("id", carried["id"].clone()),
        ("parent_capability_id", issued["id"].clone()),
        ("policy_version_id", world.key.get(next.path()).await.expect(200)["id"].clone()),
        ("version", json!(2)),
        ("uses", json!(1)),
        ("grant_digest", carried["grant_digest"].clone()),
    ] {
        expected[name] = value;
    }
    assert_eq!(carried, expected);
    let before = world.key.get(grant.path()).await.expect(200);
    assert_eq!(before["carried_to"], carried["id"]);
    let current = grant.key.get("/v1/authoring-capabilities/current").await.expect(200);
    assert_eq!(current, carried);
    // What was left of the uses is left, on the new version only.
    let old = grant.key.get(version.path()).await;
    assert_snapshot!(old, @"403 AUTHORING_CAPABILITY_OUT_OF_SCOPE");
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    grant.key.patch(next.path(), &edit).await.expect(200);
    let edit = json!({"expected_revision": 2, "rules": rules(9_000)});
    let third = grant.key.patch(next.path(), &edit).await;
    assert_snapshot!(third, @"403 AUTHORING_CAPABILITY_EXHAUSTED");
    let list = world.key.get("/v1/authoring-capabilities").await.expect(200);
    let ids: Vec<&Value> = list["items"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&carried["id"], &issued["id"]], "newest first");
}

#[tokio::test]
async fn only_a_live_grant_is_carried_and_only_forward_to_a_draft() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let grant = world.grant(&version, &FOLLOW).await;
    let author = world.author().await;
    let path = format!("{}/carry", grant.path());
    let carry = async |version: u32| author.post(&path, &json!({"version": version})).await;
    assert_snapshot!(author.post(&path, &json!({"versoin": 2})).await.faults(), @r"
    /version required
    /versoin unknown
    ");
    assert_snapshot!(world.key.post(&path, &json!({"version": 2})).await, @"403 HUMAN_REQUIRED");
    assert_snapshot!(carry(2).await, @"404 NOT_FOUND");
    assert_snapshot!(carry(1).await.faults(), @"/version range");
    let next = world.anew(&version).await;
    author.post(next.act("submit"), &json!({})).await.expect(200);
    assert_snapshot!(carry(2).await, @"409 INVALID_TRANSITION (VERSION_NOT_DRAFT)");
    author.post(next.act("recall"), &json!({})).await.expect(200);
    carry(2).await.expect(201);
    let again = carry(2).await;
    assert_snapshot!(again, @"409 INVALID_TRANSITION (CAPABILITY_NOT_LIVE)");
    assert_eq!(again.details()["from"], "carried");
    for (state, code) in [("revoked", "R"), ("expired", "E")] {
        let version = world.draft(code).await;
        let mut asked = asked(&version, &FOLLOW);
        asked["expires_at"] = json!("2026-09-01T10:01:00Z");
        let grant = world.grant_of(&asked).await;
        world.anew(&version).await;
        match state {
            "revoked" => assert_eq!(author.delete(grant.path()).await.status, 204),
            _ => world.clock.advance(60_000),
        }
        let path = format!("{}/carry", grant.path());
        let refused = author.post(path, &json!({"version": 2})).await;
        assert_eq!(refused.details()["from"], state);
    }
}

#[tokio::test]
async fn a_grant_is_revoked_with_all_that_it_was_carried_to() {
    let world = world().await;
    let first = world.draft("PAY-01").await;
    let grant = world.grant(&first, &FOLLOW).await;
    let second = world.anew(&first).await;
    let middle = world.carry(&grant, second.number).await;
    let third = world.anew(&second).await;
    let path = format!("/v1/authoring-capabilities/{}", text(&middle["id"]));
    let author = world.author().await;
    let carry = json!({"version": third.number});
    let last = author.post(format!("{path}/carry"), &carry).await.expect(201);
    grant.key.get(third.path()).await.expect(200);

    assert_snapshot!(world.key.delete(&path).await, @"403 HUMAN_REQUIRED");
    assert_eq!(author.delete(&path).await.status, 204);
    let revoked = grant.key.get(third.path()).await;
    assert_snapshot!(revoked, @"403 AUTHORING_CAPABILITY_REVOKED");
    let read = async |id: &Value| {
        let path = format!("/v1/authoring-capabilities/{}", text(id));
        world.key.get(path).await.expect(200)
    };
    let session = author.get("/v1/session").await.expect(200);
    for id in [&middle["id"], &last["id"]] {
        let one = read(id).await;
        assert_eq!(one["revoked_at"], NOW);
        assert_eq!(one["revoked_by"], session["user"]["id"]);
    }
    assert_eq!(read(&grant.issued["capability"]["id"]).await.get("revoked_at"), None);
    let events = "/v1/audit-log?action=capability.revoke";
    let events = async || world.key.get(events).await.expect(200)["items"].clone();
    assert_eq!(events().await[0]["details"]["revoked"], 2);
    // Again: nothing changes, and nothing is told twice.
    world.clock.advance(60_000);
    assert_eq!(author.delete(&path).await.status, 204);
    assert_eq!(read(&middle["id"]).await["revoked_at"], NOW);
    assert_eq!(events().await.as_array().map(Vec::len), Some(1));
}
