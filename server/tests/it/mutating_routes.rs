//! Every endpoint appends the audit event of its description, or none if the description says why.

mod second_factors;

use contract::scope::Role;
use governance::access::operator;
use serde_json::{Value, json};
use server::router::{Audit, Endpoint, endpoints};

use crate::{
    cli_login,
    client::{Call, Client, TestResponse, text},
    forms,
    routes::EVER,
    service::{
        CHAIN, PASSWORD, TestService, Version, chain_request, create_draft, payment, policy,
        request, test_service, user_id,
    },
};

/// Checks that the location of a created resource can be read.
async fn check_location(service: &TestService, route: &str, response: &TestResponse) {
    let Some(location) = response.header("location").filter(|_| response.status == 201) else {
        return;
    };
    let reader = if location.starts_with("/v1/admin/tenants") {
        service.operator().await
    } else if ["/v1/admin/", "/v1/session/"].iter().any(|start| location.starts_with(start))
        || location.contains("/comments")
    {
        service.admin().await
    } else {
        service.key.clone()
    };
    let read = reader.get(location).await;
    assert_eq!(read.status, 200, "{route}: {location}: {}", read.text);
}

/// Creates the data that a route needs and returns a valid request to it.
async fn prepare(service: &TestService, route: &str) -> Call {
    let (author, ratifier) = (service.author().await, service.ratifier().await);
    let index = endpoints().iter().position(|listed| route == full_name(listed));
    let code = format!("P-{}", index.expect("an endpoint"));
    let reason = json!({"reason": "because"});
    let (method, path) = route.split_once(' ').expect("a method and a path");
    match (method, path.rsplit('/').next().unwrap_or_default()) {
        (
            _,
            "second-factor"
            | "passkey"
            | "passkey-options"
            | "options"
            | "passkeys"
            | "{passkey_id}"
            | "totp"
            | "recovery-codes"
            | "reset-second-factors",
        ) => second_factors::prepare(service, method, path).await,
        (_, "confirm") if path.contains("totp") => {
            second_factors::prepare(service, method, path).await
        }
        ("POST", "session") => {
            let admin = json!({"email": service.admin_email, "password": PASSWORD});
            service.public.without_session().post(path, &admin)
        }
        ("DELETE", "session") => service.admin().await.call("DELETE", path),
        (_, "{session_id}") => {
            let admin = service.admin().await;
            let sessions = admin.get("/v1/session/sessions").await.expect(200);
            let path = path.replace("{session_id}", text(&sessions["items"][0]["id"]));
            admin.call("DELETE", path)
        }
        (_, "confirm") => service.admin().await.post(path, &json!({"password": PASSWORD})),
        (_, "password") => {
            let change = json!({"password": PASSWORD, "new_password": "four other words of mine"});
            service.signed_in_member(Role::Viewer).await.post(path, &change)
        }
        (_, "setup") => {
            let token = create_account(service, "setup").await;
            let body = json!({"token": token, "password": PASSWORD});
            service.public.without_session().post(path, &body)
        }
        (_, "reset") => service.public.post(path, &json!({"email": service.admin_email})),
        (_, "accept" | "decline") => {
            let user = invite_user(service).await;
            user.post(path.replace("{tenant_id}", &service.tenant.to_string()), &json!({}))
        }
        (_, "users") => service.admin().await.post(path, &account_request("users")),
        (_, "invite") => {
            create_account(service, "invite").await;
            service.key.post(path, &json!({"email": account_request("invite")["email"]}))
        }
        (_, "{user_id}") => {
            let session =
                service.signed_in_member(Role::Viewer).await.get("/v1/session").await.expect(200);
            let path = path.replace("{user_id}", text(&session["user"]["id"]));
            let call = service.admin().await.call(method, path);
            if method == "PATCH" { call.json(&json!({"role": "author"})) } else { call }
        }
        (_, "token") => cli_login::exchange_call(service).await,
        (_, "revoke") => {
            let created = service.key.post("/v1/api-keys", &key_request()).await.expect(201);
            let body = json!({"api_key": created["plaintext_key"]});
            service.public.post(path, &body)
        }
        (_, "api-keys") => service.key.post(path, &key_request()),
        (_, "{id}") if path.starts_with("/v1/api-keys/") => {
            let created = service.key.post("/v1/api-keys", &key_request()).await.expect(201);
            let path = format!("/v1/api-keys/{}", text(&created["key"]["id"]));
            service.key.call("DELETE", path)
        }
        (_, "authoring-capabilities") => {
            author.post(path, &capability_request(&create_draft(author, &code).await))
        }
        (_, "carry") => {
            let version = create_draft(author, &code).await;
            let path = path.replace("{id}", &issue_capability(author, &version).await);
            author.post(version.action_path("set-aside"), &reason).await.expect(200);
            let next = version.versions_path();
            author.post(next, &json!({"rules": []})).await.expect(201);
            author.post(path, &json!({"version": 2}))
        }
        (_, "{id}") if path.starts_with("/v1/authoring-capabilities/") => {
            let version = create_draft(author, &code).await;
            author.delete(path.replace("{id}", &issue_capability(author, &version).await))
        }
        _ if path.starts_with("/v1/admin/identity-providers") => {
            let admin = service.admin().await;
            let draft = json!({
                "name": "Acme", "issuer": "https://login.example.com", "client_id": "govern",
            });
            let create = admin.post("/v1/admin/identity-providers", &draft);
            if !path.contains("{id}") {
                return create;
            }
            let path = path.replace("{id}", text(&create.await.expect(201)["id"]));
            match method {
                "POST" => admin.post(path, &json!({})),
                _ => rename_or_delete(&admin, method, path),
            }
        }
        (_, "settings") => service.key.patch(path, &json!({"alert_min_severity": "high"})),
        (_, "tenants") => service.operator().await.post(path, &json!({"name": "New"})),
        (_, "policies") => service.key.post(path, &policy(&code)),
        (_, "deactivate") => {
            let version = service.active(&code).await;
            ratifier.post(format!("{}/deactivate", version.policy_path()), &reason)
        }
        (_, "versions") => {
            let version = service.ratified(&code).await;
            author.post(version.versions_path(), &json!({"rules": []}))
        }
        (_, "policy-groups") => service.key.post(path, &json!({"code": code, "name": "Group"})),
        (_, "{id}") if path.starts_with("/v1/policy-groups/") => {
            let draft = json!({"code": code, "name": "Group"});
            let group = author.post("/v1/policy-groups", &draft).await.expect(201);
            rename_or_delete(author, method, path.replace("{id}", text(&group["id"])))
        }
        (_, "{id}") if path.starts_with("/v1/policies/") => {
            rename_or_delete(author, method, create_draft(author, &code).await.policy_path())
        }
        (_, "forms") => {
            let version = service.active(&code).await;
            service.key.post(path, &forms::draft(&version))
        }
        _ if path.starts_with("/v1/forms/") => {
            let form = forms::publish_form(service, &service.active(&code).await, json!({})).await;
            let mut path = path.replace("{form_id}", text(&form["id"]));
            if let Some(tokens) = path.strip_suffix("/{token_id}") {
                let created = service.key.post(tokens, &json!({})).await.expect(201);
                path = path.replace("{token_id}", text(&created["id"]));
            }
            let body = match path.rsplit('/').next() {
                Some("submit") => json!({"values": {"amount": 1, "purpose": "words"}}),
                Some("tokens") => json!({"max_uses": 1}),
                _ => json!({"title": "Another"}),
            };
            let call = service.key.call(method, path);
            if method == "DELETE" { call } else { call.json(&body) }
        }
        ("DELETE", "{version}") => author.delete(create_draft(author, &code).await.path()),
        ("PATCH", "{version}") => {
            let edit = json!({"expected_revision": 1, "change_reason": "because"});
            author.patch(create_draft(author, &code).await.path(), &edit)
        }
        (_, "submit") => {
            author.post(create_draft(author, &code).await.action_path("submit"), &json!({}))
        }
        (_, "recall") => {
            author.post(service.submitted(&code).await.action_path("recall"), &json!({}))
        }
        (_, "reject") => {
            ratifier.post(service.submitted(&code).await.action_path("reject"), &reason)
        }
        (_, "seal") if path.starts_with("/v1/chains/") => {
            service.active(&code).await;
            let record = chain_request("sealed", json!({}));
            service.key.post("/v1/decisions/record", &record).await.expect(201);
            service.key.post(path.replace("{chain_id}", CHAIN), &json!({}))
        }
        (_, "seal") => {
            author.post(create_draft(author, &code).await.action_path("seal"), &json!({}))
        }
        (_, "records") => {
            let version = create_draft(author, &code).await;
            let submission = service.seal(&version).await;
            let path = version.action_path(&format!("submissions/{submission}/records"));
            service.reviewer().await.post(path, &json!({"verdict": "ACCEPT"}))
        }
        (_, "comments") => {
            let path = create_draft(author, &code).await.action_path("comments");
            author.post(path, &json!({"text": "a comment"}))
        }
        (_, action @ ("resolve" | "reopen")) => {
            let path = create_draft(author, &code).await.action_path("comments");
            let created = author.post(&path, &json!({"text": "a comment"})).await.expect(201);
            let path = format!("{path}/{}", text(&created["id"]));
            if action == "reopen" {
                author.post(format!("{path}/resolve"), &json!({})).await.expect(200);
            }
            author.post(format!("{path}/{action}"), &json!({}))
        }
        (_, "supersede") => {
            let correction =
                json!({"expected_revision": 1, "rules": [], "change_reason": "because"});
            author.post(create_draft(author, &code).await.action_path("supersede"), &correction)
        }
        (_, "set-aside") => {
            author.post(create_draft(author, &code).await.action_path("set-aside"), &reason)
        }
        (_, "ratify") => {
            let revision = json!({"expected_revision": 1});
            ratifier.post(service.submitted(&code).await.action_path("ratify"), &revision)
        }
        (_, "activate") => {
            ratifier.post(service.ratified(&code).await.action_path("activate"), &json!({}))
        }
        (_, "evaluate" | "dry-run" | "dryRun" | "evaluate-batch") => {
            service.active(&code).await;
            // The first call stores the policy snapshot; the second call reuses it.
            service.key.post(path, &dry_run_body(path)).await.expect(200);
            service.key.post(path, &dry_run_body(path))
        }
        (_, "record") => {
            service.active(&code).await;
            service.key.post(path, &request(&code, 1))
        }
        (_, "outcome" | "replay") => {
            service.active(&code).await;
            let recorded = service.key.post("/v1/decisions/record", &request(&code, 1)).await;
            let path = path.replace("{id}", text(&recorded.expect(201)["decision"]["id"]));
            let body =
                if path.ends_with("outcome") { json!({"status": "accepted"}) } else { json!({}) };
            service.key.post(path, &body)
        }
        (_, action @ ("acknowledge" | "assign" | "snooze")) => {
            service.active(&code).await;
            service.record(&code, 20_000).await;
            let open = service.key.get("/v1/alerts?status=open&limit=1").await.expect(200);
            let alert = text(&open["items"][0]["id"]);
            let body = match action {
                "assign" => json!({"user_id": user_id(author).await}),
                "snooze" => json!({"until": "2026-09-02T08:00:00Z"}),
                _ if path.contains("{id}") => json!({}),
                _ => json!({"ids": [alert]}),
            };
            service.key.post(path.replace("{id}", alert), &body)
        }
        (_, "subscriptions") => service.key.post(path, &webhook_request()),
        (_, "redrive") => service.key.post(path, &json!({})),
        _ if path.starts_with("/v1/alerts/") => {
            let created =
                service.key.post("/v1/alerts/subscriptions", &webhook_request()).await.expect(201);
            let id = text(&created["subscription"]["id"]);
            if path.ends_with("{id}") {
                return service.key.delete(path.replace("{id}", id));
            }
            let sample = format!("/v1/alerts/subscriptions/{id}/test");
            let sample = service.key.post(sample, &json!({}));
            if path.ends_with("test") {
                return sample;
            }
            let sample = sample.await;
            let mark_dead = "update webhook_deliveries set status = 'dead', next_attempt_at = null";
            service.sql(mark_dead).await;
            let id = text(&sample.expect(201)["id"]).to_owned();
            service.key.post(path.replace("{id}", &id), &json!({}))
        }
        ("GET", "export") => service.key.get(format!("{path}?{EVER}")),
        (_, "verify") => service.key.post(path, &json!({})),
        _ => panic!("`{route}` has no request here"),
    }
}

