//! What may change about a policy without a new version, and what may go.

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Client, TestResponse, text},
    service::{MINUTE_MS, NOW, TestService, payment, policy, request, rules, world},
};

async fn evaluated(world: &TestService, amount: u32) -> Value {
    let body = json!({"context": payment(amount)});
    world.key.post("/v1/decisions/evaluate", &body).await.expect(200)
}

/// How many events the tenant's log holds.
async fn events(world: &TestService) -> usize {
    world.sql("select action from audit_events").await.len()
}

#[tokio::test]
async fn a_patch_changes_what_it_names_and_nothing_else() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let before = world.key.get(version.of()).await.expect(200);
    let everything = json!({
        "name": "Outgoing payments", "description": "what leaves the house",
        "decision_types": ["payment", "refund"], "shadow_mode": true, "inheritable": true,
        "regulatory_refs": ["PSD2"],
    });
    world.clock.advance(MINUTE_MS);
    let mut expected = before.clone();
    for (name, value) in everything.as_object().unwrap() {
        let patched = world.key.patch(version.of(), &json!({ name: value })).await.expect(200);
        expected[name] = value.clone();
        expected["updated_at"] = json!("2026-09-01T10:01:00.000Z");
        assert_eq!(patched, expected, "{name}");
    }
    assert_eq!(world.key.get(version.of()).await.expect(200), expected);
    assert_eq!((&before["updated_at"], &expected["created_at"]), (&json!(NOW), &json!(NOW)));
    let cleared = world.key.patch(version.of(), &json!({"description": null})).await.expect(200);
    assert_eq!(cleared.get("description"), None);
    // The version is what it was.
    assert_eq!(world.key.get(version.path()).await.expect(200)["draft_revision"], 1);
}

#[tokio::test]
async fn a_patch_that_asks_for_what_is_so_already_writes_nothing() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let before = world.key.get(version.of()).await.expect(200);
    let told = events(&world).await;
    world.clock.advance(MINUTE_MS);
    // A key may ask for it too: nothing changes a verdict.
    let same = json!({"name": "Payments", "shadow_mode": false, "decision_types": ["payment"]});
    for patch in [json!({}), same] {
        let patched = world.key.patch(version.of(), &patch).await.expect(200);
        assert_eq!(patched, before);
    }
    assert_eq!(events(&world).await, told);
}

#[tokio::test]
async fn every_fault_of_a_patch_is_named_at_once() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let patch = json!({
        "name": " ", "description": 7, "decision_types": ["a", ""], "policy_group_id": "x",
        "shadow_mode": "yes", "inheritable": null, "regulatory_refs": "PSD2", "code": "NEW",
        "is_active": false, "shadow_mod": true,
    });
    assert_snapshot!(world.key.patch(version.of(), &patch).await.faults(), @r"
    /name too_short
    /description type
    /decision_types/1 too_short
    /policy_group_id format
    /shadow_mode type
    /inheritable type
    /regulatory_refs type
    /code unknown
    /is_active unknown
    /shadow_mod unknown
    ");
}

#[tokio::test]
async fn what_changes_the_verdicts_of_an_active_policy_is_a_ratifiers_act() {
    let world = world().await;
    let active = world.active("ACTIVE").await;
    let waiting = world.ratified("WAITING").await;
    let below = [world.person(Role::Author).await, world.person(Role::Reviewer).await];
    // Keys may do it as well, unless the tenant closes such changes to them.
    world.sql("update settings set human_changes_only = true").await;
    for patch in [
        json!({"shadow_mode": true}),
        json!({"decision_types": ["payment", "refund"]}),
        json!({"inheritable": true}),
        json!({"name": "Other", "shadow_mode": true}),
    ] {
        let told = events(&world).await;
        let refused = world.key.patch(active.of(), &patch).await;
        assert_eq!(refused.to_string(), "403 HUMAN_REQUIRED", "{patch}");
        for person in &below {
            let refused = person.patch(active.of(), &patch).await;
            assert_eq!(refused.to_string(), "403 FORBIDDEN", "{patch}");
        }
        assert_eq!(events(&world).await, told);
        world.ratifier().await.patch(active.of(), &patch).await.expect(200);
        // A policy that decides nothing may be prepared.
        world.key.patch(waiting.of(), &patch).await.expect(200);
        let back = json!({
            "name": "Payments", "shadow_mode": false, "decision_types": ["payment"],
            "inheritable": false,
        });
        world.ratifier().await.patch(active.of(), &back).await.expect(200);
    }
    // What is only shown does not wait for a ratifier.
    let shown = json!({"name": "Shown", "description": "words", "regulatory_refs": ["PSD2"]});
    world.key.patch(active.of(), &shown).await.expect(200);
    let reason = json!({"reason": "over"});
    let deactivate = format!("{}/deactivate", active.of());
    world.ratifier().await.post(deactivate, &reason).await.expect(200);
    world.key.patch(active.of(), &json!({"shadow_mode": true})).await.expect(200);
}

