//! Every guarded route, called by everyone who must not.

use contract::scope::{Role, Scope};
use serde_json::{Value, json};

use crate::{
    client::{Client, TestResponse, text},
    routes::{self, Ids},
    service::{CHAIN, MINUTE_MS, TestService, chained, world},
};

/// The author of a world.
pub(crate) const MEMBER: &str = "select user_id::text from members where role = 'author'";

/// A world with a policy whose first version is submitted, and a decision.
async fn furnished() -> (TestService, Ids) {
    let world = world().await;
    world.active("PAY-01").await;
    let recorded =
        world.key.post("/v1/decisions/record", &chained("k", json!({}))).await.expect(201);
    let decision = recorded["decision"]["id"].as_str().expect("an id").to_owned();
    let version = world.submitted("PAY-02").await;
    let submission = world.seal(&version).await;
    let policy = version.policy;
    let group = world.key.post("/v1/policy-groups", &json!({"code": "G", "name": "Group"})).await;
    let group = text(&group.expect(201)["id"]).to_owned();
    let member = world.sql(MEMBER).await.concat();
    (world, Ids { policy, decision, group, member, submission, chain: CHAIN.to_owned() })
}

/// Calls every guarded route and says which ones did not answer as `expected`.
async fn all_answer(client: &Client, ids: &Ids, expected: &str) {
    for (route, _) in routes::guarded() {
        let answer = routes::call(client, &route, ids).await;
        assert_eq!(answer.to_string(), expected, "{} {}", route.method, route.path);
    }
}

#[tokio::test]
async fn a_missing_or_malformed_tenant_comes_before_everything_else() {
    let (world, ids) = furnished().await;
    let without = world.key.without("x-service-tenant-id");
    all_answer(&without, &ids, "400 MISSING_TENANT_ID").await;
    all_answer(&world.public, &ids, "400 MISSING_TENANT_ID").await;
    let empty = without.with("x-service-tenant-id", "");
    all_answer(&empty, &ids, "400 MISSING_TENANT_ID").await;
    let hex = world.tenant.to_string().replace('-', "");
    for tenant in ["acme", "00000000-0000-4000-8000-00000000000", &hex, "\u{fc}"] {
        let bad = without.with("x-service-tenant-id", tenant);
        all_answer(&bad, &ids, "400 INVALID_TENANT_ID").await;
    }
    let braced = world.public.with("x-service-tenant-id", format!("{{{}}}", world.tenant));
    all_answer(&braced, &ids, "400 INVALID_TENANT_ID").await;
}

