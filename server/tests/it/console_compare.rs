//! The comparison of versions and the comments on them, in browsers without JavaScript.

use crate::{
    console_review::{part, version_page},
    prelude::*,
};

/// Returns the text of HTML without its tags.
fn plain(html: &str) -> String {
    let parts = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts.collect()
}

/// Creates the active version 1 and the submitted version 2. Version 2 changes AMOUNT with its name, moves TAX
/// to the start, replaces PURPOSE and adds a rule.
async fn two_versions(service: &TestService) -> (Version, Version) {
    let first = service.active("SPEND").await;
    let [mut amount, mut purpose, tax] =
        <[Value; 3]>::try_from(rules(9_000).as_array().expect("rules").clone())
            .expect("three rules");
    amount["name"] = json!("Amounts have a lower limit");
    amount["severity"] = json!("critical");
    purpose["code"] = json!("REASON");
    purpose["replaces_rule_code"] = json!("PURPOSE");
    let added = json!({"code": "NEW", "name": "A <b>new</b> rule", "severity": "low",
        "rule_type": "presence", "condition": {"required_fields": ["approver"]}});
    let second = service.next_draft(&first, &json!([tax, amount, purpose, added])).await;
    service.submit(&second).await;
    (first, second)
}

#[testkit::test]
async fn each_changed_property_of_a_rule_has_one_line_with_both_values(service: TestService) {
    let (first, second) = two_versions(&service).await;
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = format!("{}/compare", version_page(&second));
    let html = viewer.shows(&page, ["Compare v1 and v2", "the active version"]).await;
    let amount = part(&html, "aria-label=\"AMOUNT\"", "</article>");
    assert_contains(amount, ["changed", "<del><bdi class=\"value\">10,000</bdi></del>"]);
    // A replaced rule is compared with the rule that it replaces.
    let reason = part(&html, "aria-label=\"REASON\"", "</article>");
    assert!(plain(reason).contains("CodePURPOSEREASON"), "{reason}");
    let tax = part(&html, "aria-label=\"TAX\"", "</article>");
    assert!(tax.contains("moved") && tax.contains("position 3 to 1"), "{tax}");
    let added = part(&html, "aria-label=\"NEW\"", "</article>");
    assert!(added.contains("added") && added.contains("A &lt;b&gt;new"), "{added}");
    assert!(!html.contains("aria-label=\"PURPOSE\""), "{html}");

    // In the other direction, the new rule is removed. In the unified layout, both values are in one cell.
    let query = "against=2&layout=unified";
    let html = viewer
        .shows(&format!("{}/compare?{query}", version_page(&first)), ["Compare v2 and v1"])
        .await;
    assert!(part(&html, "aria-label=\"NEW\"", "</article>").contains("removed"), "{html}");
    let amount = plain(part(&html, "aria-label=\"AMOUNT\"", "</article>"));
    assert!(amount.contains("NameAmounts have a lower limit"), "{amount}");
    assert!(amount.contains("At most900010,000"), "{amount}");
}

#[testkit::test]
async fn any_two_versions_of_a_policy_are_compared(service: TestService) {
    let (first, second) = two_versions(&service).await;
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = format!("{}/compare", version_page(&second));
    viewer.shows(&format!("{page}?against=2"), ["These versions have the same rules."]).await;
    // The form names the other side, and redirects to its page.
    let response = viewer.page(&format!("{page}?against=2&to=1")).await;
    let other = viewer.at(&format!("{}/compare?against=2", version_page(&first)));
    assert_eq!(response.header("location"), Some(&*other), "{}", response.text);
    for unknown in ["against=9", "against=x", "against=-1"] {
        assert_eq!(viewer.page(&format!("{page}?{unknown}")).await.status, 404, "{unknown}");
    }
    let only = service.draft("OTHER").await;
    viewer
        .shows(
            &format!("{}/compare", version_page(&only)),
            ["No other version to compare with. All rules are new."],
        )
        .await;
    // The pages of the policy and of the version link to the comparison.
    for path in [format!("policies/{}?tab=versions", second.policy), version_page(&second)] {
        let html = viewer.page(&path).await.html();
        assert!(html.contains(&format!("{}\"", viewer.at(&page))), "{path}: {html}");
    }
}

#[tokio::test]
async fn the_inbox_of_a_ratifier_opens_the_comparison_with_the_comments_of_the_review() {
    let service = test_service().await;
    let first = service.active("SPEND").await;
    let second = service.next_draft(&first, &rules(9_000)).await;
    let submission = service.seal(&second).await;
    service.submit(&second).await;
    let comments = json!([{"rule_code": "AMOUNT", "text": "Lower, as agreed."}]);
    let body = json!({"verdict": "ACCEPT", "comments": comments, "note": "Good."});
    service.record_review(&second, &submission, &body).await;

    let ratifier = Browser::new(&service, service.ratifier().await);
    let page = format!("{}/compare", version_page(&second));
    let inbox = ratifier.page("inbox").await.html();
    assert!(inbox.contains(&format!("href=\"{}\"", ratifier.at(&page))), "{inbox}");
    let html = ratifier.page(&page).await.html();
    let amount = part(&html, "aria-label=\"AMOUNT\"", "</article>");
    assert_contains(amount, ["Lower, as agreed.", "In review record", "on r1"]);
    assert!(html.contains("accepted by") && html.contains("Good."), "{html}");
    // The page shows the status of the version, and the bytes of the rules with their seal.
    let lifecycle = plain(part(&html, "aria-labelledby=\"lifecycle\"", "</section>"));
    assert_contains(&lifecycle, ["Drafted", "Accepted", "Replaces v1"]);
    let digest = part(&html, "aria-labelledby=\"digest\"", "</section>");
    assert_contains(digest, ["digest-seal", "active since", "Show the exact bytes", "AMOUNT"]);
    assert!(html.contains(&format!("{}/ratify\"", ratifier.at(&version_page(&second)))));
    // A role that cannot ratify has no link. After ratification, the page links to activation.
    let author = Browser::new(&service, service.author().await);
    assert!(!author.page(&page).await.text.contains("/ratify\""));
    service.ratify(&second).await;
    let html = ratifier.page(&page).await.html();
    assert!(html.contains("/activate\"") && !html.contains("/ratify\""), "{html}");
}

