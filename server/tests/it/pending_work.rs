//! The pending-work endpoint: authorization and the response. The submodules test its items, requested
//! changes and draft lineage.

mod items;
mod lineage;
mod returns;

use crate::{
    capabilities::{FOLLOW, Grant, grant_request},
    prelude::*,
};

const PENDING_WORK: &str = "/v1/authoring-capabilities/current/pending-work";

async fn get_pending_work(caller: &Client) -> TestResponse {
    caller.get(PENDING_WORK).await
}

/// The pending work of a grant.
async fn pending_work(grant: &Grant) -> Value {
    get_pending_work(&grant.key).await.expect(200)
}

/// Creates a draft and a grant that reads it.
async fn draft_with_grant(service: &TestService) -> (Version, Grant) {
    let version = service.draft("PAY-01").await;
    let grant = service.grant(&version, &FOLLOW).await;
    (version, grant)
}

/// Supersedes a draft as its author and returns the new draft. Grants that only read do not prevent it.
async fn supersede(service: &TestService, version: &Version) -> Version {
    let version_details = service.read(version).await;
    let correction = json!({
        "expected_revision": version_details["draft_revision"], "rules": [],
        "change_reason": "because",
    });
    service.author().await.post(version.action_path("supersede"), &correction).await.expect(201);
    Version { policy: version.policy.clone(), number: version.number + 1 }
}

#[testkit::test]
async fn capability_key_with_a_policies_scope_receives_403_object_mismatch(service: TestService) {
    for scope in [Scope::PoliciesRead, Scope::PoliciesWrite] {
        let key = service.create_key(&[Scope::AuthoringCapability, scope]).await;
        let refused = get_pending_work(&key).await.to_string();
        assert_eq!(refused, "403 AUTHORING_CAPABILITY_OBJECT_MISMATCH", "{scope}");
    }
    assert_snapshot!(get_pending_work(&service.key).await, @"403 AUTHORING_CAPABILITY_OBJECT_MISMATCH");
    // A key with a valid grant that receives the scope later is refused too.
    let (_, grant) = draft_with_grant(&service).await;
    pending_work(&grant).await;
    service
        .sql(
            "update key_digests set scopes = scopes || '{policies:read}'
               where key_name = 'drafting assistant'",
        )
        .await;
    let refused = get_pending_work(&grant.key).await;
    assert_snapshot!(refused, @"403 AUTHORING_CAPABILITY_OBJECT_MISMATCH");
}

#[testkit::test]
async fn capability_is_valid_from_not_before_until_expires_at(service: TestService) {
    let version = service.draft("PAY-01").await;
    let mut request = grant_request(&version, &FOLLOW);
    request["not_before"] = json!("2026-09-01T10:01:00Z");
    request["expires_at"] = json!("2026-09-01T10:02:00Z");
    let grant = service.grant_of(&request).await;
    service.clock.advance(MINUTE_MS - 1);
    assert_snapshot!(get_pending_work(&grant.key).await, @"403 AUTHORING_CAPABILITY_NOT_YET_VALID");
    service.clock.advance(1);
    pending_work(&grant).await;
    service.clock.advance(MINUTE_MS - 1);
    pending_work(&grant).await;
    service.clock.advance(1);
    assert_snapshot!(get_pending_work(&grant.key).await, @"403 AUTHORING_CAPABILITY_EXPIRED");
}

