//! Version lists, version diffs and deleted drafts.

use crate::prelude::*;

#[testkit::test]
async fn the_number_of_a_deleted_draft_is_not_reused(service: TestService) {
    let first = service.active("PAY-01").await;
    let second = service.next_draft(&first, &rules(5_000)).await;
    let response = service.author().await.delete(second.path()).await;
    assert_eq!((response.status, response.text.as_str()), (204, ""));
    assert_eq!(service.key.get(second.path()).await.to_string(), "404 NOT_FOUND");
    assert_eq!(service.key.delete(second.path()).await.to_string(), "404 NOT_FOUND");
    let policy = service.key.get(first.policy_path()).await.expect(200);
    assert_eq!(policy.get("draft_version"), None);
    assert_eq!((&policy["active_version"], &policy["latest_version"]), (&json!(1), &json!(2)));
    let third = service.next_draft(&first, &rules(4_000)).await;
    assert_eq!(third.number, 3, "a version number is used once");
    // A draft can only be based on a version that exists.
    for missing in [2, 4, u32::MAX] {
        let body = json!({"rules": [], "based_on_version": missing});
        let refusal = service.key.post(first.versions_path(), &body).await;
        assert_eq!(refusal.field_errors(), "/based_on_version unknown\n", "{missing}");
    }
    // The only version of a policy can be deleted too.
    let only = service.draft("PAY-02").await;
    assert_eq!(service.key.delete(only.path()).await.status, 204);
    assert_eq!(service.next_draft(&only, &json!([])).await.number, 2);
}

#[tokio::test]
async fn versions_are_listed_newest_first_and_only_the_open_one_with_its_rules() {
    let service = test_service().await;
    let first = service.active("PAY-01").await;
    let path = first.versions_path();
    for limit in [9_000, 8_000, 7_000] {
        service.successor(&first, &rules(limit)).await;
    }
    let page = |query: &str| service.key.get(format!("{path}?{query}")).into_future();
    let numbers = |page: &Value| {
        let items = items(page).iter();
        items.map(|version| version["version"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let all = page("").await.expect(200);
    assert_eq!((numbers(&all), &all["next_cursor"]), (vec![4, 3, 2, 1], &Value::Null));
    let mut version = service.read(&first).await;
    version.as_object_mut().unwrap().remove("rules");
    assert_eq!(all["items"][3], version);

    let newest = page("limit=2").await.expect(200);
    assert_eq!(numbers(&newest), [4, 3]);
    let cursor = text(&newest["next_cursor"]);
    // A version created between two pages does not shift the second page.
    service.next_draft(&first, &rules(1)).await;
    let with_draft = page("").await.expect(200);
    let has_rules = |version: &Value| version.get("rules").is_some();
    let has_rules: Vec<bool> = items(&with_draft).iter().map(has_rules).collect();
    assert_eq!(has_rules, [true, false, false, false, false], "{with_draft}");
    let open = service.key.get(format!("{path}/5")).await.expect(200);
    assert_eq!(with_draft["items"][0]["rules"], open["rules"]);
    let rest = page(&format!("limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!((numbers(&rest), &rest["next_cursor"]), (vec![2, 1], &Value::Null));
    let other = service.draft("OTHER").await;
    let error = service.key.get(format!("{}/versions?cursor={cursor}", other.policy_path())).await;
    assert_eq!(error.field_errors(), "/cursor cursor\n");
    let empty = service.key.post("/v1/policies", &json!({"code": "E", "name": "Empty"})).await;
    let empty = format!("/v1/policies/{}/versions", text(&empty.expect(201)["policy"]["id"]));
    assert_eq!(service.key.get(empty).await.expect(200)["items"], json!([]));
}

#[testkit::test]
async fn a_version_is_compared_with_the_active_version_by_default(service: TestService) {
    let first = service.ratified("PAY-01").await;
    let against = async |version: &Version| {
        let diff = service.key.get(version.action_path("diff")).await.expect(200);
        (diff.get("against").cloned(), diff["added"].as_array().map(Vec::len))
    };
    assert_eq!(
        against(&first).await,
        (None, Some(3)),
        "without an earlier version, every rule is new"
    );
    let second = service.successor(&first, &rules(5_000)).await;
    assert_eq!(
        against(&second).await,
        (Some(json!(1)), Some(0)),
        "without an active version, the previous version is used"
    );
    let third = service.successor(&first, &rules(4_000)).await;
    assert_eq!(against(&third).await.0, Some(json!(2)));
    service.activate(&first).await;
    assert_eq!(against(&third).await.0, Some(json!(1)));
    assert_eq!(against(&second).await.0, Some(json!(1)));
    service.activate(&third).await;
    assert_eq!(against(&third).await.0, Some(json!(2)), "a version is not compared with itself");
    assert_eq!(against(&first).await.0, Some(json!(3)));
}

#[testkit::test]
async fn a_diff_against_a_missing_or_invalid_version_is_refused(service: TestService) {
    let version = service.draft("PAY-01").await;
    let diff =
        async |query: &str| service.key.get(version.action_path(&format!("diff{query}"))).await;
    assert_snapshot!(diff("?against=2").await, @"404 NOT_FOUND");
    let missing = Version { number: 2, ..version.clone() };
    assert_snapshot!(service.key.get(missing.action_path("diff")).await, @"404 NOT_FOUND");
}
