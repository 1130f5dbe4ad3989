//! Submission, review, ratification and activation of a version in browsers without JavaScript.

use contract::scope::Role;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, items, text},
    codification::policy_with_codification,
    console_editor::form,
    console_pages::{Browser, attribute},
    service::{TestService, Version, create_policy, test_service},
};

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

#[tokio::test]
async fn a_version_passes_from_submission_through_review_and_ratification_to_activation() {
    let service = test_service().await;
    let version = service.draft("SPEND").await;
    let author = Browser::new(&service, service.author().await);
    let reviewer = Browser::member(&service, Role::Reviewer).await;
    let ratifier = Browser::member(&service, Role::Ratifier).await;
    let page = format!("{}/review", version_page(&version));

    let response = act(&service, &author, &version, "Send", &[]).await;
    assert_eq!(response.status, 303, "{}", response.text);
    assert_eq!(service.read(&version).await["status"], "submitted");
    let html = reviewer.page(&page).await.text;
    for expected in ["added", "AMOUNT", "Viewed 0 of 3", "Accept v1", "0 open comments"] {
        assert!(html.contains(expected), "{expected}: {html}");
    }
    // The index links to each rule. The buttons are outside the form and belong to it.
    let index = part(&html, "class=\"rule-index\"", "</nav>");
    for code in ["AMOUNT", "PURPOSE", "TAX"] {
        assert!(index.contains(&format!("href=\"#change-{code}\"")), "{code}: {index}");
        assert!(html.contains(&format!("id=\"change-{code}\"")), "{code}: {html}");
    }
    let bar = part(&html, "class=\"review-bar\"", "</div>");
    assert_eq!(bar.matches("form=\"review\"").count(), 2, "{bar}");

    // A return requires a reason. It creates a review record with its comments.
    review(&service, &reviewer, &version, &[("form[verdict]", "RETURN")]).await;
    let html = reviewer.page(&page).await.text;
    assert!(html.contains("Add a general note or a comment on a rule"), "{html}");
    assert!(review_records(&service, &version).await.is_empty());
    let html = reviewer.page(&format!("{page}/return")).await.text;
    assert!(html.contains("Add a note") && !html.contains("record-review"), "{html}");
    let review_fields = [
        ("form[verdict]", "RETURN"),
        ("form[comments][AMOUNT]", "Per day, not per payment."),
        ("form[note]", "One remark."),
    ];
    let response = review(&service, &reviewer, &version, &review_fields).await;
    let confirmation = reviewer.at(&format!("{page}/return"));
    assert_eq!(response.header("location"), Some(&*confirmation), "{}", response.text);
    assert!(
        review_records(&service, &version).await.is_empty(),
        "choosing a verdict records no review"
    );
    let html = reviewer.page(&format!("{page}/return")).await.text;
    let digest = service.read(&version).await["rules_digest"].clone();
    for expected in
        ["Per day, not per payment.", "One remark.", "Request changes to v1", text(&digest)]
    {
        assert!(html.contains(expected), "{expected}: {html}");
    }
    record_review(&reviewer, &html).await;
    let [returned] = &*review_records(&service, &version).await else { panic!("one record") };
    assert_eq!(
        (&returned["verdict"], &returned["note"], &returned["comments"]),
        (
            &json!("RETURN"),
            &json!("One remark."),
            &json!([{"rule_code": "AMOUNT", "text": "Per day, not per payment."}])
        )
    );
    let html = author.page(&page).await.text;
    assert!(html.contains("Per day, not per payment."), "{html}");
    // Every page shows the same status.
    let policy_page = format!("policies/{}", version.policy);
    for page in ["policies", &policy_page, &version_page(&version), &page] {
        let html = author.page(page).await.text;
        let is_same = html.contains("Changes requested") && !html.contains("Waiting for");
        assert!(is_same, "{page}: {html}");
    }
    let inbox = author.page("inbox").await.text;
    assert!(inbox.contains("Address requested changes"), "{inbox}");

    // The author submits a new revision. The submit page references the return.
    act(&service, &author, &version, "Recall", &[]).await;
    let revision = json!({"expected_revision": 1, "rules": crate::service::rules(500)});
    service.key.patch(version.path(), &revision).await.expect(200);
    let html = author.page(&format!("{}/send", version_page(&version))).await.text;
    assert!(html.contains("One remark.") && html.contains(text(&returned["id"])), "{html}");
    let answered_record = [("form[answers]", text(&returned["id"]))];
    act(&service, &author, &version, "Send", &answered_record).await;
    assert_eq!(service.read(&version).await["status"], "submitted");
    let html = reviewer.page(&format!("{page}?tab=timeline")).await.text;
    assert!(html.contains("outdated"), "{html}");

    // The accept page lists open items and records nothing before it is confirmed.
    review(&service, &reviewer, &version, &[("form[verdict]", "ACCEPT")]).await;
    let html = reviewer.page(&format!("{page}/accept")).await.text;
    assert!(html.contains("3 changed rules are not marked as viewed"), "{html}");
    let response = record_review(&reviewer, &html).await;
    assert!(response.header("location").is_some_and(|page| page.ends_with("?done=accept")));
    let inbox = ratifier.page("inbox").await.text;
    assert!(inbox.contains("Ratify"), "{inbox}");

    let html = ratifier.page(&format!("{}/ratify", version_page(&version))).await.text;
    let record = review_records(&service, &version).await.remove(0);
    assert!(html.contains(text(&record["record_digest"]).get(..8).expect("a digest")), "{html}");
    act(&service, &ratifier, &version, "Ratify", &[("form[read]", "yes")]).await;
    assert_eq!(service.read(&version).await["status"], "ratified");
    let approval = service.key.get(format!("{}/approval", version.path())).await.expect(200);
    let key = text(&approval["approval"]["kid"]);
    assert!(html.contains(key), "the page shows the signing key {key}: {html}");
    assert!(html.contains("You entered your password under 1 min ago."), "{html}");
    let html = ratifier.page(&version_page(&version)).await.html();
    let card = part(&html, "aria-labelledby=\"approval\"", "</section>");
    for expected in [key, text(&approval["approval_digest"]), "Transparency log"] {
        assert!(card.contains(expected), "{expected}: {card}");
    }
    act(&service, &ratifier, &version, "Activate", &[("form[read]", "yes")]).await;
    assert_eq!(service.read(&version).await["is_active"], true);
    let inbox = ratifier.page("inbox?tab=done").await.text;
    assert!(inbox.contains("Activated") && inbox.contains("Ratified"), "{inbox}");
}

