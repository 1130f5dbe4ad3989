//! Tenants below a tenant: what is handed down governs them, and nothing else crosses the wall.

use contract::{
    id::TenantId,
    scope::{Role, Scope},
};
use governance::access::operator::{self, key::KeyRequest};
use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    service::{PASSWORD, TestService, Version, payment, policy, request, rules, with_key, world},
};

/// A tenant below `parent`, by its key with every scope.
async fn below(world: &TestService, parent: TenantId, name: &str) -> (TenantId, Client) {
    let body = json!({"name": name, "parent_tenant_id": parent.to_string()});
    let made = world.operator().await.post("/v1/admin/tenants", &body).await.expect(201);
    let tenant: TenantId = text(&made["tenant_id"]).parse().expect("a tenant's id");
    let scopes: Vec<Scope> = Scope::ALL.iter().copied().filter(|scope| scope.grantable()).collect();
    let owner = format!("admin@{tenant}.example");
    let admin = PASSWORD.to_owned();
    let admin = operator::create_user(&world.governance, tenant, &owner, admin, Role::Admin).await;
    admin.expect("a person can be made");
    let request = KeyRequest { name: "program", owner: &owner, scopes: &scopes, expires_at: None };
    let made = operator::create_key(&world.governance, tenant, request).await;
    let secret = made.expect("a key can be made").plaintext_key;
    (tenant, with_key(&world.public, tenant, &secret))
}

/// A policy on payments of the world's tenant that it hands down, with its first version in force.
async fn handed_down(world: &TestService, code: &str) -> Version {
    let mut policy = policy(code);
    policy["inheritable"] = json!(true);
    let made = world.author().await.post("/v1/policies", &policy).await.expect(201);
    let version = Version { policy: text(&made["policy"]["id"]).to_owned(), number: 1 };
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    world.ratify(&version).await;
    world.activate(&version).await;
    version
}

/// What a payment of 1 is decided by: the policies that are looked at.
async fn governs(tenant: &Client) -> Vec<String> {
    let answer = tenant.post("/v1/decisions/evaluate", &json!({"context": payment(1)})).await;
    if answer.status == 404 {
        assert_eq!(answer.to_string(), "404 NO_ACTIVE_POLICIES");
        return Vec::new();
    }
    let said = answer.expect(200);
    let policies = said["evaluated_policies"].as_array().expect("a list");
    policies
        .iter()
        .map(|policy| format!("{} {}", text(&policy["policy_code"]), policy["version"]))
        .collect()
}

async fn recorded(tenant: &Client, key: &str, amount: u32) -> Value {
    let made = tenant.post("/v1/decisions/record", &request(key, amount)).await.expect(201);
    made["decision"].clone()
}

#[tokio::test]
async fn what_is_handed_down_governs_the_tenants_below_and_says_whose_it_is() {
    let world = world().await;
    handed_down(&world, "HOUSE").await;
    world.active("OWN").await;
    let (child, daughter) = below(&world, world.tenant, "Daughter").await;
    let (_, grandchild) = below(&world, child, "Grandchild").await;
    assert_eq!(governs(&world.key).await, ["HOUSE 1", "OWN 1"]);
    for (tenant, level) in [(&daughter, 1), (&grandchild, 2)] {
        assert_eq!(governs(tenant).await, ["HOUSE 1"]);
        let decision = recorded(tenant, "k", 20_000).await;
        assert_eq!(decision["decision"], "DENY");
        let source = json!({
            "tenant_id": world.tenant.to_string(), "tenant_name": "Acme", "level": level,
        });
        assert_eq!(decision["governance_source"], source);
        assert_eq!(decision["policy"]["code"], "HOUSE");
        let snapshot = format!("/v1/snapshots/{}", text(&decision["policy_snapshot_id"]));
        let snapshot = tenant.get(snapshot).await.expect(200);
        let policies = &snapshot["snapshot"]["policies"];
        assert_eq!(policies[0]["owner_tenant_id"], world.tenant.to_string());
        assert_eq!(policies.as_array().map(Vec::len), Some(1));
        let replay = format!("/v1/decisions/{}/replay", text(&decision["id"]));
        assert_eq!(tenant.post(replay, &json!({})).await.expect(200)["matches"], true);
    }
    let own = recorded(&world.key, "k", 20_000).await;
    assert_eq!(own["governance_source"]["level"], 0);
}

