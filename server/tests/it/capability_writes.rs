//! Programs that work under a grant: on their own version, each act by its action, every write counted.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    capabilities::{EVERY, Grant, asked},
    client::{TestResponse, text},
    service::{TestService, Version, rules, world},
};

/// One thing that a grant can allow, done to a version.
async fn act(grant: &Grant, version: &Version, action: &str) -> TestResponse {
    let key = &grant.key;
    match action {
        "policy.read" => key.get(version.path()).await,
        "review.retrieve" => key.get(version.act("submissions")).await,
        "policy.draft.edit" => {
            let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
            key.patch(version.path(), &edit).await
        }
        "policy.submit" => key.post(version.act("submit"), &json!({})).await,
        "review.seal" => key.post(version.act("seal"), &json!({})).await,
        _ => panic!("`{action}` is no action"),
    }
}

/// How many writes were counted of a grant.
async fn uses(world: &TestService, grant: &Grant) -> Value {
    world.key.get(grant.path()).await.expect(200)["uses"].clone()
}

#[tokio::test]
async fn each_action_opens_its_own_act_and_no_other() {
    let world = world().await;
    for (place, allowed) in EVERY.into_iter().enumerate() {
        let version = world.draft(&format!("PAY-{place}")).await;
        let grant = world.grant(&version, &[allowed]).await;
        for action in EVERY.into_iter().filter(|action| *action != allowed) {
            let refused = act(&grant, &version, action).await;
            let expected = format!("403 AUTHORING_CAPABILITY_OUT_OF_SCOPE ({action})");
            assert_eq!(refused.to_string(), expected, "with {allowed}");
        }
        assert_eq!(uses(&world, &grant).await, 0);
        let done = act(&grant, &version, allowed).await;
        assert!(done.status < 300, "{allowed}: {}", done.text);
    }
}

#[tokio::test]
async fn another_version_is_out_of_scope_whether_or_not_it_is_there() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let other = world.draft("PAY-02").await;
    let grant = world.grant(&version, &EVERY).await;
    let missing = Version { number: 2, ..version.clone() };
    let nowhere = Version { policy: "00000000-0000-4000-8000-000000000000".to_owned(), number: 1 };
    for version in [&other, &missing, &nowhere] {
        for action in EVERY {
            let refused = act(&grant, version, action).await;
            assert_eq!(refused.to_string(), "403 AUTHORING_CAPABILITY_OUT_OF_SCOPE", "{action}");
        }
    }
}

#[tokio::test]
async fn writes_are_counted_and_nothing_else_is() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let grant = world.grant(&version, &EVERY).await;
    act(&grant, &version, "policy.read").await.expect(200);
    act(&grant, &version, "review.retrieve").await.expect(200);
    grant.key.get("/v1/authoring-capabilities/current").await.expect(200);
    grant.key.get("/v1/authoring-capabilities/current/pending-work").await.expect(200);
    assert_eq!(uses(&world, &grant).await, 0, "reads");
    let stale = json!({"expected_revision": 7, "rules": []});
    assert_eq!(grant.key.patch(version.path(), &stale).await.status, 409);
    assert_eq!(uses(&world, &grant).await, 0, "what was refused");
    act(&grant, &version, "policy.draft.edit").await.expect(200);
    act(&grant, &version, "review.seal").await.expect(201);
    assert_eq!(uses(&world, &grant).await, 2);
    act(&grant, &version, "review.seal").await.expect(200);
    assert_eq!(uses(&world, &grant).await, 2, "a seal that was there writes nothing");
    act(&grant, &version, "policy.submit").await.expect(200);
    assert_eq!(uses(&world, &grant).await, 3);
    world.author().await.post(version.act("recall"), &json!({})).await.expect(200);
    assert_eq!(uses(&world, &grant).await, 3, "what a person did");
}

#[tokio::test]
async fn a_grant_without_uses_left_opens_nothing_any_more() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let mut asked = asked(&version, &EVERY);
    asked["max_uses"] = json!(1);
    let grant = world.grant_of(&asked).await;
    act(&grant, &version, "review.seal").await.expect(201);
    for action in EVERY {
        let refused = act(&grant, &version, action).await;
        assert_eq!(refused.to_string(), "403 AUTHORING_CAPABILITY_EXHAUSTED", "{action}");
    }
    let read = world.key.get(version.path()).await.expect(200);
    assert_eq!((&read["status"], &read["draft_revision"]), (&json!("draft"), &json!(1)));
}

#[tokio::test]
async fn what_a_program_writes_is_told_under_its_grant_and_counts_as_its_issuers_work() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let grant = world.grant(&version, &EVERY).await;
    act(&grant, &version, "policy.draft.edit").await.expect(200);
    let sealed = act(&grant, &version, "review.seal").await.expect(201);
    assert_eq!(sealed["sealed_by"], grant.issued["key"]["id"]);
    let log = world.key.get("/v1/audit-log?limit=1").await.expect(200);
    let actor = &log["items"][0]["actor"];
    assert_eq!((text(&actor["type"]), text(&actor["id"])), ("capability", &*grant.id));
    assert_eq!(actor["key_name"], "drafting assistant");
    act(&grant, &version, "policy.submit").await.expect(200);

    // Another person issues a grant that writes: that person has a part in making the version from then on.
    let ratify = json!({"expected_revision": 2});
    let admin = world.admin().await;
    let issued =
        admin.post("/v1/authoring-capabilities", &asked(&version, &["policy.submit"])).await;
    issued.expect(201);
    let refused = admin.post(version.act("ratify"), &ratify).await;
    assert_snapshot!(refused, @"403 MAKER_CHECKER_VIOLATION");
    world.ratifier().await.post(version.act("ratify"), &ratify).await.expect(200);
}

#[tokio::test]
async fn a_program_answers_a_return_as_a_person_does() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let grant = world.grant(&version, &EVERY).await;
    let sealed = act(&grant, &version, "review.seal").await.expect(201);
    let record = world.review(&version, text(&sealed["id"]), "RETURN").await;
    let list = act(&grant, &version, "review.retrieve").await.expect(200);
    assert_eq!(list["items"][0]["records"][0]["id"], json!(record));
    act(&grant, &version, "policy.draft.edit").await.expect(200);
    let silent = act(&grant, &version, "review.seal").await;
    assert_snapshot!(silent, @"400 RESUBMISSION_ANSWERS_RECORD_REQUIRED");
    let answer = json!({"answers_record_id": record});
    let sealed = grant.key.post(version.act("seal"), &answer).await.expect(201);
    assert_eq!((&sealed["sequence"], &sealed["candidate_revision"]), (&json!(2), &json!(2)));
}
