//! The page `/f/{form}` in a browser without scripts.

use server::config::edge::{EdgeConfig, Rates};

use super::{path, published_form};
use crate::prelude::*;

/// Returns a client with the headers of a browser.
pub(super) fn browser(client: &Client) -> Client {
    client.with("accept", "text/html").with("sec-fetch-site", "same-origin")
}

pub(super) fn page_path(form: &Value) -> String {
    format!("/f/{}", text(&form["id"]))
}

/// Returns the value of a hidden field.
pub(super) fn hidden(page: &TestResponse, name: &str) -> Option<String> {
    let (_, rest) = page.text.split_once(&format!("name=\"{name}\" value=\""))?;
    rest.split('"').next().map(str::to_owned)
}

pub(super) async fn send(client: &Client, form: &Value, pairs: &[(&str, &str)]) -> TestResponse {
    let page = browser(client)
        .call("POST", page_path(form))
        .body(FORM, crate::console_pages::form(pairs))
        .await;
    without_markers(page)
}

/// Opens a page in a browser.
pub(super) async fn visit(client: &Client, path: impl Into<String>) -> TestResponse {
    without_markers(browser(client).get(path).await)
}

/// Removes the markers that the renderer writes between texts.
fn without_markers(mut page: TestResponse) -> TestResponse {
    page.text = page.html();
    page
}

#[testkit::test]
async fn form_accepts_programs_and_rejects_other_sites(service: TestService) {
    let form = published_form(&service, json!({})).await;
    let body = |key: &str| {
        crate::console_pages::form(&[("key", key), ("a:amount", "1"), ("a:purpose", "rent")])
    };
    let post =
        |client: &Client, key: &str| client.call("POST", page_path(&form)).body(FORM, body(key));
    let program = post(&service.public, "a").await;
    assert_eq!(program.status, 303, "{}", program.text);
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("origin", "https://other.example"),
        ("origin", "null"),
        ("cookie", "govern=x"),
    ] {
        let foreign = post(&service.public.with(name, value), "b").await;
        assert_eq!(foreign.to_string(), "403 FORBIDDEN", "{name}: {value}");
    }
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["1"]);
}

