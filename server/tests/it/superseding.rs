//! Superseding a draft: the old draft remains readable, and requested changes are still addressed.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, text},
    service::{NOW, TestService, Version, policy, rules, test_service},
};

impl TestService {
    /// Supersedes the first revision of a draft as the author and returns the response.
    async fn try_supersede(&self, version: &Version) -> TestResponse {
        self.author().await.post(version.action_path("supersede"), &correction(1)).await
    }

    /// Supersedes the first revision of a draft as the author and returns the new draft.
    async fn supersede(&self, version: &Version) -> Version {
        self.try_supersede(version).await.expect(201);
        Version { policy: version.policy.clone(), number: version.number + 1 }
    }
}

fn correction(revision: u32) -> Value {
    json!({
        "expected_revision": revision, "rules": rules(5_000), "change_reason": "the limit is per day",
    })
}

#[tokio::test]
async fn superseding_retains_the_old_draft_and_creates_a_new_one() {
    let service = test_service().await;
    let old = service.draft("PAY-01").await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000), "change_reason": "lower"});
    let before = service.author().await.patch(old.path(), &edit).await.expect(200);
    let response = service.author().await.post(old.action_path("supersede"), &correction(2)).await;
    let result = response.expect(201);
    let new = format!("{}/versions/2", old.policy_path());
    assert_eq!(response.header("location"), Some(&*new));

    let (replaced, draft) = (&result["replaced"], &result["draft"]);
    assert_eq!(replaced["status"], "replaced");
    assert_eq!(replaced.get("rules"), None, "a replaced version is returned without rules");
    assert_eq!(
        (&replaced["closed_at"], &replaced["superseded_by_version"]),
        (&json!(NOW), &json!(2))
    );
    assert_eq!(replaced["closed_reason"], "the limit is per day");
    assert_eq!(replaced["closed_by"], before["created_by"]);
    assert_eq!((&draft["version"], &draft["draft_revision"]), (&json!(2), &json!(1)));
    assert_eq!((&draft["status"], &draft["rules"]), (&json!("draft"), &rules(5_000)));
    assert_eq!(
        (&draft["change_reason"], &draft["supersedes_version"]),
        (&json!("the limit is per day"), &json!(1),)
    );

    // The stored version is unchanged except for the closing members.
    let mut stored = service.read(&old).await;
    assert_eq!(stored["rules"], rules(9_000));
    for member in ["closed_at", "closed_by", "closed_reason", "superseded_by_version"] {
        assert_eq!(stored.as_object_mut().unwrap().remove(member).as_ref(), replaced.get(member));
    }
    stored["status"] = json!("draft");
    assert_eq!(stored, before);
    assert_eq!(service.key.get(&new).await.expect(200), *draft);
    let policy = service.key.get(old.policy_path()).await.expect(200);
    assert_eq!((&policy["draft_version"], &policy["latest_version"]), (&json!(2), &json!(2)));
    let list = service.key.get(old.versions_path()).await.expect(200);
    assert_eq!(list["items"][1]["superseded_by_version"], 2);
}

#[tokio::test]
async fn a_replaced_draft_cannot_be_superseded_or_edited() {
    let service = test_service().await;
    let old = service.draft("PAY-01").await;
    let new = service.supersede(&old).await;
    let before = service.read(&old).await;
    assert_snapshot!(service.try_supersede(&old).await, @"409 INVALID_TRANSITION (VERSION_NOT_DRAFT)");
    let edit = json!({"expected_revision": 1, "rules": []});
    let error = service.author().await.patch(old.path(), &edit).await;
    assert_snapshot!(error, @"409 INVALID_TRANSITION (VERSION_NOT_DRAFT)");
    service.author().await.patch(new.path(), &edit).await.expect(200);
    assert_eq!(service.read(&old).await, before);
}

#[tokio::test]
async fn superseding_a_stale_revision_returns_the_current_draft() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    let current = service.author().await.patch(version.path(), &edit).await.expect(200);
    let error = service.try_supersede(&version).await;
    assert_snapshot!(error, @"409 STALE_DRAFT_REVISION");
    assert_eq!(error.details(), json!({"current": current}));
    assert_eq!(service.read(&version).await, current);
}

