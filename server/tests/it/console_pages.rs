//! Pages of the console as a browser without scripts gets them.

use contract::scope::Role;
use serde_json::Value;

use crate::{
    client::{Client, TestResponse, text},
    service::{TestService, world},
};

pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

/// Somebody at a browser.
pub(crate) struct Browser<'w> {
    world: &'w TestService,
    session: String,
}

impl<'w> Browser<'w> {
    pub(crate) fn of(world: &'w TestService, person: &Client) -> Self {
        Self { world, session: person.cookie().expect("a person has a cookie") }
    }

    /// The browser with one more cookie.
    pub(crate) fn client(&self, more: &str) -> Client {
        let browser = self.world.public.with("accept", "text/html");
        let cookies = format!("{}; {more}", self.session);
        browser.with("sec-fetch-site", "same-origin").with("cookie", cookies)
    }

    /// A page of the tenant.
    pub(crate) async fn page(&self, path: &str) -> TestResponse {
        self.client("theme=dark").get(self.at(path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> TestResponse {
        let body = format!("tenant={}&{body}", self.world.tenant);
        self.client("theme=dark").call("POST", path).body(FORM, body).await
    }

    /// The tenant's id.
    pub(crate) fn tenant(&self) -> String {
        self.world.tenant.to_string()
    }

    pub(crate) fn at(&self, path: &str) -> String {
        format!("/t/{}/{path}", self.world.tenant)
    }
}

/// What an attribute of a page says where it comes first, as browsers read it.
pub(crate) fn attribute<'p>(page: &'p str, name: &str) -> &'p str {
    let found = page.split_once(&format!(" {name}=\""));
    let value = found.and_then(|(_, rest)| rest.split_once('"'));
    value.unwrap_or_else(|| panic!("no {name} in {page}")).0
}

/// The value of a hidden field of a page's form.
pub(crate) fn hidden(page: &str, name: &str) -> String {
    let found = page.split_once(&format!("name=\"{name}\" value=\""));
    let (value, _) = found.and_then(|(_, rest)| rest.split_once('"')).expect("the field");
    value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// The value of a cookie that an answer sets.
pub(crate) fn cookie(answer: &TestResponse, name: &str) -> Option<String> {
    let set = answer.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
    let mut pairs = set.filter_map(|text| text.split(';').next()?.split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value.to_owned())
}

/// The plaintext of a key that a page shows: the prefix and 43 letters of base64url.
pub(crate) fn secret(page: &str) -> Option<&str> {
    token(page, "svc_")
}

/// What a page shows with this prefix and 43 letters of base64url.
pub(crate) fn token<'p>(page: &'p str, prefix: &str) -> Option<&'p str> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    page.match_indices(prefix)
        .filter_map(|(start, _)| page.get(start..start + prefix.len() + 43))
        .find(|text| text.bytes().all(is_letter))
}

/// The form of a new key, with the id that its page gave it.
fn key_form(rest: &str) -> String {
    format!("id=5d7d8001-0000-4000-8000-000000000001&{rest}")
}

async fn keys(world: &TestService) -> Vec<Value> {
    let page = world.key.get("/v1/api-keys").await.expect(200);
    page["items"].as_array().cloned().unwrap_or_default()
}

/// A text within an address or a form.
pub(crate) fn encoded(text: &str) -> String {
    let bytes: Vec<String> = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    bytes.concat()
}

