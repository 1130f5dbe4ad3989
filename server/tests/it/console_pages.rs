//! Console pages in a browser without JavaScript: API keys, audit log, settings and page access.

use std::collections::BTreeSet;

use server::router::router;

use crate::prelude::*;

pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

/// The browser of a signed-in user.
pub(crate) struct Browser<'s> {
    service: &'s TestService,
    session: String,
}

impl<'s> Browser<'s> {
    pub(crate) fn new(service: &'s TestService, person: &Client) -> Self {
        Self { service, session: person.cookie().expect("a signed-in user has a cookie") }
    }

    /// Returns the browser of a new member of the tenant.
    pub(crate) async fn member(service: &'s TestService, role: Role) -> Self {
        Self::new(service, &service.signed_in_member(role).await)
    }

    /// Returns a client with an additional cookie.
    pub(crate) fn client(&self, extra_cookie: &str) -> Client {
        let browser = self.service.public.with("accept", "text/html");
        let cookies = format!("{}; {extra_cookie}", self.session);
        browser.with("sec-fetch-site", "same-origin").with("cookie", cookies)
    }

    /// Requests a page of the tenant.
    pub(crate) async fn page(&self, path: &str) -> TestResponse {
        self.client("theme=dark").get(self.at(path)).await
    }

    /// Requests a page of the tenant, checks that it contains these texts, and returns it.
    pub(crate) async fn shows(
        &self,
        path: &str,
        texts: impl IntoIterator<Item: AsRef<str>>,
    ) -> String {
        let html = self.page(path).await.html();
        assert_contains(&html, texts);
        html
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> TestResponse {
        let body = format!("tenant={}&{body}", self.service.tenant);
        self.client("theme=dark").call("POST", path).body(FORM, body).await
    }

    /// Creates an object with a form, and returns its secret and its page, which shows the secret only once.
    pub(crate) async fn create_secret(
        &self,
        function: &str,
        body: &str,
        prefix: &str,
        page: &str,
    ) -> (String, String) {
        let response = self.post(function, body).await;
        response.assert_redirects_to(&self.at(page));
        assert_eq!(token(&format!("{:?}{}", response.headers, response.text), prefix), None);
        let made = cookie(&response, "made").expect("a cookie for the page with the secret");
        let shown = self.client(&format!("made={made}")).get(self.at(page)).await;
        assert_eq!(cookie(&shown, "made").as_deref(), Some(""), "the page deletes the cookie");
        let secret = token(&shown.text, prefix).expect("the page shows the secret").to_owned();
        assert_eq!(token(&self.page(page).await.text, prefix), None);
        (secret, shown.text)
    }

    /// Sends a form that is refused, and checks that its page shows these texts once.
    pub(crate) async fn refuse(&self, function: &str, body: &str, page: &str, texts: &[&str]) {
        self.post(function, body).await.assert_redirects_to(&self.at(page));
        self.shows(page, texts).await;
        let again = self.page(page).await.html();
        assert!(!texts.iter().any(|text| again.contains(text)), "{again}");
    }

    pub(crate) fn tenant(&self) -> String {
        self.service.tenant.to_string()
    }

    pub(crate) fn at(&self, path: &str) -> String {
        format!("/t/{}/{path}", self.service.tenant)
    }
}

/// Returns the first value of an attribute on a page.
pub(crate) fn attribute<'p>(page: &'p str, name: &str) -> &'p str {
    let parts = page.split_once(&format!(" {name}=\""));
    let value = parts.and_then(|(_, rest)| rest.split_once('"'));
    value.unwrap_or_else(|| panic!("no {name} in {page}")).0
}

/// Returns the decoded value of a hidden form field.
pub(crate) fn hidden(page: &str, name: &str) -> String {
    let parts = page.split_once(&format!("name=\"{name}\" value=\""));
    let (value, _) = parts.and_then(|(_, rest)| rest.split_once('"')).expect("the field");
    unescape(value)
}