#[tokio::test]
async fn viewed_marks_and_comments_are_stored_and_a_rule_change_removes_its_mark() {
    let service = test_service().await;
    let version = service.draft("SPEND").await;
    let author = Browser::new(&service, service.author().await);
    act(&service, &author, &version, "Send", &[]).await;
    let reviewer = Browser::member(&service, Role::Reviewer).await;
    let page = format!("{}/review", version_page(&version));
    let html = reviewer.page(&page).await.text;
    let mark = |code: &str, page: &str| {
        let start = page.find(&format!("value=\"{code} ")).expect("a mark") + 7;
        page[start..].split('"').next().expect("its end").to_owned()
    };
    let (amount, purpose) = (mark("AMOUNT", &html), mark("PURPOSE", &html));
    let marks = [
        ("form[verdict]", ""),
        ("form[viewed][]", amount.as_str()),
        ("form[viewed][]", purpose.as_str()),
        ("form[comments][TAX]", "Which union?"),
    ];
    review(&service, &reviewer, &version, &marks).await;
    let html = reviewer.page(&page).await.text;
    assert!(html.contains("Viewed 2 of 3") && html.contains("Which union?"), "{html}");
    assert!(html.contains("stroke-dasharray=\"2 3\""), "the ring of viewed rules: {html}");
    let index = part(&html, "class=\"rule-index\"", "</nav>");
    assert_eq!(index.matches(" hidden").count(), 1, "one rule is not viewed: {index}");
    assert!(
        review_records(&service, &version).await.is_empty(),
        "saving marks and comments records no review"
    );

    service.key.post(version.action_path("recall"), &json!({})).await.expect(200);
    let changed = json!({"expected_revision": 1, "rules": crate::service::rules(7)});
    service.key.patch(version.path(), &changed).await.expect(200);
    let html = reviewer.page(&page).await.text;
    assert!(html.contains("Submitted r1, now r2") && !html.contains("record-review"), "{html}");
    act(&service, &author, &version, "Send", &[]).await;
    let html = reviewer.page(&page).await.text;
    assert!(html.contains("Viewed 1 of 3"), "{html}");
}

