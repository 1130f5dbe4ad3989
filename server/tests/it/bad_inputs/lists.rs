//! Query parameters: page sizes, cursors, filters and unknown parameters.

use server::router;

use crate::{
    capabilities::EVERY,
    prelude::*,
    routes::{self, Ids},
};

async fn field_errors(service: &TestService, path: &str) -> String {
    let refusal = service.key.get(path).await;
    assert_eq!(refusal.to_string(), "422 VALIDATION_ERROR", "{path}");
    refusal.field_errors()
}

#[testkit::test]
async fn a_page_has_one_to_two_hundred_items(service: TestService) {
    for list in
        ["/v1/policies", "/v1/policy-groups", "/v1/decisions", "/v1/api-keys", "/v1/admin/members"]
    {
        for limit in ["0", "201"] {
            assert_eq!(
                field_errors(&service, &format!("{list}?limit={limit}")).await,
                "/limit range\n"
            );
        }
        for limit in ["", "5.0", "-1", "1e2", "ten", "%00", "4294967296", "5,5", "0x5"] {
            let path = format!("{list}?limit={limit}");
            let errors = field_errors(&service, &path).await;
            assert!(errors.starts_with("/limit "), "{path}: {errors}");
        }
        for limit in ["1", "200"] {
            assert_eq!(service.key.get(format!("{list}?limit={limit}")).await.status, 200);
        }
    }
}

#[testkit::test]
async fn an_unknown_parameter_is_rejected_with_a_suggestion(service: TestService) {
    assert_eq!(service.key.get("/v1/policies?q=%EF%BF%BD").await.status, 200);
    let refusal = service.key.get("/v1/decisions?limt=5").await;
    let error = &refusal.details()["errors"][0];
    assert_snapshot!(text(&error["message"]), @"`limt` is an unknown parameter; did you mean `limit`?");
}

#[tokio::test]
async fn every_route_rejects_an_unknown_parameter() {
    let (service, ids) = (test_service().await, Ids::missing());
    let operator = service.operator().await;
    let capability_key = service.grant(&service.draft("PAY-01").await, &EVERY).await.key;
    for route in router::endpoints() {
        // Other tests use this invalid filter so that no stream opens; here it adds a second error.
        let path = routes::path(&route, &ids).replace("?decision=NONE", "");
        let path = format!("{path}{}nonsense=1", if path.contains('?') { '&' } else { '?' });
        let admin = service.admin().await;
        // A route accepts an API key, a user, the key of a capability or the operator key.
        let mut refusal = None;
        for client in [&service.key, &admin, &capability_key, &operator] {
            let mut call = client.call(route.method, &path);
            if let Some(body) = routes::body(&route) {
                call = call.json(&body);
            }
            let response = call.await;
            if response.status != 403 {
                refusal = Some(response);
                break;
            }
        }
        let refusal = refusal.expect("one of the callers is authorized");
        assert_eq!(refusal.status, 422, "{} {path}: {}", route.method, refusal.text);
        assert_eq!(refusal.field_errors(), "/nonsense unknown\n", "{} {path}", route.method);
    }
}