#[tokio::test]
async fn a_new_key_is_shown_once_and_in_no_address() {
    let world = world().await;
    let browser = Browser::of(&world, &world.admin().await);
    let body = "name=billing&scopes%5B%5D=policies%3Aread&scopes%5B%5D=decisions%3Awrite&expires=";
    let answer = browser.post("/console/create-key", &key_form(body)).await;
    let path = browser.at("keys");
    assert_eq!((answer.status, answer.header("location")), (303, Some(&*path)), "{answer:?}");
    assert_eq!(secret(&format!("{:?}{}", answer.headers, answer.text)), None);
    let made = cookie(&answer, "made").expect("the browser carries the key to its page");

    let shown = browser.client(&format!("made={made}")).get(&path).await;
    assert_eq!(cookie(&shown, "made").as_deref(), Some(""), "the browser forgets it");
    let secret_of_key = secret(&shown.text).expect("the page shows the key").to_owned();
    let program = world.public.with("x-service-tenant-id", world.tenant);
    let program = program.with("authorization", format!("Bearer {secret_of_key}"));
    program.get("/v1/policies").await.expect(200);
    let [newest, ..] = &*keys(&world).await else { panic!("a key was made") };
    assert_eq!(newest["name"], "billing");
    assert_eq!(newest["scopes"], serde_json::json!(["policies:read", "decisions:write"]));

    let again = browser.page("keys").await;
    assert_eq!(again.status, 200);
    assert!(again.text.contains("billing") && !again.text.contains(&secret_of_key));
}

#[tokio::test]
async fn a_refused_key_keeps_what_was_typed() {
    let world = world().await;
    let browser = Browser::of(&world, &world.admin().await);
    let before = keys(&world).await.len();
    let answer = browser.post("/console/create-key", &key_form("name=payroll&expires=soon")).await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    assert_eq!(keys(&world).await.len(), before);
    let page = browser.page("keys").await.text;
    for said in ["Scopes: tick at least one.", "Expires: give a date", "payroll"] {
        assert!(page.contains(said), "{said}");
    }
    assert!(!browser.page("keys").await.text.contains("payroll"), "it is told once");
}

#[tokio::test]
async fn a_form_that_is_sent_twice_makes_one_key() {
    let world = world().await;
    let browser = Browser::of(&world, &world.admin().await);
    let before = keys(&world).await.len();
    let form = key_form("name=billing&scopes%5B%5D=policies%3Aread");
    let (one, two) = tokio::join!(
        browser.post("/console/create-key", &form),
        browser.post("/console/create-key", &form)
    );
    for answer in [&one, &two] {
        assert_eq!((answer.status, answer.header("location")), (303, Some(&*browser.at("keys"))));
    }
    assert_eq!(keys(&world).await.len(), before + 1);
    let made = [&one, &two].into_iter().filter(|answer| cookie(answer, "made").is_some());
    assert_eq!(made.count(), 1, "one of them carries the secret");
    let page = browser.page("keys").await.text;
    assert!(page.contains("The form was sent twice"), "{page}");
}

#[tokio::test]
async fn a_key_is_revoked_on_its_page() {
    let world = world().await;
    let browser = Browser::of(&world, &world.admin().await);
    let made = world.key_with(&[contract::scope::Scope::PoliciesRead]).await;
    made.get("/v1/policies").await.expect(200);
    let [newest, ..] = &*keys(&world).await else { panic!("a key was made") };
    let id = text(&newest["id"]);
    let page = browser.page(&format!("keys/{id}/revoke")).await;
    assert!(page.text.contains("That is final"), "{}", page.text);
    let answer = browser.post("/console/revoke-key", &format!("id={id}")).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some(&*browser.at("keys"))));
    assert_eq!(made.get("/v1/policies").await.status, 401);
    let page = browser.page(&format!("keys/{id}/revoke")).await;
    assert!(page.text.contains("This key is revoked already."), "{}", page.text);
    let missing = browser.page("keys/00000000-0000-4000-8000-000000000000/revoke").await;
    assert_eq!(missing.status, 404);
}

