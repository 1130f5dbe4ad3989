//! The clauses and lint findings of a codified version.

use super::{act, part, version_page};
use crate::{codification::policy_with_codification, prelude::*};

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

#[testkit::test]
async fn each_rule_is_shown_with_its_clause_and_lint_findings(service: TestService) {
    let version = submit_codified(&service).await;
    let page = format!("{}/review", version_page(&version));
    let reviewer = Browser::member(&service, Role::Reviewer).await;
    let viewer = Browser::member(&service, Role::Viewer).await;
    // Reviewers and viewers see the same content.
    for browser in [&reviewer, &viewer] {
        let html = browser.page(&page).await.text;
        let amount = part(&html, "aria-label=\"AMOUNT\"", "</article>");
        assert_contains(
            amount,
            ["section 1", "may not exceed 9,000 euros", "number_not_in_rule", "confidence"],
        );
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
        assert_contains(
            clauses,
            [
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
            ],
        );
    }
}

#[testkit::test]
async fn unchanged_rules_are_shown_with_their_clauses(service: TestService) {
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

#[testkit::test]
async fn a_version_without_a_codification_shows_one_line_about_it(service: TestService) {
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