#[tokio::test]
async fn all_errors_of_a_supersede_request_are_returned_together() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let author = service.author().await;
    let errors = async |body: Value| {
        author.post(version.action_path("supersede"), &body).await.field_errors()
    };
    assert_snapshot!(errors(json!({})).await, @r"
    /expected_revision required
    /rules required
    /change_reason required
    ");
    let invalid = json!({
        "expected_revision": -1, "rules": [{"code": "R"}], "change_reason": "x".repeat(501),
        "reason": "",
    });
    assert_snapshot!(errors(invalid).await, @r"
    /expected_revision range
    /change_reason too_long
    /reason unknown
    /rules/0/rule_type required
    /rules/0/condition required
    /rules/0/severity required
    ");
    let mut unknown = correction(1);
    unknown["rules"][0]["rule_type"] = json!("magic");
    let error = author.post(version.action_path("supersede"), &unknown).await;
    assert_snapshot!(error, @"422 UNSUPPORTED_RULE_TYPE (magic)");
    let mut longest = correction(1);
    longest["change_reason"] = json!("x".repeat(500));
    author.post(version.action_path("supersede"), &longest).await.expect(201);
}

/// The statements that insert a capability grant for a version, which is valid for 14 days.
fn grant(version: &Version, state: &str) -> String {
    format!(
        "insert into capability_grants (tenant_id, id, sequence, root_id, depth, api_key_id, policy_id,
             policy_version_id, version, actions, issued_by, issued_at, statement, digest, expires_at)
         select v.tenant_id, v.id, 1, v.id, 1, k.id, v.policy_id, v.id, v.version, '{{policy.draft.edit}}',
             m.user_id, '{NOW}', '{{}}', '', timestamptz '{NOW}' + interval '14 days'
         from policy_versions v
         join lateral (select id from api_keys where tenant_id = v.tenant_id limit 1) k on true
         join lateral (select user_id from members
             where tenant_id = v.tenant_id and role = 'admin' limit 1) m on true
         where v.policy_id = '{}' and v.version = {};
         update capability_grants set {state}",
        version.policy, version.number
    )
}

async fn run_as_superuser(service: &TestService, statements: &str) {
    for statement in statements.split(';') {
        service.sql(statement).await;
    }
}

#[tokio::test]
async fn a_draft_bound_to_a_capability_cannot_be_superseded_before_the_grant_expires() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    run_as_superuser(&service, &grant(&version, "uses = 0")).await;
    let error = service.try_supersede(&version).await;
    assert_snapshot!(error, @"409 INVALID_TRANSITION (VERSION_BOUND_TO_CAPABILITY)");
    let details = json!({
        "reason": "VERSION_BOUND_TO_CAPABILITY", "from": "draft", "requested": "supersede",
    });
    assert_eq!(error.details(), details);
    // The grant is valid until the last millisecond before it expires.
    service.clock.advance(14 * 24 * 60 * 60 * 1_000 - 1);
    let author = service.signed_in_member(contract::scope::Role::Author).await;
    let try_supersede =
        async || author.post(version.action_path("supersede"), &correction(1)).await;
    assert_eq!(try_supersede().await.status, 409);
    service.clock.advance(1);
    try_supersede().await.expect(201);
}

#[tokio::test]
async fn a_revoked_or_carried_over_grant_does_not_bind_the_draft() {
    let service = test_service().await;
    for (code, state) in
        [("REVOKED", "revoked_at = now()"), ("CARRIED", "carried_to = id, carried_at = now()")]
    {
        let version = service.draft(code).await;
        service.sql("delete from capability_grants").await;
        run_as_superuser(&service, &grant(&version, state)).await;
        service.try_supersede(&version).await.expect(201);
    }
}

#[tokio::test]
async fn the_issuer_of_a_capability_for_a_version_cannot_ratify_it() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    run_as_superuser(&service, &grant(&version, "revoked_at = now()")).await;
    service.submit(&version).await;
    let ratification = json!({"expected_revision": 1});
    let error = service.admin().await.post(version.action_path("ratify"), &ratification).await;
    assert_snapshot!(error, @"403 MAKER_CHECKER_VIOLATION");
    service.ratify(&version).await;
}

