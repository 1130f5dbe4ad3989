//! Every route that changes something appends its audit event; the list gives a reason for the others.

use contract::scope::Role;
use governance::access::operator;
use serde_json::{Value, json};
use server::router;

use crate::{
    cli_login,
    client::{Client, TestResponse, text},
    forms,
    passkeys::authenticator::{Authenticator, enroll, enroll_app, options, totp},
    routes::EVER,
    service::{
        CHAIN, PASSWORD, TestService, Version, chain_request, create_draft, payment, policy,
        request, test_service, user_id,
    },
};

/// The effect of a route on the audit log.
#[derive(Clone, Copy, Debug)]
enum AuditEffect {
    /// The route appends an event with this action.
    Event(&'static str),
    /// The route appends no event, for this reason.
    NoEvent(&'static str),
}

use AuditEffect::{Event, NoEvent};

/// The routes that are not plain reads. A new route needs an entry here and a request in `perform`.
const ROUTES: &[(&str, AuditEffect)] = &[
    ("POST /v1/session", Event("session.begin")),
    ("DELETE /v1/session", Event("session.end")),
    ("DELETE /v1/session/sessions/{session_id}", Event("session.end")),
    ("POST /v1/session/confirm", NoEvent("the session continues")),
    ("POST /v1/session/second-factor", Event("session.begin")),
    ("POST /v1/session/passkey", Event("session.begin")),
    ("POST /v1/session/passkey-options", NoEvent("options change nothing")),
    ("POST /v1/session/passkeys/options", NoEvent("options change nothing")),
    ("POST /v1/session/passkeys", Event("passkey.create")),
    ("PATCH /v1/session/passkeys/{passkey_id}", Event("passkey.rename")),
    ("DELETE /v1/session/passkeys/{passkey_id}", Event("passkey.delete")),
    ("POST /v1/session/totp", NoEvent("a secret has no effect until a code confirms it")),
    ("POST /v1/session/totp/confirm", Event("totp.create")),
    ("DELETE /v1/session/totp", Event("totp.delete")),
    ("POST /v1/session/recovery-codes", Event("recovery_codes.replace")),
    ("POST /v1/session/password", Event("user.change_password")),
    ("POST /v1/session/setup", Event("user.set_up")),
    (
        "POST /v1/session/reset",
        NoEvent("a request without a caller; using its link appends an event"),
    ),
    ("POST /v1/session/invitations/{tenant_id}/accept", Event("member.accept")),
    ("POST /v1/session/invitations/{tenant_id}/decline", Event("member.decline")),
    ("POST /v1/cli/token", Event("api_key.create")),
    ("POST /v1/cli/revoke", Event("api_key.revoke")),
    ("POST /v1/api-keys", Event("api_key.create")),
    ("DELETE /v1/api-keys/{id}", Event("api_key.revoke")),
    ("PATCH /v1/settings", Event("settings.update")),
    ("POST /v1/admin/members/invite", Event("member.invite")),
    ("PATCH /v1/admin/members/{user_id}", Event("member.change_role")),
    ("DELETE /v1/admin/members/{user_id}", Event("member.remove")),
    ("POST /v1/admin/members/{user_id}/reset-second-factors", Event("second_factor.reset")),
    ("POST /v1/admin/users", Event("user.create")),
    ("POST /v1/admin/identity-providers", Event("identity_provider.create")),
    ("PATCH /v1/admin/identity-providers/{id}", Event("identity_provider.edit")),
    ("DELETE /v1/admin/identity-providers/{id}", Event("identity_provider.delete")),
    (
        "POST /v1/admin/identity-providers/{id}/test",
        NoEvent("it only reads what the provider publishes"),
    ),
    ("POST /v1/admin/tenants", NoEvent("the event is in the audit log of the new tenant")),
    ("POST /v1/policies", Event("policy.create")),
    ("PATCH /v1/policies/{id}", Event("policy.edit")),
    ("DELETE /v1/policies/{id}", Event("policy.delete")),
    ("POST /v1/policies/{id}/deactivate", Event("policy.deactivate")),
    ("POST /v1/policies/{id}/versions", Event("policy_version.create")),
    ("PATCH /v1/policies/{id}/versions/{version}", Event("policy_version.edit")),
    ("DELETE /v1/policies/{id}/versions/{version}", Event("policy_version.delete")),
    ("POST /v1/policies/{id}/versions/{version}/submit", Event("policy_version.submit")),
    ("POST /v1/policies/{id}/versions/{version}/recall", Event("policy_version.recall")),
    ("POST /v1/policies/{id}/versions/{version}/reject", Event("policy_version.reject")),
    ("POST /v1/policies/{id}/versions/{version}/seal", Event("policy_version.seal")),
    (
        "POST /v1/policies/{id}/versions/{version}/submissions/{submission_id}/records",
        Event("policy_version.review"),
    ),
    ("POST /v1/policies/{id}/versions/{version}/comments", Event("comment.create")),
    (
        "POST /v1/policies/{id}/versions/{version}/comments/{comment_id}/resolve",
        Event("comment.resolve"),
    ),
    (
        "POST /v1/policies/{id}/versions/{version}/comments/{comment_id}/reopen",
        Event("comment.reopen"),
    ),
    ("POST /v1/policies/{id}/versions/{version}/supersede", Event("policy_version.supersede")),
    ("POST /v1/policies/{id}/versions/{version}/set-aside", Event("policy_version.set_aside")),
    ("POST /v1/policies/{id}/versions/{version}/ratify", Event("policy_version.ratify")),
    ("POST /v1/policies/{id}/versions/{version}/activate", Event("policy_version.activate")),
    ("POST /v1/authoring-capabilities", Event("capability.issue")),
    ("DELETE /v1/authoring-capabilities/{id}", Event("capability.revoke")),
    ("POST /v1/authoring-capabilities/{id}/carry", Event("capability.carry")),
    ("POST /v1/policy-groups", Event("policy_group.create")),
    ("PATCH /v1/policy-groups/{id}", Event("policy_group.edit")),
    ("DELETE /v1/policy-groups/{id}", Event("policy_group.delete")),
    ("POST /v1/forms", Event("form.create")),
    ("PATCH /v1/forms/{form_id}", Event("form.edit")),
    ("DELETE /v1/forms/{form_id}", Event("form.delete")),
    ("POST /v1/forms/{form_id}/tokens", Event("form_token.create")),
    ("DELETE /v1/forms/{form_id}/tokens/{token_id}", Event("form_token.revoke")),
    ("POST /v1/forms/{form_id}/submit", Event("decision.record")),
    ("POST /v1/decisions/evaluate", NoEvent("a dry run is not stored")),
    ("POST /v1/decisions/dry-run", NoEvent("a dry run is not stored")),
    ("POST /v1/decisions/dryRun", NoEvent("a dry run is not stored")),
    ("POST /v1/decisions/evaluate-batch", NoEvent("a dry run is not stored")),
    ("POST /v1/decisions/record", Event("decision.record")),
    ("POST /v1/decisions/{id}/outcome", Event("decision.outcome")),
    ("POST /v1/decisions/{id}/replay", NoEvent("a replay is not stored")),
    ("POST /v1/chains/{chain_id}/seal", Event("chain.seal")),
    ("POST /v1/alerts/{id}/acknowledge", Event("alert.acknowledge")),
    ("POST /v1/alerts/acknowledge", Event("alert.acknowledge")),
    ("POST /v1/alerts/{id}/assign", Event("alert.assign")),
    ("POST /v1/alerts/{id}/snooze", Event("alert.snooze")),
    ("POST /v1/alerts/subscriptions", Event("webhook.create")),
    ("DELETE /v1/alerts/subscriptions/{id}", Event("webhook.delete")),
    ("POST /v1/alerts/subscriptions/{id}/test", Event("webhook.test")),
    ("POST /v1/alerts/deliveries/{id}/retry", Event("webhook_delivery.retry")),
    ("POST /v1/alerts/deliveries/redrive", Event("webhook_delivery.redrive")),
    ("GET /v1/decisions/export", Event("decision.export")),
    ("POST /v1/audit-log/verify", NoEvent("verification only reads the audit log")),
];

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

/// Creates the data that a route needs and sends a valid request to it.
async fn perform(service: &TestService, route: &str) -> TestResponse {
    let (author, ratifier) = (service.author().await, service.ratifier().await);
    let index = ROUTES.iter().position(|(listed, _)| *listed == route);
    let code = format!("P-{}", index.expect("a listed route"));
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
        ) => perform_second_factor(service, method, path).await,
        (_, "confirm") if path.contains("totp") => {
            perform_second_factor(service, method, path).await
        }
        ("POST", "session") => {
            let admin = json!({"email": service.admin_email, "password": PASSWORD});
            service.public.without_session().post(path, &admin).await
        }
        ("DELETE", "session") => service.admin().await.call("DELETE", path).await,
        (_, "{session_id}") => {
            let admin = service.admin().await;
            let sessions = admin.get("/v1/session/sessions").await.expect(200);
            let path = path.replace("{session_id}", text(&sessions["items"][0]["id"]));
            admin.call("DELETE", path).await
        }
        (_, "confirm") => service.admin().await.post(path, &json!({"password": PASSWORD})).await,
        (_, "password") => {
            let change = json!({"password": PASSWORD, "new_password": "four other words of mine"});
            service.signed_in_member(Role::Viewer).await.post(path, &change).await
        }
        (_, "setup") => {
            let token = create_account(service, "setup").await;
            let body = json!({"token": token, "password": PASSWORD});
            service.public.without_session().post(path, &body).await
        }
        (_, "reset") => service.public.post(path, &json!({"email": service.admin_email})).await,
        (_, "accept" | "decline") => {
            let user = invite_user(service).await;
            user.post(path.replace("{tenant_id}", &service.tenant.to_string()), &json!({})).await
        }
        (_, "users") => service.admin().await.post(path, &account_request("users")).await,
        (_, "invite") => {
            create_account(service, "invite").await;
            service.key.post(path, &json!({"email": account_request("invite")["email"]})).await
        }
        (_, "{user_id}") => {
            let session =
                service.signed_in_member(Role::Viewer).await.get("/v1/session").await.expect(200);
            let path = path.replace("{user_id}", text(&session["user"]["id"]));
            let call = service.admin().await.call(method, path);
            if method == "PATCH" { call.json(&json!({"role": "author"})).await } else { call.await }
        }
        (_, "token") => cli_login::sign_in(service).await,
        (_, "revoke") => {
            let created = service.key.post("/v1/api-keys", &key_request()).await.expect(201);
            let body = json!({"api_key": created["plaintext_key"]});
            service.public.post(path, &body).await
        }
        (_, "api-keys") => service.key.post(path, &key_request()).await,
        (_, "{id}") if path.starts_with("/v1/api-keys/") => {
            let created = service.key.post("/v1/api-keys", &key_request()).await.expect(201);
            let path = format!("/v1/api-keys/{}", text(&created["key"]["id"]));
            service.key.call("DELETE", path).await
        }
        (_, "authoring-capabilities") => {
            author.post(path, &capability_request(&create_draft(author, &code).await)).await
        }
        (_, "carry") => {
            let version = create_draft(author, &code).await;
            let path = path.replace("{id}", &issue_capability(author, &version).await);
            author.post(version.action_path("set-aside"), &reason).await.expect(200);
            let next = version.versions_path();
            author.post(next, &json!({"rules": []})).await.expect(201);
            author.post(path, &json!({"version": 2})).await
        }
        (_, "{id}") if path.starts_with("/v1/authoring-capabilities/") => {
            let version = create_draft(author, &code).await;
            author.delete(path.replace("{id}", &issue_capability(author, &version).await)).await
        }
        _ if path.starts_with("/v1/admin/identity-providers") => {
            let admin = service.admin().await;
            let draft = json!({
                "name": "Acme", "issuer": "https://login.example.com", "client_id": "govern",
            });
            let created = admin.post("/v1/admin/identity-providers", &draft).await;
            if !path.contains("{id}") {
                return created;
            }
            let path = path.replace("{id}", text(&created.expect(201)["id"]));
            match method {
                "PATCH" => admin.patch(path, &json!({"name": "Another name"})).await,
                "DELETE" => admin.delete(path).await,
                _ => admin.post(path, &json!({})).await,
            }
        }
        (_, "settings") => service.key.patch(path, &json!({"alert_min_severity": "high"})).await,
        (_, "tenants") => service.operator().await.post(path, &json!({"name": "New"})).await,
        (_, "policies") => service.key.post(path, &policy(&code)).await,
        (_, "deactivate") => {
            let version = service.active(&code).await;
            ratifier.post(format!("{}/deactivate", version.policy_path()), &reason).await
        }
        (_, "versions") => {
            let version = service.ratified(&code).await;
            author.post(version.versions_path(), &json!({"rules": []})).await
        }
        (_, "policy-groups") => {
            service.key.post(path, &json!({"code": code, "name": "Group"})).await
        }
        (_, "{id}") if path.starts_with("/v1/policy-groups/") => {
            let draft = json!({"code": code, "name": "Group"});
            let group = author.post("/v1/policy-groups", &draft).await.expect(201);
            rename_or_delete(author, method, path.replace("{id}", text(&group["id"]))).await
        }
        (_, "{id}") if path.starts_with("/v1/policies/") => {
            rename_or_delete(author, method, create_draft(author, &code).await.policy_path()).await
        }
        (_, "forms") => {
            let version = service.active(&code).await;
            service.key.post(path, &forms::draft(&version)).await
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
            if method == "DELETE" { call.await } else { call.json(&body).await }
        }
        ("DELETE", "{version}") => author.delete(create_draft(author, &code).await.path()).await,
        ("PATCH", "{version}") => {
            let edit = json!({"expected_revision": 1, "change_reason": "because"});
            author.patch(create_draft(author, &code).await.path(), &edit).await
        }
        (_, "submit") => {
            author.post(create_draft(author, &code).await.action_path("submit"), &json!({})).await
        }
        (_, "recall") => {
            author.post(service.submitted(&code).await.action_path("recall"), &json!({})).await
        }
        (_, "reject") => {
            ratifier.post(service.submitted(&code).await.action_path("reject"), &reason).await
        }
        (_, "seal") if path.starts_with("/v1/chains/") => {
            service.active(&code).await;
            let record = chain_request("sealed", json!({}));
            service.key.post("/v1/decisions/record", &record).await.expect(201);
            service.key.post(path.replace("{chain_id}", CHAIN), &json!({})).await
        }
        (_, "seal") => {
            author.post(create_draft(author, &code).await.action_path("seal"), &json!({})).await
        }
        (_, "records") => {
            let version = create_draft(author, &code).await;
            let submission = service.seal(&version).await;
            let path = version.action_path(&format!("submissions/{submission}/records"));
            service.reviewer().await.post(path, &json!({"verdict": "ACCEPT"})).await
        }
        (_, "comments") => {
            let path = create_draft(author, &code).await.action_path("comments");
            author.post(path, &json!({"text": "a comment"})).await
        }
        (_, action @ ("resolve" | "reopen")) => {
            let path = create_draft(author, &code).await.action_path("comments");
            let created = author.post(&path, &json!({"text": "a comment"})).await.expect(201);
            let path = format!("{path}/{}", text(&created["id"]));
            if action == "reopen" {
                author.post(format!("{path}/resolve"), &json!({})).await.expect(200);
            }
            author.post(format!("{path}/{action}"), &json!({})).await
        }
        (_, "supersede") => {
            let correction =
                json!({"expected_revision": 1, "rules": [], "change_reason": "because"});
            author
                .post(create_draft(author, &code).await.action_path("supersede"), &correction)
                .await
        }
        (_, "set-aside") => {
            author.post(create_draft(author, &code).await.action_path("set-aside"), &reason).await
        }
        (_, "ratify") => {
            let revision = json!({"expected_revision": 1});
            ratifier.post(service.submitted(&code).await.action_path("ratify"), &revision).await
        }
        (_, "activate") => {
            ratifier.post(service.ratified(&code).await.action_path("activate"), &json!({})).await
        }
        (_, "evaluate" | "dry-run" | "dryRun" | "evaluate-batch") => {
            service.active(&code).await;
            // The first call stores the policy snapshot; the second call reuses it.
            service.key.post(path, &dry_run_body(path)).await.expect(200);
            service.key.post(path, &dry_run_body(path)).await
        }
        (_, "record") => {
            service.active(&code).await;
            service.key.post(path, &request(&code, 1)).await
        }
        (_, "outcome" | "replay") => {
            service.active(&code).await;
            let recorded = service.key.post("/v1/decisions/record", &request(&code, 1)).await;
            let path = path.replace("{id}", text(&recorded.expect(201)["decision"]["id"]));
            let body =
                if path.ends_with("outcome") { json!({"status": "accepted"}) } else { json!({}) };
            service.key.post(path, &body).await
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
            service.key.post(path.replace("{id}", alert), &body).await
        }
        (_, "subscriptions") => service.key.post(path, &webhook_request()).await,
        (_, "redrive") => service.key.post(path, &json!({})).await,
        _ if path.starts_with("/v1/alerts/") => {
            let created =
                service.key.post("/v1/alerts/subscriptions", &webhook_request()).await.expect(201);
            let id = text(&created["subscription"]["id"]);
            if path.ends_with("{id}") {
                return service.key.delete(path.replace("{id}", id)).await;
            }
            let sample = format!("/v1/alerts/subscriptions/{id}/test");
            let sample = service.key.post(sample, &json!({})).await;
            if path.ends_with("test") {
                return sample;
            }
            let mark_dead = "update webhook_deliveries set status = 'dead', next_attempt_at = null";
            service.sql(mark_dead).await;
            let id = text(&sample.expect(201)["id"]).to_owned();
            service.key.post(path.replace("{id}", &id), &json!({})).await
        }
        ("GET", "export") => service.key.get(format!("{path}?{EVER}")).await,
        (_, "verify") => service.key.post(path, &json!({})).await,
        _ => panic!("`{route}` has no request here"),
    }
}

