//! Every page escapes stored text, isolates its writing direction, and links to web addresses only.

use crate::{client, prelude::*};

const ATTACK: &str = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'&";

/// A text whose last part is written from right to left, together with the text after it.
const OVERRIDE: &str = "Invoice \u{202E}fdp.exe";

/// Returns a policy with `text` in every text.
fn policy(code: &str, group: &Value, text: &str) -> Value {
    let mapped = |rule: &str| json!({"unit_id": "u1", "disposition": "mapped", "rule_code": rule, "note": text});
    json!({
        "code": code, "name": text, "description": text, "decision_types": [text],
        "policy_group_id": group["id"], "regulatory_refs": [text], "change_reason": text,
        "rules": [
            {
                "code": "AMOUNT", "name": text, "description": text, "severity": "high",
                "rule_type": "threshold", "condition": {"field": "amount", "max": 1},
            },
            {
                "code": "KIND", "severity": "low", "when": {"field": text, "equals": text},
                "rule_type": "list", "condition": {"field": text, "allowed": [text]},
            },
        ],
        "codification": {
            "source": {"document": text, "url": "javascript:alert(1)"},
            "clauses": [{"unit_id": "u1", "locator": text, "text": text}],
            "ledger": [mapped("AMOUNT"), mapped("KIND")],
        },
    })
}

/// Creates, reviews, ratifies and activates a policy version.
async fn activate(service: &TestService, group: &Value, text: &str) -> Version {
    let version = create_policy(service.author().await, &policy("PAY-01", group, text)).await;
    let submission = service.seal(&version).await;
    let review = json!({
        "verdict": "ACCEPT", "note": text, "comments": [{"rule_code": "AMOUNT", "text": text}],
    });
    service.record_review(&version, &submission, &review).await;
    service.ratify(&version).await;
    service.activate(&version).await;
    version
}

/// Records a denied decision with an outcome and returns its ID.
async fn record_denied(service: &TestService, text: &str) -> String {
    let actor = json!({
        "id": text, "type": text, "role": text, "authority": text, "display_name": text,
    });
    let body = json!({
        "idempotency_key": text, "actor": actor, "action": {"type": text, "reference_id": text},
        "context": {"decision_type": text, "fields": {"amount": 2, text: text}},
    });
    let created = service.key.post("/v1/decisions/record", &body).await.expect(201);
    let id = client::text(&created["decision"]["id"]).to_owned();
    let outcome = json!({"status": "overridden", "note": text, "reference_id": text});
    service.key.post(format!("/v1/decisions/{id}/outcome"), &outcome).await.expect(201);
    id
}

/// The pages of a service in which every text has the same value.
struct StoredPages {
    /// Pages of the tenant that show the text.
    with_text: Vec<String>,
    /// Pages of the tenant that show it in a few places or not at all.
    others: Vec<String>,
    /// Public pages that show the text.
    public: Vec<String>,
}

/// Stores `text` in every text member that the API accepts.
async fn store_everywhere(service: &TestService, text: &str) -> StoredPages {
    let group = json!({"code": "G", "name": text, "description": text});
    let group = service.key.post("/v1/policy-groups", &group).await.expect(201);
    let Version { policy: id, .. } = activate(service, &group, text).await;
    let draft = service.author().await.post("/v1/policies", &policy("PAY-02", &group, text)).await;
    let draft = client::text(&draft.expect(201)["policy"]["id"]).to_owned();
    let decision = record_denied(service, text).await;
    let alert = service.sql("select id::text from alerts").await.concat();
    let form = json!({
        "policy_id": id, "title": text, "description": text, "is_published": true,
        "branding": {"label": text, "description": text},
    });
    let form =
        client::text(&service.key.post("/v1/forms", &form).await.expect(201)["id"]).to_owned();
    let admin = service.admin().await;
    let key = json!({"name": text, "scopes": ["policies:read"]});
    let key = admin.post("/v1/api-keys", &key).await.expect(201)["key"]["id"].clone();
    let person = json!({"email": "new@acme.example", "display_name": "New person"});
    admin.post("/v1/admin/users", &person).await.expect(201);
    let member = service.sql("select user_id::text from members where role = 'reviewer'").await;
    let member = member.concat();
    let grant = json!({
        "policy_id": draft, "version": 1, "actions": ["policy.read"], "name": text,
    });
    let grants = "/v1/authoring-capabilities";
    let grant =
        service.author().await.post(grants, &grant).await.expect(201)["capability"]["id"].clone();
    let [key, grant] = [&key, &grant].map(client::text);
    StoredPages {
        with_text: vec![
            "policies".to_owned(),
            format!("policies?q={}", encoded(text)),
            format!("policies/{id}"),
            format!("policies/{id}/versions/1"),
            format!("policies/{id}/analytics"),
            format!("policies/{id}/details"),
            format!("policies/{id}/deactivate"),
            format!("policies/{draft}/versions/1/edit"),
            format!("policies/{draft}/versions/1/review"),
            "groups".to_owned(),
            format!("groups/{}", client::text(&group["id"])),
            "decisions".to_owned(),
            format!("decisions?actor={}", encoded(text)),
            format!("decisions/{decision}"),
            "forms".to_owned(),
            format!("forms/{form}/edit"),
            format!("forms/{form}/edit?tab=integrate"),
            "capabilities".to_owned(),
            format!("capabilities/{grant}/revoke"),
            "keys".to_owned(),
            format!("keys/{key}/revoke"),
        ],
        others: vec![
            "alerts".to_owned(),
            format!("alerts/{alert}"),
            "inbox".to_owned(),
            "members".to_owned(),
            format!("members/{member}/role"),
            format!("members/{member}/remove"),
            format!("policies/{draft}/versions/1"),
            format!("policies/{draft}/versions/1/compare"),
            format!("policies/{draft}/versions/1/send"),
            format!("policies/{draft}/versions/1/supersede"),
            format!("policies/{draft}/versions/1/delete"),
            format!("decisions/{decision}/outcome"),
            format!("decisions/{decision}/bundle"),
            format!("try?from={decision}"),
            "audit".to_owned(),
            "settings".to_owned(),
        ],
        public: vec![format!("/r/{decision}"), format!("/f/{form}")],
    }
}

