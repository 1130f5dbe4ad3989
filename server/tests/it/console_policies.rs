//! The list of policies and the page of a policy in a browser without JavaScript.

use crate::prelude::*;

#[testkit::test]
async fn an_empty_list_offers_samples_and_a_sample_becomes_a_draft(service: TestService) {
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = viewer.page("policies").await.text;
    assert!(page.contains("No policies yet") && !page.contains("Start from a sample"), "{page}");

    let author = Browser::member(&service, Role::Author).await;
    author
        .shows(
            "policies",
            ["Start from a sample", "value=\"CONSUMER-CREDIT\"", "create-from-sample"],
        )
        .await;
    let response = author.post("/console/create-from-sample", "code=CONSUMER-CREDIT").await;
    let location = response.header("location").unwrap_or_default();
    assert!(location.ends_with("/versions/1/edit"), "{location}: {}", response.text);
    let policies = service.key.get("/v1/policies").await.expect(200);
    let created = &policies["items"][0];
    assert_eq!(
        (&created["code"], &created["draft_version"]),
        (&json!("CONSUMER-CREDIT"), &json!(1))
    );

    // A second policy with the code, an unknown sample and a role without the right are refused.
    author.post("/console/create-from-sample", "code=CONSUMER-CREDIT").await;
    assert!(author.page("policies").await.text.contains("DUPLICATE_CODE"));
    author.post("/console/create-from-sample", "code=NO-SUCH-SAMPLE").await;
    assert!(author.page("policies").await.text.contains("NOT_FOUND"));
    viewer.post("/console/create-from-sample", "code=AI-TOOL-CALLS").await;
    let policies = service.key.get("/v1/policies").await.expect(200);
    assert_eq!(policies["items"].as_array().map(Vec::len), Some(1));
}

#[testkit::test]
async fn the_list_filters_by_state_mode_and_group(service: TestService) {
    let group = json!({"code": "PROC", "name": "Procurement"});
    let group = service.key.post("/v1/policy-groups", &group).await.expect(201);
    let group = text(&group["id"]);
    let mut grouped = policy("PAY-01");
    grouped["policy_group_id"] = json!(group);
    let grouped = service.active_policy(&grouped).await.policy;
    let mut shadow = policy("PAY-02");
    shadow["shadow_mode"] = json!(true);
    let shadow = service.active_policy(&shadow).await.policy;
    let draft = service.draft("PAY-03").await.policy;
    let viewer = Browser::member(&service, Role::Viewer).await;
    let of_group = format!("group={group}");
    for (query, expected) in [
        ("", [true, true, true]),
        ("state=active", [true, true, false]),
        ("state=inactive", [false, false, true]),
        ("state=shadow", [false, true, false]),
        ("mode=shadow", [false, true, false]),
        ("mode=enforcing", [true, false, true]),
        (of_group.as_str(), [true, false, false]),
        ("q=pay-02", [false, true, false]),
    ] {
        let page = viewer.page(&format!("policies?{query}")).await.text;
        let link = |id: &str| format!("href=\"{}\"", viewer.at(&format!("policies/{id}")));
        let listed = [&grouped, &shadow, &draft].map(|id| page.contains(&link(id)));
        assert_eq!(listed, expected, "{query}: {page}");
        assert_eq!(page.contains("Clear filters"), !query.is_empty(), "{query}");
    }
    let groups = viewer.page("groups").await.html();
    assert!(groups.contains(">1</td>"), "the number of policies of the group: {groups}");
    // Policies are listed by group, those without a group last. The numbers are those of all policies.
    viewer
        .shows("policies?q=pay-02", ["3 policies, 2 active, 1 with an open draft, 0 waiting"])
        .await;
    let page = viewer.page("policies").await.html();
    let position = |part: &str| page.find(part).unwrap_or_else(|| panic!("no {part}: {page}"));
    let grouped_row = position(&format!("/policies/{grouped}\""));
    let other_row = position(&format!("/policies/{draft}\""));
    let headings = ["Procurement</bdi>", "No group"].map(|name| {
        let start = position("class=\"group\"");
        start + page[start..].find(name).unwrap_or_else(|| panic!("no {name}: {page}"))
    });
    assert!(headings[0] < grouped_row && grouped_row < headings[1], "{page}");
    assert!(headings[1] < other_row, "{page}");
}

