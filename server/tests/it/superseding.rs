//! A draft is corrected by another one: the old one is history, and its reviews are still answered.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, text},
    service::{NOW, TestService, Version, policy, rules, world},
};

impl TestService {
    /// The attempt of the author to correct the first revision of a draft.
    async fn superseding(&self, version: &Version) -> TestResponse {
        self.author().await.post(version.act("supersede"), &correction(1)).await
    }

    /// The author corrects the first revision of a draft.
    async fn superseded(&self, version: &Version) -> Version {
        self.superseding(version).await.expect(201);
        Version { policy: version.policy.clone(), number: version.number + 1 }
    }
}

fn correction(revision: u32) -> Value {
    json!({
        "expected_revision": revision, "rules": rules(5_000), "change_reason": "the limit is per day",
    })
}

#[tokio::test]
async fn a_corrected_draft_is_kept_exactly_as_it_was_and_a_new_one_begins() {
    let world = world().await;
    let old = world.draft("PAY-01").await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000), "change_reason": "lower"});
    let before = world.author().await.patch(old.path(), &edit).await.expect(200);
    let answer = world.author().await.post(old.act("supersede"), &correction(2)).await;
    let both = answer.expect(201);
    let new = format!("{}/versions/2", old.of());
    assert_eq!(answer.header("location"), Some(&*new));

    let (replaced, draft) = (&both["replaced"], &both["draft"]);
    assert_eq!(replaced["status"], "replaced");
    assert_eq!(replaced.get("rules"), None, "the closed form has no rules");
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

    // History shows it as it was, with what closed it.
    let mut history = world.key.get(old.path()).await.expect(200);
    assert_eq!(history["rules"], rules(9_000));
    for closed in ["closed_at", "closed_by", "closed_reason", "superseded_by_version"] {
        assert_eq!(history.as_object_mut().unwrap().remove(closed).as_ref(), replaced.get(closed));
    }
    history["status"] = json!("draft");
    assert_eq!(history, before);
    assert_eq!(world.key.get(&new).await.expect(200), *draft);
    let policy = world.key.get(old.of()).await.expect(200);
    assert_eq!((&policy["draft_version"], &policy["latest_version"]), (&json!(2), &json!(2)));
    let list = world.key.get(format!("{}/versions", old.of())).await.expect(200);
    assert_eq!(list["items"][1]["superseded_by_version"], 2);
}

#[tokio::test]
async fn a_replaced_draft_moves_no_more() {
    let world = world().await;
    let old = world.draft("PAY-01").await;
    let new = world.superseded(&old).await;
    let before = world.key.get(old.path()).await.expect(200);
    assert_snapshot!(world.superseding(&old).await, @"409 INVALID_TRANSITION (VERSION_NOT_DRAFT)");
    let edit = json!({"expected_revision": 1, "rules": []});
    let refused = world.author().await.patch(old.path(), &edit).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (VERSION_NOT_DRAFT)");
    world.author().await.patch(new.path(), &edit).await.expect(200);
    assert_eq!(world.key.get(old.path()).await.expect(200), before);
}

#[tokio::test]
async fn a_stale_correction_is_told_the_current_candidate() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    let current = world.author().await.patch(version.path(), &edit).await.expect(200);
    let refused = world.superseding(&version).await;
    assert_snapshot!(refused, @"409 STALE_DRAFT_REVISION");
    assert_eq!(refused.details(), json!({"current": current}));
    assert_eq!(world.key.get(version.path()).await.expect(200), current);
}

