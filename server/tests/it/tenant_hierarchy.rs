//! The tenant hierarchy: descendants inherit policies, and nothing else is shared between tenants.

use contract::id::TenantId;
use governance::access::operator::{self, key::KeyRequest};

use crate::prelude::*;

/// Creates a child tenant of `parent` and returns its ID and an API key with every scope.
pub(crate) async fn create_child(
    service: &TestService,
    parent: TenantId,
    name: &str,
) -> (TenantId, Client) {
    let body = json!({"name": name, "parent_tenant_id": parent.to_string()});
    let created = service.operator().await.post("/v1/admin/tenants", &body).await.expect(201);
    let tenant: TenantId = text(&created["tenant_id"]).parse().expect("a tenant's id");
    let scopes: Vec<Scope> =
        Scope::ALL.iter().copied().filter(|scope| scope.is_grantable()).collect();
    let owner = format!("admin@{tenant}.example");
    let password = PASSWORD.to_owned();
    let user =
        operator::create_user(&service.governance, tenant, &owner, password, Role::Admin).await;
    user.expect("the user can be created");
    let request = KeyRequest { name: "program", owner: &owner, scopes: &scopes, expires_at: None };
    let created = operator::create_key(&service.governance, tenant, request).await;
    let secret = created.expect("the key can be created").plaintext_key;
    (tenant, with_key(&service.public, tenant, &secret))
}

/// Creates an inheritable payment policy of the service's tenant and activates its first version.
pub(crate) async fn inheritable_policy(service: &TestService, code: &str) -> Version {
    let mut policy = policy(code);
    policy["inheritable"] = json!(true);
    service.active_policy(&policy).await
}

/// The policies that are evaluated for a payment of 1, each as `CODE VERSION`.
async fn evaluated_policies(tenant: &Client) -> Vec<String> {
    let response = tenant.post("/v1/decisions/evaluate", &json!({"context": payment(1)})).await;
    if response.status == 404 {
        assert_eq!(response.to_string(), "404 NO_ACTIVE_POLICIES");
        return Vec::new();
    }
    let evaluation = response.expect(200);
    let policies = evaluation["evaluated_policies"].as_array().expect("a list");
    policies
        .iter()
        .map(|policy| format!("{} {}", text(&policy["policy_code"]), policy["version"]))
        .collect()
}

async fn record(tenant: &Client, key: &str, amount: u32) -> Value {
    crate::service::record(tenant, &request(key, amount)).await
}

#[tokio::test]
async fn an_inheritable_policy_governs_descendants_and_decisions_name_its_tenant() {
    let service = test_service().await;
    inheritable_policy(&service, "INHERITABLE").await;
    service.active("OWN").await;
    let (child_id, child) = create_child(&service, service.tenant, "Child").await;
    let (_, grandchild) = create_child(&service, child_id, "Grandchild").await;
    assert_eq!(evaluated_policies(&service.key).await, ["INHERITABLE 1", "OWN 1"]);
    for (tenant, level) in [(&child, 1), (&grandchild, 2)] {
        assert_eq!(evaluated_policies(tenant).await, ["INHERITABLE 1"]);
        let decision = record(tenant, "k", 20_000).await;
        assert_eq!(decision["decision"], "DENY");
        let source = json!({
            "tenant_id": service.tenant.to_string(), "tenant_name": "Acme", "level": level,
        });
        assert_eq!(decision["governance_source"], source);
        assert_eq!(decision["policy"]["code"], "INHERITABLE");
        let snapshot = format!("/v1/snapshots/{}", text(&decision["policy_snapshot_id"]));
        let snapshot = tenant.get(snapshot).await.expect(200);
        let policies = &snapshot["snapshot"]["policies"];
        assert_eq!(policies[0]["owner_tenant_id"], service.tenant.to_string());
        assert_eq!(policies.as_array().map(Vec::len), Some(1));
        let receipt = format!("/v1/receipts/{}", text(&decision["id"]));
        let receipt = service.public.get(receipt).await.expect(200);
        let approval = &receipt["approval"][0];
        for member in ["policy_id", "policy_version_id", "version", "approval_digest"] {
            assert_eq!(approval[member], policies[0][member], "{member}");
        }
        assert!(approval["ratified_at"].is_string(), "{approval}");
        let replay = format!("/v1/decisions/{}/replay", text(&decision["id"]));
        assert_eq!(tenant.post(replay, &json!({})).await.expect(200)["matches"], true);
    }
    let own = record(&service.key, "k", 20_000).await;
    assert_eq!(own["governance_source"]["level"], 0);
}