/// Returns a request with a new name, or a deletion, which takes no body.
fn rename_or_delete(client: &Client, method: &str, path: String) -> Call {
    let call = client.call(method, path);
    if method == "DELETE" { call } else { call.json(&json!({"name": "Another name"})) }
}

/// A request for a webhook whose host is never called.
fn webhook_request() -> Value {
    json!({"url": "https://hooks.example.com/", "severity_min": "low"})
}

fn account_request(name: &str) -> Value {
    json!({"email": format!("{name}@new.example"), "display_name": "New"})
}

/// Creates an account and returns the token of its setup link.
async fn create_account(service: &TestService, name: &str) -> String {
    let created =
        service.admin().await.post("/v1/admin/users", &account_request(name)).await.expect(201);
    let (_, token) = text(&created["setup_url"]).split_once("token=").expect("a link");
    token.to_owned()
}

/// Invites a user of another tenant and returns the client of that user.
async fn invite_user(service: &TestService) -> Client {
    let tenant = operator::create_tenant(&service.governance, "Other", None).await;
    let tenant = tenant.expect("a tenant can be created").tenant_id;
    let email = format!("{}@other.example", tenant.0.simple());
    let password = PASSWORD.to_owned();
    let user = operator::create_user(&service.governance, tenant, &email, password, Role::Viewer);
    let user = user.await.expect("a user can be created");
    let invitation = json!({"user_id": user.user_id.to_string()});
    service.key.post("/v1/admin/members/invite", &invitation).await.expect(201);
    service.sign_in(&user.email).await
}

