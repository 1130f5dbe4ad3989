//! Requested changes in browsers without JavaScript: the editor with the request, the resubmission, and the next
//! review.

use crate::{
    console_review::{act, part, review as send_review, version_page},
    prelude::*,
};

/// Records a review that requests changes, with comments on these rules. Returns its ID and those of the comments.
async fn request_changes(
    service: &TestService,
    version: &Version,
    submission: &str,
    codes: &[&str],
) -> (String, Vec<String>) {
    let comment = |code: &&str| json!({"rule_code": code, "text": format!("Why {code}?")});
    let comments: Vec<Value> = codes.iter().map(comment).collect();
    let body = json!({"verdict": "RETURN", "note": "Two remarks.", "comments": comments});
    let record = service.record_review(version, submission, &body).await;
    let comments = service.author().await.get(version.action_path("comments")).await.expect(200);
    let id = |code: &&str| {
        let own = items(&comments).iter().find(|comment| comment["rule_code"] == **code);
        text(&own.expect("the comment")["id"]).to_owned()
    };
    (text(&record["id"]).to_owned(), codes.iter().map(id).collect())
}

/// Creates a submitted version with requested changes to the rules PURPOSE and TAX.
async fn returned(service: &TestService) -> (Version, String, Vec<String>) {
    let version = service.draft("SPEND").await;
    let submission = service.seal(&version).await;
    service.submit(&version).await;
    let codes = ["PURPOSE", "TAX"];
    let (record, comments) = request_changes(service, &version, &submission, &codes).await;
    (version, record, comments)
}

/// Saves the rule PURPOSE with another required field in revision `revision`.
async fn save_purpose(browser: &Browser<'_>, version: &Version, revision: &str) -> TestResponse {
    let (tenant, number) = (browser.tenant(), version.number.to_string());
    let fields = [
        ("place[tenant]", tenant.as_str()),
        ("place[policy]", &version.policy),
        ("place[version]", &number),
        ("place[revision]", revision),
        ("place[was]", "PURPOSE"),
        ("rule[code]", "PURPOSE"),
        ("rule[rule_type]", "presence"),
        ("rule[severity]", "medium"),
        ("rule[active]", "yes"),
        ("rule[of][presence][required_fields]", "purpose\r\ncost_center"),
    ];
    let saved = browser.post("/console/save-rule", &form(&fields)).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    saved
}

/// Presses a button of the form of comments on `version`, which the page `page` contains.
async fn press(
    browser: &Browser<'_>,
    version: &Version,
    page: &str,
    button: &str,
    replies: &[(&str, &str)],
) -> TestResponse {
    let (number, page) = (version.number.to_string(), browser.at(page));
    let mut fields = vec![
        ("policy".to_owned(), version.policy.as_str()),
        ("version".to_owned(), &number),
        ("form[page]".to_owned(), &page),
        ("form[act]".to_owned(), button),
    ];
    let replies = replies.iter();
    fields.extend(replies.map(|(id, text)| (format!("form[texts][reply-{id}]"), *text)));
    let fields: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    browser.post("/console/comment", &form(&fields)).await
}

async fn page(browser: &Browser<'_>, path: &str) -> String {
    browser.page(path).await.html()
}

#[testkit::test]
async fn the_first_change_recalls_the_version_and_only_its_reviewer_sees_what_changed(
    service: TestService,
) {
    let (version, record, _) = returned(&service).await;
    let author = Browser::new(&service, service.author().await);
    let own = version_page(&version);
    let html = page(&author, &format!("{own}/edit")).await;
    assert!(html.contains("The first change that you save recalls it."), "{html}");
    assert_eq!(service.read(&version).await["status"], "submitted", "reading recalls nothing");
    save_purpose(&author, &version, "1").await;
    let draft = service.read(&version).await;
    assert_eq!((&draft["status"], &draft["draft_revision"]), (&json!("draft"), &json!(2)));
    let actions = "select action from audit_events where object_type = 'policy_version' \
                   order by seq desc limit 2";
    assert_eq!(service.sql(actions).await, ["policy_version.edit", "policy_version.recall"]);

    let html = page(&author, &format!("{own}/send")).await;
    assert_contains(
        &html,
        ["Changes since r1", "PURPOSE", "cost_center", "2 comments have no reply."],
    );
    assert_eq!(hidden(&html, "form[answers]"), record);
    act(&service, &author, &version, "Send", &[("form[answers]", &record)]).await;
    let other = Browser::member(&service, Role::Reviewer).await;
    let html = page(&other, &format!("{own}/review")).await;
    assert!(!html.contains("since-review") && !html.contains("changes=all"), "{html}");
    assert!(html.contains("aria-label=\"AMOUNT\""), "all changes: {html}");
}

