//! Superseding a draft: the old draft remains readable, and a lineage of drafts has a limit.

use crate::{
    capabilities::{EVERY, grant_request},
    prelude::*,
};

impl TestService {
    /// Supersedes the first revision of a draft as the author and returns the response.
    async fn try_supersede(&self, version: &Version) -> TestResponse {
        self.author().await.post(version.action_path("supersede"), &correction(1)).await
    }
}

fn correction(revision: u32) -> Value {
    json!({
        "expected_revision": revision, "rules": rules(5_000), "change_reason": "the limit is per day",
    })
}

#[testkit::test]
async fn superseding_retains_the_old_draft_and_creates_a_new_one(service: TestService) {
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

#[testkit::test]
async fn a_capability_binds_its_draft_until_it_expires(service: TestService) {
    let version = service.draft("PAY-01").await;
    let mut request = grant_request(&version, &EVERY);
    request["expires_at"] = json!("2026-09-01T10:02:00Z");
    service.grant_of(&request).await;
    service.clock.advance(2 * MINUTE_MS - 1);
    let error = service.try_supersede(&version).await;
    assert_snapshot!(error, @"409 INVALID_TRANSITION (VERSION_BOUND_TO_CAPABILITY)");
    service.clock.advance(1);
    service.try_supersede(&version).await.expect(201);
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
    for statement in statements.split(';') {
        service.sql(statement).await;
    }
    Version { policy, number: links + 1 }
}

const UNRESOLVED: &str = "409 LINEAGE_UNRESOLVED";

#[testkit::test]
async fn a_lineage_of_64_links_is_resolved_and_one_of_65_links_is_not(service: TestService) {
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
