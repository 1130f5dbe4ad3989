//! Webhooks and their deliveries in the console, as a browser without scripts uses them.

mod deliveries;

use contract::scope::Role;
use governance::notify::webhook::Schedule;
use serde_json::{Value, json};

use crate::{
    client::text,
    console_pages::{Browser, FORM, cookie, encoded, token},
    service::{TestService, world},
    webhooks::{deliveries, denied, mailer, ready, receiver::Receiver, subscribed, work},
};

/// The id that the page of the form gave it.
const ID: &str = "5d7d8001-0000-4000-8000-000000000001";

const URL: &str = "https://1.1.1.1/hook";

/// The form of a new webhook.
fn form(url: &str, types: &str, severity: &str) -> String {
    let url = encoded(url);
    format!("id={ID}&form%5Burl%5D={url}&form%5Btypes%5D={types}&form%5Bseverity%5D={severity}")
}

/// What a reader sees of a text on a page.
fn readable(page: &str) -> String {
    let page = page.replace("&quot;", "\"").replace("&#x27;", "'").replace("&#39;", "'");
    page.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

async fn webhooks(world: &TestService) -> Vec<Value> {
    let page = world.key.get("/v1/alerts/subscriptions").await.expect(200);
    page["items"].as_array().cloned().unwrap_or_default()
}

async fn operator(world: &TestService) -> Browser<'_> {
    Browser::of(world, &world.person(Role::Operator).await)
}

/// Makes each delivery have one attempt and no more.
fn tries_once(world: &TestService) {
    world.governance.set_delivery_schedule("0".parse::<Schedule>().expect("a schedule"));
}

#[tokio::test]
async fn a_new_webhook_shows_its_secret_once_and_in_no_address() {
    let world = world().await;
    let browser = operator(&world).await;
    let empty = browser.page("webhooks").await.text;
    assert!(empty.contains("Alerts stay in the console until you add one."), "{empty}");
    let page = browser.page("webhooks/new").await.text;
    assert!(page.contains("action=\"/console/create-webhook\""), "{page}");

    let form = form(URL, "payment%0D%0Aloan", "medium");
    let answer = browser.post("/console/create-webhook", &form).await;
    let path = browser.at("webhooks");
    assert_eq!((answer.status, answer.header("location")), (303, Some(&*path)), "{answer:?}");
    assert_eq!(token(&format!("{:?}{}", answer.headers, answer.text), "whsec_"), None);
    let made = cookie(&answer, "made").expect("the browser carries the secret to its page");
    let shown = browser.client(&format!("made={made}")).get(&path).await;
    assert_eq!(cookie(&shown, "made").as_deref(), Some(""), "the browser forgets it");
    let secret = token(&shown.text, "whsec_").expect("the page shows the secret").to_owned();
    assert!(shown.text.contains(&format!("The webhook {URL} is made.")), "{}", shown.text);
    let again = browser.page("webhooks").await.text;
    assert!(again.contains(URL) && !again.contains(&secret), "{again}");
    let [own] = &*webhooks(&world).await else { panic!("one was made") };
    assert_eq!((&own["id"], &own["webhook_url"]), (&json!(ID), &json!(URL)));
    assert_eq!(own["decision_types"], json!(["payment", "loan"]));
    assert_eq!(own["severity_min"], "medium");

    // The same form once more makes no second one.
    let twice = browser.post("/console/create-webhook", &form).await;
    assert_eq!((twice.status, cookie(&twice, "made")), (303, None));
    assert_eq!(webhooks(&world).await.len(), 1);
    let page = browser.page("webhooks/new").await.text;
    assert!(page.contains("A webhook with this id was made before."), "{page}");

    // One like it, with changes.
    let copy = browser.page(&format!("webhooks/new?from={ID}")).await.text;
    assert!(copy.contains(&format!("value=\"{URL}\"")) && copy.contains("payment\nloan"), "{copy}");
    assert!(copy.contains("<option value=\"medium\" selected>"), "{copy}");
    for missing in ["00000000-0000-4000-8000-000000000000", "nothing"] {
        assert_eq!(browser.page(&format!("webhooks/new?from={missing}")).await.status, 404);
    }
}

#[tokio::test]
async fn a_refused_webhook_keeps_what_was_typed() {
    let world = world().await;
    let browser = operator(&world).await;
    for (page, from) in [
        (browser.at("webhooks/new"), String::new()),
        (browser.at(&format!("webhooks/new?from={ID}")), format!("&from={ID}")),
    ] {
        if !from.is_empty() {
            browser.post("/console/create-webhook", &form(URL, "", "low")).await;
        }
        for (url, severity, said) in [
            ("https://10.0.0.1/hook", "low", "Address: must lead to a public address."),
            ("", "low", "Address: must not be empty."),
            (URL, "dire", "From severity: must be one of low, medium, high, critical."),
        ] {
            let refused = format!("{}{from}", form(url, "one_type%0D%0Aanother_type", severity));
            let answer = browser.post("/console/create-webhook", &refused).await;
            assert_eq!((answer.status, answer.header("location")), (303, Some(&*page)));
            let shown = browser.client("theme=dark").get(&page).await.text;
            assert!(shown.contains(said) && shown.contains("1 thing to correct"), "{shown}");
            assert!(shown.contains("<title>Error: "), "{shown}");
            assert!(shown.contains(&format!("value=\"{url}\"")), "{shown}");
            assert!(readable(&shown).contains("one_type\r\nanother_type"), "{shown}");
            let later = browser.client("theme=dark").get(&page).await.text;
            assert!(!later.contains(said) && !later.contains("another_type"), "it is told once");
        }
    }
    assert_eq!(webhooks(&world).await.len(), 1);
}