#[tokio::test]
async fn a_change_counts_from_the_next_evaluation_on() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let ratifier = world.ratifier().await;
    let mut digests = Vec::new();
    let digest = |evaluated: &Value| evaluated["result"]["policy_snapshot_digest"].clone();

    let enforced = evaluated(&world, 12_000).await;
    assert_eq!(enforced["result"]["decision"], "DENY");
    digests.push(digest(&enforced));
    ratifier.patch(version.of(), &json!({"shadow_mode": true})).await.expect(200);
    let watched = evaluated(&world, 12_000).await;
    assert_eq!(watched["result"]["decision"], "ALERT");
    assert_eq!(watched["result"]["original_decision"], "DENY");
    assert_eq!(watched["evaluated_policies"][0]["shadow_mode"], true);
    digests.push(digest(&watched));

    world.key.patch(version.of(), &json!({"name": "Transfers"})).await.expect(200);
    let renamed = evaluated(&world, 1).await;
    assert_eq!(renamed["evaluated_policies"][0]["policy_name"], "Transfers");
    digests.push(digest(&renamed));
    digests.dedup();
    assert_eq!(digests.len(), 3, "each is another snapshot");

    // Neither is part of a snapshot; the first is part of the answer.
    let patch = json!({"regulatory_refs": ["PSD2"], "description": "words"});
    world.key.patch(version.of(), &patch).await.expect(200);
    let cited = evaluated(&world, 1).await;
    assert_eq!(cited["evaluated_policies"][0]["regulatory_refs"], json!(["PSD2"]));
    assert_eq!(digest(&cited), digest(&renamed));

    ratifier.patch(version.of(), &json!({"decision_types": ["loan"]})).await.expect(200);
    let record = || world.key.post("/v1/decisions/record", &request("k", 1)).into_future();
    assert_snapshot!(record().await, @"404 NO_ACTIVE_POLICIES");
    ratifier.patch(version.of(), &json!({"decision_types": []})).await.expect(200);
    let every = record().await.expect(201);
    assert_eq!(every["decision"]["policy"]["name"], "Transfers");
}

#[tokio::test]
async fn a_policy_goes_while_no_version_of_it_was_ratified() {
    let world = world().await;
    let bare = json!({"code": "BARE", "name": "Bare"});
    let bare = world.key.post("/v1/policies", &bare).await.expect(201)["policy"]["id"].clone();
    let draft = world.draft("DRAFT").await;
    let submitted = world.submitted("SUBMITTED").await;
    for path in [format!("/v1/policies/{}", text(&bare)), draft.of(), submitted.of()] {
        let gone = world.key.delete(&path).await;
        assert_eq!((gone.status, gone.text.as_str()), (204, ""), "{path}");
        assert_eq!(world.key.get(&path).await.to_string(), "404 NOT_FOUND");
        assert_eq!(world.key.delete(&path).await.to_string(), "404 NOT_FOUND");
    }
    assert_eq!(world.key.get(draft.path()).await.to_string(), "404 NOT_FOUND");
    assert_eq!(world.sql("select code from policies").await, [""; 0]);
    assert_eq!(world.sql("select version::text from policy_versions").await, [""; 0]);
    // Its code is free again, for a policy of another id.
    assert_ne!(world.draft("DRAFT").await.policy, draft.policy);
}

#[tokio::test]
async fn a_policy_with_a_history_stays() {
    let world = world().await;
    let ratified = world.ratified("RATIFIED").await;
    let active = world.active("ACTIVE").await;
    let mut from = Vec::new();
    for version in [&ratified, &active] {
        let refused = world.ratifier().await.delete(version.of()).await;
        assert_eq!(refused.to_string(), "409 INVALID_TRANSITION (POLICY_HAS_HISTORY)");
        assert_eq!(refused.details()["requested"], "delete");
        from.push(refused.details()["from"].clone());
    }
    assert_eq!(from, ["inactive", "active"]);
    // Not even when the version was put out of force again.
    let deactivate = format!("{}/deactivate", active.of());
    world.ratifier().await.post(deactivate, &json!({"reason": "over"})).await.expect(200);
    let refused = world.key.delete(active.of()).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (POLICY_HAS_HISTORY)");
    world.key.get(active.path()).await.expect(200);
}

#[tokio::test]
async fn a_code_that_is_given_up_and_taken_at_once_is_never_a_fault_of_ours() {
    let world = world().await;
    for _ in 0..8 {
        let old = world.draft("PAY-01").await;
        let (gone, taken) = tokio::join!(
            world.key.delete(old.of()).into_future(),
            world.key.post("/v1/policies", &policy("pay-01")).into_future(),
        );
        assert_eq!(gone.status, 204, "{gone}");
        assert!(matches!(&*taken.to_string(), "201" | "409 DUPLICATE_CODE"), "{taken}");
        if taken.status == 201 {
            let path = format!("/v1/policies/{}", text(&taken.json()["policy"]["id"]));
            assert_eq!(world.key.delete(path).await.status, 204);
        }
    }
}

#[tokio::test]
async fn who_only_reads_changes_nothing() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let reader = world.key_with(&[Scope::PoliciesRead]).await;
    let viewer = world.person(Role::Viewer).await;
    let renamed = json!({"name": "Mine"});
    let told = async |client: &Client| {
        let answers: [TestResponse; 3] = [
            client.patch(version.of(), &renamed).await,
            client.delete(version.of()).await,
            client.delete(version.path()).await,
        ];
        answers.map(|answer| answer.to_string())
    };
    assert_eq!(told(&reader).await, ["403 INSUFFICIENT_SCOPE (policies:write)"; 3]);
    assert_eq!(told(&viewer).await, ["403 FORBIDDEN"; 3]);
    assert_eq!(world.key.get(version.path()).await.expect(200)["rules"], rules(10_000));
}
