//! The pending-work read, sentence by sentence of its specification: here who may read, and what the
//! answer is; beside it the items, the returns and the lineage.

mod items;
mod lineage;
mod returns;

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    capabilities::{FOLLOW, Grant, asked},
    client::{Client, TestResponse, text},
    service::{MINUTE_MS, NOW, TestService, Version, world},
};

const PENDING_WORK: &str = "/v1/authoring-capabilities/current/pending-work";

/// What a caller is answered.
async fn answer(caller: &Client) -> TestResponse {
    caller.get(PENDING_WORK).await
}

/// What waits within reach of a grant.
async fn work(grant: &Grant) -> Value {
    answer(&grant.key).await.expect(200)
}

/// A draft, and a grant that follows it.
async fn followed(world: &TestService) -> (Version, Grant) {
    let version = world.draft("PAY-01").await;
    let grant = world.grant(&version, &FOLLOW).await;
    (version, grant)
}

/// The author supersedes a draft. Grants that only read do not bind it.
async fn superseded(world: &TestService, version: &Version) -> Version {
    let read = world.key.get(version.path()).await.expect(200);
    let correction = json!({
        "expected_revision": read["draft_revision"], "rules": [], "change_reason": "because",
    });
    world.author().await.post(version.act("supersede"), &correction).await.expect(201);
    Version { policy: version.policy.clone(), number: version.number + 1 }
}

#[tokio::test]
async fn a_broad_key_or_a_human_session_receives_403_forbidden() {
    let world = world().await;
    let broad = world.key_with(&[Scope::PoliciesRead, Scope::PoliciesWrite]).await;
    assert_snapshot!(answer(&broad).await, @"403 FORBIDDEN");
    for role in Role::ALL {
        let person = world.person(role).await;
        assert_eq!(answer(&person).await.to_string(), "403 FORBIDDEN", "{role}");
    }
}

#[tokio::test]
async fn a_key_also_holding_a_policies_scope_receives_403_object_mismatch() {
    let world = world().await;
    for beside in [Scope::PoliciesRead, Scope::PoliciesWrite] {
        let key = world.key_with(&[Scope::AuthoringCapability, beside]).await;
        let refused = answer(&key).await.to_string();
        assert_eq!(refused, "403 AUTHORING_CAPABILITY_OBJECT_MISMATCH", "{beside}");
    }
    assert_snapshot!(answer(&world.key).await, @"403 AUTHORING_CAPABILITY_OBJECT_MISMATCH");
    // Given the scope afterwards, a key with a good grant is refused too.
    let (_, grant) = followed(&world).await;
    work(&grant).await;
    world
        .sql(
            "update key_digests set scopes = scopes || '{policies:read}'
               where key_name = 'drafting assistant'",
        )
        .await;
    let refused = answer(&grant.key).await;
    assert_snapshot!(refused, @"403 AUTHORING_CAPABILITY_OBJECT_MISMATCH");
}

#[tokio::test]
async fn the_credential_may_hold_other_scopes_than_those_over_policies() {
    let world = world().await;
    let (_, grant) = followed(&world).await;
    world
        .sql(
            "update key_digests set scopes = scopes || '{decisions:read}'
               where key_name = 'drafting assistant'",
        )
        .await;
    work(&grant).await;
}

#[tokio::test]
async fn a_missing_capability_is_refused() {
    let world = world().await;
    let key = world.key_with(&[Scope::AuthoringCapability]).await;
    assert_snapshot!(answer(&key).await, @"403 AUTHORING_CAPABILITY_MISSING");
}

#[tokio::test]
async fn a_revoked_capability_is_refused() {
    let world = world().await;
    let (_, grant) = followed(&world).await;
    assert_eq!(world.author().await.delete(grant.path()).await.status, 204);
    assert_snapshot!(answer(&grant.key).await, @"403 AUTHORING_CAPABILITY_REVOKED");
}

#[tokio::test]
async fn an_exhausted_capability_is_refused() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let mut asked = asked(&version, &["policy.read", "review.retrieve", "review.seal"]);
    asked["max_uses"] = json!(1);
    let grant = world.grant_of(&asked).await;
    work(&grant).await;
    grant.key.post(version.act("seal"), &json!({})).await.expect(201);
    assert_snapshot!(answer(&grant.key).await, @"403 AUTHORING_CAPABILITY_EXHAUSTED");
}

#[tokio::test]
async fn a_capability_holds_from_its_first_instant_to_before_its_last() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let mut asked = asked(&version, &FOLLOW);
    asked["not_before"] = json!("2026-09-01T10:01:00Z");
    asked["expires_at"] = json!("2026-09-01T10:02:00Z");
    let grant = world.grant_of(&asked).await;
    world.clock.advance(MINUTE_MS - 1);
    assert_snapshot!(answer(&grant.key).await, @"403 AUTHORING_CAPABILITY_NOT_YET_VALID");
    world.clock.advance(1);
    work(&grant).await;
    world.clock.advance(MINUTE_MS - 1);
    work(&grant).await;
    world.clock.advance(1);
    assert_snapshot!(answer(&grant.key).await, @"403 AUTHORING_CAPABILITY_EXPIRED");
}