#[tokio::test]
async fn a_review_draft_outlives_the_session_and_is_visible_to_its_author_only() {
    let service = test_service().await;
    let version = service.draft("SPEND").await;
    let author = Browser::new(&service, service.author().await);
    act(&service, &author, &version, "Send", &[]).await;
    let email = service.member(Role::Reviewer).await;
    let session = service.sign_in(&email).await;
    let reviewer = Browser::new(&service, &session);
    let page = format!("{}/review", version_page(&version));
    let html = reviewer.page(&page).await.text;
    assert!(html.contains("data-autosave=\"/console/save-review-draft\""), "{html}");
    let autosave = "/console/save-review-draft";
    let fields = [("form[comments][TAX]", "Which union?"), ("form[note]", "Half a sentence")];
    send_review(&service, &reviewer, &version, autosave, &fields).await;
    session.call("DELETE", "/v1/session").await;

    let session = service.sign_in(&email).await;
    let html = Browser::new(&service, &session).page(&page).await.text;
    for expected in ["Which union?", "Half a sentence"] {
        assert!(html.contains(expected), "{expected}: {html}");
    }
    let other = Browser::member(&service, Role::Reviewer).await;
    assert!(!other.page(&page).await.text.contains("Half a sentence"));
    // Roles that do not review save nothing.
    let drafts = "select count(*)::text from review_drafts";
    for browser in [&author, &Browser::member(&service, Role::Viewer).await] {
        for to in [autosave, "/console/record-review"] {
            send_review(&service, browser, &version, to, &fields).await;
        }
    }
    assert_eq!(service.sql(drafts).await, ["1"]);
    // The recorded review replaces the draft.
    let reviewer = Browser::new(&service, &session);
    review(&service, &reviewer, &version, &[("form[verdict]", "ACCEPT")]).await;
    let html = reviewer.page(&format!("{page}/accept")).await.text;
    record_review(&reviewer, &html).await;
    assert_eq!(review_records(&service, &version).await.len(), 1);
    assert_eq!(service.sql(drafts).await, ["0"]);
}

#[tokio::test]
async fn a_draft_can_be_superseded_and_set_aside() {
    let service = test_service().await;
    let version = service.draft("SPEND").await;
    let author = Browser::new(&service, service.author().await);
    let reason = [("form[text]", "The limit was too low.")];
    let response = act(&service, &author, &version, "Supersede", &reason).await;
    let page = author.at(&format!("policies/{}/versions/2/edit", version.policy));
    assert_eq!(response.header("location"), Some(&*page), "{}", response.text);
    let replaced = service.read(&version).await;
    assert_eq!(
        (&replaced["status"], &replaced["closed_reason"]),
        (&json!("replaced"), &json!("The limit was too low."))
    );
    let html = author.page(&version_page(&version)).await.html();
    assert!(html.contains("It was replaced by") && html.contains("The limit was too low."));
    assert!(!html.contains("id=\"lifecycle\""), "it has no further phase: {html}");
    let second = Version { policy: version.policy.clone(), number: 2 };
    assert_eq!(service.read(&second).await["rules"].as_array().map(Vec::len), Some(3));
    let refusal = act(&service, &author, &second, "SetAside", &[]).await;
    assert!(refusal.header("location").is_some_and(|page| page.ends_with("/set-aside")));
    act(&service, &author, &second, "SetAside", &reason).await;
    assert_eq!(service.read(&second).await["status"], "set_aside");
}

#[tokio::test]
async fn the_submitter_cannot_review_and_viewers_have_no_inbox() {
    let service = test_service().await;
    let submitter = service.signed_in_member(Role::Ratifier).await;
    let version = crate::service::create_draft(&submitter, "SPEND").await;
    let submitter = Browser::new(&service, &submitter);
    act(&service, &submitter, &version, "Send", &[]).await;
    let html = submitter.page(&format!("{}/review", version_page(&version))).await.text;
    assert!(html.contains("You submitted this version. Another person must review it."), "{html}");
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

/// Returns the part of a page from `start` to the next `end`.
pub(crate) fn part<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    let from = page.find(start).unwrap_or_else(|| panic!("no {start}: {page}"));
    page[from..].split(end).next().unwrap_or_default()
}