#[testkit::test]
async fn the_list_and_the_page_show_the_decisions_of_the_last_thirty_days(service: TestService) {
    let version = service.active("PAY").await;
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = format!("policies/{}", version.policy);
    let without = viewer.page(&page).await.html();
    assert_eq!(without.matches("No decisions").count(), 3, "{without}");
    for (key, amount) in [("a", 1), ("b", 20_000), ("c", 30_000)] {
        service.record(key, amount).await;
    }
    let link = format!("policy={}&amp;rule=AMOUNT", version.policy);
    let overview = [
        "aria-label=\"2 violations of AMOUNT\"",
        "violate a rule with this code, in any version",
        "Never applied</dt>",
        "Rules digest",
        &link,
    ];
    viewer.shows(&page, overview).await;
    // Analytics aggregate the new decisions first.
    service.key.get(format!("/v1/{page}/analytics")).await.expect(200);
    viewer.shows("policies", ["66.7 %", "class=\"spark\""]).await;
    viewer.shows(&page, ["Last 30 days", "2, 66.7 %"]).await;
    viewer
        .shows(
            &format!("{page}/analytics"),
            ["2 of 3 decisions", "Override rate", "0 of 0 violations with an outcome"],
        )
        .await;
}

#[testkit::test]
async fn the_list_names_who_made_the_last_change_and_counts_waiting_versions(service: TestService) {
    let (active, submitted) = (service.active("PAY").await, service.submitted("LOAN").await);
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page =
        viewer.shows("policies", ["2 policies, 1 active, 1 with an open draft, 1 waiting"]).await;
    let row = |id: &str| {
        let row = page.split("<tr>").find(|row| row.contains(&format!("/policies/{id}\"")));
        row.unwrap_or_else(|| panic!("no row of {id}: {page}"))
    };
    let (active, submitted) = (row(&active.policy), row(&submitted.policy));
    assert!(active.contains("text-muted\">ratifier") && active.contains(" since "), "{active}");
    assert!(submitted.contains("text-muted\">author"), "{submitted}");
    assert!(submitted.contains("Waiting for ratification"), "{submitted}");
}

#[testkit::test]
async fn the_page_of_a_policy_has_tabs_and_one_main_action(service: TestService) {
    let version = service.active("PAY-01").await;
    let page = format!("policies/{}", version.policy);
    let author = Browser::member(&service, Role::Author).await;
    let overview = author
        .shows(&page, ["Active version", "No draft is open.", "New draft", "?tab=rules", "AMOUNT"])
        .await;
    let decisions = format!("decisions?policy={}", version.policy);
    assert!(overview.contains(&decisions), "{overview}");
    author.shows(&format!("{page}?tab=rules"), ["id=\"rule-PURPOSE\""]).await;
    author
        .shows(&format!("{page}?tab=versions"), ["Created", "Submitted", "Ratified", "Activated"])
        .await;
    // All submissions for review are listed with their reviews, not only the last one.
    let reviewed = service.draft("PAY-02").await;
    let submission = service.seal(&reviewed).await;
    let returned = service.review(&reviewed, &submission, "RETURN").await;
    let edit = json!({"expected_revision": 1, "rules": crate::service::rules(5)});
    service.author().await.patch(reviewed.path(), &edit).await.expect(200);
    let answer = json!({"answers_record_id": returned});
    let seal = service.author().await.post(reviewed.action_path("seal"), &answer).await;
    service.review(&reviewed, text(&seal.expect(201)["id"]), "ACCEPT").await;
    let path = format!("policies/{}?tab=versions", reviewed.policy);
    author
        .shows(&path, ["Submitted r1", "Changes requested r1", "Submitted r2", "Accepted r2"])
        .await;

    let draft = json!({"rules": crate::service::rules(5), "based_on_version": 1});
    let draft = service.key.post(format!("/v1/{page}/versions"), &draft).await.expect(201);
    assert_eq!(draft["version"], 2);
    let with_draft = author.page(&page).await.text;
    assert!(with_draft.contains("Edit v2") && !with_draft.contains("New draft"), "{with_draft}");
    let viewer = Browser::member(&service, Role::Viewer).await;
    let with_draft = viewer.page(&page).await.text;
    assert!(with_draft.contains("Open v2") && !with_draft.contains("Edit v2"), "{with_draft}");
    // The lifecycle has one current phase.
    assert_eq!(with_draft.matches("aria-current=\"step\"").count(), 1, "{with_draft}");
    assert_contains(&with_draft, ["Version 2", "Drafted", "Replaces v1"]);
}
