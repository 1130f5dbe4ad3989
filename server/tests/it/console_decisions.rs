//! The decision list, its export, the page of a decision, and the list of chains, without JavaScript.

use crate::{codification::policy_with_codification, console_bundle::plain_text, prelude::*};

/// Returns the address of the first link with this text.
pub(crate) fn link(page: &str, text: &str) -> Option<String> {
    let page = page.replace("<!>", "");
    let before = page.split(&format!("{text}</a>")).next().filter(|before| **before != *page)?;
    let (_, attributes) = before.rsplit_once("<a ")?;
    let (_, rest) = attributes.split_once("href=\"")?;
    Some(unescape(rest.split_once('"')?.0))
}

async fn service_with_policy() -> TestService {
    let service = test_service().await;
    service.active("PAY-01").await;
    service
}

#[tokio::test]
async fn decisions_can_be_read_in_both_directions() {
    let service = service_with_policy().await;
    for index in 0..51 {
        service.record(&format!("key {index}"), 20_000).await;
    }
    let browser = Browser::member(&service, Role::Viewer).await;
    let rows = |page: &str| page.matches("data-row").count();
    let first = browser.page("decisions?range=24h").await.text;
    assert_eq!((rows(&first), link(&first, "Newer")), (50, None));
    let older = link(&first, "Older").expect("there is an older decision");
    assert!(older.contains("range=24h&from="), "the range does not move: {older}");
    let client = browser.client("theme=dark");
    let second = client.get(&older).await.text;
    assert_eq!((rows(&second), link(&second, "Older")), (1, None));
    let newer = link(&second, "Newer").expect("there are newer decisions");
    let again = client.get(&newer).await.text;
    assert_eq!((rows(&again), link(&again, "Newer")), (50, None));
    assert_eq!(link(&again, "Older"), Some(older));
}

#[tokio::test]
async fn an_export_is_a_named_file_in_the_time_zone() {
    let service = service_with_policy().await;
    service.record("a", 20_000).await;
    let browser = Browser::member(&service, Role::Auditor).await;
    let form = "from=2026-09-01T00%3A00&to=2026-09-02T00%3A00&zone=%2B02%3A00";
    let csv = browser.post("/console/export", &format!("{form}&format=csv")).await;
    assert_eq!(csv.status, 200, "{}", csv.text);
    let disposition = csv.header("content-disposition").expect("a file name");
    assert!(disposition.ends_with("-decisions-2026-09-01.csv\""), "{disposition}");
    let row = csv.text.lines().nth(1).expect("one decision");
    assert!(row.contains(",2026-09-01T12:00:00.000+02:00,"), "{row}");
    let lines = browser.post("/console/export", &format!("{form}&format=ndjson")).await;
    let record: Value = serde_json::from_str(lines.text.trim()).expect("one record");
    assert_eq!(record["recorded_at"], "2026-09-01T10:00:00.000Z", "records are exported unchanged");
    let invalid = browser.post("/console/export", "from=soon&to=2026-09-02&format=csv").await;
    assert_eq!(invalid.status, 303);
    let location = invalid.header("location").expect("the form").to_owned();
    let form = browser.client("theme=dark").get(&location).await.text;
    assert!(contains_text(&form, "From: enter a date and time."), "{}", plain_text(&form));
    assert!(form.contains("value=\"2026-09-02\""), "the input is shown again: {form}");
}