/// Decodes HTML entities.
pub(crate) fn unescape(html: &str) -> String {
    let html = html.replace("&quot;", "\"").replace("&#x27;", "'").replace("&#39;", "'");
    html.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Returns the value of a cookie that a response sets.
pub(crate) fn cookie(response: &TestResponse, name: &str) -> Option<String> {
    let headers =
        response.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
    let mut pairs = headers.filter_map(|text| text.split(';').next()?.split_once('='));
    pairs.find(|(cookie, _)| *cookie == name).map(|(_, value)| value.to_owned())
}

/// Returns the plaintext API key on a page: the prefix and 43 characters of base64url.
pub(crate) fn secret(page: &str) -> Option<&str> {
    token(page, "svc_")
}

/// Returns the token on a page with this prefix and 43 characters of base64url.
pub(crate) fn token<'p>(page: &'p str, prefix: &str) -> Option<&'p str> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_+/".contains(&byte);
    page.match_indices(prefix)
        .filter_map(|(start, _)| page.get(start..start + prefix.len() + 43))
        .find(|text| text.bytes().all(is_letter))
}

/// Returns the form of a new API key, with the ID that its page generated.
fn key_form(rest: &str) -> String {
    format!("id=5d7d8001-0000-4000-8000-000000000001&{rest}")
}

async fn keys(service: &TestService) -> Vec<Value> {
    let page = service.key.get("/v1/api-keys").await.expect(200);
    items(&page).to_vec()
}

/// Percent-encodes a text for a URL or a form. As a browser does, it leaves letters and digits.
pub(crate) fn encoded(text: &str) -> String {
    let encode = |byte: u8| {
        if byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    text.bytes().map(encode).collect()
}

/// Encodes the fields of a form.
pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}

#[testkit::test]
async fn a_new_api_key_is_shown_once_and_in_no_url(service: TestService) {
    let browser = Browser::new(&service, &service.admin().await);
    let body = "name=billing&scopes%5B%5D=policies%3Aread&scopes%5B%5D=decisions%3Awrite&expires=";
    let (key, _) =
        browser.create_secret("/console/create-key", &key_form(body), "svc_", "keys").await;
    service.with_key(&key).get("/v1/policies").await.expect(200);
    let [newest, ..] = &*keys(&service).await else { panic!("a key was created") };
    assert_eq!(newest["name"], "billing");
    assert_eq!(newest["scopes"], json!(["policies:read", "decisions:write"]));
    browser.shows("keys", ["billing"]).await;
}

#[testkit::test]
async fn a_refused_api_key_form_preserves_the_input(service: TestService) {
    let browser = Browser::new(&service, &service.admin().await);
    let before = keys(&service).await.len();
    let form = key_form("name=payroll&expires=soon");
    let texts = ["Scopes: select at least one.", "Expires: enter a date", "payroll"];
    browser.refuse("/console/create-key", &form, "keys", &texts).await;
    assert_eq!(keys(&service).await.len(), before);
}

#[testkit::test]
async fn a_new_api_key_needs_a_recent_sign_in_and_a_second_submission(service: TestService) {
    let browser = Browser::new(&service, &service.admin().await);
    service.clock.advance(15 * MINUTE_MS + 1);
    let form = key_form("name=billing&scopes%5B%5D=policies%3Aread");
    let path = browser.at("keys");
    let confirmation = format!("/login/confirm?next={}", path.replace('/', "%2F"));
    browser.post("/console/create-key", &form).await.assert_redirects_to(&confirmation);
    let page = browser.client("theme=dark").get(&confirmation).await;
    assert!(contains_text(&page.text, "Enter your password to sign this action."), "{}", page.text);
    let body = format!("password={}&next={}", encoded(PASSWORD), encoded(&path));
    let confirmed = browser.post("/console/confirm", &body).await;
    confirmed.assert_redirects_to(&path);
    let names = ["govern", "__Host-govern"].into_iter();
    let mut sessions =
        names.filter_map(|name| Some(format!("{name}={}", cookie(&confirmed, name)?)));
    let session = sessions.next().expect("the session has a new ID");
    let browser = Browser { service: &service, session };
    let page = browser.page("keys").await.text;
    assert!(contains_text(&page, "Press the button again to continue."), "{page}");
    assert!(page.contains("value=\"billing\""), "the input is preserved: {page}");
    let is_created = |keys: Vec<Value>| keys.iter().any(|key| key["name"] == "billing");
    assert!(!is_created(keys(&service).await), "nothing is signed until then");
    browser.post("/console/create-key", &form).await.assert_redirects_to(&path);
    assert!(is_created(keys(&service).await));
}

