//! `/f/{form}` as a browser without scripts gets it, and sends it back.

use std::fmt::Write as _;

use serde_json::{Value, json};
use server::config::edge::{EdgeConfig, Rates};

use super::{path, published};
use crate::{
    client::{Client, TestResponse, text},
    console_pages::FORM,
    service::{TestService, TestServiceBuilder, world},
};

/// Somebody at a browser.
fn browser(client: &Client) -> Client {
    client.with("accept", "text/html").with("sec-fetch-site", "same-origin")
}

fn page(form: &Value) -> String {
    format!("/f/{}", text(&form["id"]))
}

/// The value of a hidden field.
fn hidden(page: &TestResponse, name: &str) -> Option<String> {
    let (_, rest) = page.text.split_once(&format!("name=\"{name}\" value=\""))?;
    rest.split('"').next().map(str::to_owned)
}

/// Fields as a browser sends them, with every byte escaped.
fn encoded(pairs: &[(&str, &str)]) -> String {
    let mut body = String::new();
    let mut escape = |text: &str, end: char| {
        for byte in text.bytes() {
            write!(body, "%{byte:02X}").expect("a string takes any text");
        }
        body.push(end);
    };
    for (name, value) in pairs {
        escape(name, '=');
        escape(value, '&');
    }
    body
}

async fn send(client: &Client, form: &Value, pairs: &[(&str, &str)]) -> TestResponse {
    browser(client).call("POST", page(form)).body(FORM, encoded(pairs)).await
}

async fn form(world: &TestService, members: Value) -> Value {
    published(world, &world.active("PAY-01").await, members).await
}

#[tokio::test]
async fn a_form_is_sent_by_a_program_and_never_from_another_site() {
    let world = world().await;
    let form = form(&world, json!({})).await;
    let body = |key: &str| encoded(&[("key", key), ("a:amount", "1"), ("a:purpose", "rent")]);
    let post = |client: &Client, key: &str| client.call("POST", page(&form)).body(FORM, body(key));
    let program = post(&world.public, "a").await;
    assert_eq!(program.status, 303, "{}", program.text);
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("origin", "https://other.example"),
        ("origin", "null"),
        ("cookie", "govern=x"),
    ] {
        let foreign = post(&world.public.with(name, value), "b").await;
        assert_eq!(foreign.to_string(), "403 FORBIDDEN", "{name}: {value}");
    }
    assert_eq!(world.sql("select count(*)::text from decisions").await, ["1"]);
}

