//! No text that anybody wrote becomes markup, on whatever page of the console it is shown.

use contract::scope::Role;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, text},
    console_pages::{Browser, encoded},
    service::{TestService, Version, world},
};

const ATTACK: &str = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'&";

/// A policy that is the attack in all of its texts.
fn policy(code: &str, group: &Value) -> Value {
    let said = |rule: &str| json!({"unit_id": "u1", "disposition": "mapped", "rule_code": rule, "note": ATTACK});
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
            "source": {"document": ATTACK},
            "clauses": [{"unit_id": "u1", "locator": ATTACK, "text": ATTACK}],
            "ledger": [said("AMOUNT"), said("KIND")],
        },
    })
}

/// A policy in force, by way of a review.
async fn in_force(world: &TestService, group: &Value) -> Version {
    let made = world.author().await.post("/v1/policies", &policy("PAY-01", group)).await;
    let version = Version { policy: text(&made.expect(201)["policy"]["id"]).to_owned(), number: 1 };
    let submission = world.seal(&version).await;
    let found = json!({
        "verdict": "ACCEPT", "note": ATTACK, "comments": [{"rule_code": "AMOUNT", "text": ATTACK}],
    });
    let records = version.act(&format!("submissions/{submission}/records"));
    world.reviewer().await.post(records, &found).await.expect(201);
    world.ratify(&version).await;
    world.activate(&version).await;
    version
}

/// A decision that is denied, with what came of it; its id.
async fn denied(world: &TestService) -> String {
    let who = json!({
        "id": ATTACK, "type": ATTACK, "role": ATTACK, "authority": ATTACK, "display_name": ATTACK,
    });
    let body = json!({
        "idempotency_key": ATTACK, "actor": who, "action": {"type": ATTACK, "reference_id": ATTACK},
        "context": {"decision_type": ATTACK, "fields": {"amount": 2, ATTACK: ATTACK}},
    });
    let made = world.key.post("/v1/decisions/record", &body).await.expect(201);
    let id = text(&made["decision"]["id"]).to_owned();
    let outcome = json!({"status": "overridden", "note": ATTACK, "reference_id": ATTACK});
    world.key.post(format!("/v1/decisions/{id}/outcome"), &outcome).await.expect(201);
    id
}

/// No markup.
fn clean(path: &str, page: &TestResponse) {
    assert_eq!(page.status, 200, "{path}");
    for markup in ["<script>alert", "<img src=x"] {
        assert!(!page.text.contains(markup), "{path} holds `{markup}`: {}", page.text);
    }
}

/// Shown, and as text.
fn shown(path: &str, page: &TestResponse) {
    clean(path, page);
    assert!(page.text.contains("&lt;script&gt;alert(1)"), "{path} does not show it: {}", page.text);
}

#[tokio::test]
async fn no_text_becomes_markup() {
    let world = world().await;
    let group = json!({"code": "G", "name": ATTACK, "description": ATTACK});
    let group = world.key.post("/v1/policy-groups", &group).await.expect(201);
    let Version { policy: id, .. } = in_force(&world, &group).await;
    let draft = world.author().await.post("/v1/policies", &policy("PAY-02", &group)).await;
    let draft = text(&draft.expect(201)["policy"]["id"]).to_owned();
    let decision = denied(&world).await;
    let alert = world.sql("select id::text from alerts").await.concat();
    let form = json!({
        "policy_id": id, "title": ATTACK, "description": ATTACK, "is_published": true,
        "branding": {"label": ATTACK, "description": ATTACK},
    });
    let form = text(&world.key.post("/v1/forms", &form).await.expect(201)["id"]).to_owned();
    for (path, draft) in [
        ("/v1/api-keys", json!({"name": ATTACK, "scopes": ["policies:read"]})),
        ("/v1/admin/users", json!({"email": "new@acme.example", "display_name": ATTACK})),
    ] {
        world.admin().await.post(path, &draft).await.expect(201);
    }
    let grant = json!({
        "policy_id": draft, "version": 1, "actions": ["policy.read"], "name": ATTACK,
    });
    world.author().await.post("/v1/authoring-capabilities", &grant).await.expect(201);

    let browser = Browser::of(&world, &world.person(Role::Admin).await);
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
        shown(&path, &browser.page(&path).await);
    }
    // These name rules, addresses and acts, and none of these texts.
    for path in
        ["alerts".to_owned(), format!("alerts/{alert}"), "inbox".to_owned(), "members".to_owned()]
    {
        clean(&path, &browser.page(&path).await);
    }
    for path in [format!("/r/{decision}"), format!("/f/{form}")] {
        shown(&path, &world.public.get(&path).header("accept", "text/html").await);
    }
}
