//! The overview in the console, as a browser without scripts uses it.

use contract::scope::Role;
use governance::notify::webhook::Schedule;
use serde_json::json;

use crate::{
    client::text,
    console_pages::Browser,
    webhooks::{denied, mailer, ready, receiver::Receiver, subscribed, work},
};

async fn overview(browser: &Browser<'_>) -> String {
    let page = browser.at("");
    browser.client("theme=dark").get(page.trim_end_matches('/')).await.text
}

/// Where a count of the page leads, and what it says.
fn count<'p>(page: &'p str, word: &str) -> Option<(&'p str, &'p str)> {
    let (before, _) = page.split_once(word)?;
    let (_, link) = before.rsplit_once("<a href=\"")?;
    let (list, rest) = link.split_once('"')?;
    let number = rest.split_once("<strong>")?.1.split_once(['<', '!'])?.0;
    Some((list, number))
}

#[tokio::test]
async fn each_count_leads_to_the_list_of_what_it_counts() {
    let world = ready().await;
    world.governance.set_delivery_schedule("0".parse::<Schedule>().expect("a schedule"));
    let receiver = Receiver::start().await;
    subscribed(&world, receiver.url("500")).await;
    denied(&world, "a").await;
    denied(&world, "b").await;
    work(&world.governance, &mailer(&world.governance)).await;
    let submitted = world.submitted("PAY-02").await;
    let watching = world.active("PAY-03").await;
    let person = world.ratifier().await;
    person.patch(watching.of(), &json!({"shadow_mode": true})).await.expect(200);
    // A draft that would only watch does not count: it decides nothing yet.
    let draft = world.draft("PAY-04").await;
    world.key.patch(draft.of(), &json!({"shadow_mode": true})).await.expect(200);

    let open = world.key.get("/v1/alerts?status=open").await.expect(200)["total"].to_string();
    let ratifier = Browser::of(&world, &world.person(Role::Ratifier).await);
    let page = overview(&ratifier).await;
    for (word, number, list, rows) in [
        ("Versions that need me", "1", "inbox", &*submitted.policy),
        ("Unacknowledged alerts", &open, "alerts", "AMOUNT"),
        ("Dead deliveries", "2", "webhooks/deliveries?status=dead", "dead"),
        ("Active policies in shadow mode", "1", "policies?state=shadow", &*watching.policy),
    ] {
        let expected = ratifier.at(list);
        assert_eq!(count(&page, word), Some((&*expected, number)), "{word}: {page}");
        let answer = ratifier.page(list).await;
        assert_eq!(answer.status, 200, "{list}");
        assert!(answer.text.contains(rows), "{list} shows {rows}: {}", answer.text);
    }
    let shown = ratifier.page("policies?state=shadow").await.text;
    assert!(!shown.contains(&submitted.policy) && !shown.contains(&draft.policy), "{shown}");
    let asked = "/v1/policies?shadow_mode=true";
    let found = world.key.get(asked).await.expect(200);
    let codes: Vec<_> = found["items"].as_array().expect("a list").iter().collect();
    let codes: Vec<_> = codes.iter().map(|policy| text(&policy["code"])).collect();
    assert_eq!(codes, ["PAY-04", "PAY-03"]);

    // Whose turn it is, is another question for somebody else; and what a role has no page for is not told.
    let author = Browser::of(&world, &world.person(Role::Author).await);
    let page = overview(&author).await;
    assert_eq!(count(&page, "Versions that need me").map(|(_, number)| number), Some("0"));
    let viewer = Browser::of(&world, &world.person(Role::Viewer).await);
    let page = overview(&viewer).await;
    for word in ["Versions that need me", "Dead deliveries"] {
        assert!(!page.contains(word), "{word}: {page}");
    }
    assert_eq!(count(&page, "Unacknowledged alerts").map(|(_, number)| number), Some(&*open));
}
