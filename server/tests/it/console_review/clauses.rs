//! The clauses and lint findings of a codified version.

use super::{act, part, version_page};
use crate::{codification::policy_with_codification, prelude::*};

/// Creates and submits a version with a codification.
async fn submit_codified(service: &TestService) -> Version {
    let author = service.signed_in_member(Role::Author).await;
    let body = policy_with_codification("SPEND");
    let version = create_policy(&author, &body).await;
    act(service, &Browser::new(service, &author), &version, "Send", &[]).await;
    version
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