#[testkit::test]
async fn a_form_that_is_submitted_twice_creates_one_api_key(service: TestService) {
    let browser = Browser::new(&service, &service.admin().await);
    let before = keys(&service).await.len();
    let form = key_form("name=billing&scopes%5B%5D=policies%3Aread");
    let (first, second) = tokio::join!(
        browser.post("/console/create-key", &form),
        browser.post("/console/create-key", &form)
    );
    for response in [&first, &second] {
        response.assert_redirects_to(&browser.at("keys"));
    }
    assert_eq!(keys(&service).await.len(), before + 1);
    let key_cookies =
        [&first, &second].into_iter().filter(|response| cookie(response, "made").is_some());
    assert_eq!(key_cookies.count(), 1, "one of the responses sets the cookie with the secret");
    browser.shows("keys", ["The form was submitted twice"]).await;
}

#[testkit::test]
async fn an_api_key_is_revoked_on_its_page(service: TestService) {
    let browser = Browser::new(&service, &service.admin().await);
    let key = service.create_key(&[contract::scope::Scope::PoliciesRead]).await;
    key.get("/v1/policies").await.expect(200);
    let [newest, ..] = &*keys(&service).await else { panic!("a key was created") };
    let id = text(&newest["id"]);
    let page = browser.page(&format!("keys/{id}/revoke")).await;
    assert!(page.text.contains("This cannot be undone."), "{}", page.text);
    let response = browser.post("/console/revoke-key", &format!("id={id}")).await;
    response.assert_redirects_to(&browser.at("keys"));
    assert_eq!(key.get("/v1/policies").await.status, 401);
    let page = browser.page(&format!("keys/{id}/revoke")).await;
    assert!(page.text.contains("This key is already revoked."), "{}", page.text);
    let missing = browser.page("keys/00000000-0000-4000-8000-000000000000/revoke").await;
    assert_eq!(missing.status, 404);
}

#[testkit::test]
async fn the_audit_log_can_be_listed_filtered_and_verified(service: TestService) {
    let browser = Browser::member(&service, Role::Auditor).await;
    let head = service.key.call("POST", "/v1/audit-log/verify").json(&serde_json::json!({})).await;
    let last = head.expect(200)["head"]["seq"].clone();
    let page = browser.page("audit?check=1").await;
    assert!(page.text.contains(&format!("Intact, 1 to {last}")), "{}", page.text);
    let page = browser.page("audit?check=1&first=2&last=2").await;
    assert!(page.text.contains("Intact, 2 to 2"), "{}", page.text);
    let page = browser.page("audit?check=1&last=99999").await;
    assert!(page.text.contains("the end is after the last event"), "{}", page.text);
    let page = browser.page("audit?action=api_key.create").await;
    assert!(page.text.contains("api_key.create") && !page.text.contains("No results"));
    assert!(contains_text(&page.text, "created API key"), "{}", page.text);
    let page = browser.page("audit?action=nothing.is_called_so").await;
    assert!(page.text.contains("No results"), "{}", page.text);
    let page = browser.page("audit?from=yesterday").await;
    assert!(page.text.contains("From: enter a date"), "{}", page.text);
}

