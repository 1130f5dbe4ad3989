//! Review drafts and viewed rules.

use super::{act, review, review_records, version_page};
use crate::prelude::*;

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
    reviewer.shows(&page, ["Viewed 2 of 3", "Which union?"]).await;
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
    reviewer.shows(&page, ["Viewed 1 of 3"]).await;
}
