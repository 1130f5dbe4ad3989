//! Submission, review, ratification and activation of a version in browsers without JavaScript.

mod actions;
mod clauses;
mod conflicts;
mod drafts;

use crate::prelude::*;

pub(crate) fn version_page(version: &Version) -> String {
    format!("policies/{}/versions/{}", version.policy, version.number)
}

/// Submits the form of an action on the current state of the version.
pub(crate) async fn act(
    service: &TestService,
    browser: &Browser<'_>,
    version: &Version,
    action: &str,
    extra_fields: &[(&str, &str)],
) -> TestResponse {
    let now = service.read(version).await;
    let (tenant, number) = (browser.tenant(), version.number.to_string());
    let revision = now["draft_revision"].to_string();
    let mut fields = vec![
        ("form[act]", action),
        ("form[tenant]", &tenant),
        ("form[policy]", &version.policy),
        ("form[version]", &number),
        ("form[revision]", &revision),
        ("form[digest]", text(&now["rules_digest"])),
        ("form[status]", text(&now["status"])),
    ];
    fields.extend(extra_fields);
    browser.post("/console/act-on-version", &form(&fields)).await
}

/// Submits the review form of the newest submission.
pub(crate) async fn review(
    service: &TestService,
    browser: &Browser<'_>,
    version: &Version,
    extra_fields: &[(&str, &str)],
) -> TestResponse {
    send_review(service, browser, version, "/console/record-review", extra_fields).await
}

/// Sends the review form of the newest submission to an address.
async fn send_review(
    service: &TestService,
    browser: &Browser<'_>,
    version: &Version,
    to: &str,
    extra_fields: &[(&str, &str)],
) -> TestResponse {
    let now = service.read(version).await;
    let submissions = service.key.get(format!("{}/submissions", version.path())).await.expect(200);
    let (tenant, number) = (browser.tenant(), version.number.to_string());
    let revision = now["draft_revision"].to_string();
    let mut fields = vec![
        ("place[tenant]", tenant.as_str()),
        ("place[policy]", &version.policy),
        ("place[version]", &number),
        ("place[submission]", text(&submissions["items"][0]["id"])),
        ("form[revision]", &revision),
        ("form[digest]", text(&now["rules_digest"])),
    ];
    fields.extend(extra_fields);
    browser.post(to, &form(&fields)).await
}

/// Submits the form of a page that records a review, unchanged.
async fn record_review(browser: &Browser<'_>, page: &str) -> TestResponse {
    let html_form = part(page, "action=\"/console/record-review\"", "</form>");
    let inputs = html_form.split("<input type=\"hidden\"").skip(1);
    let fields = inputs.map(|input| (attribute(input, "name"), attribute(input, "value")));
    let fields: Vec<(&str, &str)> = fields.collect();
    browser.post("/console/record-review", &form(&fields)).await
}

async fn review_records(service: &TestService, version: &Version) -> Vec<Value> {
    let submissions = service.key.get(format!("{}/submissions", version.path())).await.expect(200);
    let records = |one: &Value| one["records"].as_array().cloned().unwrap_or_default();
    items(&submissions).iter().flat_map(records).collect()
}

#[testkit::test]
async fn a_return_needs_a_reason_and_is_recorded_when_it_is_confirmed(service: TestService) {
    let version = service.draft("SPEND").await;
    let author = Browser::new(&service, service.author().await);
    let reviewer = Browser::member(&service, Role::Reviewer).await;
    let page = format!("{}/review", version_page(&version));
    act(&service, &author, &version, "Send", &[]).await;
    // The buttons are outside the form and belong to it.
    let html = reviewer.page(&page).await.html();
    let bar = part(&html, "class=\"review-bar\"", "</div>");
    assert_eq!(bar.matches("form=\"review\"").count(), 2, "{bar}");

    review(&service, &reviewer, &version, &[("form[verdict]", "RETURN")]).await;
    reviewer.shows(&page, ["Add a general note or a comment on a rule"]).await;
    let html = reviewer.page(&format!("{page}/return")).await.text;
    assert!(html.contains("Add a note") && !html.contains("record-review"), "{html}");
    let review_fields = [
        ("form[verdict]", "RETURN"),
        ("form[comments][AMOUNT]", "Per day, not per payment."),
        ("form[note]", "One remark."),
    ];
    let response = review(&service, &reviewer, &version, &review_fields).await;
    response.assert_redirects_to(&reviewer.at(&format!("{page}/return")));
    let records = review_records(&service, &version).await;
    assert!(records.is_empty(), "choosing a verdict records no review");
    let html = reviewer.page(&format!("{page}/return")).await.text;
    let digest = service.read(&version).await["rules_digest"].clone();
    assert_contains(
        &html,
        ["Per day, not per payment.", "One remark.", "Request changes to v1", text(&digest)],
    );
    record_review(&reviewer, &html).await;
    let [returned] = &*review_records(&service, &version).await else { panic!("one record") };
    let comments = json!([{"rule_code": "AMOUNT", "text": "Per day, not per payment."}]);
    assert_eq!(
        (&returned["verdict"], &returned["note"], &returned["comments"]),
        (&json!("RETURN"), &json!("One remark."), &comments)
    );

    act(&service, &author, &version, "Recall", &[]).await;
    let revision = json!({"expected_revision": 1, "rules": rules(500)});
    service.key.patch(version.path(), &revision).await.expect(200);
    act(&service, &author, &version, "Send", &[("form[answers]", text(&returned["id"]))]).await;
    reviewer.shows(&format!("{page}?tab=timeline"), ["outdated"]).await;
}

