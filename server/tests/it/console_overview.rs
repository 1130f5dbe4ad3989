//! The overview page of the console in a browser without JavaScript.

use crate::{
    prelude::*,
    webhooks::{
        delivery_worker, receiver, record_denied, send_due, service_with_one_attempt, subscribe,
    },
};

async fn overview(browser: &Browser<'_>) -> String {
    let page = browser.at("");
    let page = browser.client("theme=dark").get(page.trim_end_matches('/')).await;
    page.html()
}

/// Returns the number, the trend and the link of a key figure.
fn figure(page: &str, label: &str) -> Option<[String; 3]> {
    let (_, figures) = page.split_once("class=\"figures\"")?;
    let (before, rest) = figures.split_once(&format!("<span>{label}</span>"))?;
    let between = |from: &str, to: &str| Some(rest.split_once(from)?.1.split_once(to)?.0);
    let (_, tag) = before.rsplit_once("<li><")?;
    let link = tag.split_once("href=\"").and_then(|(_, link)| link.split_once('"'));
    let trend = between("<small>", "</small>")?;
    Some(
        [between("<strong>", "</strong>")?, trend, link.map_or("", |(link, _)| link)].map(unescape),
    )
}

/// Returns the link and the number of the count with this label.
fn count<'p>(page: &'p str, label: &str) -> Option<(&'p str, &'p str)> {
    let (before, _) = page.split_once(label)?;
    let (_, link) = before.rsplit_once("<a href=\"")?;
    let (list, rest) = link.split_once('"')?;
    let number = rest.split_once("<strong>")?.1.split_once(['<', '!'])?.0;
    Some((list, number))
}

#[tokio::test]
async fn each_count_links_to_the_list_of_the_counted_items() {
    let service = service_with_one_attempt().await;
    let receiver = receiver::start().await;
    subscribe(&service, receiver.url("500")).await;
    record_denied(&service, "a").await;
    record_denied(&service, "b").await;
    send_due(&service.governance, &delivery_worker(&service.governance)).await;
    let submitted = service.submitted("PAY-02").await;
    let in_shadow_mode = service.active("PAY-03").await;
    let ratifier_client = service.ratifier().await;
    ratifier_client
        .patch(in_shadow_mode.policy_path(), &json!({"shadow_mode": true}))
        .await
        .expect(200);
    // The count includes active policies only, so a draft policy in shadow mode is not counted.
    let draft = service.draft("PAY-04").await;
    service.key.patch(draft.policy_path(), &json!({"shadow_mode": true})).await.expect(200);

    let open = service.key.get("/v1/alerts?status=open").await.expect(200)["total"].to_string();
    let ratifier = Browser::member(&service, Role::Ratifier).await;
    let page = overview(&ratifier).await;
    for (label, number, list, rows) in [
        ("Needs your action", "1", "inbox", &*submitted.policy),
        ("Open alerts", &*open, "alerts", "AMOUNT"),
    ] {
        let [shown, trend, link] =
            figure(&page, label).unwrap_or_else(|| panic!("{label}: {page}"));
        let trend_of_new = format!("{number} new, 0 in the 7 days before");
        assert_eq!([shown, trend, link], [number.to_owned(), trend_of_new, ratifier.at(list)]);
        assert!(ratifier.page(list).await.text.contains(rows), "{list} shows {rows}");
    }
    for (label, number, list, rows) in [
        ("Dead deliveries", "2", "webhooks/deliveries?status=dead", "dead"),
        ("Active policies in shadow mode", "1", "policies?state=shadow", &*in_shadow_mode.policy),
    ] {
        let expected = ratifier.at(list);
        assert_eq!(count(&page, label), Some((&*expected, number)), "{label}: {page}");
        let response = ratifier.page(list).await;
        assert_eq!(response.status, 200, "{list}");
        assert!(response.text.contains(rows), "{list} shows {rows}: {}", response.text);
    }
    let html = ratifier.page("policies?state=shadow").await.text;
    assert!(!html.contains(&submitted.policy) && !html.contains(&draft.policy), "{html}");
    let path = "/v1/policies?shadow_mode=true";
    let policies = service.key.get(path).await.expect(200);
    assert_eq!(texts(&policies, "code"), ["PAY-04", "PAY-03"]);

    // Another role has other pending actions, and sees only counts of pages that it can open.
    let author = Browser::member(&service, Role::Author).await;
    let page = overview(&author).await;
    assert_eq!(figure(&page, "Needs your action").map(|[number, ..]| number), Some("0".into()));
    let viewer = Browser::member(&service, Role::Viewer).await;
    let page = overview(&viewer).await;
    for label in ["Needs your action", "Dead deliveries"] {
        assert!(!page.contains(label), "{label}: {page}");
    }
    assert_eq!(figure(&page, "Open alerts").map(|[number, ..]| number), Some(open));
}

