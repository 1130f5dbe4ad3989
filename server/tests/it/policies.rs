//! Changes of a policy without a new version, and deletion of a policy.

use crate::prelude::*;

async fn evaluate(service: &TestService, amount: u32) -> Value {
    let body = json!({"context": payment(amount)});
    service.key.post("/v1/decisions/evaluate", &body).await.expect(200)
}

async fn count_events(service: &TestService) -> usize {
    service.sql("select action from audit_events").await.len()
}

#[testkit::test]
async fn patch_with_the_current_values_writes_nothing(service: TestService) {
    let version = service.active("PAY-01").await;
    let before = service.key.get(version.policy_path()).await.expect(200);
    let event_count = count_events(&service).await;
    service.clock.advance(MINUTE_MS);
    // A key is allowed to send these patches, because no verdict changes.
    let same = json!({"name": "Payments", "shadow_mode": false, "decision_types": ["payment"]});
    for patch in [json!({}), same] {
        let patched = service.key.patch(version.policy_path(), &patch).await.expect(200);
        assert_eq!(patched, before);
    }
    assert_eq!(count_events(&service).await, event_count);
}

#[testkit::test]
async fn patch_changes_only_the_given_members(service: TestService) {
    let version = service.draft("PAY-01").await;
    let before = service.key.get(version.policy_path()).await.expect(200);
    let changes = json!({
        "name": "Outgoing payments", "description": "payments to suppliers",
        "decision_types": ["payment", "refund"], "shadow_mode": true, "inheritable": true,
        "regulatory_refs": ["PSD2"],
    });
    service.clock.advance(MINUTE_MS);
    let mut expected = before.clone();
    for (name, value) in changes.as_object().unwrap() {
        let patched =
            service.key.patch(version.policy_path(), &json!({ name: value })).await.expect(200);
        expected[name] = value.clone();
        expected["updated_at"] = json!("2026-09-01T10:01:00.000Z");
        assert_eq!(patched, expected, "{name}");
    }
    assert_eq!(service.key.get(version.policy_path()).await.expect(200), expected);
    assert_eq!((&before["updated_at"], &expected["created_at"]), (&json!(NOW), &json!(NOW)));
    let cleared =
        service.key.patch(version.policy_path(), &json!({"description": null})).await.expect(200);
    assert_eq!(cleared.get("description"), None);
    // The version is unchanged.
    assert_eq!(service.read(&version).await["draft_revision"], 1);
}

#[testkit::test]
async fn changes_that_affect_verdicts_of_an_active_policy_require_a_ratifier(service: TestService) {
    let active = service.active("ACTIVE").await;
    let ratified = service.ratified("RATIFIED").await;
    let without_right = [
        service.signed_in_member(Role::Author).await,
        service.signed_in_member(Role::Reviewer).await,
    ];
    // Keys are allowed to make these changes unless the tenant sets `human_changes_only`.
    service.sql("update settings set human_changes_only = true").await;
    for patch in [
        json!({"shadow_mode": true}),
        json!({"decision_types": ["payment", "refund"]}),
        json!({"inheritable": true}),
        json!({"name": "Other", "shadow_mode": true}),
    ] {
        let event_count = count_events(&service).await;
        let refused = service.key.patch(active.policy_path(), &patch).await;
        assert_eq!(refused.to_string(), "403 HUMAN_REQUIRED", "{patch}");
        for person in &without_right {
            let refused = person.patch(active.policy_path(), &patch).await;
            assert_eq!(refused.to_string(), "403 FORBIDDEN", "{patch}");
        }
        assert_eq!(count_events(&service).await, event_count);
        service.ratifier().await.patch(active.policy_path(), &patch).await.expect(200);
        // A key can change a policy without an active version.
        service.key.patch(ratified.policy_path(), &patch).await.expect(200);
        let original = json!({
            "name": "Payments", "shadow_mode": false, "decision_types": ["payment"],
            "inheritable": false,
        });
        service.ratifier().await.patch(active.policy_path(), &original).await.expect(200);
    }
    // Descriptive members require no ratifier.
    let descriptive =
        json!({"name": "Renamed", "description": "words", "regulatory_refs": ["PSD2"]});
    service.key.patch(active.policy_path(), &descriptive).await.expect(200);
    service.deactivate(&active).await;
    service.key.patch(active.policy_path(), &json!({"shadow_mode": true})).await.expect(200);
}