/// Creates and submits a version with a codification.
async fn submit_codified(service: &TestService) -> Version {
    let author = service.signed_in_member(Role::Author).await;
    let mut body = policy_with_codification("SPEND");
    body["codification"]["clauses"][0]["text"] =
        json!(format!("A payment may not exceed 9,000 euros. {}<b>", "And so on. ".repeat(80)));
    let version = create_policy(&author, &body).await;
    act(service, &Browser::new(service, &author), &version, "Send", &[]).await;
    version
}

#[tokio::test]
async fn each_rule_is_shown_with_its_clause_and_lint_findings() {
    let service = test_service().await;
    let version = submit_codified(&service).await;
    let page = format!("{}/review", version_page(&version));
    let reviewer = Browser::member(&service, Role::Reviewer).await;
    let viewer = Browser::member(&service, Role::Viewer).await;
    // Reviewers and viewers see the same content.
    for browser in [&reviewer, &viewer] {
        let html = browser.page(&page).await.text;
        let amount = part(&html, "aria-label=\"AMOUNT\"", "</article>");
        for expected in
            ["section 1", "may not exceed 9,000 euros", "number_not_in_rule", "confidence"]
        {
            assert!(amount.contains(expected), "{expected}: {amount}");
        }
        assert!(
            amount.contains("Show the whole clause") && amount.contains("&lt;b&gt;"),
            "{amount}"
        );
        let purpose = part(&html, "aria-label=\"PURPOSE\"", "</article>");
        assert!(purpose.contains("should have a purpose") && purpose.contains("as we do it"));
        assert!(!purpose.contains("confidence"), "the clause has no findings: {purpose}");
        let tax = part(&html, "aria-label=\"TAX\"", "</article>");
        assert!(tax.contains("section 3(a)") && tax.contains("obligation_as_guidance"), "{tax}");

        // All clauses are in a tab of their own, with their dispositions and links to their rules.
        let html = browser.page(&format!("{page}?tab=clauses")).await.html();
        let clauses = part(&html, "aria-labelledby=\"codification\"", "</section>");
        let rule = format!("{}#rule-TAX", browser.at(&version_page(&version)));
        for expected in [
            &*rule,
            "section 3(a)",
            "section 4",
            "Not expressible as a rule",
            "vague_term",
            "Which text does this clause refer to?",
            "section 5",
            "Non-normative",
            "Payment handbook",
            "5 clauses",
            "3 mapped",
            "builtin/1",
            "60 %",
        ] {
            assert!(clauses.contains(expected), "{expected}: {clauses}");
        }
    }
}

#[tokio::test]
async fn unchanged_rules_are_shown_with_their_clauses() {
    let service = test_service().await;
    let version = submit_codified(&service).await;
    service.ratify(&version).await;
    service.activate(&version).await;
    let mut next = policy_with_codification("SPEND");
    let mut rules = next["rules"].take();
    rules[0]["severity"] = json!("critical");
    let body = json!({"rules": rules, "codification": next["codification"]});
    let path = version.versions_path();
    service.author().await.post(path, &body).await.expect(201);
    let second = Version { number: 2, ..version };
    let browser = Browser::new(&service, service.reviewer().await);
    let html = browser.page(&format!("{}/review", version_page(&second))).await.text;
    let amount = part(&html, "aria-label=\"AMOUNT\"", "</article>");
    assert!(amount.contains("exceed 10,000 euros"), "{amount}");
    let unchanged = part(&html, "The same in both: 2 rules", "</details>");
    assert!(
        unchanged.contains("should have a purpose") && unchanged.contains("section 3(a)"),
        "{unchanged}"
    );
}

#[tokio::test]
async fn a_version_without_a_codification_shows_one_line_about_it() {
    let service = test_service().await;
    let version = service.submitted("SPEND").await;
    let browser = Browser::new(&service, service.reviewer().await);
    let page = format!("{}/review", version_page(&version));
    let tab = browser.page(&format!("{page}?tab=clauses")).await.text;
    assert_eq!(tab.matches("These rules were written without clauses.").count(), 1);
    for html in [tab, browser.page(&page).await.text] {
        for absent in ["Linted by", "id=\"codification\"", "class=\"clause\""] {
            assert!(!html.contains(absent), "{absent}");
        }
    }
}

