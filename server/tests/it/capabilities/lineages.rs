//! Grant lineages: signatures, carrying a grant to a later version, and revocation.

use receipt::{
    dsse::Envelope,
    grant::{CapabilityGrant, check_lineage},
    key::PayloadType,
};

use super::{EVERY, FOLLOW, grant_request};
use crate::prelude::*;

#[testkit::test]
async fn the_lineage_of_a_grant_verifies_with_the_published_key(service: TestService) {
    let version = service.draft("PAY-01").await;
    let grant = service.grant(&version, &EVERY).await;
    service.replace_with_new_draft(&version).await;
    let carried = service.carry(&grant, 2).await;
    let path = format!("/v1/authoring-capabilities/{}", text(&carried["id"]));
    let response = service.key.get(path).await.expect(200);
    let grants = response["chain"].as_array().expect("a list");
    let ids: Vec<&str> = grants.iter().map(|grant| text(&grant["id"])).collect();
    assert_eq!(ids, [&*grant.id, text(&carried["id"])]);
    let keys = service.published_keys().await;
    let mut lineage = Vec::new();
    for item in grants {
        let envelope = Envelope::read(&tree(&item["envelope"])).expect("an envelope");
        let kid = &envelope.signatures[0].keyid;
        let key = keys.iter().find(|key| key.kid() == kid).expect("the key is published");
        envelope.verify(PayloadType::CapabilityGrant, key).expect("a valid signature");
        let digest = envelope.payload.digest;
        assert_eq!(digest.to_string(), item["grant_digest"]);
        let statement = contract::json::Value::parse(
            envelope.payload.text.as_bytes(),
            &contract::json::Limits::BUNDLE_FILE,
        );
        let statement = CapabilityGrant::read(&statement.expect("JSON")).expect("a grant");
        assert_eq!(statement.capability_id.to_string(), item["id"]);
        assert_eq!(statement.policy_version_id.to_string(), item["policy_version_id"]);
        lineage.push((digest, statement));
    }
    check_lineage(&lineage).expect("a complete lineage");
}

#[testkit::test]
async fn carrying_a_grant_to_a_later_draft_preserves_its_key_and_terms(service: TestService) {
    let version = service.draft("PAY-01").await;
    let mut body = grant_request(&version, &EVERY);
    body["max_uses"] = json!(2);
    body["expires_at"] = json!("2026-09-15T10:00:00Z");
    let grant = service.grant_of(&body).await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    grant.key.patch(version.path(), &edit).await.expect(200);
    let next = service.replace_with_new_draft(&version).await;
    let carried = service.carry(&grant, 2).await;

    let issued = &grant.issued["capability"];
    let mut expected = issued.clone();
    for (name, value) in [
        ("id", carried["id"].clone()),
        ("parent_capability_id", issued["id"].clone()),
        ("policy_version_id", service.read(&next).await["id"].clone()),
        ("version", json!(2)),
        ("uses", json!(1)),
        ("grant_digest", carried["grant_digest"].clone()),
    ] {
        expected[name] = value;
    }
    assert_eq!(carried, expected);
    let previous = service.key.get(grant.path()).await.expect(200);
    assert_eq!(previous["carried_to"], carried["id"]);
    let current = grant.key.get("/v1/authoring-capabilities/current").await.expect(200);
    assert_eq!(current, carried);
    // The remaining uses apply to the new version only.
    let old = grant.key.get(version.path()).await;
    assert_snapshot!(old, @"403 AUTHORING_CAPABILITY_OUT_OF_SCOPE");
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    grant.key.patch(next.path(), &edit).await.expect(200);
    let edit = json!({"expected_revision": 2, "rules": rules(9_000)});
    let third = grant.key.patch(next.path(), &edit).await;
    assert_snapshot!(third, @"403 AUTHORING_CAPABILITY_EXHAUSTED");
    let list = service.key.get("/v1/authoring-capabilities").await.expect(200);
    let ids: Vec<&Value> = items(&list).iter().map(|item| &item["id"]).collect();
    assert_eq!(ids, [&carried["id"], &issued["id"]], "newest first");
}