#[tokio::test]
async fn faults_of_a_correction_are_told_all_at_once() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let author = world.author().await;
    let faults = async |body: Value| author.post(version.act("supersede"), &body).await.faults();
    assert_snapshot!(faults(json!({})).await, @r"
    /expected_revision required
    /rules required
    /change_reason required
    ");
    let long = json!({
        "expected_revision": -1, "rules": [{"code": "R"}], "change_reason": "x".repeat(501),
        "reason": "",
    });
    assert_snapshot!(faults(long).await, @r"
    /expected_revision range
    /change_reason too_long
    /reason unknown
    /rules/0/rule_type required
    /rules/0/condition required
    /rules/0/severity required
    ");
    let mut unknown = correction(1);
    unknown["rules"][0]["rule_type"] = json!("magic");
    let refused = author.post(version.act("supersede"), &unknown).await;
    assert_snapshot!(refused, @"422 UNSUPPORTED_RULE_TYPE (magic)");
    let mut longest = correction(1);
    longest["change_reason"] = json!("x".repeat(500));
    author.post(version.act("supersede"), &longest).await.expect(201);
}

/// A grant of a fortnight that names a version, as it is stored.
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

/// Runs statements past every wall.
async fn force(world: &TestService, statements: &str) {
    for statement in statements.split(';') {
        world.sql(statement).await;
    }
}

#[tokio::test]
async fn a_draft_bound_to_a_capability_is_set_aside_instead() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    force(&world, &grant(&version, "uses = 0")).await;
    let refused = world.superseding(&version).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (VERSION_BOUND_TO_CAPABILITY)");
    let facts = json!({
        "reason": "VERSION_BOUND_TO_CAPABILITY", "from": "draft", "requested": "supersede",
    });
    assert_eq!(refused.details(), facts);
    // The last moment of the grant is its last.
    world.clock.advance(14 * 24 * 60 * 60 * 1_000 - 1);
    let author = world.person(contract::scope::Role::Author).await;
    let supersede = async || author.post(version.act("supersede"), &correction(1)).await;
    assert_eq!(supersede().await.status, 409);
    world.clock.advance(1);
    supersede().await.expect(201);
}

#[tokio::test]
async fn a_grant_that_was_revoked_or_carried_binds_nothing() {
    let world = world().await;
    for (code, state) in
        [("REVOKED", "revoked_at = now()"), ("CARRIED", "carried_to = id, carried_at = now()")]
    {
        let version = world.draft(code).await;
        world.sql("delete from capability_grants").await;
        force(&world, &grant(&version, state)).await;
        world.superseding(&version).await.expect(201);
    }
}

#[tokio::test]
async fn whoever_issued_a_capability_for_a_version_does_not_ratify_it() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    force(&world, &grant(&version, "revoked_at = now()")).await;
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    let read = json!({"expected_revision": 1});
    let refused = world.admin().await.post(version.act("ratify"), &read).await;
    assert_snapshot!(refused, @"403 MAKER_CHECKER_VIOLATION");
    world.ratify(&version).await;
}