#[testkit::test]
async fn missing_revoked_or_exhausted_grant_in_the_lineage_is_refused(service: TestService) {
    let version = service.draft("PAY-01").await;
    let mut request = grant_request(&version, &FOLLOW);
    request["max_uses"] = json!(3);
    let grant = service.grant_of(&request).await;
    service.replace_with_new_draft(&version).await;
    service.carry(&grant, 2).await;
    pending_work(&grant).await;
    for (change, restore, code) in [
        ("revoked_at = now()", "revoked_at = null", "REVOKED"),
        ("uses = 3", "uses = 0", "EXHAUSTED"),
    ] {
        service.sql(&format!("update capability_grants set {change} where depth = 1")).await;
        let refused = get_pending_work(&grant.key).await.to_string();
        assert_eq!(refused, format!("403 AUTHORING_CAPABILITY_{code}"));
        service.sql(&format!("update capability_grants set {restore} where depth = 1")).await;
    }
    service.sql("alter table capability_grants drop constraint capability_grants_tenant_id_root_id_fkey,
               drop constraint capability_grants_tenant_id_parent_id_fkey").await;
    service.sql("delete from capability_grants where depth = 1").await;
    assert_snapshot!(get_pending_work(&grant.key).await, @"403 AUTHORING_CAPABILITY_MISSING");
}

/// Database changes to a grant that break its integrity.
const TAMPERING_CHANGES: [&str; 16] = [
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

#[testkit::test]
async fn tampered_capability_is_refused(service: TestService) {
    let version = service.draft("PAY-01").await;
    service.draft("OTHER").await;
    let mut request = grant_request(&version, &FOLLOW);
    request["max_uses"] = json!(3);
    request["expires_at"] = json!("2026-09-15T10:00:00Z");
    let grant = service.grant_of(&request).await;
    service.sql("create table saved_grants as select * from capability_grants").await;
    for change in TAMPERING_CHANGES {
        service.sql(&format!("update capability_grants set {change}")).await;
        let refused = get_pending_work(&grant.key).await.to_string();
        assert_eq!(refused, "403 AUTHORING_CAPABILITY_INTEGRITY", "{change}");
        service.sql("delete from capability_grants").await;
        service.sql("insert into capability_grants select * from saved_grants").await;
    }
    pending_work(&grant).await;
}

#[testkit::test]
async fn lineage_with_a_tampered_first_grant_is_refused(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    service.replace_with_new_draft(&version).await;
    service.carry(&grant, 2).await;
    service.sql("update capability_grants set version = 9 where depth = 1").await;
    assert_snapshot!(get_pending_work(&grant.key).await, @"403 AUTHORING_CAPABILITY_INTEGRITY");
}

#[testkit::test]
async fn tampered_grant_cannot_be_carried_over(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    service.replace_with_new_draft(&version).await;
    service.sql("update capability_grants set max_uses = 1000").await;
    let carry = json!({"version": 2});
    let carry = service.author().await.post(format!("{}/carry", grant.path()), &carry).await;
    assert_snapshot!(carry, @"403 AUTHORING_CAPABILITY_INTEGRITY");
}

#[testkit::test]
async fn grant_without_either_action_receives_403_out_of_scope(service: TestService) {
    let version = service.draft("PAY-01").await;
    for (actions, missing) in
        [(["policy.read"], "review.retrieve"), (["review.retrieve"], "policy.read")]
    {
        let grant = service.grant(&version, &actions).await;
        let refused = get_pending_work(&grant.key).await.to_string();
        assert_eq!(refused, format!("403 AUTHORING_CAPABILITY_OUT_OF_SCOPE ({missing})"));
        // The status of the grant is checked before its actions.
        assert_eq!(service.author().await.delete(grant.path()).await.status, 204);
        let refused = get_pending_work(&grant.key).await.to_string();
        assert_eq!(refused, "403 AUTHORING_CAPABILITY_REVOKED");
    }
}

#[testkit::test]
async fn new_draft_has_no_items_and_the_response_has_no_additional_members(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    let version_details = service.read(&version).await;
    let expected = json!({
        "capability_id": grant.id, "root_capability_id": grant.id, "policy_id": version.policy,
        "policy_version_id": version_details["id"], "policy_version_number": 1, "observed_at": NOW,
        "items": [], "returns_not_answerable": [],
    });
    assert_eq!(pending_work(&grant).await, expected);
}

#[testkit::test]
async fn carried_over_capability_returns_its_own_and_its_root_id(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    let next = service.replace_with_new_draft(&version).await;
    let carried = service.carry(&grant, 2).await;
    let response = pending_work(&grant).await;
    let version_details = service.read(&next).await;
    assert_eq!(response["capability_id"], carried["id"]);
    assert_eq!(text(&response["root_capability_id"]), grant.id);
    assert_eq!(response["policy_version_id"], version_details["id"]);
    assert_eq!(response["policy_version_number"], 2);
}

#[testkit::test]
async fn deleted_version_is_not_found(service: TestService) {
    let (version, grant) = draft_with_grant(&service).await;
    assert_eq!(service.author().await.delete(version.path()).await.status, 204);
    assert_snapshot!(get_pending_work(&grant.key).await, @"404 NOT_FOUND");
}