/// Checks that the page does not contain the attack as markup.
fn check_no_markup(path: &str, page: &TestResponse) {
    assert_eq!(page.status, 200, "{path}");
    for markup in ["<script>alert", "<img src=x", "href=\"javascript:"] {
        assert!(!page.text.contains(markup), "{path} contains `{markup}`: {}", page.text);
    }
}

/// Checks that the page shows the attack as escaped text.
fn check_escaped(path: &str, page: &TestResponse) {
    check_no_markup(path, page);
    assert!(
        page.text.contains("&lt;script&gt;alert(1)"),
        "{path} does not show the text: {}",
        page.text
    );
}

#[testkit::test]
async fn stored_text_is_escaped_on_every_page(service: TestService) {
    let pages = store_everywhere(&service, ATTACK).await;
    let browser = Browser::member(&service, Role::Admin).await;
    for path in pages.with_text {
        check_escaped(&path, &browser.page(&path).await);
    }
    for path in pages.others {
        check_no_markup(&path, &browser.page(&path).await);
    }
    for path in pages.public {
        check_escaped(&path, &service.public.get(&path).header("accept", "text/html").await);
    }
}

/// Returns the texts of a page that contain an override and are in no element that isolates its direction.
fn unisolated(page: &str) -> Vec<&str> {
    const ISOLATING: [&str; 3] = ["bdi", "pre", "textarea"];
    const VOID: [&str; 5] = ["br", "input", "link", "meta", "wbr"];
    let mut open: Vec<(&str, bool)> = Vec::new();
    let mut unisolated = Vec::new();
    let mut rest = page;
    while let Some((text, after)) = rest.split_once('<') {
        let is_isolated = open.iter().any(|(_, isolates)| *isolates);
        if text.contains('\u{202E}') && !is_isolated {
            unisolated.push(text.trim());
        }
        let (tag, after) = after.split_once('>').expect("an attribute contains no `>`");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let start = open.iter().rposition(|(open, _)| *open == name);
            open.truncate(start.unwrap_or(open.len()));
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if matches!(name, "script" | "style") {
            let end = format!("</{name}>");
            rest = rest.split_once(&end).expect("the end of the element").1;
        } else if !tag.starts_with('!') && !tag.ends_with('/') && !VOID.contains(&name) {
            open.push((name, ISOLATING.contains(&name) || tag.contains(" dir=\"auto\"")));
        }
    }
    unisolated
}

#[testkit::test]
async fn stored_text_does_not_turn_the_text_around_it(service: TestService) {
    let pages = store_everywhere(&service, OVERRIDE).await;
    let names = ["update tenants set name = $1", "update users set display_name = $1"];
    for statement in names {
        service.sql(&statement.replace("$1", &format!("'{OVERRIDE}'"))).await;
    }
    let browser = Browser::member(&service, Role::Admin).await;
    let tenant_pages = [pages.with_text, pages.others].concat();
    let tenant_pages = tenant_pages.iter().map(|path| browser.at(path));
    let other_pages = [format!("/t/{}", service.tenant), "/account".to_owned()];
    let mut problems = Vec::new();
    for path in tenant_pages.chain(other_pages).chain(pages.public) {
        let page = browser.client("theme=dark").get(&path).await;
        assert_eq!(page.status, 200, "{path}");
        let texts = unisolated(&page.text).into_iter();
        problems.extend(texts.map(|text| format!("{path}: {text}")));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn text_outside_an_isolating_element_is_found() {
    let page = "<!DOCTYPE html><title>a\u{202E}</title><p>b\u{202E}<bdi class=\"x\">c\u{202E}</bdi>\
                <br>d\u{202E}</p><script>\"<p>e\u{202E}\"</script><pre><code>f\u{202E}</code></pre>";
    assert_eq!(unisolated(page), ["a\u{202E}", "b\u{202E}", "d\u{202E}"]);
}
