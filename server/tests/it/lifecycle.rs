//! Transitions of a policy version: the statuses and callers that allow them, and their audit events.

use crate::prelude::*;

#[testkit::test]
async fn each_step_of_a_version_states_who_took_it_and_when(service: TestService) {
    let version = service.draft("PAY-01").await;
    let (author, reviewer) = (service.author().await, service.reviewer().await);
    let post = async |person: &Client, action: &str, body: Value| {
        let after = person.post(version.action_path(action), &body).await.expect(200);
        assert_eq!(service.read(&version).await, after, "{action}");
        after
    };
    let before = service.read(&version).await;
    let submitted = post(author, "submit", json!({})).await;
    assert_eq!(submitted["status"], "submitted");
    assert_eq!(submitted["submitted_at"], NOW);
    assert_eq!(submitted["submitted_by"], user_id(author).await);
    let recalled = post(author, "recall", json!({})).await;
    for member in ["status", "rules", "draft_revision"] {
        assert_eq!(recalled[member], before[member], "{member}");
    }
    service.submit(&version).await;
    let rejected = post(reviewer, "reject", json!({"reason": "too high"})).await;
    assert_eq!((&rejected["status"], &rejected["rejected_at"]), (&json!("draft"), &json!(NOW)));
    assert_eq!(rejected["rejected_by"], user_id(reviewer).await);
    assert_eq!(rejected["rejection_reason"], "too high");
    service.submit(&version).await;
    let ratifier = service.ratifier().await;
    let ratified = post(ratifier, "ratify", json!({"expected_revision": 1})).await;
    assert_eq!((&ratified["status"], &ratified["is_active"]), (&json!("ratified"), &json!(false)));
    let active = post(ratifier, "activate", json!({})).await;
    assert_eq!((&active["status"], &active["is_active"]), (&json!("ratified"), &json!(true)));
}

#[tokio::test]
async fn edit_increments_the_revision_and_a_stale_edit_returns_the_current_draft() {
    let service = test_service().await;
    let version = service.draft("PAY-01").await;
    let author = service.author().await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000), "change_reason": "lower"});
    let edited = author.patch(version.path(), &edit).await.expect(200);
    assert_eq!(edited["draft_revision"], 2);
    assert_eq!(edited["rules"], rules(9_000));
    assert_eq!(edited["change_reason"], "lower");
    let refused = author.patch(version.path(), &edit).await;
    assert_snapshot!(refused, @"409 STALE_DRAFT_REVISION");
    assert_eq!(refused.details(), json!({"current": edited}));
    // Absent members stay unchanged.
    let unchanged = json!({"expected_revision": 2});
    let same = author.patch(version.path(), &unchanged).await.expect(200);
    assert_eq!((&same["rules"], &same["change_reason"]), (&edited["rules"], &json!("lower")));
    assert_eq!(same["draft_revision"], 3);
}

#[testkit::test]
async fn policy_response_includes_the_requested_version(service: TestService) {
    let version = service.active("PAY-01").await;
    let path = version.versions_path();
    let next = json!({"rules": rules(5_000)});
    let draft = service.author().await.post(path, &next).await.expect(201);
    let get_version = async |selector: &str| {
        service.key.get(format!("{}?version={selector}", version.policy_path())).await
    };
    assert_eq!(get_version("active").await.expect(200)["version"]["version"], 1);
    assert_eq!(get_version("1").await.expect(200)["version"]["rules"], rules(10_000));
    assert_eq!(get_version("draft").await.expect(200)["version"], draft);
    assert_eq!(get_version("2").await.expect(200)["version"], draft);
    assert_eq!(service.key.get(version.policy_path()).await.expect(200).get("version"), None);
    assert_snapshot!(get_version("3").await, @"404 NOT_FOUND");
    assert_snapshot!(get_version("4294967295").await, @"404 NOT_FOUND");
    let new = service.draft("NEW").await;
    let active = service.key.get(format!("{}?version=active", new.policy_path())).await;
    assert_snapshot!(active, @"404 NOT_FOUND");
}

#[testkit::test]
async fn the_rules_of_all_active_versions_are_bounded_in_bytes(service: TestService) {
    let first = service.active("FIRST").await.policy;
    let second = service.ratified("SECOND").await;
    let (ratifier, path) = (service.ratifier().await, second.action_path("activate"));
    let enlarge = async |bytes: usize| {
        // Without the triggers that protect the rules of a version.
        for statement in [
            "alter table policy_versions disable trigger user",
            &format!(
                "update policy_versions set rules = '[' || repeat(' ', {bytes}) || ']' where is_active"
            ),
            "alter table policy_versions enable trigger user",
        ] {
            service.sql(statement).await;
        }
    };
    let message = |refused: Value| text(&refused["error"]["message"]).to_owned();
    enlarge(17_000_000).await;
    let refused = ratifier.post(&path, &json!({})).await.expect(409);
    assert_snapshot!(message(refused), @"the active versions of the tenant would have more than 16 MiB of rules; deactivate others or shorten this one");
    enlarge(8_388_500).await;
    let refused = ratifier.post(&path, &json!({})).await.expect(409);
    assert_snapshot!(message(refused), @"the active versions that govern a decision type would have more than 8 MiB of rules; deactivate others or shorten this one");
    assert_eq!(
        service.sql("select count(*)::text from policy_versions where is_active").await,
        ["1"]
    );

    let (policies, types) = ("/v1/policies", |name: &str| json!({"decision_types": [name]}));
    ratifier.patch(format!("{policies}/{first}"), &types("travel")).await.expect(200);
    ratifier.patch(format!("{policies}/{}", second.policy), &types("payment")).await.expect(200);
    ratifier.post(&path, &json!({})).await.expect(200);
    let refused = ratifier.patch(format!("{policies}/{}", second.policy), &types("travel")).await;
    assert_eq!(refused.status, 409);
}