#[tokio::test]
async fn missing_revoked_or_exhausted_is_looked_for_anywhere_in_the_chain() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let mut asked = asked(&version, &FOLLOW);
    asked["max_uses"] = json!(3);
    let grant = world.grant_of(&asked).await;
    world.anew(&version).await;
    world.carry(&grant, 2).await;
    work(&grant).await;
    for (state, back, code) in [
        ("revoked_at = now()", "revoked_at = null", "REVOKED"),
        ("uses = 3", "uses = 0", "EXHAUSTED"),
    ] {
        world.sql(&format!("update capability_grants set {state} where depth = 1")).await;
        let refused = answer(&grant.key).await.to_string();
        assert_eq!(refused, format!("403 AUTHORING_CAPABILITY_{code}"));
        world.sql(&format!("update capability_grants set {back} where depth = 1")).await;
    }
    world.sql("alter table capability_grants drop constraint capability_grants_tenant_id_root_id_fkey,
               drop constraint capability_grants_tenant_id_parent_id_fkey").await;
    world.sql("delete from capability_grants where depth = 1").await;
    assert_snapshot!(answer(&grant.key).await, @"403 AUTHORING_CAPABILITY_MISSING");
}

/// What somebody with the store in hand may change about a grant.
const TAMPERED: [&str; 16] = [
    "actions = '{policy.draft.edit,policy.read,review.retrieve}'",
    "policy_id = (select id from policies where code = 'OTHER')",
    "policy_version_id = (select v.id from policy_versions v join policies p
         on p.id = v.policy_id where code = 'OTHER')",
    "version = 2",
    "not_before = timestamptz '2026-08-31T10:00:00Z'",
    "expires_at = timestamptz '2027-09-01T10:00:00Z'",
    "expires_at = null",
    "max_uses = 1000",
    "max_uses = null",
    "issued_by = (select user_id from members where role = 'admin')",
    "issued_at = issued_at - interval '1 day'",
    "statement = replace(statement, 'policy.read', 'review.seal')",
    "digest = 'sha256:' || repeat('0', 64)",
    "signature = repeat('A', 86)",
    "signature = null, signature_kid = null",
    "signature_kid = 'another'",
];

#[tokio::test]
async fn a_capability_that_fails_integrity_is_refused() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    world.draft("OTHER").await;
    let mut asked = asked(&version, &FOLLOW);
    asked["max_uses"] = json!(3);
    asked["expires_at"] = json!("2026-09-15T10:00:00Z");
    let grant = world.grant_of(&asked).await;
    world.sql("create table kept as select * from capability_grants").await;
    for change in TAMPERED {
        world.sql(&format!("update capability_grants set {change}")).await;
        let refused = answer(&grant.key).await.to_string();
        assert_eq!(refused, "403 AUTHORING_CAPABILITY_INTEGRITY", "{change}");
        world.sql("delete from capability_grants").await;
        world.sql("insert into capability_grants select * from kept").await;
    }
    work(&grant).await;
}

#[tokio::test]
async fn a_chain_whose_first_grant_was_tampered_with_is_refused() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    world.anew(&version).await;
    world.carry(&grant, 2).await;
    world.sql("update capability_grants set version = 9 where depth = 1").await;
    assert_snapshot!(answer(&grant.key).await, @"403 AUTHORING_CAPABILITY_INTEGRITY");
}

#[tokio::test]
async fn terms_that_were_tampered_with_are_not_carried() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    world.anew(&version).await;
    world.sql("update capability_grants set max_uses = 1000").await;
    let carry = json!({"version": 2});
    let carry = world.author().await.post(format!("{}/carry", grant.path()), &carry).await;
    assert_snapshot!(carry, @"403 AUTHORING_CAPABILITY_INTEGRITY");
}

#[tokio::test]
async fn a_grant_lacking_either_action_receives_403_out_of_scope() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    for (actions, lacking) in
        [(["policy.read"], "review.retrieve"), (["review.retrieve"], "policy.read")]
    {
        let grant = world.grant(&version, &actions).await;
        let refused = answer(&grant.key).await.to_string();
        assert_eq!(refused, format!("403 AUTHORING_CAPABILITY_OUT_OF_SCOPE ({lacking})"));
        // Whether the grant holds at all is asked first.
        assert_eq!(world.author().await.delete(grant.path()).await.status, 204);
        let refused = answer(&grant.key).await.to_string();
        assert_eq!(refused, "403 AUTHORING_CAPABILITY_REVOKED");
    }
}

#[tokio::test]
async fn the_request_has_no_parameters() {
    let world = world().await;
    let (_, grant) = followed(&world).await;
    let asked = grant.key.get(format!("{PENDING_WORK}?policy_id=x")).await;
    assert_snapshot!(asked.faults(), @"/policy_id unknown");
}

#[tokio::test]
async fn a_fresh_draft_has_no_work_and_the_answer_no_additional_properties() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    let read = world.key.get(version.path()).await.expect(200);
    let expected = json!({
        "capability_id": grant.id, "root_capability_id": grant.id, "policy_id": version.policy,
        "policy_version_id": read["id"], "policy_version_number": 1, "observed_at": NOW,
        "items": [], "returns_not_answerable": [],
    });
    assert_eq!(work(&grant).await, expected);
}

#[tokio::test]
async fn a_difference_from_the_grant_the_caller_holds_means_the_capability_was_carried() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    let next = world.anew(&version).await;
    let carried = world.carry(&grant, 2).await;
    let work = work(&grant).await;
    let read = world.key.get(next.path()).await.expect(200);
    assert_eq!(work["capability_id"], carried["id"]);
    assert_eq!(text(&work["root_capability_id"]), grant.id);
    assert_eq!(work["policy_version_id"], read["id"]);
    assert_eq!(work["policy_version_number"], 2);
}

#[tokio::test]
async fn a_version_that_is_gone_is_not_found() {
    let world = world().await;
    let (version, grant) = followed(&world).await;
    assert_eq!(world.author().await.delete(version.path()).await.status, 204);
    assert_snapshot!(answer(&grant.key).await, @"404 NOT_FOUND");
}
