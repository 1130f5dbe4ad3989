//! Test calls of the routes of the router: paths with IDs, and valid bodies.

use serde_json::{Value, json};
use server::router::{self, Access, Route};

use crate::{
    client::{Call, Client},
    service::{payment, policy, request},
};

/// The IDs in paths.
#[derive(Clone, Debug)]
pub(crate) struct Ids {
    pub(crate) policy: String,
    pub(crate) decision: String,
    pub(crate) group: String,
    pub(crate) member: String,
    pub(crate) submission: String,
    pub(crate) chain: String,
}

impl Ids {
    /// IDs that do not exist.
    pub(crate) fn missing() -> Self {
        let id = "00000000-0000-4000-8000-000000000000".to_owned();
        let [policy, decision, group, member, chain] = [(); 5].map(|()| id.clone());
        Self { policy, decision, group, member, chain, submission: id }
    }
}

/// The routes that require an authenticated caller and a permission.
pub(crate) fn guarded() -> impl Iterator<Item = (Route, governance::access::permission::Permission)>
{
    router::routes().into_iter().filter_map(|route| match route.access {
        Access::Guarded(permission) => Some((route, permission)),
        Access::Public => None,
    })
}

/// The method of a route and its path without `/v1/`.
pub(crate) fn name(route: &Route) -> String {
    format!("{} {}", route.method, route.path.trim_start_matches("/v1/"))
}

/// The path of a route with IDs and its required parameters.
pub(crate) fn path(route: &Route, ids: &Ids) -> String {
    let id = match route.path.split('/').nth(2) {
        Some("policies") => &ids.policy,
        Some("policy-groups") => &ids.group,
        _ => &ids.decision,
    };
    let path = route.path.replace("{id}", id);
    let path = path.replace("{user_id}", &ids.member).replace("{form_id}", &ids.decision);
    let path = path.replace("{token_id}", &ids.decision).replace("{tenant_id}", &ids.member);
    let path = path.replace("{session_id}", &ids.decision).replace("{comment_id}", &ids.decision);
    let path = path.replace("{passkey_id}", &ids.decision);
    let path = path.replace("{decision_id}", &ids.decision).replace("{version}", "1");
    let path = path.replace("{submission_id}", &ids.submission).replace("{chain_id}", &ids.chain);
    match &*route.path {
        "/v1/log/tile/{path}" => path.replace("{path}", "0/000"),
        "/v1/decisions/export" => format!("{path}?{EVER}"),
        // An authorized caller receives an error for this filter instead of an endless stream.
        "/v1/decisions/stream" => format!("{path}?decision=NONE"),
        _ => path,
    }
}

/// A time range that includes every decision.
pub(crate) const EVER: &str = "recorded_from=2000-01-01T00:00:00Z&recorded_to=2100-01-01T00:00:00Z";

pub(crate) fn call(client: &Client, route: &Route, ids: &Ids) -> Call {
    let call = client.call(&route.method, path(route, ids));
    match body(route) {
        Some(body) => call.json(&body),
        None => call,
    }
}

/// A valid body of a route, or `None` for methods without a body.
pub(crate) fn body(route: &Route) -> Option<Value> {
    if !matches!(&*route.method, "POST" | "PATCH") {
        return None;
    }
    let segment = route.path.rsplit('/').next().unwrap_or_default();
    Some(match (&*route.method, segment) {
        ("PATCH", "{id}") if route.path.starts_with("/v1/policies/") => json!({
            "name": "Another name", "description": "words", "decision_types": ["loan"],
            "shadow_mode": true, "inheritable": true, "regulatory_refs": ["law"],
            "policy_group_id": null,
        }),
        ("PATCH", "{id}") if route.path.starts_with("/v1/admin/identity-providers/") => {
            json!({"name": "Another name", "email_domains": ["acme.example"]})
        }
        (_, "identity-providers") => json!({
            "name": "Acme", "issuer": "https://login.example.com", "client_id": "govern",
        }),
        ("PATCH", "{passkey_id}") => json!({"name": "Another name"}),
        ("PATCH", "{form_id}") => json!({"is_published": false}),
        (_, "forms") => json!({"policy_id": "00000000-0000-4000-8000-000000000000", "title": "T"}),
        (_, "submit") if route.path.starts_with("/v1/forms/") => json!({"values": {}}),
        ("PATCH", "{user_id}") => json!({"role": "author"}),
        ("PATCH", "{id}") => json!({"code": "NEW", "name": "Another name", "description": null}),
        (_, "policy-groups") => json!({"code": "ANY", "name": "Any", "description": "words"}),
        ("PATCH", "settings") => json!({"alert_min_severity": "high"}),
        (_, "authoring-capabilities") => json!({
            "policy_id": "00000000-0000-4000-8000-000000000000", "version": 1,
            "actions": ["policy.read"], "name": "a program",
        }),
        (_, "acknowledge") if !route.path.contains("{id}") => {
            json!({"ids": ["00000000-0000-4000-8000-000000000000"]})
        }
        (_, "subscriptions") => {
            json!({"url": "https://hooks.example.com/", "severity_min": "low"})
        }
        (_, "carry") => json!({"version": 2}),
        (_, "api-keys") => json!({"name": "a program", "scopes": ["policies:read"]}),
        (_, "invite" | "reset") => json!({"email": "unknown@acme.example"}),
        (_, "users") => json!({"email": "new@acme.example", "display_name": "New"}),
        (_, "password") => {
            json!({"password": "none", "new_password": "four other words of mine"})
        }
        (_, "setup") => json!({"token": "none", "password": "four other words of mine"}),
        (_, "tenants") => json!({"name": "A tenant"}),
        ("PATCH", _) | (_, "ratify") => json!({"expected_revision": 1}),
        (_, "supersede") => {
            json!({"expected_revision": 1, "rules": [], "change_reason": "because"})
        }
        (_, "comments") => json!({"text": "a comment"}),
        (_, "records") => json!({"verdict": "ACCEPT", "comments": []}),
        (_, "reject" | "set-aside" | "deactivate") => json!({"reason": "because"}),
        (_, "policies") => policy("ANY"),
        (_, "versions") => json!({"rules": []}),
        (_, "evaluate" | "dry-run" | "dryRun") => json!({"context": payment(1)}),
        (_, "evaluate-batch") => json!({"contexts": [payment(1)]}),
        (_, "outcome") => json!({"status": "accepted"}),
        (_, "record") => request("any", 1),
        (_, "token") => json!({"code": "none", "code_verifier": "v".repeat(43)}),
        (_, "revoke") => json!({"api_key": "none"}),
        (_, "session") => json!({"email": "unknown@acme.example", "password": "none"}),
        (_, "passkeys") => json!({"name": "Laptop", "credential": {}}),
        (_, "passkey") => json!({"credential": {}}),
        (_, "passkey-options") => json!({"purpose": "sign_in"}),
        (_, "second-factor") => json!({"code": "123456"}),
        (_, "confirm") if route.path.contains("totp") => json!({"code": "123456"}),
        (_, "confirm") => json!({"password": "none"}),
        _ => json!({}),
    })
}