#[tokio::test]
async fn a_webhook_is_tested_and_deleted_by_plain_forms() {
    let world = ready().await;
    let receiver = Receiver::start().await;
    let id = subscribed(&world, receiver.url("ok")).await;
    let browser = operator(&world).await;
    let answer = browser.post("/console/test-webhook", &format!("id={id}")).await;
    let [sample] = &*deliveries(&world, "").await else { panic!("one was queued") };
    let page = format!("webhooks/deliveries/{}", text(&sample["id"]));
    assert_eq!((answer.status, answer.header("location")), (303, Some(&*browser.at(&page))));
    let pending = browser.page(&page).await.text;
    for said in ["Still pending", "aria-disabled=\"true\"", "It was not tried yet.", "A test: no"] {
        assert!(pending.contains(said), "{said}: {pending}");
    }
    work(&world.governance, &mailer(&world.governance)).await;
    let delivered = browser.page(&page).await.text;
    assert!(delivered.contains("Already delivered"), "{delivered}");
    assert!(browser.page("webhooks").await.text.contains("1 delivered"));

    let list = browser.at("webhooks");
    let gone = browser.post("/console/delete-webhook", &format!("id={id}")).await;
    assert_eq!((gone.status, gone.header("location")), (303, Some(&*list)));
    assert_eq!(webhooks(&world).await.len(), 0);
    browser.post("/console/delete-webhook", &format!("id={id}")).await;
    assert!(browser.page("webhooks").await.text.contains("NOT_FOUND"));
}

#[tokio::test]
async fn webhooks_are_for_those_who_look_after_them_and_for_their_tenant() {
    let world = ready().await;
    tries_once(&world);
    let receiver = Receiver::start().await;
    let id = subscribed(&world, receiver.url("500")).await;
    denied(&world, "k").await;
    work(&world.governance, &mailer(&world.governance)).await;
    let delivery = deliveries(&world, "?status=dead").await[0].clone();
    let delivery = text(&delivery["id"]);
    let viewer = Browser::of(&world, &world.person(Role::Viewer).await);
    let neighbour = world.neighbour().await;
    let stranger = Browser::of(&world, &neighbour.admin);
    let one = format!("webhooks/deliveries/{delivery}");
    let foreign = stranger.page("policies").await.status;
    for page in ["webhooks", "webhooks/new", "webhooks/deliveries", &one] {
        assert_eq!(viewer.page(page).await.status, 403, "{page}");
        assert_eq!(stranger.page(page).await.status, foreign, "{page}");
    }
    let own = format!("/t/{}", neighbour.tenant);
    for page in [format!("{own}/{one}"), format!("{own}/webhooks/new?from={id}")] {
        assert_eq!(stranger.client("theme=dark").get(&page).await.status, 404, "{page}");
    }
    for (act, body) in [
        ("create-webhook", form(URL, "", "low")),
        ("test-webhook", format!("id={id}")),
        ("retry-deliveries", format!("back=%2F&ids%5B%5D={delivery}")),
        ("redrive-deliveries", "back=%2F".to_owned()),
        ("redrive-deliveries", format!("back=%2F&webhook={id}")),
        ("delete-webhook", format!("id={id}")),
    ] {
        let path = format!("/console/{act}");
        assert_eq!(viewer.post(&path, &body).await.status, 303, "{act}");
        let foreign = stranger.client("theme=dark").call("POST", path);
        let foreign = foreign.body(FORM, format!("tenant={}&{body}", neighbour.tenant)).await;
        assert_eq!(foreign.status, 303, "{act}");
    }
    assert_eq!(webhooks(&world).await.len(), 1);
    assert_eq!(deliveries(&world, "").await.len(), 1);
    assert_eq!(deliveries(&world, "?status=dead").await.len(), 1);
}

#[tokio::test]
async fn stored_text_stays_text() {
    let world = world().await;
    let browser = operator(&world).await;
    let url = "https://1.1.1.1/\"><script>alert(1)</script>";
    let types = "%3Cscript%3Ealert(2)%3C%2Fscript%3E";
    browser.post("/console/create-webhook", &form(url, types, "low")).await;
    assert_eq!(webhooks(&world).await.len(), 1);
    browser.post("/console/test-webhook", &format!("id={ID}")).await;
    let sample = deliveries(&world, "").await[0].clone();
    let one = format!("webhooks/deliveries/{}", text(&sample["id"]));
    for page in ["webhooks", "webhooks/deliveries", &one, &format!("webhooks/new?from={ID}")] {
        let page = browser.page(page).await.text;
        assert!(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert"), "{page}");
    }
}