#[testkit::test]
async fn a_setting_change_lists_affected_versions_and_requires_a_reason(service: TestService) {
    let version = service.submitted("PAY").await;
    let browser = Browser::new(&service, &service.admin().await);
    let before = service.key.get("/v1/settings").await.expect(200);
    assert_eq!(before["maker_checker_enabled"], true);

    let note = "1 version is waiting for ratification. Without maker-checker, authors can ratify \
                their own versions.";
    assert!(browser.page("settings").await.html().contains(note));
    let change = "settings?change=maker_checker_enabled&to=false";
    let page = browser.page(change).await.text;
    let version_page =
        browser.at(&format!("policies/{}/versions/{}", version.policy, version.number));
    assert!(
        page.contains(&format!("href=\"{version_page}\"")),
        "the page links to the affected version: {page}"
    );
    assert_contains(
        &page,
        [
            "Authors will be able to ratify their own versions.",
            "1 version is waiting for ratification.",
            "This change creates an alert with the severity High.",
        ],
    );
    let form = |reason: &str| {
        let tenant = service.tenant;
        let setting = "form%5Bsetting%5D=maker_checker_enabled&form%5Bbefore%5D=true\
             &form%5Bvalue%5D=false";
        format!("form%5Btenant%5D={tenant}&{setting}&form%5Breason%5D={reason}")
    };
    let refusal = browser.post("/console/change-setting", &form("")).await;
    refusal.assert_redirects_to(&browser.at(change));
    assert!(browser.page(change).await.text.contains("Reason: enter 1 to 500 characters."));
    assert_eq!(service.key.get("/v1/settings").await.expect(200), before);

    let response = browser.post("/console/change-setting", &form("two+users+left")).await;
    response.assert_redirects_to(&browser.at("settings"));
    let after = service.key.get("/v1/settings").await.expect(200);
    assert_eq!(after["maker_checker_enabled"], false);
    assert!(!browser.page("settings").await.html().contains(note));
    let log = service.key.get("/v1/audit-log?action=settings.update").await.expect(200);
    let event = log["items"][0]["event"].to_string();
    assert!(event.contains("reason_digest") && !event.contains("two users left"), "{event}");
    let page = browser.page(change).await.text;
    assert!(page.contains("Already set to this value.") && !page.contains("Save change"), "{page}");
    let alerts = service.key.get("/v1/alerts?alert_type=governance_change").await.expect(200);
    assert_eq!(alerts["items"][0]["severity"], "high", "{alerts}");
}

#[tokio::test]
async fn the_settings_page_shows_the_last_change_of_each_setting_and_the_history() {
    let service = test_service().await;
    let browser = Browser::new(&service, &service.admin().await);
    let page = browser.page("settings").await.text;
    assert_eq!(page.matches("Never changed").count(), 8, "{page}");
    assert!(page.contains("No setting was changed."), "{page}");
    for value in ["high", "low"] {
        let change = json!({"alert_min_severity": value});
        service.key.patch("/v1/settings", &change).await.expect(200);
    }
    let page = browser.page("settings").await.text;
    assert_eq!(page.matches("Never changed").count(), 7, "{page}");
    let [low, high] =
        ["from High to Low", "from Medium to High"].map(|change| page.find(change).expect(change));
    assert!(low < high, "the newest change is first: {page}");
    assert!(page.contains("API key"), "the actor: {page}");
    assert!(page.contains("audit?action=settings.update"), "{page}");
}

#[tokio::test]
async fn the_change_to_changes_by_people_only_lists_the_api_keys_that_it_restricts() {
    let service = test_service().await;
    let admin = service.admin().await;
    for (name, scope) in [("importer", "policies:write"), ("reader", "policies:read")] {
        let key = json!({"name": name, "scopes": [scope]});
        admin.post("/v1/api-keys", &key).await.expect(201);
    }
    let browser = Browser::new(&service, &admin);
    let page = browser.page("settings?change=human_changes_only&to=true").await.text;
    let (_, card) = page.split_once("id=\"change\"").expect("the card of the change");
    let (card, _) = card.split_once("</section>").expect("the end of the card");
    assert!(card.contains("importer") && !card.contains("reader"), "{card}");
    assert!(!card.contains("creates an alert"), "a stronger safeguard: {card}");
}

#[testkit::test]
async fn pages_are_rendered_while_another_service_of_the_process_starts(service: TestService) {
    let starting = tokio::task::spawn_blocking({
        let service = service.service.clone();
        move || (0..50).for_each(|_| drop(router(service.clone())))
    });
    let visitor = service.public.with("accept", "text/html");
    let mut statuses = BTreeSet::new();
    while !starting.is_finished() {
        let (first, second) = tokio::join!(visitor.get("/log"), visitor.get("/log"));
        statuses.extend([first.status, second.status]);
    }
    starting.await.expect("the routers were created");
    assert_eq!(statuses, BTreeSet::from([200]));
}