#[testkit::test]
async fn only_a_live_grant_is_carried_and_only_forward_to_a_draft(service: TestService) {
    let version = service.draft("PAY-01").await;
    let grant = service.grant(&version, &FOLLOW).await;
    let author = service.author().await;
    let path = format!("{}/carry", grant.path());
    let carry = async |version: u32| author.post(&path, &json!({"version": version})).await;
    assert_snapshot!(author.post(&path, &json!({"versoin": 2})).await.field_errors(), @r"
    /version required
    /versoin unknown
    ");
    assert_snapshot!(service.key.post(&path, &json!({"version": 2})).await, @"403 HUMAN_REQUIRED");
    assert_snapshot!(carry(2).await, @"404 NOT_FOUND");
    assert_snapshot!(carry(1).await.field_errors(), @"/version range");
    let next = service.replace_with_new_draft(&version).await;
    service.submit(&next).await;
    assert_snapshot!(carry(2).await, @"409 INVALID_TRANSITION (VERSION_NOT_DRAFT)");
    author.post(next.action_path("recall"), &json!({})).await.expect(200);
    carry(2).await.expect(201);
    let repeated = carry(2).await;
    assert_snapshot!(repeated, @"409 INVALID_TRANSITION (CAPABILITY_NOT_LIVE)");
    assert_eq!(repeated.details()["from"], "carried");
    for (state, code) in [("revoked", "R"), ("expired", "E")] {
        let version = service.draft(code).await;
        let mut body = grant_request(&version, &FOLLOW);
        body["expires_at"] = json!("2026-09-01T10:01:00Z");
        let grant = service.grant_of(&body).await;
        service.replace_with_new_draft(&version).await;
        match state {
            "revoked" => assert_eq!(author.delete(grant.path()).await.status, 204),
            _ => service.clock.advance(60_000),
        }
        let path = format!("{}/carry", grant.path());
        let refusal = author.post(path, &json!({"version": 2})).await;
        assert_eq!(refusal.details()["from"], state);
    }
}

#[testkit::test]
async fn revoking_a_grant_revokes_all_grants_that_it_was_carried_to(service: TestService) {
    let first = service.draft("PAY-01").await;
    let grant = service.grant(&first, &FOLLOW).await;
    let second = service.replace_with_new_draft(&first).await;
    let middle = service.carry(&grant, second.number).await;
    let third = service.replace_with_new_draft(&second).await;
    let path = format!("/v1/authoring-capabilities/{}", text(&middle["id"]));
    let author = service.author().await;
    let carry = json!({"version": third.number});
    let last = author.post(format!("{path}/carry"), &carry).await.expect(201);
    grant.key.get(third.path()).await.expect(200);

    assert_snapshot!(service.key.delete(&path).await, @"403 HUMAN_REQUIRED");
    assert_eq!(author.delete(&path).await.status, 204);
    let revoked = grant.key.get(third.path()).await;
    assert_snapshot!(revoked, @"403 AUTHORING_CAPABILITY_REVOKED");
    let read = async |id: &Value| {
        let path = format!("/v1/authoring-capabilities/{}", text(id));
        service.key.get(path).await.expect(200)
    };
    let session = author.get("/v1/session").await.expect(200);
    for id in [&middle["id"], &last["id"]] {
        let grant = read(id).await;
        assert_eq!(grant["revoked_at"], NOW);
        assert_eq!(grant["revoked_by"], session["user"]["id"]);
    }
    assert_eq!(read(&grant.issued["capability"]["id"]).await.get("revoked_at"), None);
    let events = "/v1/audit-log?action=capability.revoke";
    let events = async || service.key.get(events).await.expect(200)["items"].clone();
    assert_eq!(events().await[0]["details"]["revoked"], 2);
    // A second revocation changes nothing and records no second event.
    service.clock.advance(60_000);
    assert_eq!(author.delete(&path).await.status, 204);
    assert_eq!(read(&middle["id"]).await["revoked_at"], NOW);
    assert_eq!(events().await.as_array().map(Vec::len), Some(1));
}