#[tokio::test]
async fn the_tabs_of_a_review_have_counts_and_the_reviewers() {
    let service = test_service().await;
    let version = service.draft("SPEND").await;
    let submission = service.seal(&version).await;
    let page = format!("{}/review", version_page(&version));
    let reviewer = Browser::new(&service, service.reviewer().await);
    let html = reviewer.page(&page).await.html();
    let people = part(&html, "aria-labelledby=\"reviewers\"", "</section>");
    for expected in [
        "submitted this version, cannot review it",
        "You",
        "not reviewed yet",
        "Ratification does not require a review.",
    ] {
        assert!(people.contains(expected), "{expected}: {people}");
    }
    let path = version.action_path(&format!("submissions/{submission}/records"));
    let comments = json!([{"rule_code": "TAX", "text": "Which union?"}]);
    let body = json!({"verdict": "RETURN", "note": "One remark.", "comments": comments});
    service.reviewer().await.post(path, &body).await.expect(201);

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
    let html = author.page(&format!("{page}?tab=timeline")).await.html();
    for expected in ["Submitted", "Changes requested", "One remark.", "RETURN"] {
        assert!(html.contains(expected), "{expected}: {html}");
    }
}

#[tokio::test]
async fn all_rules_can_be_marked_as_viewed_with_one_button() {
    let service = test_service().await;
    let version = service.draft("SPEND").await;
    let author = Browser::new(&service, service.author().await);
    act(&service, &author, &version, "Send", &[]).await;
    let reviewer = Browser::member(&service, Role::Reviewer).await;
    let page = format!("{}/review", version_page(&version));
    assert!(reviewer.page(&page).await.text.contains("Mark all as viewed"));
    let all = [("form[all]", "yes"), ("form[comments][TAX]", "Which union?")];
    review(&service, &reviewer, &version, &all).await;
    let html = reviewer.page(&page).await.text;
    assert!(html.contains("Viewed 3 of 3") && html.contains("Which union?"), "{html}");
    assert!(!html.contains("Mark all as viewed"), "{html}");
    assert!(review_records(&service, &version).await.is_empty(), "marking records no review");
}

#[tokio::test]
async fn a_ratifier_can_deactivate_a_policy_with_a_reason() {
    let service = test_service().await;
    let version = service.active("SPEND").await;
    let (policy, tenant) = (version.policy.clone(), service.tenant.to_string());
    let ratifier = Browser::new(&service, service.ratifier().await);
    let page = format!("policies/{policy}/deactivate");
    let deactivate = async |browser: &Browser<'_>, seen: &str, reason: &str| {
        let fields =
            [("tenant", &*tenant), ("policy", &*policy), ("version", seen), ("reason", reason)];
        let request = browser.client("theme=dark").call("POST", "/console/deactivate-policy");
        request.body(crate::console_pages::FORM, form(&fields)).await
    };
    assert!(ratifier.page(&format!("policies/{policy}")).await.text.contains("/deactivate\""));
    let html = ratifier.page(&page).await.text;
    for expected in ["Deactivate v1", "SPEND", "payment", "stops affecting decisions immediately"] {
        assert!(html.contains(expected), "{expected}: {html}");
    }
    // A missing reason or a changed active version is refused, and the input is preserved.
    for (seen, reason, expected) in [
        ("1", "", "Enter a reason of 1 to 500 characters"),
        ("7", "It is a mistake.", "Another version was activated"),
    ] {
        let refusal = deactivate(&ratifier, seen, reason).await;
        assert_eq!(refusal.header("location"), Some(&*ratifier.at(&page)), "{}", refusal.text);
        let html = ratifier.page(&page).await.text;
        assert!(html.contains(expected) && html.contains(reason), "{expected}: {html}");
    }
    assert_eq!(service.read(&version).await["is_active"], true);

    // Other roles see no link and can neither open the page nor submit its form.
    let author = Browser::new(&service, service.author().await);
    let html = author.page(&format!("policies/{policy}")).await.text;
    assert!(!html.contains("/deactivate\""), "{html}");
    assert_eq!(author.page(&page).await.status, 403);
    deactivate(&author, "1", "It is a mistake.").await;
    assert_eq!(service.read(&version).await["is_active"], true);

    let response = deactivate(&ratifier, "1", "It is a mistake.").await;
    let location = ratifier.at(&format!("policies/{policy}"));
    response.assert_redirects_to(&location);
    assert_eq!(service.read(&version).await["is_active"], false);
    let html = ratifier.page(&format!("policies/{policy}")).await.text;
    assert!(html.contains("Decisions do not use this policy."), "{html}");
    assert!(ratifier.page(&page).await.text.contains("Decisions do not use this policy."));
}

