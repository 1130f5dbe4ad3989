//! Bundles go on to verify while everything around them changes: keys, versions of policies, tenants.

use contract::scope::{Role, Scope};
use governance::{
    access::operator::{self, key::KeyRequest},
    proof::trust_registry::{self, Revocation, Rotation},
};
use serde_json::json;
use verify::Overall;

use super::{NO_CHAIN, PENDING, check, files, full, lines, ready, recorded};
use crate::{
    client::text,
    service::{PASSWORD, TestServiceBuilder, Version, chained, policy, rules, with_key, world},
    trust::{another_key, begin, root, trusted},
};

#[tokio::test]
async fn after_a_rotation_old_decisions_verify_from_the_version_that_was_pinned() {
    let world = ready().await;
    let pinned = trusted(&world).await;
    let path = recorded(&world.key, &full("k")).await;
    let rotation = || Rotation { to: Some(another_key()), retires: false };
    trust_registry::rotate(&world.governance, &[root()], rotation()).await.expect("version 2");
    let retiring = Rotation { retires: true, ..rotation() };
    world.clock.advance(1_000);
    trust_registry::rotate(&world.governance, &[root()], retiring).await.expect("version 3");
    let bundle = files(&world.public, &path).await;
    for version in ["000001", "000002"] {
        assert!(bundle.get(&format!("trust/history/{version}.dsse.json")).is_some());
    }
    let retired = [
        "receipt: indeterminate KEY_RETIRED_UNANCHORED",
        NO_CHAIN,
        PENDING,
        "manifest: verified KEY_RETIRED",
    ];
    for trust in [&pinned, &trusted(&world).await] {
        let report = check(&bundle, trust);
        assert_eq!(lines(&report), retired);
        assert_eq!(report.registry_version, Some(3));
    }
    // A revoked key is not believed, whoever pinned it before.
    let keys =
        trust_registry::newest(&world.governance).await.expect("it is there").expect("a version");
    let revocation = Revocation {
        kids: vec![keys.registry.keys[1].kid().to_owned()],
        reason: "lost".to_owned(),
        compromised_since: None,
    };
    trust_registry::revoke(&world.governance, &[root()], &revocation).await.expect("version 4");
    let report = check(&files(&world.public, &path).await, &pinned);
    assert_eq!(report.overall, Overall::Failed);
    assert_eq!(lines(&report)[0], "receipt: failed KEY_REVOKED");
}

#[tokio::test]
async fn what_was_recorded_before_there_was_a_registry_verifies_with_it() {
    let world = world().await;
    world.active("PAY-01").await;
    let path = recorded(&world.key, &full("k")).await;
    let before = files(&world.public, &path).await;
    assert_eq!(before.get("trust/registry.dsse.json"), None);
    world.clock.advance(86_400_000);
    begin(&world).await;
    let trust = trusted(&world).await;
    let report = check(&files(&world.public, &path).await, &trust);
    assert_eq!(lines(&report), [NO_CHAIN, PENDING]);
    let report = check(&before, &trust);
    assert_eq!(lines(&report), [NO_CHAIN, PENDING, "trust_roots: indeterminate FILE_MISSING"]);
}

#[tokio::test]
async fn approvals_come_with_those_of_the_versions_before() {
    let world = ready().await;
    let first = recorded(&world.key, &full("first")).await;
    let made = world.sql("select id::text from policies").await.concat();
    let version = Version { policy: made, number: 1 };
    let mut last = version.clone();
    for max in [20_000, 30_000] {
        world.clock.advance(1_000);
        last = world.successor(&version, &rules(max)).await;
    }
    world.activate(&last).await;
    let third = recorded(&world.key, &full("third")).await;
    let trust = trusted(&world).await;
    for (path, approvals) in [(first, 1), (third, 3)] {
        let bundle = files(&world.public, &path).await;
        let count = bundle.names().filter(|name| name.starts_with("approval/")).count();
        assert_eq!(count, approvals);
        assert_eq!(lines(&check(&bundle, &trust)), [NO_CHAIN, PENDING]);
    }
}

#[tokio::test]
async fn a_decision_below_brings_the_approval_of_the_tenant_above() {
    let world = world().await;
    begin(&world).await;
    let mut house = policy("HOUSE");
    house["inheritable"] = json!(true);
    let made = world.author().await.post("/v1/policies", &house).await.expect(201);
    let version = Version { policy: text(&made["policy"]["id"]).to_owned(), number: 1 };
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    world.ratify(&version).await;
    world.activate(&version).await;
    let child = json!({"name": "Daughter", "parent_tenant_id": world.tenant.to_string()});
    let child = world.operator().await.post("/v1/admin/tenants", &child).await.expect(201);
    let tenant = text(&child["tenant_id"]).parse().expect("an id");
    let (owner, password) = ("admin@daughter.example", PASSWORD.to_owned());
    let admin = operator::create_user(&world.governance, tenant, owner, password, Role::Admin);
    admin.await.expect("a person can be made");
    let scopes = &[Scope::DecisionsWrite];
    let request = KeyRequest { name: "program", owner, scopes, expires_at: None };
    let key = operator::create_key(&world.governance, tenant, request).await;
    let daughter = with_key(&world.public, tenant, &key.expect("a key").plaintext_key);
    let path = recorded(&daughter, &full("k")).await;
    let bundle = files(&world.public, &path).await;
    assert_eq!(bundle.names().filter(|name| name.starts_with("approval/")).count(), 1);
    assert_eq!(lines(&check(&bundle, &trusted(&world).await)), [NO_CHAIN, PENDING]);
}

#[tokio::test]
async fn a_service_that_signs_nothing_says_so_in_its_bundles() {
    let world =
        TestServiceBuilder { is_signed: false, ..TestServiceBuilder::default() }.world().await;
    world.active("PAY-01").await;
    let path = recorded(&world.key, &full("k")).await;
    let bundle = files(&world.public, &path).await;
    for name in ["manifest.dsse.json", "receipt/receipt.dsse.json", "trust/registry.dsse.json"] {
        assert_eq!(bundle.get(name), None, "{name}");
    }
    let report = check(&bundle, &verify::Trust::default());
    assert_eq!(
        lines(&report),
        [
            "receipt: indeterminate UNSIGNED",
            NO_CHAIN,
            PENDING,
            "trust_roots: indeterminate UNPINNED",
            "approval_lineage: indeterminate KEY_UNKNOWN",
            "manifest: indeterminate UNSIGNED",
        ]
    );
    recorded(&world.key, &chained("a", json!({}))).await;
    world
        .key
        .post(format!("/v1/chains/{}/seal", crate::service::CHAIN), &json!({}))
        .await
        .expect(201);
    let chain = files(&world.public, &format!("/v1/chains/{}/bundle", crate::service::CHAIN)).await;
    assert!(chain.get("chain/seal.json").is_some() && chain.get("chain/seal.dsse.json").is_none());
    let report = check(&chain, &verify::Trust::default());
    assert!(lines(&report).contains(&"chain_proofs: indeterminate UNSIGNED".to_owned()));
}
