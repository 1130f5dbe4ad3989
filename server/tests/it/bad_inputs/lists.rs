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

#[testkit::test]
async fn a_cursor_is_valid_only_for_its_list(service: TestService) {
    service.active("PAY-01").await;
    service.active("PAY-02").await;
    for number in 0..2 {
        let body = request(&format!("k-{number}"), 1);
        service.key.post("/v1/decisions/record", &body).await.expect(201);
    }
    let cursor = async |path: &str| {
        let page = service.key.get(path).await.expect(200);
        text(&page["next_cursor"]).to_owned()
    };
    let decisions = cursor("/v1/decisions?limit=1").await;
    let policies = cursor("/v1/policies?limit=1").await;
    let filtered = cursor("/v1/decisions?limit=1&decision_type=payment").await;
    let next = async |path: &str, cursor: &str| {
        service
            .key
            .get(format!("{path}{}cursor={cursor}", if path.contains('?') { '&' } else { '?' }))
            .await
    };
    assert_eq!(next("/v1/decisions", &decisions).await.status, 200);
    assert_eq!(next("/v1/decisions?limit=7", &decisions).await.status, 200);

    let mut forged = decisions.clone().into_bytes();
    forged[8] = if forged[8] == b'A' { b'B' } else { b'A' };
    let forged = String::from_utf8(forged).unwrap();
    let truncated = &decisions[..decisions.len() - 4];
    let padded = format!("{decisions}%3D%3D");
    for (path, cursor) in [
        ("/v1/decisions", &*forged),
        ("/v1/decisions", truncated),
        ("/v1/decisions", &padded),
        ("/v1/decisions", "AAAA"),
        ("/v1/decisions", "1"),
        ("/v1/decisions", "%F0%9F%98%80"),
        ("/v1/decisions", &policies),
        ("/v1/decisions", &filtered),
        ("/v1/decisions?decision_type=loan", &filtered),
        ("/v1/decisions?correlation_id=payment", &filtered),
        ("/v1/policies", &decisions),
    ] {
        let refusal = next(path, cursor).await;
        assert_eq!(refusal.status, 422, "{path} {cursor}");
        assert_eq!(refusal.field_errors(), "/cursor cursor\n", "{path} {cursor}");
    }
    assert_eq!(next("/v1/decisions", "").await.field_errors(), "/cursor length\n");
    let neighbour = service.other_tenant().await;
    let path = format!("/v1/decisions?cursor={decisions}");
    let foreign = neighbour.key.get(path).await;
    assert_eq!(foreign.field_errors(), "/cursor cursor\n");
    // A user of the same tenant can continue the list of an API key.
    let path = format!("/v1/decisions?cursor={decisions}");
    let page = service.author().await.get(path).await.expect(200);
    assert_eq!(page["next_cursor"], Value::Null);
}
