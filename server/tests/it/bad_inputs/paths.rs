//! IDs in paths: malformed IDs, missing IDs and IDs of another tenant return the same response.

use crate::{
    prelude::*,
    routes::{self, Ids},
    wrong_callers::MEMBER,
};

#[testkit::test]
async fn a_malformed_id_is_not_found(service: TestService) {
    let admin = service.admin().await;
    let valid = "aaaaaaaa-0000-4000-8000-000000000000";
    let braced = format!("%7B{valid}%7D");
    let urn = format!("urn:uuid:{valid}");
    let hex = valid.replace('-', "");
    for id in ["x", "1", "%00", "%ff", "%2e%2e", "null", &*braced, &*urn, &*hex, "a%2Fb"] {
        let ids = Ids::all(id);
        for (route, permission) in routes::guarded().filter(|(route, _)| route.path.contains('{')) {
            let client = if permission.scopes.is_some() { &service.key } else { &admin };
            let response = routes::call(client, &route, &ids).await;
            assert_eq!(response.to_string(), "404 NOT_FOUND", "{} {id}", routes::name(&route));
        }
        for path in
            [format!("receipts/{id}"), format!("chains/{id}/verify"), format!("chains/{id}/seal")]
        {
            let response = service.public.get(format!("/v1/{path}")).await;
            assert_eq!(response.to_string(), "404 NOT_FOUND", "{path}");
        }
    }
}

#[testkit::test]
async fn an_invalid_version_number_is_not_found(service: TestService) {
    let version = service.draft("PAY-01").await;
    for number in ["0", "-1", "1.0", "one", "2", "4294967295", "4294967296", "%31%00", "active"] {
        let path = format!("{}/versions/{number}", version.policy_path());
        assert_eq!(service.key.get(&path).await.to_string(), "404 NOT_FOUND", "{number}");
        let submit = service.key.post(format!("{path}/submit"), &json!({})).await;
        assert_eq!(submit.to_string(), "404 NOT_FOUND", "{number}");
    }
}

#[testkit::test]
async fn resources_of_another_tenant_look_like_missing_ones(service: TestService) {
    let version = service.draft("PAY-01").await;
    let submission = service.seal(&version).await;
    service.submit(&version).await;
    service.ratify(&version).await;
    service.activate(&version).await;
    let policy = version.policy;
    let recorded =
        service.key.post("/v1/decisions/record", &chain_request("k", json!({}))).await.expect(201);
    let decision = recorded["decision"]["id"].as_str().unwrap().to_owned();
    let neighbour = service.other_tenant().await;
    let group = json!({"code": "G", "name": "Group"});
    let group = service.key.post("/v1/policy-groups", &group).await.expect(201);
    let group = text(&group["id"]).to_owned();
    let member = service.sql(MEMBER).await.concat();
    let foreign = Ids { policy, decision, group, member, submission, chain: CHAIN.to_owned() };
    let rows_before = rows(&service).await;
    for (route, permission) in routes::guarded().filter(|(route, _)| route.path.contains('{')) {
        let key = permission.scopes.map(|_| &neighbour.key);
        for client in key.into_iter().chain([&neighbour.admin]) {
            let response = routes::call(client, &route, &foreign).await;
            let name = routes::name(&route);
            assert_eq!(response.to_string(), "404 NOT_FOUND", "{name}");
            let missing = routes::call(client, &route, &Ids::missing()).await;
            assert_eq!(
                response.without_correlation_id(),
                missing.without_correlation_id(),
                "{name}"
            );
        }
    }
    for list in ["/v1/policies", "/v1/policy-groups", "/v1/decisions", "/v1/chains"] {
        let page = neighbour.key.get(list).await.expect(200);
        assert_eq!(page["items"], json!([]), "{list}");
    }
    assert_eq!(rows(&service).await, rows_before);
}

/// Returns the contents of the tenant's rows.
async fn rows(service: &TestService) -> Vec<String> {
    let query = "select tenant_id || code || status || p.updated_at || draft_revision \
                 from policies p join policy_versions v using (tenant_id) where v.policy_id = p.id \
                 union all select code || name || updated_at from policy_groups \
                 union all select tenant_id || role || user_id from members";
    service.sql(query).await
}