#[testkit::test]
async fn own_and_inherited_policies_are_evaluated_together(service: TestService) {
    inheritable_policy(&service, "INHERITABLE").await;
    let (child_id, child) = create_child(&service, service.tenant, "Child").await;
    let strict = json!({
        "code": "OWN", "name": "Small payments", "decision_types": ["payment"],
        "rules": [{
            "code": "SMALL", "severity": "high", "rule_type": "threshold",
            "condition": {"field": "amount", "max": 10},
        }],
    });
    activate_policy(&service, child_id, &child, &strict).await;
    assert_eq!(evaluated_policies(&child).await, ["INHERITABLE 1", "OWN 1"]);
    // The governance source is the tenant of the policy that determines the verdict.
    let inherited = record(&child, "a", 20_000).await;
    assert_eq!(
        (&inherited["policy"]["code"], &inherited["governance_source"]["level"]),
        (&json!("INHERITABLE"), &json!(1))
    );
    let own = record(&child, "b", 100).await;
    assert_eq!(
        (&own["policy"]["code"], &own["governance_source"]["level"]),
        (&json!("OWN"), &json!(0))
    );
    assert_eq!(own["governance_source"]["tenant_name"], "Child");
    // A parent does not inherit policies.
    assert_eq!(evaluated_policies(&service.key).await, ["INHERITABLE 1"]);
}

/// Creates a policy of another tenant, with its own ratifier, and activates it.
async fn activate_policy(service: &TestService, tenant: TenantId, key: &Client, policy: &Value) {
    let version = create_policy(key, policy).await;
    key.post(version.action_path("submit"), &json!({})).await.expect(200);
    let password = PASSWORD.to_owned();
    let role = Role::Ratifier;
    let email = "ratifier@child.example";
    operator::create_user(&service.governance, tenant, email, password, role)
        .await
        .expect("the user can be created");
    let ratifier = service.sign_in(email).await.without("x-service-tenant-id");
    let ratifier = ratifier.with("x-service-tenant-id", tenant);
    ratifier
        .post(version.action_path("ratify"), &json!({"expected_revision": 1}))
        .await
        .expect(200);
    ratifier.post(version.action_path("activate"), &json!({})).await.expect(200);
}

#[tokio::test]
async fn a_change_in_the_parent_affects_the_next_request_of_a_child_in_every_process() {
    let service = test_service().await;
    let (_, child) = create_child(&service, service.tenant, "Child").await;
    let other_process = child.at_process_of(&service.start_process().await);
    let policies_in_both = async || {
        let policies = evaluated_policies(&child).await;
        assert_eq!(evaluated_policies(&other_process).await, policies);
        policies
    };
    assert_eq!(policies_in_both().await, [""; 0]);
    let first = inheritable_policy(&service, "INHERITABLE").await;
    assert_eq!(policies_in_both().await, ["INHERITABLE 1"]);
    let second = service.successor(&first, &rules(5)).await;
    assert_eq!(policies_in_both().await, ["INHERITABLE 1"], "version 2 is ratified but not active");
    service.activate(&second).await;
    assert_eq!(policies_in_both().await, ["INHERITABLE 2"]);
    assert_eq!(record(&other_process, "k", 6).await["decision"], "DENY");

    let ratifier = service.ratifier().await;
    let set = async |member: &str, value: Value| {
        ratifier.patch(first.policy_path(), &json!({member: value})).await.expect(200)
    };
    set("shadow_mode", json!(true)).await;
    assert_eq!(record(&other_process, "shadow", 6).await["decision"], "ALERT");
    set("inheritable", json!(false)).await;
    assert_eq!(policies_in_both().await, [""; 0]);
    set("inheritable", json!(true)).await;
    assert_eq!(policies_in_both().await, ["INHERITABLE 2"]);
    set("decision_types", json!(["loan"])).await;
    assert_eq!(policies_in_both().await, [""; 0]);
    set("decision_types", json!([])).await;
    assert_eq!(policies_in_both().await, ["INHERITABLE 2"]);
    service.deactivate(&first).await;
    assert_eq!(policies_in_both().await, [""; 0]);
}