fn capability_request(version: &Version) -> Value {
    json!({
        "policy_id": version.policy, "version": version.number, "actions": ["policy.read"],
        "name": "a program",
    })
}

/// Issues a capability on a version and returns its ID.
async fn issue_capability(author: &Client, version: &Version) -> String {
    let response =
        author.post("/v1/authoring-capabilities", &capability_request(version)).await.expect(201);
    text(&response["capability"]["id"]).to_owned()
}

fn key_request() -> Value {
    json!({"name": "a program", "scopes": ["policies:read"]})
}

async fn newest_event(service: &TestService) -> Value {
    let page = service.key.get("/v1/audit-log?limit=1").await.expect(200);
    page["items"][0].clone()
}

/// The method and the path of an endpoint.
fn full_name(endpoint: &Endpoint) -> String {
    format!("{} {}", endpoint.method, endpoint.path)
}

#[tokio::test]
async fn every_endpoint_appends_its_event() {
    let service = test_service().await;
    for endpoint in endpoints() {
        if endpoint.audit == Audit::Read {
            continue;
        }
        let route = full_name(&endpoint);
        let request = prepare(&service, &route).await;
        let before = newest_event(&service).await;
        let response = request.await;
        assert!(response.status < 300, "{route}: {response}");
        let newest = newest_event(&service).await;
        match endpoint.audit {
            Audit::Event(action) => assert_eq!(text(&newest["action"]), action, "{route}"),
            audit => assert_eq!(newest["seq"], before["seq"], "{route}: {audit:?}"),
        }
        check_location(&service, &route, &response).await;
    }
}

fn dry_run_body(path: &str) -> Value {
    if path.ends_with("batch") {
        return json!({"contexts": [payment(1)]});
    }
    json!({"context": payment(1)})
}
