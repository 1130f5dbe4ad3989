//! The table of scopes over HTTP: a key calls the endpoints whose scopes it has, and no others. `endpoints.txt`
//! lists the scopes of each endpoint, so a change of the code needs a reviewed change of the table.

use contract::scope::Scope;
use serde_json::json;

use crate::{
    routes::{self, Ids},
    service::test_service,
};

#[tokio::test]
async fn a_key_with_one_scope_calls_exactly_the_endpoints_of_the_scope() {
    let service = test_service().await;
    for scope in Scope::ALL.into_iter().filter(|scope| scope.is_grantable()) {
        let key = service.create_key(&[scope]).await;
        for (route, permission) in routes::guarded() {
            let mut call = routes::call(&key, &route, &Ids::missing());
            if route.path == "/v1/api-keys" && route.method == "POST" {
                // A key can only create keys with its own scopes.
                call = call.json(&json!({"name": "another", "scopes": [scope.as_str()]}));
            }
            let response = call.await.to_string();
            let case = format!("{scope} {}: {response}", routes::name(&route));
            let uses_capability =
                scope == Scope::AuthoringCapability && permission.actions.is_some();
            match permission.scopes {
                _ if uses_capability => assert!(response.contains("CAPABILITY"), "{case}"),
                None => assert_eq!(response, "403 HUMAN_REQUIRED", "{case}"),
                Some(_) if permission.requires_capability() => {
                    assert_eq!(response, "403 FORBIDDEN", "{case}");
                }
                Some(scopes) => match scopes.iter().find(|required| **required != scope) {
                    Some(missing) => {
                        let refusal = format!("403 INSUFFICIENT_SCOPE ({missing})");
                        assert_eq!(response, refusal, "{case}");
                    }
                    None => assert!(!response.starts_with("403 "), "{case}"),
                },
            }
        }
    }
}

#[tokio::test]
async fn without_a_capability_its_scope_allows_nothing() {
    let service = test_service().await;
    let key = service.create_key(&[Scope::AuthoringCapability]).await;
    for (route, permission) in routes::guarded() {
        let response = routes::call(&key, &route, &Ids::missing()).await;
        let name = routes::name(&route);
        assert_eq!(response.status, 403, "{name}");
        let is_capability_missing = response.to_string() == "403 AUTHORING_CAPABILITY_MISSING";
        assert_eq!(is_capability_missing, permission.actions.is_some(), "{name}");
    }
}

#[tokio::test]
async fn only_operator_keys_have_tenants_provision() {
    // An API key never has this scope, even with every scope that can be granted.
    let service = test_service().await;
    let error = service.key.get("/v1/admin/tenants").await;
    assert_eq!(error.to_string(), "403 INSUFFICIENT_SCOPE (tenants:provision)");
    service.operator().await.get("/v1/admin/tenants").await.expect(200);
}
