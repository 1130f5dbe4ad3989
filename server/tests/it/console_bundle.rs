//! The bundle page: files and provenance of a decision, without a verification result.

use crate::{codification::policy_with_codification, prelude::*};

/// Records a decision and returns the path of its bundle page and its ID.
async fn record(service: &TestService, key: &str) -> (String, String) {
    let id = text(&service.record(key, 20_000).await["id"]).to_owned();
    (format!("decisions/{id}/bundle"), id)
}

/// Returns the text of the main element of a page without tags, scripts and white space.
pub(crate) fn plain_text(page: &str) -> String {
    let main = page.split("<main").nth(1).and_then(|rest| rest.split("</main>").next());
    let pieces =
        main.unwrap_or_default().split('<').skip(1).filter(|tag| !tag.starts_with("script"));
    let text = pieces.filter_map(|piece| Some(piece.rsplit_once('>')?.1));
    text.flat_map(str::chars).filter(|letter| !letter.is_whitespace()).collect()
}

/// Checks whether the page contains a text, regardless of white space.
pub(crate) fn contains_text(page: &str, text: &str) -> bool {
    plain_text(page).contains(&text.replace(' ', ""))
}

/// Checks that a page shows each of the texts.
#[track_caller]
pub(crate) fn assert_shows(page: &str, texts: impl IntoIterator<Item: AsRef<str>>) {
    for text in texts {
        assert!(contains_text(page, text.as_ref()), "{}: {}", text.as_ref(), plain_text(page));
    }
}

#[tokio::test]
async fn the_bundle_page_shows_files_and_provenance_and_does_not_claim_verification() {
    let service = test_service().await;
    service.active_policy(&policy_with_codification("PAY-01")).await;
    let (page, id) = record(&service, "a").await;
    let browser = Browser::member(&service, Role::Viewer).await;
    let html = browser.page(&page).await.text;
    assert_shows(
        &html,
        [
            "Codified from Payment handbook; 2 clauses not mapped to a rule.",
            "section 1 A payment may not exceed 10,000 euros. Rule: AMOUNT High",
            "3 rules, 3 of them from a clause, in 1 policy, ratified by ratifier",
            "gave DENY: 2 were violated. No outcome recorded yet.",
            "The approval is signed.",
            "The receipt is signed.",
            "Not yet in the transparency log.",
            "They have not been verified on this page.",
            "govern-verify --trust trust.json",
            "receipt/statement.json Signed statement about the decision",
            "trusted_keys.json Keys, for information only",
        ],
    );
    // Apart from that note, the page does not call anything verified.
    let content = html.replace("They have not been verified on this page.", "");
    assert!(!plain_text(&content).to_lowercase().contains("verified"), "{content}");
    // Name, size and digest of each file are those of the public bundle.
    let bundle =
        service.public.get(format!("/v1/receipts/{id}/bundle?format=json")).await.expect(200);
    let content = plain_text(&html);
    for (name, file) in bundle["files"].as_object().expect("files by name") {
        use receipt::digest::Digest;
        let digest = Digest::compute(text(file).as_bytes()).to_string();
        assert!(content.contains(name) && content.contains(&digest), "{name} {digest}");
    }

    // The page shows the content of a file, and the payload of an envelope.
    let file_page = format!("{page}?file=receipt%2Freceipt.dsse.json");
    let file_page = browser.page(&file_page).await.text;
    assert!(
        contains_text(&file_page, "Envelope content")
            && contains_text(&file_page, "service-receipt/v2"),
        "{file_page}"
    );
    let missing = browser.page(&format!("{page}?file=passwd")).await.text;
    assert!(contains_text(&missing, "The bundle has no file of this name."), "{missing}");

    let outcome = json!({"status": "overridden", "note": "paid by hand"});
    service.key.post(format!("/v1/decisions/{id}/outcome"), &outcome).await.expect(201);
    let with_outcome = browser.page(&page).await.text;
    assert!(contains_text(&with_outcome, "Overridden paid by hand"), "{with_outcome}");

    // Another tenant has no page for this bundle, although receipts are public.
    let other = service.other_tenant().await;
    let other_path = format!("/t/{}/{page}", other.tenant);
    let response = other.admin.with("accept", "text/html").get(other_path).await;
    assert_eq!(response.status, 404);
}

#[tokio::test]
async fn missing_steps_of_the_provenance_are_shown_as_text() {
    let service =
        TestServiceBuilder { is_signed: false, ..TestServiceBuilder::default() }.start().await;
    service.active("PAY-01").await;
    let (page, id) = record(&service, "a").await;
    let browser = Browser::member(&service, Role::Viewer).await;
    let html = browser.page(&page).await.text;
    assert_shows(
        &html,
        [
            "Written without codification. No clauses are stored.",
            "No clause Rule: AMOUNT",
            "The approval is unsigned.",
            "Unsigned. Signing was not configured.",
            "Not yet in the transparency log.",
            "No outcome recorded yet.",
        ],
    );
    // The public receipt contains the time of the ratification and omits the ratifier.
    let public = service.public.with("accept", "text/html").get(format!("/r/{id}")).await;
    assert!(
        contains_text(&public.text, "Rules ratified Payments v1, 1 Sep 2026"),
        "{}",
        public.text
    );
    assert!(!contains_text(&public.text, "ratifier1"), "{}", public.text);
}