#[testkit::test]
async fn a_child_selects_a_group_of_its_parent_by_the_current_group_code(service: TestService) {
    let group = json!({"code": "PAY", "name": "Payments"});
    let group = service.key.post("/v1/policy-groups", &group).await.expect(201);
    let version = inheritable_policy(&service, "INHERITABLE").await;
    service
        .key
        .patch(version.policy_path(), &json!({"policy_group_id": group["id"]}))
        .await
        .expect(200);
    let (_, child) = create_child(&service, service.tenant, "Child").await;
    let evaluate_group = async |code: &str| {
        let body = json!({"context": payment(1), "policy_group_code": code});
        child.post("/v1/decisions/evaluate", &body).await.to_string()
    };
    assert_eq!(evaluate_group("pay").await, "200");
    let path = format!("/v1/policy-groups/{}", text(&group["id"]));
    service.key.patch(path, &json!({"code": "MONEY"})).await.expect(200);
    assert_eq!(evaluate_group("pay").await, "422 VALIDATION_ERROR");
    assert_eq!(evaluate_group("money").await, "200");
}

#[testkit::test]
async fn siblings_and_unrelated_tenants_cannot_read_each_other(service: TestService) {
    let parent_policy = inheritable_policy(&service, "INHERITABLE").await;
    let (child_id, child) = create_child(&service, service.tenant, "Child").await;
    let (_, sibling) = create_child(&service, service.tenant, "Sibling").await;
    let neighbour = service.other_tenant().await;
    let mut own_policy = policy("OWN");
    own_policy["inheritable"] = json!(true);
    activate_policy(&service, child_id, &child, &own_policy).await;
    let decision = record(&child, "k", 1).await;
    assert_eq!(evaluated_policies(&child).await, ["INHERITABLE 1", "OWN 1"]);
    assert_eq!(evaluated_policies(&sibling).await, ["INHERITABLE 1"]);
    assert_eq!(evaluated_policies(&service.key).await, ["INHERITABLE 1"]);
    assert_eq!(evaluated_policies(&neighbour.key).await, [""; 0]);
    let decision_path = format!("/v1/decisions/{}", text(&decision["id"]));
    let snapshot = format!("/v1/snapshots/{}", text(&decision["policy_snapshot_id"]));
    let own = format!("/v1/policies/{}", text(&decision["evaluated_policies"][1]["policy_id"]));
    child.get(&own).await.expect(200);
    for other in [&sibling, &service.key, &neighbour.key] {
        for path in [&decision_path, &snapshot, &own] {
            assert_eq!(other.get(path).await.to_string(), "404 NOT_FOUND", "{path}");
        }
        assert_eq!(other.get("/v1/decisions").await.expect(200)["items"], json!([]));
    }
    // Inheriting a policy does not give read access to it, its versions or its other decisions.
    for path in [
        parent_policy.policy_path(),
        parent_policy.path(),
        format!("{}/decisions", parent_policy.policy_path()),
    ] {
        for other in [&child, &sibling, &neighbour.key] {
            assert_eq!(other.get(&path).await.to_string(), "404 NOT_FOUND", "{path}");
        }
    }
    assert_eq!(sibling.get("/v1/policies").await.expect(200)["items"], json!([]));
}