#[tokio::test]
async fn credentials_that_are_not_good_look_all_alike() {
    let (world, ids) = furnished().await;
    let revoked = world.key_with(Scope::ALL[..3].as_ref()).await;
    world.sql("update key_digests set revoked_at = now() where key_name = 'a program'").await;
    let expired = world.key_with(&Scope::ALL[..3]).await;
    let expire = "update key_digests set expires_at = '2026-09-01T10:00:00Z' \
                  where key_name = 'a program' and revoked_at is null";
    world.sql(expire).await;
    let nobody = world.public.with("x-service-tenant-id", world.tenant);
    let signed_out = world.person(Role::Admin).await;
    let cookie = signed_out.cookie().unwrap();
    signed_out.call("DELETE", "/v1/session").await;
    let admin = world.admin().await;
    let mut callers = vec![
        ("revoked", revoked),
        ("expired", expired),
        ("nobody", nobody.clone()),
        ("signed out", nobody.with("cookie", cookie)),
        ("another header", nobody.with("x-api-key", "svc_key")),
        // A bad key is not made good by a good cookie.
        ("bad key, good cookie", admin.with("authorization", "Bearer svc_unknown")),
    ];
    for given in ["Bearer svc_unknown", "Bearer ", "Bearer", "Basic YTpi", "svc_unknown", "\u{fc}"]
    {
        callers.push((given, nobody.with("authorization", given)));
    }
    let mut bodies: Vec<Value> = Vec::new();
    for (who, caller) in callers {
        for (route, _) in routes::guarded() {
            let answer = routes::call(&caller, &route, &ids).await;
            assert_eq!(answer.to_string(), "401 UNAUTHORIZED", "{who}: {}", route.path);
            bodies.push(answer.anonymous());
        }
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
}

#[tokio::test]
async fn a_key_expires_at_its_instant() {
    let world = world().await;
    let key = world.key_with(&[Scope::PoliciesRead]).await;
    let expire = "update key_digests set expires_at = '2026-09-01T10:01:00Z' \
                  where key_name = 'a program'";
    world.sql(expire).await;
    world.clock.advance(MINUTE_MS - 1);
    assert_eq!(key.get("/v1/policies").await.status, 200);
    world.clock.advance(1);
    assert_eq!(key.get("/v1/policies").await.status, 401);
}

#[tokio::test]
async fn the_scheme_of_a_key_may_be_written_in_any_case() {
    let world = world().await;
    let body = json!({"name": "a program", "scopes": ["policies:read"]});
    let made = world.key.post("/v1/api-keys", &body).await.expect(201);
    let secret = text(&made["plaintext_key"]);
    for authorization in [format!("bearer {secret}"), format!("BEARER  {secret}")] {
        let call = world.public.get("/v1/policies").header("x-service-tenant-id", world.tenant);
        assert_eq!(call.header("authorization", authorization).await.status, 200);
    }
}

#[tokio::test]
async fn credentials_of_another_tenant_are_refused_everywhere() {
    let (world, ids) = furnished().await;
    let neighbour = world.neighbour().await;
    for credentials in [&neighbour.key, &neighbour.admin] {
        let intruder = credentials.without("x-service-tenant-id");
        let intruder = intruder.with("x-service-tenant-id", world.tenant);
        all_answer(&intruder, &ids, "403 FORBIDDEN").await;
        // A tenant that does not exist looks like one that is not one's own.
        let nowhere = credentials.without("x-service-tenant-id");
        let nowhere = nowhere.with("x-service-tenant-id", "00000000-0000-4000-8000-000000000000");
        all_answer(&nowhere, &ids, "403 FORBIDDEN").await;
    }
}

#[tokio::test]
async fn a_key_without_the_scope_is_told_which_one_it_lacks() {
    let (world, ids) = furnished().await;
    for (route, permission) in routes::guarded() {
        let Some(required) = permission.scopes else { continue };
        if permission.requires_capability() {
            continue;
        }
        let others: Vec<Scope> = Scope::ALL
            .iter()
            .copied()
            .filter(|scope| scope.grantable() && !required.contains(scope))
            .collect();
        let answer = routes::call(&world.key_with(&others).await, &route, &ids).await;
        assert_eq!(answer.to_string(), format!("403 INSUFFICIENT_SCOPE ({})", required[0]));
        assert_eq!(answer.details(), json!({"required": required[0].as_str()}));
    }
}

#[tokio::test]
async fn no_key_does_what_a_person_must_do() {
    let (world, ids) = furnished().await;
    let mut human = Vec::new();
    for (route, permission) in routes::guarded() {
        if permission.scopes.is_none() {
            let answer = routes::call(&world.key, &route, &ids).await;
            assert_eq!(answer.to_string(), "403 HUMAN_REQUIRED", "{}", route.path);
            human.push(route.path.rsplit('/').next().unwrap_or_default().to_owned());
        }
    }
    assert_eq!(
        human,
        [
            "{user_id}",
            "users",
            "records",
            "supersede",
            "set-aside",
            "ratify",
            "activate",
            "authoring-capabilities",
            "{id}",
            "carry",
        ]
    );
}

#[tokio::test]
async fn what_carriers_of_a_capability_do_is_refused_to_everybody_else() {
    let (world, ids) = furnished().await;
    let broad: Vec<Scope> = Scope::ALL
        .iter()
        .copied()
        .filter(|scope| scope.grantable() && *scope != Scope::AuthoringCapability)
        .collect();
    let broad = world.key_with(&broad).await;
    let mut paths = Vec::new();
    for (route, _) in routes::guarded().filter(|(_, permission)| permission.requires_capability()) {
        let answer = routes::call(&broad, &route, &ids).await;
        assert_eq!(answer.to_string(), "403 FORBIDDEN", "{}", route.path);
        paths.push(route.path);
    }
    assert_eq!(paths.len(), 2, "{paths:?}");
}

#[tokio::test]
async fn a_role_without_the_right_is_refused() {
    let (world, ids) = furnished().await;
    for role in Role::ALL {
        let person = world.person(role).await;
        for (route, permission) in routes::guarded() {
            if role.has(permission.right) {
                continue;
            }
            let answer = routes::call(&person, &route, &ids).await;
            assert_eq!(answer.to_string(), "403 FORBIDDEN", "{role} {}", route.path);
        }
    }
    assert_eq!(statuses(&world).await, ["ratified", "submitted"]);
}

#[tokio::test]
async fn whoever_signed_in_long_ago_signs_nothing() {
    let (world, ids) = furnished().await;
    let admin = world.admin().await;
    world.clock.advance(16 * MINUTE_MS);
    let mut signing = Vec::new();
    for (route, permission) in routes::guarded().filter(|(_, permission)| permission.signs) {
        let answer = routes::call(&admin, &route, &ids).await;
        assert_eq!(answer.to_string(), "403 FORBIDDEN (CONFIRMATION_REQUIRED)");
        signing.push(permission.name);
    }
    assert_eq!(
        signing,
        ["deactivating", "reviewing", "ratifying", "activating", "issuing authoring capabilities"]
    );
}

/// The acts of a person that need a sign-in or a confirmation of the last 15 minutes (contract, section 2).
const FRESH: [&str; 10] = [
    "POST /v1/api-keys",
    "PATCH /v1/settings",
    "POST /v1/admin/members/invite",
    "PATCH /v1/admin/members/{user_id}",
    "DELETE /v1/admin/members/{user_id}",
    "POST /v1/policies/{id}/deactivate",
    "POST /v1/policies/{id}/versions/{version}/submissions/{submission_id}/records",
    "POST /v1/policies/{id}/versions/{version}/ratify",
    "POST /v1/policies/{id}/versions/{version}/activate",
    "POST /v1/authoring-capabilities",
];

#[tokio::test]
async fn these_acts_need_a_fresh_sign_in_and_no_others() {
    let (world, ids) = furnished().await;
    let admin = world.admin().await;
    world.clock.advance(15 * MINUTE_MS + 1);
    let mut asked = Vec::new();
    for (route, _) in routes::guarded().filter(|(route, _)| route.method != "GET") {
        // Each act is tried by itself, whatever the ones before have done.
        let answer = routes::call(&admin, &route, &ids).await.to_string();
        if answer == "403 FORBIDDEN (CONFIRMATION_REQUIRED)" {
            asked.push(format!("{} {}", route.method, route.path));
        }
    }
    assert_eq!(asked, FRESH);
}

#[tokio::test]
async fn who_calls_is_asked_before_what_is_sent_is_read() {
    let (world, ids) = furnished().await;
    let nobody = world.public.with("x-service-tenant-id", world.tenant);
    for (route, _) in routes::guarded().filter(|(route, _)| routes::body(route).is_some()) {
        let call = nobody.call(&route.method, routes::path(&route, &ids));
        let answer: TestResponse = call.body("text/plain", "{").await;
        assert_eq!(answer.to_string(), "401 UNAUTHORIZED", "{}", route.path);
    }
}

async fn statuses(world: &TestService) -> Vec<String> {
    world.sql("select status from policy_versions order by status").await
}