#[testkit::test]
async fn user_submits_a_form_and_gets_a_receipt(service: TestService) {
    let form = published_form(&service, json!({"success_message": "Thank you."})).await;
    let blank = visit(&service.public, page_path(&form)).await;
    assert_eq!(blank.status, 200);
    let policy = blank.header("content-security-policy").expect("a page has a policy");
    assert!(!policy.contains("script") && policy.starts_with("default-src 'none'"), "{policy}");
    assert_eq!(blank.header("x-robots-tag"), Some("noindex"));
    assert_eq!(blank.header("set-cookie"), None);
    assert_contains(
        &blank.text,
        [
            "<h1><bdi>Payment request</bdi></h1>",
            "<b>Requested by Acme.</b>",
            "<html lang=\"en\"",
            "At most 10000.",
            "(required)",
        ],
    );
    assert!(!blank.text.contains("<script") && !blank.text.contains(" style="));

    let key = hidden(&blank, "key").expect("a key");
    let good = [("key", &*key), ("a:amount", "2500"), ("a:purpose", "Laptops"), ("a:region", "")];
    let accepted = send(&service.public, &form, &good).await;
    assert_eq!(accepted.status, 303, "{}", accepted.text);
    let receipt = accepted.header("location").expect("the location of the receipt").to_owned();
    let second_press = send(&service.public, &form, &good).await;
    assert_eq!(second_press.header("location"), Some(&*receipt));
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["1"]);
    service.decompress_decisions().await;
    let fields = "select decision_text(texts, 1)::jsonb -> 'context' ->> 'fields' from decisions";
    assert_eq!(service.sql(fields).await, [r#"{"amount": 2500, "purpose": "Laptops"}"#]);

    let receipt_page = visit(&service.public, &receipt).await;
    assert_eq!(receipt_page.status, 200);
    assert_contains(
        &receipt_page.text,
        ["Your answers meet the requirements.", "ALLOW", "Thank you.", "Save this link", &receipt],
    );
    let program = service.public.get(&receipt).await;
    let api = format!("/v1/forms/{}/receipts/", text(&form["id"]));
    assert!(program.header("location").is_some_and(|to| to.starts_with(&api)), "{program:?}");
    let changed = [("key", &*key), ("a:amount", "1"), ("a:purpose", "Other")];
    let changed = send(&service.public, &form, &changed).await;
    assert_eq!(changed.status, 422);
    assert!(changed.text.contains("Submit again to send these too"), "{}", changed.text);
    assert_ne!(hidden(&changed, "key").as_deref(), Some(&*key));

    service.key.patch(path(&form, ""), &json!({"is_published": false})).await.expect(200);
    for url in [page_path(&form), receipt] {
        assert_eq!(visit(&service.public, url).await.status, 404);
    }
}

#[testkit::test]
async fn result_begins_with_a_sentence_and_lists_violations_before_the_proof(service: TestService) {
    let form = published_form(&service, json!({"success_message": "Thank you."})).await;
    let pairs = [("key", "k"), ("a:amount", "20000"), ("a:purpose", "Laptops")];
    let accepted = send(&service.public, &form, &pairs).await;
    let location = accepted.header("location").expect("a result").to_owned();
    let page = visit(&service.public, &location).await;
    let html = &page.text;
    let parts = [
        "<h1>Your answers do not meet the requirements.</h1>",
        "<p class=\"form-message\"><bdi>Thank you.</bdi></p>",
        "<li><b><bdi>Amount</bdi></b>: The number is too high. Maximum: 10000.</li>",
        "Save this link:",
        "<details class=\"proof\">",
        "<bdi>DENY</bdi>",
    ];
    let positions = parts.map(|part| html.find(part).unwrap_or_else(|| panic!("{part}: {html}")));
    assert!(positions.is_sorted(), "{positions:?}");
    assert!(!html.contains("<script>") && html.contains("src=\"/page.js\""), "{html}");
}

#[testkit::test]
async fn text_areas_preserve_their_answer(service: TestService) {
    let fields = json!([
        {"name": "note", "label": "Note", "type": "textarea"},
        {"name": "amount", "label": "Amount", "type": "number"},
    ]);
    let form = published_form(&service, json!({"fields": fields})).await;
    let blank = visit(&service.public, page_path(&form)).await;
    assert!(blank.text.contains(">\n</textarea>"), "{}", blank.text);
    let pairs = [("key", "k"), ("a:note", "\none </textarea>&amp;"), ("a:amount", "x")];
    let rejected = send(&service.public, &form, &pairs).await;
    assert_eq!(rejected.status, 422);
    // A browser drops the first line break.
    let answer = ">\n\none &lt;/textarea>&amp;amp;</textarea>";
    assert!(rejected.text.contains(answer), "{}", rejected.text);
}

#[testkit::test]
async fn access_page_shows_nothing_of_the_form(service: TestService) {
    let members =
        json!({"access_mode": "password", "password": "open-sesame", "title": "Secret plan"});
    let form = published_form(&service, members).await;
    for (mode, shown) in [
        ("password", "type=\"password\"".to_owned()),
        ("token", "name=\"access_token\"".to_owned()),
        ("console", format!("/login?next=%2Ff%2F{}", text(&form["id"]))),
    ] {
        service.key.patch(path(&form, ""), &json!({"access_mode": mode})).await.expect(200);
        let prompt = visit(&service.public, page_path(&form)).await;
        assert_eq!(prompt.status, 403, "{mode}");
        assert!(prompt.text.contains(&shown) && !prompt.text.contains("Secret plan"), "{mode}");
    }
    let member = browser(service.author().await);
    assert!(member.get(page_path(&form)).await.text.contains("Secret plan"));

    let token = json!({"access_mode": "token"});
    service.key.patch(path(&form, ""), &token).await.expect(200);
    let created = service.key.post(path(&form, "/tokens"), &json!({"max_uses": 1})).await;
    let open = visit(&service.public, text(&created.expect(201)["url"])).await;
    let (key, token) = (hidden(&open, "key").unwrap(), hidden(&open, "access_token").unwrap());
    let pairs = [("key", &*key), ("access_token", &*token), ("a:amount", "1"), ("a:purpose", "x")];
    let first = send(&service.public, &form, &pairs).await;
    let second = send(&service.public, &form, &pairs).await;
    assert_eq!((first.status, second.status), (303, 303));
    assert_eq!(first.header("location"), second.header("location"), "the same receipt");
}

#[tokio::test]
async fn rejected_submission_preserves_every_answer() {
    let rates = Rates { form_per_min: Rates::default().form_per_min, ..Rates::UNLIMITED };
    let edge = EdgeConfig { rates, ..EdgeConfig::default() };
    let service = TestServiceBuilder { edge, ..TestServiceBuilder::default() }.start().await;
    let budget = json!({"token_budget": {"limit": 1, "window": "hour"}});
    let form = published_form(&service, budget).await;
    let pairs = |key| [("key", key), ("a:amount", "7"), ("a:purpose", "Laptops <new>")];
    assert_eq!(send(&service.public, &form, &pairs("one")).await.status, 303);
    for _ in 0..9 {
        send(&service.public, &form, &pairs("two")).await;
    }
    let rate_limited = send(&service.public, &form, &pairs("two")).await;
    assert_eq!((rate_limited.status, rate_limited.header("retry-after")), (429, Some("60")));
    assert!(
        rate_limited.text.contains("Try again in 60 seconds.")
            && rate_limited.text.contains("value=\"7\"")
    );
}

#[testkit::test]
async fn choice_group_is_marked_as_required_and_invalid(service: TestService) {
    let fields = json!([
        {"name": "sure", "label": "Sure?", "type": "boolean", "required": true},
        {"name": "why", "label": "Why?", "type": "multiselect", "required": true,
         "options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]},
    ]);
    let form = published_form(&service, json!({"fields": fields})).await;
    let blank = visit(&service.public, page_path(&form)).await;
    let group = "<fieldset role=\"radiogroup\" aria-required=\"true\"";
    assert!(blank.text.contains(group) && !blank.text.contains("aria-invalid"), "{}", blank.text);
    let key = hidden(&blank, "key").expect("a key");
    let refusal = send(&service.public, &form, &[("key", &key)]).await;
    assert_eq!(refusal.status, 422);
    let group = format!("{group} aria-invalid=\"true\" aria-describedby=\"e0\"");
    assert!(refusal.text.contains(&group), "{}", refusal.text);
    assert_eq!(refusal.text.matches("aria-invalid=\"true\"").count(), 3, "{}", refusal.text);
}

#[testkit::test]
async fn form_texts_are_html_escaped(service: TestService) {
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
    let form = published_form(
        &service,
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
    let blank = visit(&service.public, page_path(&form)).await;
    let refusal = send(&service.public, &form, &pairs).await;
    assert_eq!((blank.status, refusal.status), (200, 422));
    let accepted = send(&service.public, &form, &[("key", "k"), (&names[0], attack)]).await;
    let receipt = visit(&service.public, accepted.header("location").unwrap()).await;
    assert_eq!(receipt.status, 200);
    for page in [blank, refusal, receipt] {
        assert!(!page.text.contains("<script>alert") && !page.text.contains("<img src=x"));
        assert!(page.text.contains("&lt;script&gt;alert(1)"), "{}", page.text);
    }
}

#[testkit::test]
async fn public_pages_use_the_language_of_the_form_or_of_the_browser(service: TestService) {
    let form = published_form(&service, json!({})).await;
    let german = service.public.with("accept-language", "de-CH, en;q=0.5");
    let page = visit(&german, page_path(&form)).await;
    assert_eq!(page.header("content-language"), Some("de"));
    assert!(page.header("vary").is_some_and(|names| names.contains("accept-language")), "{page:?}");
    assert_contains(&page.text, ["<html lang=\"de\"", ">Absenden</button>", "(erforderlich)"]);
    let key = hidden(&page, "key").expect("a key");
    // The setting of the form comes first.
    let body = json!({"language": "fr", "access_mode": "password", "password": "open-sesame"});
    let changed = service.key.patch(path(&form, ""), &body).await.expect(200);
    assert_eq!(changed["language"], "fr");
    let prompt = visit(&german, page_path(&form)).await;
    assert_eq!((prompt.status, prompt.header("content-language")), (403, Some("fr")));
    assert!(prompt.text.contains("<h1>Mot de passe requis</h1>"), "{}", prompt.text);
    let pairs =
        [("key", &*key), ("password", "open-sesame"), ("a:amount", "1"), ("a:purpose", "x")];
    let accepted = send(&german, &form, &pairs).await;
    let receipt = accepted.header("location").expect("a receipt").to_owned();
    let result = visit(&german, &receipt).await;
    assert_eq!((result.status, result.header("content-language")), (200, Some("fr")));
    assert_contains(
        &result.text,
        ["<html lang=\"fr\"", "<h1>Vos réponses remplissent les conditions.</h1>", "ALLOW"],
    );
    let spanish = service.public.with("accept-language", "es");
    let unknown = visit(&spanish, format!("/f/{}", uuid::Uuid::nil())).await;
    assert_eq!((unknown.status, unknown.header("content-language")), (404, Some("es")));
    assert!(unknown.text.contains("<h1>Página no encontrada</h1>"), "{}", unknown.text);
    let other = service.key.patch(path(&form, ""), &json!({"language": "it"})).await;
    assert_eq!(other.to_string(), "422 VALIDATION_ERROR");
}
