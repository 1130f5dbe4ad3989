//! Cross-origin requests: pages of other sites call forms and read proofs without credentials.

use super::{path, published_form, submission, submit};
use crate::prelude::*;

#[testkit::test]
async fn cross_origin_page_sends_a_preflight_and_submits(service: TestService) {
    let form = published_form(&service, json!({})).await;
    let preflight = |path: String| {
        let call = service.public.call("OPTIONS", path).header("origin", "https://other.example");
        call.header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type")
    };
    for suffix in ["/submit", "/schema", "/api-contract"] {
        let response = preflight(path(&form, suffix)).await;
        assert_eq!(response.status, 200, "{suffix}");
        assert_eq!(response.header("access-control-allow-origin"), Some("*"));
        assert_eq!(response.header("access-control-allow-methods"), Some("GET,POST"));
        assert_eq!(
            response.header("access-control-allow-headers"),
            Some("content-type,if-none-match,x-correlation-id,x-form-password")
        );
        assert_eq!(response.header("access-control-allow-credentials"), None);
    }
    let accepted = submit(&service, &form, &submission(1, "k")).await;
    let refusal = submit(&service, &form, &json!({"values": {}})).await;
    let id = accepted.expect(201)["decision_id"].clone();
    let receipt = service.public.get(path(&form, &format!("/receipts/{}", text(&id)))).await;
    let missing = service.public.get(path(&form, "/receipts/none")).await;
    assert_eq!(
        (accepted.status, refusal.status, receipt.status, missing.status),
        (201, 422, 200, 404)
    );
    for response in [accepted, refusal, receipt, missing] {
        assert_eq!(response.header("access-control-allow-origin"), Some("*"));
        assert_eq!(response.header("access-control-expose-headers"), Some("*"));
        assert_eq!(response.header("access-control-allow-credentials"), None);
    }
}

#[testkit::test]
async fn cross_origin_page_reads_proofs_and_errors(service: TestService) {
    service.active("PAY-01").await;
    let decision = service.record("k", 1).await;
    let receipt = format!("/v1/receipts/{}", text(&decision["id"]));
    let missing = "/v1/receipts/00000000-0000-4000-8000-000000000000";
    for (path, status) in [
        (receipt.as_str(), 200),
        (&format!("{receipt}?x=1"), 422),
        (&format!("{receipt}/bundle"), 200),
        (missing, 404),
        ("/v1/chains/00000000-0000-4000-8000-000000000000/verify", 404),
        ("/v1/chains/00000000-0000-4000-8000-000000000000/seal", 404),
        ("/v1/log/tile/0/999", 404),
        ("/v1/log/checkpoint", 404),
        ("/v1/.well-known/signing-keys", 200),
        ("/v1/.well-known/trust-registry?version=999", 404),
    ] {
        let response = service.public.get(path).header("origin", "https://other.example").await;
        assert_eq!(response.status, status, "{path}");
        assert_eq!(response.header("access-control-allow-origin"), Some("*"), "{path}");
        assert_eq!(response.header("access-control-expose-headers"), Some("*"), "{path}");
        assert_eq!(response.header("vary"), None, "{path}");
        let preflight =
            service.public.call("OPTIONS", path).header("origin", "https://other.example");
        let preflight = preflight.header("access-control-request-method", "GET");
        let preflight = preflight.header("access-control-request-headers", "if-none-match").await;
        assert_eq!(preflight.status, 200, "{path}");
    }
}

#[testkit::test]
async fn cross_origin_page_cannot_use_other_endpoints(service: TestService) {
    let form = published_form(&service, json!({})).await;
    for path in ["/v1/forms".to_owned(), path(&form, ""), path(&form, "/tokens")] {
        let call = service.key.call("OPTIONS", &path).header("origin", "https://other.example");
        let refusal = call.header("access-control-request-method", "POST").await;
        assert_eq!(refusal.to_string(), "405 METHOD_NOT_ALLOWED", "{path}");
        let get = service.key.get(&path).header("origin", "https://other.example").await;
        for response in [refusal, get] {
            assert_eq!(response.header("access-control-allow-origin"), None, "{path}");
        }
    }
}
