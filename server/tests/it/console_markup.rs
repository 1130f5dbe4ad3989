//! Every console page escapes stored text and links to web addresses only.

use contract::scope::Role;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, text},
    console_pages::{Browser, encoded},
    service::{TestService, Version, create_policy, test_service},
};

const ATTACK: &str = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'&";

/// Returns a policy with the attack in every text.
fn policy(code: &str, group: &Value) -> Value {
    let mapped = |rule: &str| json!({"unit_id": "u1", "disposition": "mapped", "rule_code": rule, "note": ATTACK});
    json!({
        "code": code, "name": ATTACK, "description": ATTACK, "decision_types": [ATTACK],
        "policy_group_id": group["id"], "regulatory_refs": [ATTACK], "change_reason": ATTACK,
        "rules": [
            {
                "code": "AMOUNT", "name": ATTACK, "description": ATTACK, "severity": "high",
                "rule_type": "threshold", "condition": {"field": "amount", "max": 1},
            },
            {
                "code": "KIND", "severity": "low", "when": {"field": ATTACK, "equals": ATTACK},
                "rule_type": "list", "condition": {"field": ATTACK, "allowed": [ATTACK]},
            },
        ],
        "codification": {
            "source": {"document": ATTACK, "url": "javascript:alert(1)"},
            "clauses": [{"unit_id": "u1", "locator": ATTACK, "text": ATTACK}],
            "ledger": [mapped("AMOUNT"), mapped("KIND")],
        },
    })
}

/// Creates, reviews, ratifies and activates a policy version.
async fn activate(service: &TestService, group: &Value) -> Version {
    let version = create_policy(service.author().await, &policy("PAY-01", group)).await;
    let submission = service.seal(&version).await;
    let review = json!({
        "verdict": "ACCEPT", "note": ATTACK, "comments": [{"rule_code": "AMOUNT", "text": ATTACK}],
    });
    let records = version.action_path(&format!("submissions/{submission}/records"));
    service.reviewer().await.post(records, &review).await.expect(201);
    service.ratify(&version).await;
    service.activate(&version).await;
    version
}

/// Records a denied decision with an outcome and returns its ID.
async fn record_denied(service: &TestService) -> String {
    let actor = json!({
        "id": ATTACK, "type": ATTACK, "role": ATTACK, "authority": ATTACK, "display_name": ATTACK,
    });
    let body = json!({
        "idempotency_key": ATTACK, "actor": actor, "action": {"type": ATTACK, "reference_id": ATTACK},
        "context": {"decision_type": ATTACK, "fields": {"amount": 2, ATTACK: ATTACK}},
    });
    let created = service.key.post("/v1/decisions/record", &body).await.expect(201);
    let id = text(&created["decision"]["id"]).to_owned();
    let outcome = json!({"status": "overridden", "note": ATTACK, "reference_id": ATTACK});
    service.key.post(format!("/v1/decisions/{id}/outcome"), &outcome).await.expect(201);
    id
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

#[tokio::test]
async fn stored_text_is_escaped_on_every_page() {
    let service = test_service().await;
    let group = json!({"code": "G", "name": ATTACK, "description": ATTACK});
    let group = service.key.post("/v1/policy-groups", &group).await.expect(201);
    let Version { policy: id, .. } = activate(&service, &group).await;
    let draft = service.author().await.post("/v1/policies", &policy("PAY-02", &group)).await;
    let draft = text(&draft.expect(201)["policy"]["id"]).to_owned();
    let decision = record_denied(&service).await;
    let alert = service.sql("select id::text from alerts").await.concat();
    let form = json!({
        "policy_id": id, "title": ATTACK, "description": ATTACK, "is_published": true,
        "branding": {"label": ATTACK, "description": ATTACK},
    });
    let form = text(&service.key.post("/v1/forms", &form).await.expect(201)["id"]).to_owned();
    for (path, draft) in [
        ("/v1/api-keys", json!({"name": ATTACK, "scopes": ["policies:read"]})),
        ("/v1/admin/users", json!({"email": "new@acme.example", "display_name": ATTACK})),
    ] {
        service.admin().await.post(path, &draft).await.expect(201);
    }
    let grant = json!({
        "policy_id": draft, "version": 1, "actions": ["policy.read"], "name": ATTACK,
    });
    service.author().await.post("/v1/authoring-capabilities", &grant).await.expect(201);

    let browser = Browser::member(&service, Role::Admin).await;
    for path in [
        "policies".to_owned(),
        format!("policies?q={}", encoded(ATTACK)),
        format!("policies/{id}"),
        format!("policies/{id}/versions/1"),
        format!("policies/{id}/analytics"),
        format!("policies/{id}/details"),
        format!("policies/{draft}/versions/1/edit"),
        format!("policies/{draft}/versions/1/review"),
        "groups".to_owned(),
        format!("groups/{}", text(&group["id"])),
        "decisions".to_owned(),
        format!("decisions?actor={}", encoded(ATTACK)),
        format!("decisions/{decision}"),
        "forms".to_owned(),
        format!("forms/{form}/edit"),
        format!("forms/{form}/edit?tab=integrate"),
        "capabilities".to_owned(),
        "keys".to_owned(),
    ] {
        check_escaped(&path, &browser.page(&path).await);
    }
    // These pages contain none of the texts.
    for path in
        ["alerts".to_owned(), format!("alerts/{alert}"), "inbox".to_owned(), "members".to_owned()]
    {
        check_no_markup(&path, &browser.page(&path).await);
    }
    for path in [format!("/r/{decision}"), format!("/f/{form}")] {
        check_escaped(&path, &service.public.get(&path).header("accept", "text/html").await);
    }
}