#[tokio::test]
async fn a_return_on_a_replaced_draft_is_answered_by_its_successor() {
    let world = world().await;
    let first = world.draft("PAY-01").await;
    let submission = world.seal(&first).await;
    let second = world.superseded(&first).await;
    let third = world.superseded(&second).await;
    // What was sealed of the first draft is still reviewed, and the head answers it.
    let record = world.review(&first, &submission, "RETURN").await;
    let author = world.author().await;
    let seal = async |version: &Version, body: Value| author.post(version.act("seal"), &body).await;
    let answer = json!({"answers_record_id": record});
    let silent = seal(&third, json!({})).await;
    assert_snapshot!(silent, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    assert_eq!(silent.details(), json!({"record_id": record}));
    let replaced = seal(&second, answer.clone()).await;
    assert_snapshot!(replaced, @"409 INVALID_TRANSITION (VERSION_NOT_SEALABLE)");
    let sealed = seal(&third, answer.clone()).await.expect(201);
    assert_eq!((&sealed["sequence"], &sealed["answers_record_id"]), (&json!(1), &json!(record)));
    // From here on the version's own submission is the one before the next.
    let edit = json!({"expected_revision": 1});
    author.patch(third.path(), &edit).await.expect(200);
    let again = seal(&third, answer).await;
    assert_snapshot!(again, @"409 RESUBMISSION_PRIOR_NOT_RETURNED");
    seal(&third, json!({})).await.expect(201);
}

#[tokio::test]
async fn a_new_draft_that_corrects_none_owes_no_answer() {
    let world = world().await;
    let first = world.draft("PAY-01").await;
    let submission = world.seal(&first).await;
    world.review(&first, &submission, "RETURN").await;
    let because = json!({"reason": "begin anew"});
    world.author().await.post(first.act("set-aside"), &because).await.expect(200);
    let path = format!("{}/versions", first.of());
    world.author().await.post(path, &json!({"rules": []})).await.expect(201);
    world.seal(&Version { number: 2, ..first }).await;
}

/// A policy whose open draft, of number `links` + 1, stands at the end of that many links; none of
/// them was sealed.
async fn lineage(world: &TestService, code: &str, links: u32) -> Version {
    let made = world.author().await.post("/v1/policies", &policy(code)).await.expect(201);
    let policy = text(&made["policy"]["id"]).to_owned();
    let chain = format!(
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
    force(world, &chain).await;
    Version { policy, number: links + 1 }
}

/// Takes down the walls that keep a lineage straight, as a restored store may be without them.
async fn with_triggers_disabled(world: &TestService) {
    for wall in [
        "drop constraint policy_versions_lineage",
        "drop constraint policy_versions_lineage_decreasing",
        "disable trigger prevent_closed_version_changes",
    ] {
        world.sql(&format!("alter table policy_versions {wall}")).await;
    }
}

const UNRESOLVED: &str = "409 LINEAGE_UNRESOLVED";

#[tokio::test]
async fn a_lineage_of_64_links_is_followed_and_one_of_65_is_not() {
    let world = world().await;
    let author = world.author().await;
    let long = lineage(&world, "LONG", 64).await;
    author.post(long.act("seal"), &json!({})).await.expect(201);
    let longer = lineage(&world, "LONGER", 65).await;
    for body in [json!({}), json!({"answers_record_id": longer.policy})] {
        let refused = author.post(longer.act("seal"), &body).await;
        assert_eq!(refused.to_string(), UNRESOLVED);
    }
    assert_eq!(world.sql("select count(*)::text from review_submissions").await, ["1"]);
}

#[tokio::test]
async fn a_return_at_the_end_of_64_links_is_answered() {
    let world = world().await;
    let author = world.author().await;
    for (code, links, expected) in [
        ("LONG", 64, "400 RESUBMISSION_ANSWERS_RECORD_REQUIRED"),
        // Beyond, nobody knows what is owed.
        ("LONGER", 65, UNRESOLVED),
    ] {
        let head = lineage(&world, code, links).await;
        world
            .sql("alter table policy_versions disable trigger prevent_closed_version_changes")
            .await;
        let reopen = |status: &str| {
            format!(
                "update policy_versions set status = '{status}'
                 where policy_id = '{}' and version = 1",
                head.policy
            )
        };
        let park = |status: &str| {
            format!(
                "update policy_versions set status = '{status}'
                 where policy_id = '{}' and version = {}",
                head.policy, head.number
            )
        };
        world.sql(&park("replaced")).await;
        world.sql(&reopen("draft")).await;
        let first = Version { number: 1, ..head.clone() };
        let submission = world.seal(&first).await;
        world.review(&first, &submission, "RETURN").await;
        world.sql(&reopen("replaced")).await;
        world.sql(&park("draft")).await;
        assert_eq!(author.post(head.act("seal"), &json!({})).await.to_string(), expected);
    }
}

#[tokio::test]
async fn a_lineage_that_goes_round_or_leads_to_nothing_ends_as_unresolved() {
    let world = world().await;
    let author = world.author().await;
    with_triggers_disabled(&world).await;
    for (code, first) in [("ROUND", "3"), ("ITSELF", "1"), ("DANGLING", "77")] {
        let head = lineage(&world, code, 3).await;
        world.sql("drop index if exists policy_versions_one_successor").await;
        let bend = format!(
            "update policy_versions set lineage_previous = {first}
             where policy_id = '{}' and version = 1",
            head.policy
        );
        world.sql(&bend).await;
        let refused = author.post(head.act("seal"), &json!({})).await;
        assert_eq!(refused.to_string(), UNRESOLVED, "{code}");
    }
}

#[tokio::test]
async fn a_failure_beyond_the_sealed_version_refuses_no_seal() {
    let world = world().await;
    let author = world.author().await;
    let first = world.draft("PAY-01").await;
    let submission = world.seal(&first).await;
    let record = world.review(&first, &submission, "RETURN").await;
    let second = world.superseded(&first).await;
    with_triggers_disabled(&world).await;
    world.sql("update policy_versions set lineage_previous = 77 where version = 1").await;
    let silent = author.post(second.act("seal"), &json!({})).await;
    assert_snapshot!(silent, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    let answer = json!({"answers_record_id": record});
    author.post(second.act("seal"), &answer).await.expect(201);
}