#[tokio::test]
async fn the_audit_log_is_listed_filtered_and_verified() {
    let world = world().await;
    let browser = Browser::of(&world, &world.person(Role::Auditor).await);
    let head = world.key.call("POST", "/v1/audit-log/verify").json(&serde_json::json!({})).await;
    let last = head.expect(200)["head"]["seq"].clone();
    let page = browser.page("audit?check=1").await;
    assert!(page.text.contains(&format!("Intact, 1 to {last}")), "{}", page.text);
    let page = browser.page("audit?check=1&first=2&last=2").await;
    assert!(page.text.contains("Intact, 2 to 2"), "{}", page.text);
    let page = browser.page("audit?check=1&last=99999").await;
    assert!(page.text.contains("beyond the last event"), "{}", page.text);
    let page = browser.page("audit?check=1&first=3&last=2").await;
    assert!(page.text.contains("Range: give whole numbers"), "{}", page.text);

    let page = browser.page("audit?action=api_key.create").await;
    assert!(page.text.contains("api_key.create") && !page.text.contains("Nothing matches"));
    let page = browser.page("audit?action=nothing.is_called_so").await;
    assert!(page.text.contains("Nothing matches"), "{}", page.text);
    let page = browser.page("audit?from=yesterday").await;
    assert!(page.text.contains("From: give a date"), "{}", page.text);
}

#[tokio::test]
async fn a_setting_shows_before_and_after_and_changes_with_a_reason() {
    let world = world().await;
    let version = world.submitted("PAY").await;
    let browser = Browser::of(&world, &world.admin().await);
    let before = world.key.get("/v1/settings").await.expect(200);
    assert_eq!(before["maker_checker_enabled"], true);

    let change = "settings?change=maker_checker_enabled&to=false";
    let page = browser.page(change).await.text;
    let waiting = browser.at(&format!("policies/{}/versions/{}", version.policy, version.number));
    assert!(page.contains(&format!("href=\"{waiting}\"")), "what waits is named: {page}");
    let form = |reason: &str| {
        let tenant = world.tenant;
        let setting = "form%5Bsetting%5D=maker_checker_enabled&form%5Bbefore%5D=true\
             &form%5Bvalue%5D=false";
        format!("form%5Btenant%5D={tenant}&{setting}&form%5Breason%5D={reason}")
    };
    let refused = browser.post("/console/change-setting", &form("")).await;
    assert_eq!((refused.status, refused.header("location")), (303, Some(&*browser.at(change))));
    assert!(browser.page(change).await.text.contains("Reason: give 1 to 500 characters."));
    assert_eq!(world.key.get("/v1/settings").await.expect(200), before);

    let done = browser.post("/console/change-setting", &form("two+of+us+left")).await;
    assert_eq!((done.status, done.header("location")), (303, Some(&*browser.at("settings"))));
    let after = world.key.get("/v1/settings").await.expect(200);
    assert_eq!(after["maker_checker_enabled"], false);
    let log = world.key.get("/v1/audit-log?action=settings.update").await.expect(200);
    let event = log["items"][0]["event"].to_string();
    assert!(event.contains("reason_digest") && !event.contains("two of us left"), "{event}");
    let page = browser.page(change).await.text;
    assert!(page.contains("This is so already.") && !page.contains("Make this change"), "{page}");
}

#[tokio::test]
async fn pages_and_their_links_are_there_for_the_role_alone() {
    let world = world().await;
    for (role, may_audit, may_administer) in
        [(Role::Author, false, false), (Role::Auditor, true, false), (Role::Admin, true, true)]
    {
        let browser = Browser::of(&world, &world.person(role).await);
        let start = browser.page("policies").await.text;
        for (path, may) in [
            ("audit", may_audit),
            ("keys", may_administer),
            ("members", may_administer),
            ("settings", may_administer),
        ] {
            let link = format!("href=\"{}\"", browser.at(path));
            assert_eq!(start.contains(&link), may, "{role} {path}");
            let status = if may { 200 } else { 403 };
            assert_eq!(browser.page(path).await.status, status, "{role} {path}");
        }
        if !may_administer {
            let before = keys(&world).await.len();
            let body = "name=own&scopes%5B%5D=policies%3Aread";
            browser.post("/console/create-key", &key_form(body)).await;
            assert_eq!(keys(&world).await.len(), before, "{role}");
        }
    }
}