#[testkit::test]
async fn change_applies_to_the_next_evaluation(service: TestService) {
    let version = service.active("PAY-01").await;
    let ratifier = service.ratifier().await;
    let mut digests = Vec::new();
    let digest = |evaluated: &Value| evaluated["result"]["policy_snapshot_digest"].clone();

    let enforced = evaluate(&service, 12_000).await;
    assert_eq!(enforced["result"]["decision"], "DENY");
    digests.push(digest(&enforced));
    ratifier.patch(version.policy_path(), &json!({"shadow_mode": true})).await.expect(200);
    let shadowed = evaluate(&service, 12_000).await;
    assert_eq!(shadowed["result"]["decision"], "ALERT");
    assert_eq!(shadowed["result"]["original_decision"], "DENY");
    assert_eq!(shadowed["evaluated_policies"][0]["shadow_mode"], true);
    digests.push(digest(&shadowed));

    service.key.patch(version.policy_path(), &json!({"name": "Transfers"})).await.expect(200);
    let renamed = evaluate(&service, 1).await;
    assert_eq!(renamed["evaluated_policies"][0]["policy_name"], "Transfers");
    digests.push(digest(&renamed));
    digests.dedup();
    assert_eq!(digests.len(), 3, "each change creates another snapshot");

    // Neither member is part of a snapshot. The response includes `regulatory_refs`.
    let patch = json!({"regulatory_refs": ["PSD2"], "description": "words"});
    service.key.patch(version.policy_path(), &patch).await.expect(200);
    let cited = evaluate(&service, 1).await;
    assert_eq!(cited["evaluated_policies"][0]["regulatory_refs"], json!(["PSD2"]));
    assert_eq!(digest(&cited), digest(&renamed));

    ratifier.patch(version.policy_path(), &json!({"decision_types": ["loan"]})).await.expect(200);
    let record = || service.key.post("/v1/decisions/record", &request("k", 1)).into_future();
    assert_snapshot!(record().await, @"404 NO_ACTIVE_POLICIES");
    ratifier.patch(version.policy_path(), &json!({"decision_types": []})).await.expect(200);
    let recorded = record().await.expect(201);
    assert_eq!(recorded["decision"]["policy"]["name"], "Transfers");
}

#[testkit::test]
async fn policy_without_a_ratified_version_can_be_deleted(service: TestService) {
    let bare = json!({"code": "BARE", "name": "Bare"});
    let bare = service.key.post("/v1/policies", &bare).await.expect(201)["policy"]["id"].clone();
    let draft = service.draft("DRAFT").await;
    let submitted = service.submitted("SUBMITTED").await;
    for path in
        [format!("/v1/policies/{}", text(&bare)), draft.policy_path(), submitted.policy_path()]
    {
        let deleted = service.key.delete(&path).await;
        assert_eq!((deleted.status, deleted.text.as_str()), (204, ""), "{path}");
        assert_eq!(service.key.get(&path).await.to_string(), "404 NOT_FOUND");
        assert_eq!(service.key.delete(&path).await.to_string(), "404 NOT_FOUND");
    }
    assert_eq!(service.key.get(draft.path()).await.to_string(), "404 NOT_FOUND");
    assert_eq!(service.sql("select code from policies").await, [""; 0]);
    assert_eq!(service.sql("select version::text from policy_versions").await, [""; 0]);
    // A new policy can use the code.
    assert_ne!(service.draft("DRAFT").await.policy, draft.policy);
}

#[testkit::test]
async fn policy_with_a_ratified_version_cannot_be_deleted(service: TestService) {
    let ratified = service.ratified("RATIFIED").await;
    let active = service.active("ACTIVE").await;
    let mut statuses = Vec::new();
    for version in [&ratified, &active] {
        let refused = service.ratifier().await.delete(version.policy_path()).await;
        assert_eq!(refused.to_string(), "409 INVALID_TRANSITION (POLICY_HAS_HISTORY)");
        assert_eq!(refused.details()["requested"], "delete");
        statuses.push(refused.details()["from"].clone());
    }
    assert_eq!(statuses, ["inactive", "active"]);
    // The policy cannot be deleted after its deactivation either.
    service.deactivate(&active).await;
    let refused = service.key.delete(active.policy_path()).await;
    assert_snapshot!(refused, @"409 INVALID_TRANSITION (POLICY_HAS_HISTORY)");
    service.read(&active).await;
}

#[testkit::test]
async fn concurrent_deletion_and_reuse_of_a_code_cause_no_internal_error(service: TestService) {
    for _ in 0..8 {
        let old = service.draft("PAY-01").await;
        let (deleted, created) = tokio::join!(
            service.key.delete(old.policy_path()).into_future(),
            service.key.post("/v1/policies", &policy("pay-01")).into_future(),
        );
        assert_eq!(deleted.status, 204, "{deleted}");
        assert!(matches!(&*created.to_string(), "201" | "409 DUPLICATE_CODE"), "{created}");
        if created.status == 201 {
            let path = format!("/v1/policies/{}", text(&created.json()["policy"]["id"]));
            assert_eq!(service.key.delete(path).await.status, 204);
        }
    }
}