#[tokio::test]
async fn a_failed_submission_seals_nothing() {
    let service = test_service().await;
    let version = service.draft("SPEND").await;
    let author = Browser::new(&service, service.author().await);
    // A trigger makes the second step fail.
    for statement in [
        "create function refuse() returns trigger language plpgsql as \
         $$ begin raise exception 'no'; end $$",
        "create trigger z_refuse before update on policy_versions for each row \
         when (new.status = 'submitted') execute function refuse()",
    ] {
        service.sql(statement).await;
    }
    let submissions = async || service.sql("select count(*)::text from review_submissions").await;
    let seal_events = async || {
        let query = "select count(*)::text from audit_events where action = 'policy_version.seal'";
        service.sql(query).await
    };
    act(&service, &author, &version, "Send", &[]).await;
    assert_eq!(
        (submissions().await, seal_events().await),
        (vec!["0".to_owned()], vec!["0".to_owned()])
    );
    service.sql("drop trigger z_refuse on policy_versions").await;
    act(&service, &author, &version, "Send", &[]).await;
    assert_eq!(
        (submissions().await, seal_events().await),
        (vec!["1".to_owned()], vec!["1".to_owned()])
    );
    assert_eq!(service.read(&version).await["status"], "submitted");
}

#[tokio::test]
async fn submitting_the_rules_of_the_active_version_requires_a_confirmation() {
    let service = test_service().await;
    let first = service.active("SPEND").await;
    let rules = service.read(&first).await["rules"].clone();
    let author = Browser::new(&service, service.author().await);
    service.key.post(first.versions_path(), &json!({"rules": rules})).await.expect(201);
    let second = Version { policy: first.policy.clone(), number: 2 };
    let page = format!("{}/send", version_page(&second));
    let warning = "This version has the same rules as v1, the active version.";
    let html = author.page(&page).await.text;
    assert!(html.contains(warning) && html.contains("form[same_rules]"), "{html}");

    let refusal = act(&service, &author, &second, "Send", &[]).await;
    refusal.assert_redirects_to(&author.at(&page));
    let html = author.page(&page).await.text;
    assert!(html.contains("Confirm that the active version has the same rules."), "{html}");
    assert!(html.contains(warning), "{html}");
    assert_eq!(service.read(&second).await["status"], "draft");

    act(&service, &author, &second, "Send", &[("form[same_rules]", "yes")]).await;
    assert_eq!(service.read(&second).await["status"], "submitted");

    // Other rules need no confirmation.
    service.key.post(second.action_path("recall"), &json!({})).await.expect(200);
    let edit = json!({"expected_revision": 1, "rules": crate::service::rules(7)});
    service.key.patch(second.path(), &edit).await.expect(200);
    let html = author.page(&page).await.text;
    assert!(!html.contains("same rules"), "{html}");
    act(&service, &author, &second, "Send", &[]).await;
    assert_eq!(service.read(&second).await["status"], "submitted");
}

#[tokio::test]
async fn an_action_on_a_version_with_a_stale_status_is_refused() {
    let service = test_service().await;
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
        let html = author.page(&format!("{page}/set-aside")).await.text;
        assert!(html.contains("This version is now"), "{html}");
        assert_eq!(service.read(&version).await["status"], now["status"]);
        service.author().await.post(version.action_path(transition), &json!({})).await.expect(200);
    }
}

#[tokio::test]
async fn an_activation_replaces_only_the_version_shown_on_the_page() {
    let service = test_service().await;
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

#[tokio::test]
async fn a_review_records_only_the_revision_shown_to_the_reviewer() {
    let service = test_service().await;
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
    let html = reviewer.page(&page).await.text;
    assert!(html.contains("The draft was updated to r2 while you were reading."), "{html}");
    // A newly opened confirmation page requires a review of the new revision.
    let html = reviewer.page(&format!("{page}/accept")).await.text;
    assert!(html.contains("The version changed while you were reading"), "{html}");
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
