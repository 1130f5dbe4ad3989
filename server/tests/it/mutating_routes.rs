//! Every route that changes something writes its event; one that changes nothing says why.

use contract::scope::Role;
use governance::access::operator;
use serde_json::{Value, json};
use server::router;

use crate::{
    client::{Client, TestResponse, text},
    forms,
    routes::EVER,
    service::{
        CHAIN, PASSWORD, TestService, Version, chained, drafted, payment, policy, request, world,
    },
};

/// What a route leaves in the audit log.
#[derive(Clone, Copy, Debug)]
enum Leaves {
    /// An event of this action.
    Event(&'static str),
    /// Nothing, for this reason.
    Nothing(&'static str),
}

use Leaves::{Event, Nothing};

/// The routes that are not plain reads. A route that is added stands here with its event, and with
/// an act below.
const ROUTES: &[(&str, Leaves)] = &[
    ("POST /v1/session", Event("session.begin")),
    ("DELETE /v1/session", Event("session.end")),
    ("DELETE /v1/session/sessions/{session_id}", Event("session.end")),
    ("POST /v1/session/confirm", Nothing("the session goes on")),
    ("POST /v1/session/password", Event("user.change_password")),
    ("POST /v1/session/setup", Event("user.set_up")),
    (
        "POST /v1/session/reset",
        Nothing("a request without a caller; using its link leaves an event"),
    ),
    ("POST /v1/session/invitations/{tenant_id}/accept", Event("member.accept")),
    ("POST /v1/session/invitations/{tenant_id}/decline", Event("member.decline")),
    ("POST /v1/api-keys", Event("api_key.create")),
    ("DELETE /v1/api-keys/{id}", Event("api_key.revoke")),
    ("PATCH /v1/settings", Event("settings.update")),
    ("POST /v1/admin/members/invite", Event("member.invite")),
    ("PATCH /v1/admin/members/{user_id}", Event("member.change_role")),
    ("DELETE /v1/admin/members/{user_id}", Event("member.remove")),
    ("POST /v1/admin/users", Event("user.create")),
    ("POST /v1/admin/tenants", Nothing("it begins the log of the new tenant")),
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
    ("POST /v1/decisions/evaluate", Nothing("a dry run is not kept")),
    ("POST /v1/decisions/dry-run", Nothing("a dry run is not kept")),
    ("POST /v1/decisions/dryRun", Nothing("a dry run is not kept")),
    ("POST /v1/decisions/evaluate-batch", Nothing("a dry run is not kept")),
    ("POST /v1/decisions/record", Event("decision.record")),
    ("POST /v1/decisions/{id}/outcome", Event("decision.outcome")),
    ("POST /v1/decisions/{id}/replay", Nothing("a replay is not kept")),
    ("POST /v1/chains/{chain_id}/seal", Event("chain.seal")),
    ("POST /v1/alerts/{id}/acknowledge", Event("alert.acknowledge")),
    ("POST /v1/alerts/acknowledge", Event("alert.acknowledge")),
    ("POST /v1/alerts/subscriptions", Event("webhook.create")),
    ("DELETE /v1/alerts/subscriptions/{id}", Event("webhook.delete")),
    ("POST /v1/alerts/subscriptions/{id}/test", Event("webhook.test")),
    ("POST /v1/alerts/deliveries/{id}/retry", Event("webhook_delivery.retry")),
    ("POST /v1/alerts/deliveries/redrive", Event("webhook_delivery.redrive")),
    ("GET /v1/decisions/export", Event("decision.export")),
    ("POST /v1/audit-log/verify", Nothing("a check of the log reads it")),
];

/// Carries out what a route is for; everything it needs is there before.
async fn act(world: &TestService, route: &str) -> TestResponse {
    let (author, ratifier) = (world.author().await, world.ratifier().await);
    let place = ROUTES.iter().position(|(listed, _)| *listed == route);
    let code = format!("P-{}", place.expect("a route of the list"));
    let because = json!({"reason": "because"});
    let (method, path) = route.split_once(' ').expect("a method and a path");
    match (method, path.rsplit('/').next().unwrap_or_default()) {
        ("POST", "session") => {
            let admin = json!({"email": world.admin_email, "password": PASSWORD});
            world.public.post(path, &admin).await
        }
        ("DELETE", "session") => world.admin().await.call("DELETE", path).await,
        (_, "{session_id}") => {
            let admin = world.admin().await;
            let sessions = admin.get("/v1/session/sessions").await.expect(200);
            let path = path.replace("{session_id}", text(&sessions["items"][0]["id"]));
            admin.call("DELETE", path).await
        }
        (_, "confirm") => world.admin().await.post(path, &json!({"password": PASSWORD})).await,
        (_, "password") => {
            let change = json!({"password": PASSWORD, "new_password": "four other words of mine"});
            world.person(Role::Viewer).await.post(path, &change).await
        }
        (_, "setup") => {
            let token = account(world, "setup").await;
            world.public.post(path, &json!({"token": token, "password": PASSWORD})).await
        }
        (_, "reset") => world.public.post(path, &json!({"email": world.admin_email})).await,
        (_, "accept" | "decline") => {
            let invited = invited(world).await;
            invited.post(path.replace("{tenant_id}", &world.tenant.to_string()), &json!({})).await
        }
        (_, "users") => world.admin().await.post(path, &person("users")).await,
        (_, "invite") => {
            account(world, "invite").await;
            world.key.post(path, &json!({"email": person("invite")["email"]})).await
        }
        (_, "{user_id}") => {
            let session = world.person(Role::Viewer).await.get("/v1/session").await.expect(200);
            let path = path.replace("{user_id}", text(&session["user"]["id"]));
            let call = world.admin().await.call(method, path);
            if method == "PATCH" { call.json(&json!({"role": "author"})).await } else { call.await }
        }
        (_, "api-keys") => world.key.post(path, &key()).await,
        (_, "{id}") if path.starts_with("/v1/api-keys/") => {
            let made = world.key.post("/v1/api-keys", &key()).await.expect(201);
            let path = format!("/v1/api-keys/{}", text(&made["key"]["id"]));
            world.key.call("DELETE", path).await
        }
        (_, "authoring-capabilities") => {
            author.post(path, &grant(&drafted(author, &code).await)).await
        }
        (_, "carry") => {
            let version = drafted(author, &code).await;
            let path = path.replace("{id}", &granted(author, &version).await);
            author.post(version.act("set-aside"), &because).await.expect(200);
            let next = format!("{}/versions", version.of());
            author.post(next, &json!({"rules": []})).await.expect(201);
            author.post(path, &json!({"version": 2})).await
        }
        (_, "{id}") if path.starts_with("/v1/authoring-capabilities/") => {
            let version = drafted(author, &code).await;
            author.delete(path.replace("{id}", &granted(author, &version).await)).await
        }
        (_, "settings") => world.key.patch(path, &json!({"alert_min_severity": "high"})).await,
        (_, "tenants") => world.operator().await.post(path, &json!({"name": "New"})).await,
        (_, "policies") => world.key.post(path, &policy(&code)).await,
        (_, "deactivate") => {
            let version = world.active(&code).await;
            ratifier.post(format!("{}/deactivate", version.of()), &because).await
        }
        (_, "versions") => {
            let version = world.ratified(&code).await;
            author.post(format!("{}/versions", version.of()), &json!({"rules": []})).await
        }
        (_, "policy-groups") => world.key.post(path, &json!({"code": code, "name": "Group"})).await,
        (_, "{id}") if path.starts_with("/v1/policy-groups/") => {
            let draft = json!({"code": code, "name": "Group"});
            let group = author.post("/v1/policy-groups", &draft).await.expect(201);
            let path = path.replace("{id}", text(&group["id"]));
            author.call(method, path).json(&json!({"name": "Another name"})).await
        }
        (_, "{id}") if path.starts_with("/v1/policies/") => {
            let path = drafted(author, &code).await.of();
            author.call(method, path).json(&json!({"name": "Another name"})).await
        }
        (_, "forms") => {
            let version = world.active(&code).await;
            world.key.post(path, &forms::draft(&version)).await
        }
        _ if path.starts_with("/v1/forms/") => {
            let form = forms::published(world, &world.active(&code).await, json!({})).await;
            let mut path = path.replace("{form_id}", text(&form["id"]));
            if let Some(tokens) = path.strip_suffix("/{token_id}") {
                let made = world.key.post(tokens, &json!({})).await.expect(201);
                path = path.replace("{token_id}", text(&made["id"]));
            }
            let body = match path.rsplit('/').next() {
                Some("submit") => json!({"values": {"amount": 1, "purpose": "words"}}),
                Some("tokens") => json!({"max_uses": 1}),
                _ => json!({"title": "Another"}),
            };
            let call = world.key.call(method, path);
            if method == "DELETE" { call.await } else { call.json(&body).await }
        }
        ("DELETE", "{version}") => author.delete(drafted(author, &code).await.path()).await,
        ("PATCH", "{version}") => {
            let edit = json!({"expected_revision": 1, "change_reason": "because"});
            author.patch(drafted(author, &code).await.path(), &edit).await
        }
        (_, "submit") => author.post(drafted(author, &code).await.act("submit"), &json!({})).await,
        (_, "recall") => author.post(world.submitted(&code).await.act("recall"), &json!({})).await,
        (_, "reject") => ratifier.post(world.submitted(&code).await.act("reject"), &because).await,
        (_, "seal") if path.starts_with("/v1/chains/") => {
            world.active(&code).await;
            let record = chained("sealed", json!({}));
            world.key.post("/v1/decisions/record", &record).await.expect(201);
            world.key.post(path.replace("{chain_id}", CHAIN), &json!({})).await
        }
        (_, "seal") => author.post(drafted(author, &code).await.act("seal"), &json!({})).await,
        (_, "records") => {
            let version = drafted(author, &code).await;
            let submission = world.seal(&version).await;
            let path = version.act(&format!("submissions/{submission}/records"));
            world.reviewer().await.post(path, &json!({"verdict": "ACCEPT"})).await
        }
        (_, "supersede") => {
            let correction =
                json!({"expected_revision": 1, "rules": [], "change_reason": "because"});
            author.post(drafted(author, &code).await.act("supersede"), &correction).await
        }
        (_, "set-aside") => {
            author.post(drafted(author, &code).await.act("set-aside"), &because).await
        }
        (_, "ratify") => {
            let read = json!({"expected_revision": 1});
            ratifier.post(world.submitted(&code).await.act("ratify"), &read).await
        }
        (_, "activate") => {
            ratifier.post(world.ratified(&code).await.act("activate"), &json!({})).await
        }
        (_, "evaluate" | "dry-run" | "dryRun" | "evaluate-batch") => {
            world.active(&code).await;
            // The first look at what is in force keeps it; the next one finds it kept.
            world.key.post(path, &dry_run(path)).await.expect(200);
            world.key.post(path, &dry_run(path)).await
        }
        (_, "record") => {
            world.active(&code).await;
            world.key.post(path, &request(&code, 1)).await
        }
        (_, "outcome" | "replay") => {
            world.active(&code).await;
            let recorded = world.key.post("/v1/decisions/record", &request(&code, 1)).await;
            let path = path.replace("{id}", text(&recorded.expect(201)["decision"]["id"]));
            let body =
                if path.ends_with("outcome") { json!({"status": "accepted"}) } else { json!({}) };
            world.key.post(path, &body).await
        }
        (_, "acknowledge") => {
            world.active(&code).await;
            world.key.post("/v1/decisions/record", &request(&code, 20_000)).await.expect(201);
            let open = world.key.get("/v1/alerts?status=open&limit=1").await.expect(200);
            let alert = text(&open["items"][0]["id"]);
            let body = if path.contains("{id}") { json!({}) } else { json!({"ids": [alert]}) };
            world.key.post(path.replace("{id}", alert), &body).await
        }
        (_, "subscriptions") => world.key.post(path, &webhook()).await,
        (_, "redrive") => world.key.post(path, &json!({})).await,
        _ if path.starts_with("/v1/alerts/") => {
            let made = world.key.post("/v1/alerts/subscriptions", &webhook()).await.expect(201);
            let id = text(&made["subscription"]["id"]);
            if path.ends_with("{id}") {
                return world.key.delete(path.replace("{id}", id)).await;
            }
            let sample = format!("/v1/alerts/subscriptions/{id}/test");
            let sample = world.key.post(sample, &json!({})).await;
            if path.ends_with("test") {
                return sample;
            }
            let given_up = "update webhook_deliveries set status = 'dead', next_attempt_at = null";
            world.sql(given_up).await;
            let id = text(&sample.expect(201)["id"]).to_owned();
            world.key.post(path.replace("{id}", &id), &json!({})).await
        }
        ("GET", "export") => world.key.get(format!("{path}?{EVER}")).await,
        (_, "verify") => world.key.post(path, &json!({})).await,
        _ => panic!("`{route}` has no act here"),
    }
}

/// A webhook that is asked for; its name is never called.
fn webhook() -> Value {
    json!({"url": "https://hooks.example.com/", "severity_min": "low"})
}

/// Somebody who gets an account.
fn person(name: &str) -> Value {
    json!({"email": format!("{name}@new.example"), "display_name": "New"})
}

/// Makes an account, and gives the token of its link.
async fn account(world: &TestService, name: &str) -> String {
    let made = world.admin().await.post("/v1/admin/users", &person(name)).await.expect(201);
    let (_, token) = text(&made["setup_url"]).split_once("token=").expect("a link");
    token.to_owned()
}

/// A person of another tenant who is invited to the world's.
async fn invited(world: &TestService) -> Client {
    let elsewhere = operator::create_tenant(&world.governance, "Elsewhere", None).await;
    let elsewhere = elsewhere.expect("a tenant can be made").tenant_id;
    let email = format!("{}@elsewhere.example", elsewhere.0.simple());
    let password = PASSWORD.to_owned();
    let made = operator::create_user(&world.governance, elsewhere, &email, password, Role::Viewer);
    let made = made.await.expect("a person can be made");
    let invitation = json!({"user_id": made.user_id.to_string()});
    world.key.post("/v1/admin/members/invite", &invitation).await.expect(201);
    world.sign_in(&made.email).await
}

/// A grant that is asked for.
fn grant(version: &Version) -> Value {
    json!({
        "policy_id": version.policy, "version": version.number, "actions": ["policy.read"],
        "name": "a program",
    })
}

/// A grant on a version, by id.
async fn granted(author: &Client, version: &Version) -> String {
    let issued = author.post("/v1/authoring-capabilities", &grant(version)).await.expect(201);
    text(&issued["capability"]["id"]).to_owned()
}

/// A key that is asked for.
fn key() -> Value {
    json!({"name": "a program", "scopes": ["policies:read"]})
}

/// The newest event.
async fn newest(world: &TestService) -> Value {
    let page = world.key.get("/v1/audit-log?limit=1").await.expect(200);
    page["items"][0].clone()
}

#[test]
fn every_route_that_is_no_read_stands_in_the_list() {
    let served: Vec<String> = router::routes()
        .iter()
        .filter(|route| route.method != "GET" || route.path.ends_with("/export"))
        .map(|route| format!("{} {}", route.method, route.path))
        .collect();
    let listed = |route: &String| ROUTES.iter().any(|(listed, _)| listed == route);
    let missing: Vec<&String> = served.iter().filter(|route| !listed(route)).collect();
    assert!(missing.is_empty(), "what do these leave in the audit log? {missing:?}");
    let gone = ROUTES.iter().find(|(route, _)| !served.iter().any(|served| served == route));
    assert!(gone.is_none(), "{gone:?} is not served");
}

#[tokio::test]
async fn every_act_leaves_the_event_that_its_route_promises() {
    let world = world().await;
    for (route, leaves) in ROUTES {
        let answer = act(&world, route).await;
        assert!(answer.status < 300, "{route}: {answer}");
        let newest = newest(&world).await;
        match leaves {
            Event(action) => assert_eq!(text(&newest["action"]), *action, "{route}"),
            Nothing(reason) => {
                let admin = world.admin().await;
                let before = self::newest(&world).await;
                let again = again(&world, &admin, route).await;
                assert!(again.status < 300, "{route}: {again}");
                assert_eq!(self::newest(&world).await["seq"], before["seq"], "{route}: {reason}");
            }
        }
    }
}

/// A body for dry runs.
fn dry_run(path: &str) -> Value {
    if path.ends_with("batch") {
        return json!({"contexts": [payment(1)]});
    }
    json!({"context": payment(1)})
}

/// Carries out once more what leaves nothing; what it needs is there from the first time.
async fn again(world: &TestService, admin: &Client, route: &str) -> TestResponse {
    let (_, path) = route.split_once(' ').expect("a method and a path");
    match path.rsplit('/').next().unwrap_or_default() {
        "confirm" => admin.post(path, &json!({"password": PASSWORD})).await,
        "reset" => world.public.post(path, &json!({"email": world.admin_email})).await,
        "replay" => {
            let list = world.key.get("/v1/decisions?limit=1").await.expect(200);
            let path = path.replace("{id}", text(&list["items"][0]["id"]));
            world.key.post(path, &json!({})).await
        }
        "tenants" => world.operator().await.post(path, &json!({"name": "New"})).await,
        "verify" => world.key.post(path, &json!({})).await,
        _ => world.key.post(path, &dry_run(path)).await,
    }
}