#[tokio::test]
async fn key_figures_compare_the_range_with_the_period_before_it() {
    const WEEK_MS: i64 = 7 * 24 * 60 * MINUTE_MS;
    let service = test_service().await;
    service.active("PAY-01").await;
    for key in ["a", "b"] {
        service.record(key, 20_000).await;
    }
    let figures = |page: &str| {
        ["DENY rate", "Decisions", "Evaluation time, p95"]
            .map(|label| figure(page, label).unwrap_or_else(|| panic!("{label}: {page}")))
    };
    let viewer = Browser::member(&service, Role::Viewer).await;
    let [[rate, rate_trend, _], [decisions, decisions_trend, list], [p95, p95_trend, _]] =
        figures(&overview(&viewer).await);
    assert_eq!([&*rate, &*decisions], ["100.0 %", "2"]);
    assert!(p95.ends_with(" ms"), "{p95}");
    for trend in [rate_trend, decisions_trend, p95_trend] {
        assert_eq!(trend, "no decisions in the 7 days before");
    }
    assert!(list.starts_with(&viewer.at("decisions?from=")), "{list}");

    service.clock.advance(WEEK_MS);
    service.record("c", 1).await;
    let viewer = Browser::member(&service, Role::Viewer).await;
    let [[rate, rate_trend, denied], [decisions, decisions_trend, _], _] =
        figures(&overview(&viewer).await);
    assert_eq!([&*rate, &*rate_trend], ["0.0 %", "down 100.0 points on the 7 days before"]);
    assert_eq!([&*decisions, &*decisions_trend], ["1", "down 50 % on the 7 days before"]);
    assert!(denied.starts_with(&viewer.at("decisions?verdict=DENY&from=")), "{denied}");

    service.clock.advance(2 * WEEK_MS);
    let viewer = Browser::member(&service, Role::Viewer).await;
    let [[rate, trend, _], [decisions, ..], [p95, ..]] = figures(&overview(&viewer).await);
    assert_eq!([&*rate, &*decisions, &*p95], ["–", "0", "–"]);
    assert_eq!(trend, "no decisions in this range");
}

#[testkit::test]
async fn a_policy_limits_the_figures_of_decisions_and_is_part_of_all_links(service: TestService) {
    let limit = service.active("PAY-01").await;
    service.record("a", 20_000).await;
    let later = service.active("PAY-02").await;
    let viewer = Browser::member(&service, Role::Viewer).await;
    let filtered = async |policy: &str| {
        let path = format!("{}?policy={policy}", viewer.at("").trim_end_matches('/'));
        let page = viewer.client("theme=dark").get(path).await;
        assert_eq!(page.status, 200, "{}", page.text);
        page.html()
    };
    let page = filtered(&limit.policy).await;
    let [decisions, _, list] = figure(&page, "Decisions").expect("a figure");
    assert_eq!(decisions, "1");
    assert!(list.contains(&format!("policy={}", limit.policy)), "{list}");
    assert!(figure(&page, "Evaluation time, p95").is_none(), "{page}");
    assert!(page.contains("measured for a whole decision"), "{page}");
    let range = format!("?policy={}&amp;range=30d\"", limit.policy);
    assert!(page.contains(&range), "{page}");
    assert!(page.contains("Clear filter: Policy"), "{page}");
    assert!(page.contains(&format!("<option value=\"{}\"", later.policy)), "{page}");

    let page = filtered(&later.policy).await;
    assert_eq!(figure(&page, "Decisions").map(|[decisions, ..]| decisions), Some("0".into()));
    let page = filtered("unknown").await;
    assert_eq!(figure(&page, "Decisions").map(|[decisions, ..]| decisions), Some("1".into()));
}

#[testkit::test]
async fn charts_show_counts_or_shares_and_mark_changes_of_policies(service: TestService) {
    let version = service.active("PAY-01").await;
    service.record("a", 20_000).await;
    let viewer = Browser::member(&service, Role::Viewer).await;
    let open = async |query: &str| {
        let path = format!("{}{query}", viewer.at("").trim_end_matches('/'));
        let page = viewer.client("theme=dark").get(path).await;
        assert_eq!(page.status, 200, "{}", page.text);
        page.html()
    };
    let page = open("").await;
    assert!(page.contains(" v1 was activated by ") && page.contains("class=\"change\""), "{page}");
    assert!(
        page.contains(&format!("href=\"{}\"", viewer.at(&format!("policies/{}", version.policy))))
    );
    assert!(page.contains("?unit=share\"") && !page.contains("75 %"), "{page}");
    service.deactivate(&version).await;
    assert!(open("").await.contains(" was deactivated by "));

    let shares = open("?unit=share").await;
    assert!(shares.contains("75 %"), "{shares}");
    assert!(shares.contains("?range=30d&amp;unit=share\""), "{shares}");
}

#[testkit::test]
async fn the_override_rate_has_both_of_its_numbers(service: TestService) {
    service.active("PAY-01").await;
    let viewer = Browser::member(&service, Role::Viewer).await;
    let decisions = [service.record("a", 20_000).await, service.record("b", 20_000).await];
    let rate = async || figure(&overview(&viewer).await, "Override rate").expect("a figure");
    let [none, reason, _] = rate().await;
    assert_eq!([&*none, &*reason], ["–", "no violation has an outcome"]);
    for (decision, status) in decisions.iter().zip(["overridden", "accepted"]) {
        let path = format!("/v1/decisions/{}/outcome", text(&decision["id"]));
        service.key.post(path, &json!({"status": status})).await.expect(201);
    }
    let [rate, numbers, _] = rate().await;
    assert_eq!(rate, "50 %");
    assert!(numbers.ends_with(" violations with an outcome"), "{numbers}");
}

#[testkit::test]
async fn a_tenant_without_decisions_gets_the_steps_that_remain(service: TestService) {
    let admin = Browser::new(&service, &service.admin().await);
    let viewer = Browser::member(&service, Role::Viewer).await;
    // The key of the test service exists.
    for (browser, can_create) in [(&admin, true), (&viewer, false)] {
        let page = overview(browser).await;
        assert!(page.contains("1 of 4 done") && page.contains("/v1/decisions/record"), "{page}");
        assert_eq!(page.contains(&browser.at("policies/new\"")), can_create, "{page}");
    }
    service.active("PAY-01").await;
    assert!(overview(&admin).await.contains("3 of 4 done"));
    service.record("a", 1).await;
    let page = overview(&admin).await;
    assert!(page.contains("Verdicts over time") && !page.contains("Getting started"), "{page}");
}
