//! The lineage of drafts: what is said when it cannot be followed, or leads beyond the grants.

use serde_json::{Value, json};

use super::{FOLLOW, Grant, superseded, work};
use crate::service::{TestService, Version, world};

/// A draft whose sealed predecessor was returned, by record; only the draft is named by a grant.
async fn corrected(world: &TestService) -> (Version, Version, String, Grant) {
    let first = world.draft("PAY-01").await;
    let submission = world.seal(&first).await;
    let record = world.review(&first, &submission, "RETURN").await;
    let second = superseded(world, &first).await;
    let grant = world.grant(&second, &FOLLOW).await;
    (first, second, record, grant)
}

/// Bends the lineage of one version, past the walls that keep it straight.
async fn bend(world: &TestService, version: &Version, previous: &str) {
    for wall in [
        "drop constraint if exists policy_versions_lineage",
        "drop constraint if exists policy_versions_lineage_decreasing",
        "disable trigger prevent_closed_version_changes",
    ] {
        world.sql(&format!("alter table policy_versions {wall}")).await;
    }
    world.sql("drop index if exists policy_versions_one_successor").await;
    let bend = format!(
        "update policy_versions set lineage_previous = {previous}
         where policy_id = '{}' and version = {}",
        version.policy, version.number
    );
    world.sql(&bend).await;
}

/// What the next seal is answered.
async fn seal(world: &TestService, version: &Version, body: Value) -> String {
    world.author().await.post(version.act("seal"), &body).await.to_string()
}

#[tokio::test]
async fn a_previous_version_that_no_grant_names_is_told_and_its_items_are_not_listed() {
    let world = world().await;
    let first = world.draft("PAY-01").await;
    let submission = world.seal(&first).await;
    let second = superseded(&world, &first).await;
    let grant = world.grant(&second, &FOLLOW).await;
    let now = work(&grant).await;
    assert_eq!(now["lineage_not_backed_by_grant"], true);
    assert_eq!(now["items"], json!([]));
    assert_eq!(now.get("lineage_unresolved"), None);
    // The return is given all the same, and the seal is not refused for it.
    let record = world.review(&first, &submission, "RETURN").await;
    let now = work(&grant).await;
    assert_eq!(now["next_seal_answers"]["review_record_id"], json!(record));
    assert_eq!(now["next_seal_answers"]["version"], 1);
    assert_eq!(now["returns_not_answerable"], json!([]));
    assert_eq!(seal(&world, &second, json!({"answers_record_id": record})).await, "201");
    assert_eq!(work(&grant).await.get("lineage_not_backed_by_grant"), None);
}

#[tokio::test]
async fn a_previous_version_that_a_grant_of_the_chain_names_is_backed() {
    let world = world().await;
    let first = world.draft("PAY-01").await;
    let grant = world.grant(&first, &FOLLOW).await;
    let submission = world.seal(&first).await;
    let record = world.review(&first, &submission, "RETURN").await;
    superseded(&world, &first).await;
    world.carry(&grant, 2).await;
    let now = work(&grant).await;
    assert_eq!(now["next_seal_answers"]["review_record_id"], json!(record));
    assert_eq!(now.get("lineage_not_backed_by_grant"), None);
    assert_eq!((&now["items"], &now["returns_not_answerable"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn a_cycle_or_a_dangling_link_before_any_sealed_version_is_unresolved_and_refuses_the_seal() {
    let world = world().await;
    for (code, previous) in [("ITSELF", "1"), ("ROUND", "2"), ("DANGLING", "77")] {
        let first = world.draft(code).await;
        let second = superseded(&world, &first).await;
        let grant = world.grant(&second, &FOLLOW).await;
        assert_eq!(work(&grant).await.get("lineage_unresolved"), None);
        bend(&world, &first, previous).await;
        let now = work(&grant).await;
        assert_eq!(now["lineage_unresolved"], true, "{code}");
        assert_eq!(now.get("next_seal_answers"), None);
        assert_eq!(now.get("lineage_not_backed_by_grant"), None, "no version was found");
        assert_eq!(seal(&world, &second, json!({})).await, "409 LINEAGE_UNRESOLVED", "{code}");
    }
}

#[tokio::test]
async fn a_failure_beyond_the_sealed_version_gives_next_seal_answers_and_both_flags() {
    let world = world().await;
    let (first, second, record, grant) = corrected(&world).await;
    bend(&world, &first, "77").await;
    let now = work(&grant).await;
    assert_eq!(now["lineage_unresolved"], true);
    assert_eq!(now["lineage_not_backed_by_grant"], true);
    assert_eq!(now["next_seal_answers"]["review_record_id"], json!(record));
    assert_eq!(seal(&world, &second, json!({"answers_record_id": record})).await, "201");
}

#[tokio::test]
async fn more_than_64_links_count_as_unresolved() {
    let world = world().await;
    for (links, expected) in [(64, None), (65, Some(json!(true)))] {
        let first = world.draft(&format!("LINKS-{links}")).await;
        let head = links + 1;
        for statement in [
            format!("update policy_versions set status = 'replaced' where policy_id = '{}'", first.policy),
            format!(
                "insert into policy_versions (tenant_id, policy_id, version, id, draft_revision, rules,
                     rules_digest, is_active, status, created_at, makers, lineage_previous)
                 select tenant_id, policy_id, n, gen_random_uuid(), 1, rules, rules_digest, false,
                     case when n = {head} then 'draft' else 'replaced' end, created_at, makers, n - 1
                 from policy_versions, generate_series(2, {head}) n
                 where policy_id = '{}' and version = 1",
                first.policy
            ),
            format!(
                "update policies set draft_version = {head}, latest_version = {head} where id = '{}'",
                first.policy
            ),
        ] {
            world.sql(&statement).await;
        }
        let grant = world.grant(&Version { number: head, ..first }, &FOLLOW).await;
        assert_eq!(work(&grant).await.get("lineage_unresolved").cloned(), expected, "{links}");
    }
}