/// Sends the form of comments with these fields.
async fn comment(
    browser: &Browser<'_>,
    version: &Version,
    page: &str,
    fields: &[(&str, &str)],
) -> TestResponse {
    let (number, page) = (version.number.to_string(), browser.at(page));
    let own = [("policy", &*version.policy), ("version", &*number), ("form[page]", &*page)];
    let body = form(&[&own[..], fields].concat());
    browser.post("/console/comment", &body).await
}

#[testkit::test]
async fn members_comment_reply_resolve_and_reopen_on_the_pages_of_a_version(service: TestService) {
    let version = service.draft("SPEND").await;
    service.seal(&version).await;
    let author = Browser::new(&service, service.author().await);
    let reviewer = Browser::new(&service, service.reviewer().await);
    let own = version_page(&version);
    let review = format!("{own}/review");

    let text_field = "form[texts][new]";
    let fields = [("form[act]", "new"), ("form[rule]", "AMOUNT"), (text_field, "Per <b>day</b>?")];
    let response = comment(&reviewer, &version, &own, &fields).await;
    let comments = service.author().await.get(version.action_path("comments")).await.expect(200);
    let [first] = items(&comments) else { panic!("one comment: {comments}") };
    let id = text(&first["id"]).to_owned();
    response.assert_redirects_to(&reviewer.at(&format!("{own}#comment-{id}")));
    assert_eq!(
        (&first["rule_code"], &first["text"]),
        (&json!("AMOUNT"), &json!("Per <b>day</b>?"))
    );

    // The version and the review show the thread, on the review next to the rule.
    let html = author.page(&own).await.html();
    let discussion = part(&html, "id=\"discussion\"", "</section>");
    assert!(
        discussion.contains("Rule AMOUNT") && discussion.contains("Per &lt;b&gt;day"),
        "{html}"
    );
    let html = author.page(&review).await.html();
    let amount = part(&html, "aria-label=\"AMOUNT\"", "</article>");
    assert!(amount.contains("Per &lt;b&gt;day") && !amount.contains("Outdated"), "{amount}");

    // A reply preserves the text of the other fields.
    let (reply_act, reply_field) = (format!("reply:{id}"), format!("form[texts][reply-{id}]"));
    let fields =
        [("form[act]", &*reply_act), (&*reply_field, "Per payment."), (text_field, "Half a")];
    let response = comment(&author, &version, &review, &fields).await;
    assert!(response.header("location").is_some_and(|to| to.contains("/review#comment-")));
    let html = author.page(&review).await.html();
    let amount = part(&html, "aria-label=\"AMOUNT\"", "</article>");
    assert!(amount.contains("Per payment.") && html.contains("Half a"), "{html}");
    assert!(!author.page(&review).await.text.contains("Half a"), "it is shown once");

    // An empty comment is refused with its reason.
    let response = comment(&author, &version, &own, &[("form[act]", "new")]).await;
    response.assert_redirects_to(&author.at(&format!("{own}#discussion")));
    author.shows(&own, ["Enter a comment of 1 to 4,000 characters."]).await;
    let resolve = format!("resolve:{id}");
    comment(&author, &version, &review, &[("form[act]", &*resolve)]).await;
    let html = reviewer.page(&review).await.html();
    let amount = part(&html, "aria-label=\"AMOUNT\"", "</article>");
    assert!(amount.contains("Resolved by") && amount.contains("Reopen"), "{amount}");
    assert!(!html.contains("Comment resolved."), "only the user who resolved it sees the notice");
    // The notice is shown once, next to the thread. Its button reopens the thread.
    let reopen = format!("reopen:{id}");
    let html = author.page(&review).await.html();
    let amount = part(&html, "aria-label=\"AMOUNT\"", "</article>");
    let notice = part(amount, "Comment resolved.", "</div>");
    assert!(notice.contains(&format!("value=\"{reopen}\"")) && notice.contains("Undo"), "{notice}");
    assert!(!author.page(&review).await.text.contains("Comment resolved."));
    // Resolving a resolved thread changes nothing, so there is nothing to undo.
    service.clock.advance(1_000);
    comment(&reviewer, &version, &review, &[("form[act]", &*resolve)]).await;
    assert!(!reviewer.page(&review).await.text.contains("Comment resolved."));
    comment(&reviewer, &version, &review, &[("form[act]", &*reopen)]).await;
    assert!(!reviewer.page(&review).await.text.contains("Resolved by"));
}