/// Sends a valid request about second factors by a new member.
/// Sends a request with a new name, or a deletion, which takes no body.
async fn rename_or_delete(author: &Client, method: &str, path: String) -> TestResponse {
    let call = author.call(method, path);
    if method == "DELETE" { call.await } else { call.json(&json!({"name": "Another name"})).await }
}

async fn perform_second_factor(service: &TestService, method: &str, path: &str) -> TestResponse {
    let email = service.member(Role::Viewer).await;
    let person = service.sign_in(&email).await;
    let now_ms = service.clock.now().millis();
    let mut authenticator = Authenticator::new(1);
    authenticator.id = email.clone().into_bytes();
    match path.strip_prefix("/v1/session/").unwrap_or(path) {
        "second-factor" => {
            let (secret, _) = enroll_app(&person, now_ms).await;
            let browser = service.public.without_session();
            let credentials = json!({"email": email, "password": PASSWORD});
            assert_eq!(browser.post("/v1/session", &credentials).await.status, 401);
            browser.post(path, &json!({"code": totp(&secret, now_ms, 0)})).await
        }
        "passkey" => {
            enroll(&person, &mut authenticator).await;
            let browser = service.public.without_session();
            let credential = authenticator.get(&options(&browser, "sign_in").await);
            browser.post(path, &json!({"credential": credential})).await
        }
        "passkey-options" => person.post(path, &json!({"purpose": "confirm"})).await,
        "passkeys" => {
            let options = person.post("/v1/session/passkeys/options", &json!({})).await;
            let credential = authenticator.create(&options.expect(200));
            person.post(path, &json!({"name": "Laptop", "credential": credential})).await
        }
        "passkeys/{passkey_id}" => {
            let created = enroll(&person, &mut authenticator).await;
            let path = path.replace("{passkey_id}", text(&created["passkey"]["id"]));
            let call = person.call(method, path);
            if method == "PATCH" { call.json(&json!({"name": "Phone"})).await } else { call.await }
        }
        "totp/confirm" => {
            let setup = person.post("/v1/session/totp", &json!({})).await.expect(200);
            let code = totp(text(&setup["secret"]), now_ms, 0);
            person.post(path, &json!({"code": code})).await
        }
        "totp" if method == "DELETE" => {
            enroll_app(&person, now_ms).await;
            person.delete(path).await
        }
        "recovery-codes" => {
            enroll_app(&person, now_ms).await;
            person.post(path, &json!({})).await
        }
        _ if path.contains("{user_id}") => {
            enroll_app(&person, now_ms).await;
            let id = user_id(&person).await;
            let confine = format!(
                "update users set setup_tenant_id = '{0}', confined_tenant_id = '{0}' \
                 where user_id = '{1}' returning 'x'",
                service.tenant,
                text(&id)
            );
            service.sql(&confine).await;
            service.admin().await.post(path.replace("{user_id}", text(&id)), &json!({})).await
        }
        _ => person.post(path, &json!({})).await,
    }
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

#[test]
fn every_route_except_plain_reads_is_listed() {
    let served: Vec<String> = router::routes()
        .iter()
        .filter(|route| route.method != "GET" || route.path.ends_with("/export"))
        .map(|route| format!("{} {}", route.method, route.path))
        .collect();
    let listed = |route: &String| ROUTES.iter().any(|(listed, _)| listed == route);
    let missing: Vec<&String> = served.iter().filter(|route| !listed(route)).collect();
    assert!(missing.is_empty(), "routes without an expected audit effect: {missing:?}");
    let unserved = ROUTES.iter().find(|(route, _)| !served.iter().any(|served| served == route));
    assert!(unserved.is_none(), "{unserved:?} is not served");
}

#[tokio::test]
async fn every_route_appends_its_listed_event() {
    let service = test_service().await;
    for (route, effect) in ROUTES {
        let response = perform(&service, route).await;
        assert!(response.status < 300, "{route}: {response}");
        let newest = newest_event(&service).await;
        match effect {
            Event(action) => assert_eq!(text(&newest["action"]), *action, "{route}"),
            NoEvent(reason) => {
                let admin = service.admin().await;
                let before = newest_event(&service).await;
                let repeated = repeat(&service, &admin, route).await;
                assert!(repeated.status < 300, "{route}: {repeated}");
                assert_eq!(newest_event(&service).await["seq"], before["seq"], "{route}: {reason}");
            }
        }
        check_location(&service, route, &response).await;
    }
}

fn dry_run_body(path: &str) -> Value {
    if path.ends_with("batch") {
        return json!({"contexts": [payment(1)]});
    }
    json!({"context": payment(1)})
}

/// Repeats a request that appends no event, with the data of the first request.
async fn repeat(service: &TestService, admin: &Client, route: &str) -> TestResponse {
    let (_, path) = route.split_once(' ').expect("a method and a path");
    match path.rsplit('/').next().unwrap_or_default() {
        "confirm" => admin.post(path, &json!({"password": PASSWORD})).await,
        "passkey-options" => admin.post(path, &json!({"purpose": "confirm"})).await,
        "options" | "totp" => admin.post(path, &json!({})).await,
        "reset" => service.public.post(path, &json!({"email": service.admin_email})).await,
        "replay" => {
            let list = service.key.get("/v1/decisions?limit=1").await.expect(200);
            let path = path.replace("{id}", text(&list["items"][0]["id"]));
            service.key.post(path, &json!({})).await
        }
        "test" => {
            let list = admin.get("/v1/admin/identity-providers").await.expect(200);
            let path = path.replace("{id}", text(&list["items"][0]["id"]));
            admin.post(path, &json!({})).await
        }
        "tenants" => service.operator().await.post(path, &json!({"name": "New"})).await,
        "verify" => service.key.post(path, &json!({})).await,
        _ => service.key.post(path, &dry_run_body(path)).await,
    }
}