#[tokio::test]
async fn requested_changes_on_a_replaced_draft_are_addressed_by_its_successor() {
    let service = test_service().await;
    let first = service.draft("PAY-01").await;
    let submission = service.seal(&first).await;
    let second = service.supersede(&first).await;
    let third = service.supersede(&second).await;
    // The submission of the first draft can still be reviewed, and the latest draft addresses it.
    let record = service.review(&first, &submission, "RETURN").await;
    let author = service.author().await;
    let seal = async |version: &Version, body: Value| {
        author.post(version.action_path("seal"), &body).await
    };
    let resubmission = json!({"answers_record_id": record});
    let error = seal(&third, json!({})).await;
    assert_snapshot!(error, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    assert_eq!(error.details(), json!({"record_id": record}));
    let error = seal(&second, resubmission.clone()).await;
    assert_snapshot!(error, @"409 INVALID_TRANSITION (VERSION_NOT_SEALABLE)");
    let submission = seal(&third, resubmission.clone()).await.expect(201);
    assert_eq!(
        (&submission["sequence"], &submission["answers_record_id"]),
        (&json!(1), &json!(record))
    );
    // The next submission follows the version's own submission.
    let edit = json!({"expected_revision": 1});
    author.patch(third.path(), &edit).await.expect(200);
    let error = seal(&third, resubmission).await;
    assert_snapshot!(error, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");
    seal(&third, json!({})).await.expect(201);
}

#[tokio::test]
async fn an_independent_draft_has_no_requested_changes_to_address() {
    let service = test_service().await;
    let first = service.draft("PAY-01").await;
    let submission = service.seal(&first).await;
    service.review(&first, &submission, "RETURN").await;
    let reason = json!({"reason": "start over"});
    service.author().await.post(first.action_path("set-aside"), &reason).await.expect(200);
    let path = first.versions_path();
    service.author().await.post(path, &json!({"rules": []})).await.expect(201);
    service.seal(&Version { number: 2, ..first }).await;
}

/// Creates a policy with a draft lineage of `links` links without any review submission. The open
/// draft has the number `links` + 1.
async fn create_lineage(service: &TestService, code: &str, links: u32) -> Version {
    let created = service.author().await.post("/v1/policies", &policy(code)).await.expect(201);
    let policy = text(&created["policy"]["id"]).to_owned();
    let statements = format!(
        "update policy_versions set status = 'replaced' where policy_id = '{policy}';
         insert into policy_versions (tenant_id, policy_id, version, id, draft_revision, rules,
             rules_digest, is_active, status, created_at, makers, lineage_previous)
         select tenant_id, policy_id, n, gen_random_uuid(), 1, rules, rules_digest, false,
             case when n = {head} then 'draft' else 'replaced' end, created_at, makers, n - 1
         from policy_versions, generate_series(2, {head}) n
         where policy_id = '{policy}' and version = 1;
         update policies set draft_version = {head}, latest_version = {head} where id = '{policy}'",
        head = links + 1,
    );
    run_as_superuser(service, &statements).await;
    Version { policy, number: links + 1 }
}

/// Drops the constraints of a lineage and disables its trigger, as in a database restored without
/// them.
async fn drop_lineage_constraints(service: &TestService) {
    for change in [
        "drop constraint policy_versions_lineage",
        "drop constraint policy_versions_lineage_decreasing",
        "disable trigger prevent_closed_version_changes",
    ] {
        service.sql(&format!("alter table policy_versions {change}")).await;
    }
}

const UNRESOLVED: &str = "409 LINEAGE_UNRESOLVED";

#[tokio::test]
async fn a_lineage_of_64_links_is_resolved_and_one_of_65_links_is_not() {
    let service = test_service().await;
    let author = service.author().await;
    let long = create_lineage(&service, "LONG", 64).await;
    author.post(long.action_path("seal"), &json!({})).await.expect(201);
    let longer = create_lineage(&service, "LONGER", 65).await;
    for body in [json!({}), json!({"answers_record_id": longer.policy})] {
        let error = author.post(longer.action_path("seal"), &body).await;
        assert_eq!(error.to_string(), UNRESOLVED);
    }
    assert_eq!(service.sql("select count(*)::text from review_submissions").await, ["1"]);
}

#[tokio::test]
async fn requested_changes_at_the_end_of_64_links_must_be_addressed() {
    let service = test_service().await;
    let author = service.author().await;
    for (code, links, expected) in [
        ("LONG", 64, "400 RESUBMISSION_ANSWERS_RECORD_REQUIRED"),
        // A longer lineage is not resolved.
        ("LONGER", 65, UNRESOLVED),
    ] {
        let head = create_lineage(&service, code, links).await;
        service
            .sql("alter table policy_versions disable trigger prevent_closed_version_changes")
            .await;
        let set_first_status = |status: &str| {
            format!(
                "update policy_versions set status = '{status}'
                 where policy_id = '{}' and version = 1",
                head.policy
            )
        };
        let set_head_status = |status: &str| {
            format!(
                "update policy_versions set status = '{status}'
                 where policy_id = '{}' and version = {}",
                head.policy, head.number
            )
        };
        service.sql(&set_head_status("replaced")).await;
        service.sql(&set_first_status("draft")).await;
        let first = Version { number: 1, ..head.clone() };
        let submission = service.seal(&first).await;
        service.review(&first, &submission, "RETURN").await;
        service.sql(&set_first_status("replaced")).await;
        service.sql(&set_head_status("draft")).await;
        assert_eq!(author.post(head.action_path("seal"), &json!({})).await.to_string(), expected);
    }
}

#[tokio::test]
async fn a_cyclic_or_dangling_lineage_is_unresolved() {
    let service = test_service().await;
    let author = service.author().await;
    drop_lineage_constraints(&service).await;
    for (code, first) in [("CYCLE", "3"), ("SELF", "1"), ("DANGLING", "77")] {
        let head = create_lineage(&service, code, 3).await;
        service.sql("drop index if exists policy_versions_one_successor").await;
        let update = format!(
            "update policy_versions set lineage_previous = {first}
             where policy_id = '{}' and version = 1",
            head.policy
        );
        service.sql(&update).await;
        let error = author.post(head.action_path("seal"), &json!({})).await;
        assert_eq!(error.to_string(), UNRESOLVED, "{code}");
    }
}

#[tokio::test]
async fn an_invalid_lineage_beyond_the_sealed_version_does_not_prevent_sealing() {
    let service = test_service().await;
    let author = service.author().await;
    let first = service.draft("PAY-01").await;
    let submission = service.seal(&first).await;
    let record = service.review(&first, &submission, "RETURN").await;
    let second = service.supersede(&first).await;
    drop_lineage_constraints(&service).await;
    service.sql("update policy_versions set lineage_previous = 77 where version = 1").await;
    let error = author.post(second.action_path("seal"), &json!({})).await;
    assert_snapshot!(error, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    let resubmission = json!({"answers_record_id": record});
    author.post(second.action_path("seal"), &resubmission).await.expect(201);
}