#[tokio::test]
async fn a_person_fills_in_a_form_and_gets_a_receipt() {
    let world = world().await;
    let form = form(&world, json!({"success_message": "Thank you."})).await;
    let blank = browser(&world.public).get(page(&form)).await;
    assert_eq!(blank.status, 200);
    let policy = blank.header("content-security-policy").expect("a page has a policy");
    assert!(!policy.contains("script") && policy.starts_with("default-src 'none'"), "{policy}");
    assert_eq!(blank.header("x-robots-tag"), Some("noindex"));
    assert_eq!(blank.header("set-cookie"), None);
    for part in
        ["<h1><bdi>Payment request</bdi></h1>", "Asked by Acme.", "At most 10000.", "(required)"]
    {
        assert!(blank.text.contains(part), "{part}: {}", blank.text);
    }
    assert!(!blank.text.contains("<script") && !blank.text.contains(" style="));

    let key = hidden(&blank, "key").expect("a key");
    let wrong = [("key", &*key), ("a:amount", "2,5oo"), ("a:tax_number", "<b>\"T\"</b>")];
    let refused = send(&world.public, &form, &wrong).await;
    assert_eq!(refused.status, 422);
    for part in [
        "<title>Error: Payment request</title>",
        "2 answers need a change",
        "<a href=\"#q0\"><bdi>Amount</bdi>: Must be a number, such as 2500.</a>",
        "<a href=\"#q1\"><bdi>Purpose</bdi>: Needs an answer.</a>",
        "aria-describedby=\"h0 e0\" aria-invalid=\"true\"",
        "value=\"2,5oo\"",
        "value=\"&lt;b&gt;&quot;T&quot;&lt;/b&gt;\"",
    ] {
        assert!(refused.text.contains(part), "{part}: {}", refused.text);
    }
    assert_eq!(hidden(&refused, "key").as_deref(), Some(&*key));

    let good = [("key", &*key), ("a:amount", "2500"), ("a:purpose", "Laptops"), ("a:region", "")];
    let taken = send(&world.public, &form, &good).await;
    assert_eq!(taken.status, 303, "{}", taken.text);
    let receipt = taken.header("location").expect("a way to the receipt").to_owned();
    let pressed_twice = send(&world.public, &form, &good).await;
    assert_eq!(pressed_twice.header("location"), Some(&*receipt));
    assert_eq!(world.sql("select count(*)::text from decisions").await, ["1"]);
    let fields = "select record::jsonb -> 'context' ->> 'fields' from decisions";
    assert_eq!(world.sql(fields).await, [r#"{"amount": 2500, "purpose": "Laptops"}"#]);

    let shown = browser(&world.public).get(&receipt).await;
    assert_eq!(shown.status, 200);
    for part in ["ALLOW", "Thank you.", "Keep this link", &receipt] {
        assert!(shown.text.contains(part), "{part}");
    }
    let program = world.public.get(&receipt).await;
    let api = format!("/v1/forms/{}/receipts/", text(&form["id"]));
    assert!(program.header("location").is_some_and(|to| to.starts_with(&api)), "{program:?}");
    let changed = [("key", &*key), ("a:amount", "1"), ("a:purpose", "Other")];
    let changed = send(&world.public, &form, &changed).await;
    assert_eq!(changed.status, 422);
    assert!(changed.text.contains("Submit again to send these as well"), "{}", changed.text);
    assert_ne!(hidden(&changed, "key").as_deref(), Some(&*key));

    world.key.patch(path(&form, ""), &json!({"is_published": false})).await.expect(200);
    for gone in [page(&form), receipt] {
        assert_eq!(browser(&world.public).get(gone).await.status, 404);
    }
    let foreign = world.public.with("accept", "text/html").with("sec-fetch-site", "cross-site");
    let foreign = foreign.call("POST", page(&form)).body(FORM, "key=k").await;
    assert_eq!(foreign.status, 403);
}

#[tokio::test]
async fn gates_show_nothing_of_their_form_until_it_is_open() {
    let world = world().await;
    let members =
        json!({"access_mode": "password", "password": "open-sesame", "title": "Secret plan"});
    let form = form(&world, members).await;
    let gate = browser(&world.public).get(page(&form)).await;
    assert_eq!(gate.status, 403);
    assert!(gate.text.contains("type=\"password\"") && !gate.text.contains("Secret plan"));
    let wrong = send(&world.public, &form, &[("gate", "1"), ("password", "close-sesame")]).await;
    assert_eq!(wrong.status, 403);
    assert!(wrong.text.contains("This is not the password of the form."), "{}", wrong.text);
    let open = send(&world.public, &form, &[("gate", "1"), ("password", "open-sesame")]).await;
    assert_eq!(open.status, 200);
    assert!(open.text.contains("Secret plan"));
    let key = hidden(&open, "key").expect("a key");
    let pairs =
        [("key", &*key), ("password", "open-sesame"), ("a:amount", "1"), ("a:purpose", "x")];
    assert_eq!(send(&world.public, &form, &pairs).await.status, 303);

    world.key.patch(path(&form, ""), &json!({"access_mode": "token"})).await.expect(200);
    let made = world.key.post(path(&form, "/tokens"), &json!({"max_uses": 1})).await.expect(201);
    let gate = browser(&world.public).get(page(&form)).await;
    assert!(gate.status == 403 && gate.text.contains("name=\"access_token\""));
    let open = browser(&world.public).get(text(&made["url"])).await;
    let (key, token) = (hidden(&open, "key").unwrap(), hidden(&open, "access_token").unwrap());
    let pairs = [("key", &*key), ("access_token", &*token), ("a:amount", "1"), ("a:purpose", "x")];
    let first = send(&world.public, &form, &pairs).await;
    assert_eq!(first.status, 303);
    let second = send(&world.public, &form, &pairs).await;
    assert_eq!(second.header("location"), first.header("location"), "pressed twice");

    world.key.patch(path(&form, ""), &json!({"access_mode": "console"})).await.expect(200);
    let gate = browser(&world.public).get(page(&form)).await;
    assert_eq!(gate.status, 403);
    let login = format!("/login?next=%2Ff%2F{}", text(&form["id"]));
    assert!(gate.text.contains(&login), "{}", gate.text);
    let member = browser(world.author().await);
    assert_eq!(member.get(page(&form)).await.status, 200);
}

#[tokio::test]
async fn who_must_wait_keeps_every_answer() {
    let rates = Rates { form_per_min: Rates::default().form_per_min, ..Rates::UNLIMITED };
    let edge = EdgeConfig { rates, ..EdgeConfig::default() };
    let world = TestServiceBuilder { edge, ..TestServiceBuilder::default() }.world().await;
    let budget = json!({"token_budget": {"limit": 1, "window": "hour"}});
    let form = form(&world, budget).await;
    let pairs = |key| [("key", key), ("a:amount", "7"), ("a:purpose", "Kept <words>")];
    assert_eq!(send(&world.public, &form, &pairs("one")).await.status, 303);
    let spent = send(&world.public, &form, &pairs("two")).await;
    assert_eq!((spent.status, spent.header("retry-after")), (429, Some("3600")));
    for part in ["no more submissions this hour. Try again in 60 minutes.", "Kept &lt;words&gt;"] {
        assert!(spent.text.contains(part), "{part}: {}", spent.text);
    }
    for _ in 0..8 {
        send(&world.public, &form, &pairs("two")).await;
    }
    let often = send(&world.public, &form, &pairs("two")).await;
    assert_eq!((often.status, often.header("retry-after")), (429, Some("60")));
    assert!(often.text.contains("Try again in 60 seconds.") && often.text.contains("value=\"7\""));
}

#[tokio::test]
async fn a_group_of_choices_says_that_it_must_be_answered_and_was_not() {
    let world = world().await;
    let fields = json!([
        {"name": "sure", "label": "Sure?", "type": "boolean", "required": true},
        {"name": "why", "label": "Why?", "type": "multiselect", "required": true,
         "options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]},
    ]);
    let form = form(&world, json!({"fields": fields})).await;
    let blank = browser(&world.public).get(page(&form)).await;
    let group = "<fieldset class=\"bare field\" role=\"radiogroup\" aria-required=\"true\"";
    assert!(blank.text.contains(group) && !blank.text.contains("aria-invalid"), "{}", blank.text);
    let key = hidden(&blank, "key").expect("a key");
    let refused = send(&world.public, &form, &[("key", &key)]).await;
    assert_eq!(refused.status, 422);
    let group = format!("{group} aria-invalid=\"true\" aria-describedby=\"e0\"");
    assert!(refused.text.contains(&group), "{}", refused.text);
    assert_eq!(refused.text.matches("aria-invalid=\"true\"").count(), 3, "{}", refused.text);
}

#[tokio::test]
async fn no_text_of_a_form_becomes_markup() {
    let world = world().await;
    let attack = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'&\u{202e}";
    let kinds = ["text", "textarea", "number", "date", "datetime", "boolean", "email", "url"];
    let mut fields: Vec<Value> = kinds
        .iter()
        .map(|kind| {
            json!({
                "name": format!("{kind}{attack}"), "label": attack, "type": kind, "help": attack,
                "placeholder": attack,
            })
        })
        .collect();
    for kind in ["select", "multiselect"] {
        fields.push(json!({
            "name": format!("{kind}{attack}"), "label": attack, "type": kind,
            "options": [{"value": attack, "label": attack}],
        }));
    }
    let form = form(
        &world,
        json!({
            "title": attack, "description": attack, "fields": fields, "success_message": attack,
            "branding": {"label": attack, "description": attack},
        }),
    )
    .await;
    let names: Vec<String> =
        fields.iter().map(|field| format!("a:{}", text(&field["name"]))).collect();
    let mut pairs: Vec<(&str, &str)> = names.iter().map(|name| (&**name, attack)).collect();
    pairs.push(("key", attack));
    let blank = browser(&world.public).get(page(&form)).await;
    let refused = send(&world.public, &form, &pairs).await;
    assert_eq!((blank.status, refused.status), (200, 422));
    let taken = send(&world.public, &form, &[("key", "k"), (&names[0], attack)]).await;
    let receipt = browser(&world.public).get(taken.header("location").unwrap()).await;
    assert_eq!(receipt.status, 200);
    for page in [blank, refused, receipt] {
        assert!(!page.text.contains("<script>alert") && !page.text.contains("<img src=x"));
    }
}
