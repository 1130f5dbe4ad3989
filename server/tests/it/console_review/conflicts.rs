//! Actions on a state that has changed since the page was loaded.

use super::{act, record_review, review, review_records, version_page};
use crate::prelude::*;

#[testkit::test]
async fn an_action_on_a_version_with_a_stale_status_is_refused(service: TestService) {
    let version = service.draft("SPEND").await;
    let author = Browser::new(&service, service.author().await);
    let page = version_page(&version);
    // The form shows `submitted` and the version is a draft, and the reverse.
    for (stale_status, transition) in [("submitted", "submit"), ("draft", "recall")] {
        let stale_fields = [("form[status]", stale_status), ("form[text]", "No longer needed.")];
        let mut fields = stale_fields.to_vec();
        let now = service.read(&version).await;
        let (tenant, revision) = (author.tenant(), now["draft_revision"].to_string());
        fields.extend([
            ("form[act]", "SetAside"),
            ("form[tenant]", &*tenant),
            ("form[policy]", &*version.policy),
            ("form[version]", "1"),
            ("form[revision]", &*revision),
            ("form[digest]", text(&now["rules_digest"])),
        ]);
        author.post("/console/act-on-version", &form(&fields)).await;
        author.shows(&format!("{page}/set-aside"), ["It is now"]).await;
        assert_eq!(service.read(&version).await["status"], now["status"]);
        service.author().await.post(version.action_path(transition), &json!({})).await.expect(200);
    }
}

#[testkit::test]
async fn an_activation_replaces_only_the_version_shown_on_the_page(service: TestService) {
    let first = service.active("SPEND").await;
    let second = service.successor(&first, &crate::service::rules(9_000)).await;
    let ratifier = Browser::new(&service, service.ratifier().await);
    let page = format!("{}/activate", version_page(&second));
    let html = ratifier.page(&page).await.text;
    assert_eq!(crate::console_pages::hidden(&html, "form[replaces]"), "1");
    service.deactivate(&first).await;
    let activate = async |replaces: &str| {
        let fields = [("form[read]", "yes"), ("form[replaces]", replaces)];
        act(&service, &ratifier, &second, "Activate", &fields).await;
    };
    activate("1").await;
    assert!(ratifier.page(&page).await.text.contains("Another version was activated"));
    assert_eq!(service.read(&second).await["is_active"], false);
    activate("").await;
    assert_eq!(service.read(&second).await["is_active"], true);
}

#[testkit::test]
async fn a_review_records_only_the_revision_shown_to_the_reviewer(service: TestService) {
    let version = service.draft("SPEND").await;
    let author = service.author().await;
    let reviewer = Browser::member(&service, Role::Reviewer).await;
    author.post(version.action_path("seal"), &json!({})).await.expect(201);
    let page = format!("{}/review", version_page(&version));
    // The reviewer opens the confirmation page of the first revision.
    review(&service, &reviewer, &version, &[("form[verdict]", "ACCEPT")]).await;
    let confirmation = reviewer.page(&format!("{page}/accept")).await.text;
    let digest = service.read(&version).await["rules_digest"].clone();
    assert!(confirmation.contains(text(&digest)), "{confirmation}");
    // The author edits and seals the draft again.
    let edit = json!({"expected_revision": 1, "rules": crate::service::rules(500)});
    author.patch(version.path(), &edit).await.expect(200);
    author.post(version.action_path("seal"), &json!({})).await.expect(201);
    // The form of the first revision records nothing and shows the reason.
    record_review(&reviewer, &confirmation).await;
    assert!(review_records(&service, &version).await.is_empty());
    reviewer.shows(&page, ["The draft was updated to r2 while you were reading."]).await;
    // A newly opened confirmation page requires a review of the new revision.
    let html = reviewer
        .shows(&format!("{page}/accept"), ["The version changed while you were reading"])
        .await;
    assert!(!html.contains("record-review"), "{html}");
    // The form of the old revision is refused for the new submission.
    let submissions = service.key.get(format!("{}/submissions", version.path())).await.expect(200);
    let old_submission = crate::console_pages::hidden(&confirmation, "place[submission]");
    let forged = confirmation.replace(&old_submission, text(&submissions["items"][0]["id"]));
    record_review(&reviewer, &forged).await;
    assert!(review_records(&service, &version).await.is_empty());
    review(&service, &reviewer, &version, &[("form[verdict]", "ACCEPT")]).await;
    let confirmation = reviewer.page(&format!("{page}/accept")).await.text;
    record_review(&reviewer, &confirmation).await;
    let [record] = &*review_records(&service, &version).await else { panic!("one record") };
    assert_eq!(record["submission_id"], submissions["items"][0]["id"]);
}

#[tokio::test]
async fn concurrent_changes_of_policies_groups_and_settings_are_detected() {
    use crate::console_pages::hidden;
    let service = test_service().await;
    let admin = Browser::new(&service, &service.admin().await);
    let version = service.draft("SPEND").await;
    let tenant = service.tenant.to_string();
    let group = json!({"code": "LENDING", "name": "Lending"});
    let group = service.key.post("/v1/policy-groups", &group).await.expect(201);
    let group = text(&group["id"]).to_owned();

    let page = format!("policies/{}/details", version.policy);
    let seen_values = hidden(&admin.page(&page).await.text, "form[seen]");
    service.key.patch(version.policy_path(), &json!({"name": "Other words"})).await.expect(200);
    let fields = [("policy", &*version.policy), ("form[name]", "Mine")];
    let fields = [&fields[..], &[("form[seen]", &*seen_values)]].concat();
    admin.post("/console/edit-policy", &form(&fields)).await;
    assert!(admin.page(&page).await.text.contains("The policy was changed concurrently"));
    assert_eq!(service.key.get(version.policy_path()).await.expect(200)["name"], "Other words");

    let page = format!("groups/{group}");
    let html = admin.page(&page).await.text;
    let (seen_edit, seen_values) = (hidden(&html, "form[seen]"), hidden(&html, "seen"));
    let path = format!("/v1/policy-groups/{group}");
    service.key.patch(&path, &json!({"name": "Loans"})).await.expect(200);
    let fields = [("id", &*group)];
    let change = [("form[code]", "LENDING"), ("form[name]", "Mine"), ("form[seen]", &*seen_edit)];
    admin.post("/console/edit-group", &form(&[&fields[..], &change].concat())).await;
    assert!(admin.page(&page).await.text.contains("The policy group was changed concurrently"));
    let delete = [&fields[..], &[("seen", &*seen_values)]].concat();
    admin.post("/console/delete-group", &form(&delete)).await;
    assert_eq!(service.key.get(&path).await.expect(200)["name"], "Loans");

    let page = "settings?change=alert_min_severity&to=critical";
    let before = hidden(&admin.page(page).await.text, "form[before]");
    assert_eq!(before, "medium");
    service.key.patch("/v1/settings", &json!({"alert_min_severity": "low"})).await.expect(200);
    let change = [
        ("form[tenant]", &*tenant),
        ("form[setting]", "alert_min_severity"),
        ("form[before]", &*before),
        ("form[value]", "critical"),
        ("form[reason]", "fewer of them"),
    ];
    admin.post("/console/change-setting", &form(&change)).await;
    assert!(admin.page(page).await.text.contains("The settings were changed concurrently"));
    let settings = service.key.get("/v1/settings").await.expect(200);
    assert_eq!(settings["alert_min_severity"], "low");
}