#[testkit::test]
async fn the_pages_of_a_ratification_show_its_review_and_its_key(service: TestService) {
    let version = service.draft("SPEND").await;
    let submission = service.seal(&version).await;
    service.submit(&version).await;
    service.review(&version, &submission, "ACCEPT").await;
    let ratifier = Browser::new(&service, service.ratifier().await);
    let page = ratifier.page(&format!("{}/ratify", version_page(&version))).await.text;
    let record = review_records(&service, &version).await.remove(0);
    let digest = text(&record["record_digest"]).get(..8).expect("a digest");
    act(&service, &ratifier, &version, "Ratify", &[("form[read]", "yes")]).await;
    let approval = service.key.get(format!("{}/approval", version.path())).await.expect(200);
    let key = text(&approval["approval"]["kid"]);
    assert_contains(&page, [digest, key, "You confirmed your identity under 1 min ago."]);
    let html = ratifier.page(&version_page(&version)).await.html();
    let card = part(&html, "aria-labelledby=\"approval\"", "</section>");
    assert_contains(card, [key, text(&approval["approval_digest"]), "Transparency log"]);
}

#[testkit::test]
async fn the_submitter_cannot_review_and_viewers_have_no_inbox(service: TestService) {
    let submitter = service.signed_in_member(Role::Ratifier).await;
    let version = crate::service::create_draft(&submitter, "SPEND").await;
    let submitter = Browser::new(&service, &submitter);
    act(&service, &submitter, &version, "Send", &[]).await;
    submitter
        .shows(
            &format!("{}/review", version_page(&version)),
            ["You submitted this version. Another person must review it."],
        )
        .await;
    let html = submitter.page(&format!("{}/review/accept", version_page(&version))).await.text;
    assert!(html.contains("You submitted this version.") && !html.contains("record-review"));
    let forged = [("form[verdict]", "ACCEPT"), ("form[confirmed]", "yes")];
    review(&service, &submitter, &version, &forged).await;
    assert!(review_records(&service, &version).await.is_empty());
    let viewer = Browser::member(&service, Role::Viewer).await;
    assert_eq!(viewer.page("inbox").await.status, 403);
    let response = viewer.page(&format!("{}/review", version_page(&version))).await;
    assert_eq!(response.status, 200);
    assert!(!response.text.contains("record-review"), "{}", response.text);
}

#[testkit::test]
async fn the_tabs_of_a_review_have_counts_and_the_reviewers(service: TestService) {
    let version = service.draft("SPEND").await;
    let submission = service.seal(&version).await;
    let page = format!("{}/review", version_page(&version));
    let reviewer = Browser::new(&service, service.reviewer().await);
    let html = reviewer.page(&page).await.html();
    let people = part(&html, "aria-labelledby=\"reviewers\"", "</section>");
    assert_contains(
        people,
        [
            "submitted this version, cannot review it",
            "You",
            "not reviewed yet",
            "Ratification does not require a review.",
        ],
    );
    let comments = json!([{"rule_code": "TAX", "text": "Which union?"}]);
    let body = json!({"verdict": "RETURN", "note": "One remark.", "comments": comments});
    service.record_review(&version, &submission, &body).await;

    let author = Browser::new(&service, service.author().await);
    let html = author.page(&page).await.html();
    let tabs = part(&html, "aria-label=\"Parts of the review\"", "</nav>");
    let counts = tabs.split("<a ").skip(1).map(|link| {
        let (_, content) = link.split_once('>').expect("the content of a link");
        content.chars().filter(char::is_ascii_digit).collect::<String>()
    });
    assert_eq!(counts.collect::<Vec<_>>(), ["3", "1", "", ""], "{tabs}");
    let people = part(&html, "aria-labelledby=\"reviewers\"", "</section>");
    assert!(people.contains("requested changes to r1") && !people.contains("not reviewed yet"));

    // The tab of comments has all of them, and returns to itself.
    let comments = format!("{page}?tab=comments");
    let html = author.page(&comments).await.html();
    let discussion = part(&html, "id=\"discussion\"", "</section>");
    assert!(discussion.contains("Rule TAX") && discussion.contains("Which union?"), "{html}");
    assert_eq!(crate::console_pages::hidden(&html, "form[page]"), author.at(&comments));
    assert!(!html.contains("rule-index"), "the rules are in another tab: {html}");
    // The timeline has the events, and the records with their digests.
    author
        .shows(
            &format!("{page}?tab=timeline"),
            ["Submitted", "Changes requested", "One remark.", "RETURN"],
        )
        .await;
}

/// Returns the part of a page from `start` to the next `end`.
pub(crate) fn part<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    let from = page.find(start).unwrap_or_else(|| panic!("no {start}: {page}"));
    page[from..].split(end).next().unwrap_or_default()
}