#[testkit::test]
async fn the_list_counts_decisions_by_time_verdict_policy_and_rule(service: TestService) {
    let version = service.active("PAY-01").await;
    service.record("a", 20_000).await;
    service.record("b", 1).await;
    let browser = Browser::member(&service, Role::Viewer).await;
    let page = browser.page("decisions").await.html();
    assert_shows(
        &page,
        [
            "2 decisions. Each bar is 6 hours. Times are in UTC. Only the last 7 days of the range are counted.",
            "DENY 1",
            "REVIEW 1",
            "ALLOW 0",
            "Payments 2",
            "Violated rule PURPOSE 2 AMOUNT 1",
        ],
    );
    // Each part of a bar links to its decisions.
    let bar = "aria-label=\"DENY: 1 decision, from 1 Sep 2026 10:00\"";
    let (before, _) = page.split_once(bar).expect("the bar");
    let (_, tag) = before.rsplit_once("<a ").expect("a link");
    let href = tag.split_once("href=\"").and_then(|(_, rest)| rest.split_once('"'));
    let href = unescape(href.expect("an address").0);
    let counted = browser.client("theme=dark").get(&href).await.text;
    assert_eq!(counted.matches("data-row").count(), 1, "{href}: {}", plain_text(&counted));

    let policy = browser.at(&format!("decisions?policy={}", version.policy));
    assert!(page.contains(&format!("href=\"{policy}\"")), "{policy}: {page}");
    // Single decisions are not counted.
    let chain = browser.page(&format!("decisions?chain={CHAIN}")).await.text;
    assert!(!chain.contains("Narrow down"), "{chain}");
}

#[testkit::test]
async fn a_decision_shows_why_its_violated_rules_apply_and_its_history(service: TestService) {
    service.active_policy(&policy_with_codification("PAY-01")).await;
    let mut request = request("a", 20_000);
    request["context"]["fields"]["region"] = "EU".into();
    let id = text(&record(&service.key, &request).await["id"]).to_owned();
    let browser = Browser::member(&service, Role::Operator).await;
    let path = format!("decisions/{id}");
    let page = browser.page(&path).await.html();
    assert_shows(
        &page,
        [
            "This rule has no gate. It applies to every decision.",
            "Why this rule applies Met: region is \"EU\" (exact case) Actual: EU",
            "From clause to outcome Clause AMOUNT section 1 A payment may not exceed 10,000 euros.",
            "Version Payments v1 Ratified 1 Sep 2026 10:00",
            "Activated 1 Sep 2026 10:00",
            "Anchored Not yet anchored Outcome No outcome recorded yet.",
        ],
    );
    let outcome = json!({"status": "overridden"});
    service.key.post(format!("/v1/decisions/{id}/outcome"), &outcome).await.expect(201);
    let page = browser.page(&path).await.html();
    assert!(contains_text(&page, "Outcome Overridden 1 Sep 2026 10:00"), "{}", plain_text(&page));
}

#[tokio::test]
async fn chains_are_listed_and_filtered_by_status() {
    let service = service_with_policy().await;
    let browser = Browser::member(&service, Role::Viewer).await;
    let empty = browser.page("chains").await.text;
    assert_shows(&empty, ["No chains yet", "chain_id"]);
    let request = chain_request("a", json!({"chain_step": 3}));
    service.key.post("/v1/decisions/record", &request).await.expect(201);
    let href = format!("href=\"{}\"", browser.at(&format!("chains/{CHAIN}")));
    let open = browser.shows("chains", [&href]).await;
    assert!(contains_text(&open, "Open 1 3"), "status, steps, last step: {}", plain_text(&open));
    assert!(contains_text(&browser.page("chains?status=sealed").await.text, "No results"));
    service.seal_chain().await;
    assert!(browser.page("chains?status=sealed").await.text.contains(&href));
    assert!(browser.page(&format!("chains?chain={CHAIN}")).await.text.contains(&href));
    let sealed = format!("/v1/chains?chain_id={CHAIN}&status=sealed");
    assert_eq!(items(&service.key.get(sealed).await.expect(200)).len(), 1);
    let open = service.key.get("/v1/chains?status=open").await.expect(200);
    assert_eq!(open["items"], json!([]));
    let invalid = browser.page("chains?status=closed").await;
    assert_eq!(invalid.status, 200);
    assert!(contains_text(&invalid.text, "Status: select a value from the list."));
}