#[tokio::test]
async fn own_policies_and_those_from_above_decide_together() {
    let world = world().await;
    handed_down(&world, "HOUSE").await;
    let (child, daughter) = below(&world, world.tenant, "Daughter").await;
    let strict = json!({
        "code": "OWN", "name": "Small payments", "decision_types": ["payment"],
        "rules": [{
            "code": "SMALL", "severity": "high", "rule_type": "threshold",
            "condition": {"field": "amount", "max": 10},
        }],
    });
    in_force(&world, child, &daughter, &strict).await;
    assert_eq!(governs(&daughter).await, ["HOUSE 1", "OWN 1"]);
    // The one that gives the verdict is the source of it.
    let above = recorded(&daughter, "a", 20_000).await;
    assert_eq!(
        (&above["policy"]["code"], &above["governance_source"]["level"]),
        (&json!("HOUSE"), &json!(1))
    );
    let own = recorded(&daughter, "b", 100).await;
    assert_eq!(
        (&own["policy"]["code"], &own["governance_source"]["level"]),
        (&json!("OWN"), &json!(0))
    );
    assert_eq!(own["governance_source"]["tenant_name"], "Daughter");
    // Nothing goes upwards.
    assert_eq!(governs(&world.key).await, ["HOUSE 1"]);
}

/// Puts a policy of another tenant into force, by people made for it.
async fn in_force(world: &TestService, tenant: TenantId, key: &Client, policy: &Value) {
    let made = key.post("/v1/policies", policy).await.expect(201);
    let version = Version { policy: text(&made["policy"]["id"]).to_owned(), number: 1 };
    key.post(version.act("submit"), &json!({})).await.expect(200);
    let password = crate::service::PASSWORD.to_owned();
    let role = contract::scope::Role::Ratifier;
    let email = "ratifier@daughter.example";
    governance::access::operator::create_user(&world.governance, tenant, email, password, role)
        .await
        .expect("a person can be made");
    let ratifier = world.sign_in(email).await.without("x-service-tenant-id");
    let ratifier = ratifier.with("x-service-tenant-id", tenant);
    ratifier.post(version.act("ratify"), &json!({"expected_revision": 1})).await.expect(200);
    ratifier.post(version.act("activate"), &json!({})).await.expect(200);
}

#[tokio::test]
async fn a_change_above_counts_below_from_the_next_request_on_in_every_process() {
    let world = world().await;
    let (_, daughter) = below(&world, world.tenant, "Daughter").await;
    let elsewhere = world.another_process().await;
    let elsewhere =
        ["x-service-tenant-id", "authorization"].iter().fold(elsewhere, |client, name| {
            client.with(name, daughter.header(name).expect("it calls with a key"))
        });
    let both = async || {
        let seen = governs(&daughter).await;
        assert_eq!(governs(&elsewhere).await, seen);
        seen
    };
    assert_eq!(both().await, [""; 0]);
    let first = handed_down(&world, "HOUSE").await;
    assert_eq!(both().await, ["HOUSE 1"]);
    let second = world.successor(&first, &rules(5)).await;
    assert_eq!(both().await, ["HOUSE 1"], "approved, and not in force");
    world.activate(&second).await;
    assert_eq!(both().await, ["HOUSE 2"]);
    assert_eq!(recorded(&elsewhere, "k", 6).await["decision"], "DENY");

    let ratifier = world.ratifier().await;
    let set = async |member: &str, value: Value| {
        ratifier.patch(first.of(), &json!({member: value})).await.expect(200)
    };
    set("shadow_mode", json!(true)).await;
    assert_eq!(recorded(&elsewhere, "shadow", 6).await["decision"], "ALERT");
    set("inheritable", json!(false)).await;
    assert_eq!(both().await, [""; 0]);
    set("inheritable", json!(true)).await;
    assert_eq!(both().await, ["HOUSE 2"]);
    set("decision_types", json!(["loan"])).await;
    assert_eq!(both().await, [""; 0]);
    set("decision_types", json!([])).await;
    assert_eq!(both().await, ["HOUSE 2"]);
    let deactivate = format!("{}/deactivate", first.of());
    ratifier.post(deactivate, &json!({"reason": "because"})).await.expect(200);
    assert_eq!(both().await, [""; 0]);
}