#[testkit::test]
async fn the_review_of_some_changes_preserves_the_input_for_all_of_them(service: TestService) {
    let (version, record, _) = returned(&service).await;
    let author = Browser::new(&service, service.author().await);
    save_purpose(&author, &version, "1").await;
    act(&service, &author, &version, "Send", &[("form[answers]", &record)]).await;
    let reviewer = Browser::new(&service, service.reviewer().await);
    let review = format!("{}/review", version_page(&version));
    let all = format!("{review}?changes=all");
    let [purpose, amount] = ["PURPOSE", "AMOUNT"].map(|code| format!("aria-label=\"{code}\""));

    // The form returns to its page, and preserves the input for rules that the page leaves out.
    let fields = [("place[changes]", "all"), ("form[comments][AMOUNT]", "Per day?")];
    let saved = send_review(&service, &reviewer, &version, &fields).await;
    saved.assert_redirects_to(&reviewer.at(&all));
    let html = page(&reviewer, &review).await;
    assert_eq!(hidden(&html, "form[comments][AMOUNT]"), "Per day?");
    let fields = [("form[all]", "yes"), ("form[comments][AMOUNT]", "Per day?")];
    let saved = send_review(&service, &reviewer, &version, &fields).await;
    saved.assert_redirects_to(&reviewer.at(&review));
    assert!(page(&reviewer, &review).await.contains("Viewed 1 of 3"), "only the shown rule");
    let html = page(&reviewer, &all).await;
    assert!(part(&html, &purpose, "</article>").contains("checked"), "{html}");
    let amount = part(&html, &amount, "</article>");
    assert!(amount.contains("Per day?") && !amount.contains("checked"), "{amount}");
    let fields = [("place[changes]", "all"), ("form[all]", "yes")];
    send_review(&service, &reviewer, &version, &fields).await;
    let html = page(&reviewer, &review).await;
    assert!(html.contains("Viewed 3 of 3") && !html.contains("Mark all as viewed"), "{html}");
}

#[testkit::test]
async fn a_failed_reply_preserves_all_texts_and_submits_nothing(service: TestService) {
    let (version, _, comments) = returned(&service).await;
    let author = Browser::new(&service, service.author().await);
    let editor = format!("{}/edit?rule=PURPOSE", version_page(&version));
    let long = "x".repeat(4_001);
    let replies = [(comments[0].as_str(), long.as_str())];
    let response = press(&author, &version, &editor, "submit:1", &replies).await;
    response.assert_redirects_to(&author.at(&format!("{editor}#discussion")));
    let html = page(&author, &editor).await;
    assert!(html.contains("Enter a comment of 1 to 4,000 characters."), "{html}");
    assert!(html.contains(&long), "the text is preserved");
    assert_eq!(service.read(&version).await["status"], "submitted");
}

#[testkit::test]
async fn a_version_without_requested_changes_is_not_recalled_by_an_edit(service: TestService) {
    let version = service.draft("SPEND").await;
    service.seal(&version).await;
    service.submit(&version).await;
    let author = Browser::new(&service, service.author().await);
    save_purpose(&author, &version, "1").await;
    let stored = service.read(&version).await;
    assert_eq!((&stored["status"], &stored["draft_revision"]), (&json!("submitted"), &json!(1)));
    let html = page(&author, &format!("{}/edit", version_page(&version))).await;
    assert!(html.contains("It can no longer be edited."), "{html}");
}

#[testkit::test]
async fn a_returned_revision_cannot_be_submitted_again_unchanged(service: TestService) {
    let (version, ..) = returned(&service).await;
    service.author().await.post(version.action_path("recall"), &json!({})).await.expect(200);
    let author = Browser::new(&service, service.author().await);
    let html = page(&author, &format!("{}/send", version_page(&version))).await;
    assert!(html.contains("Change a rule or the reason first."), "{html}");
    assert!(!html.contains("form[act]"), "{html}");
}

#[testkit::test]
async fn the_editor_of_a_successor_shows_the_request_for_the_replaced_draft(service: TestService) {
    let first = service.draft("SPEND").await;
    let submission = service.seal(&first).await;
    let body =
        json!({"expected_revision": 1, "rules": rules(500), "change_reason": "a lower limit"});
    service.author().await.post(first.action_path("supersede"), &body).await.expect(201);
    let (_, comments) = request_changes(&service, &first, &submission, &["TAX"]).await;
    let second = Version { number: 2, ..first.clone() };
    let author = Browser::new(&service, service.author().await);
    let editor = format!("{}/edit?rule=TAX", version_page(&second));
    let html = page(&author, &editor).await;
    assert!(html.contains("requested changes to v1, r1"), "{html}");
    assert!(part(&html, "class=\"rule-threads\"", "<form").contains("Why TAX?"), "{html}");
    assert!(!part(&html, "value=\"submit:2\"", "</button>").contains("disabled"), "{html}");
    // A reply belongs to the comment on the replaced draft, and the confirmation to the successor.
    let replies = [(comments[0].as_str(), "It applies in the EU only.")];
    let response = press(&author, &first, &editor, "submit:2", &replies).await;
    response.assert_redirects_to(&author.at(&format!("{}/send", version_page(&second))));
    let stored = service.author().await.get(first.action_path("comments")).await.expect(200);
    assert_eq!(texts(&stored, "text"), ["It applies in the EU only.", "Why TAX?"]);
    let html = page(&author, &format!("{}/send", version_page(&second))).await;
    assert!(html.contains("Changes since v1, r1") && html.contains("AMOUNT"), "{html}");
}

#[testkit::test]
async fn a_rejected_draft_shows_its_rejection_in_the_editor(service: TestService) {
    let version = service.submitted("SPEND").await;
    let reason = json!({"reason": "The limit is too high."});
    service.reviewer().await.post(version.action_path("reject"), &reason).await.expect(200);
    let author = Browser::new(&service, service.author().await);
    let editor = format!("{}/edit", version_page(&version));
    assert!(page(&author, "inbox").await.contains(&format!("{}\"", author.at(&editor))));
    let html = page(&author, &editor).await;
    let request = part(&html, "id=\"requested-changes\"", "</section>");
    assert_contains(request, ["rejected this version", "The limit is too high."]);
    assert!(!part(&html, "value=\"submit:1\"", "</button>").contains("disabled"), "{html}");
}