#[tokio::test]
async fn a_group_above_narrows_below_by_its_code_of_today() {
    let world = world().await;
    let group = json!({"code": "PAY", "name": "Payments"});
    let group = world.key.post("/v1/policy-groups", &group).await.expect(201);
    let version = handed_down(&world, "HOUSE").await;
    world.key.patch(version.of(), &json!({"policy_group_id": group["id"]})).await.expect(200);
    let (_, daughter) = below(&world, world.tenant, "Daughter").await;
    let narrowed = async |code: &str| {
        let body = json!({"context": payment(1), "policy_group_code": code});
        daughter.post("/v1/decisions/evaluate", &body).await.to_string()
    };
    assert_eq!(narrowed("pay").await, "200");
    let path = format!("/v1/policy-groups/{}", text(&group["id"]));
    world.key.patch(path, &json!({"code": "MONEY"})).await.expect(200);
    assert_eq!(narrowed("pay").await, "422 VALIDATION_ERROR");
    assert_eq!(narrowed("money").await, "200");
}

#[tokio::test]
async fn siblings_and_strangers_see_nothing_of_each_other() {
    let world = world().await;
    let house = handed_down(&world, "HOUSE").await;
    let (child, daughter) = below(&world, world.tenant, "Daughter").await;
    let (_, son) = below(&world, world.tenant, "Son").await;
    let neighbour = world.neighbour().await;
    let mut inherited = policy("OWN");
    inherited["inheritable"] = json!(true);
    in_force(&world, child, &daughter, &inherited).await;
    let decision = recorded(&daughter, "k", 1).await;
    assert_eq!(governs(&daughter).await, ["HOUSE 1", "OWN 1"]);
    assert_eq!(governs(&son).await, ["HOUSE 1"]);
    assert_eq!(governs(&world.key).await, ["HOUSE 1"]);
    assert_eq!(governs(&neighbour.key).await, [""; 0]);
    let decision_path = format!("/v1/decisions/{}", text(&decision["id"]));
    let snapshot = format!("/v1/snapshots/{}", text(&decision["policy_snapshot_id"]));
    let own = format!("/v1/policies/{}", text(&decision["evaluated_policies"][1]["policy_id"]));
    daughter.get(&own).await.expect(200);
    for other in [&son, &world.key, &neighbour.key] {
        for path in [&decision_path, &snapshot, &own] {
            assert_eq!(other.get(path).await.to_string(), "404 NOT_FOUND", "{path}");
        }
        assert_eq!(other.get("/v1/decisions").await.expect(200)["items"], json!([]));
    }
    // To be governed by a policy is not to see it, its versions, or its other decisions.
    for path in [house.of(), house.path(), format!("{}/decisions", house.of())] {
        for other in [&daughter, &son, &neighbour.key] {
            assert_eq!(other.get(&path).await.to_string(), "404 NOT_FOUND", "{path}");
        }
    }
    assert_eq!(son.get("/v1/policies").await.expect(200)["items"], json!([]));
}
