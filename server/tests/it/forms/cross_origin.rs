//! Pages of other sites, which call a form as nobody in particular.

use serde_json::json;

use super::{answers, path, published, submit};
use crate::{
    client::text,
    service::{request, world},
};

#[tokio::test]
async fn a_page_of_another_site_asks_first_and_submits() {
    let world = world().await;
    let form = published(&world, &world.active("PAY-01").await, json!({})).await;
    let ask = |path: String| {
        let call = world.public.call("OPTIONS", path).header("origin", "https://other.example");
        call.header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type")
    };
    for below in ["/submit", "/schema", "/api-contract"] {
        let may = ask(path(&form, below)).await;
        assert_eq!(may.status, 200, "{below}");
        assert_eq!(may.header("access-control-allow-origin"), Some("*"));
        assert_eq!(may.header("access-control-allow-methods"), Some("GET,POST"));
        assert_eq!(
            may.header("access-control-allow-headers"),
            Some("content-type,if-none-match,x-correlation-id,x-form-password")
        );
        assert_eq!(may.header("access-control-allow-credentials"), None);
    }
    let taken = submit(&world, &form, &answers(1, "k")).await;
    let refused = submit(&world, &form, &json!({"values": {}})).await;
    let id = taken.expect(201)["decision_id"].clone();
    let receipt = world.public.get(path(&form, &format!("/receipts/{}", text(&id)))).await;
    let missing = world.public.get(path(&form, "/receipts/none")).await;
    assert_eq!(
        (taken.status, refused.status, receipt.status, missing.status),
        (201, 422, 200, 404)
    );
    for answer in [taken, refused, receipt, missing] {
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        assert_eq!(answer.header("access-control-expose-headers"), Some("*"));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
    }
}

#[tokio::test]
async fn a_page_of_another_site_reads_proof_and_what_is_refused() {
    let world = world().await;
    world.active("PAY-01").await;
    let made = world.key.post("/v1/decisions/record", &request("k", 1)).await.expect(201);
    let receipt = format!("/v1/receipts/{}", text(&made["decision"]["id"]));
    let nobody = "/v1/receipts/00000000-0000-4000-8000-000000000000";
    for (path, status) in [
        (receipt.as_str(), 200),
        (&format!("{receipt}?x=1"), 422),
        (&format!("{receipt}/bundle"), 200),
        (nobody, 404),
        ("/v1/chains/00000000-0000-4000-8000-000000000000/verify", 404),
        ("/v1/chains/00000000-0000-4000-8000-000000000000/seal", 404),
        ("/v1/log/tile/0/999", 404),
        ("/v1/log/checkpoint", 404),
        ("/v1/.well-known/signing-keys", 200),
        ("/v1/.well-known/trust-registry?version=999", 404),
    ] {
        let answer = world.public.get(path).header("origin", "https://other.example").await;
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{path}");
        assert_eq!(answer.header("access-control-expose-headers"), Some("*"), "{path}");
        assert_eq!(answer.header("vary"), None, "{path}");
        let may = world.public.call("OPTIONS", path).header("origin", "https://other.example");
        let may = may.header("access-control-request-method", "GET");
        let may = may.header("access-control-request-headers", "if-none-match").await;
        assert_eq!(may.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_page_of_another_site_does_nothing_else() {
    let world = world().await;
    let form = published(&world, &world.active("PAY-01").await, json!({})).await;
    for path in ["/v1/forms".to_owned(), path(&form, ""), path(&form, "/tokens")] {
        let call = world.key.call("OPTIONS", &path).header("origin", "https://other.example");
        let refused = call.header("access-control-request-method", "POST").await;
        assert_eq!(refused.to_string(), "405 METHOD_NOT_ALLOWED", "{path}");
        let get = world.key.get(&path).header("origin", "https://other.example").await;
        for answer in [refused, get] {
            assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
        }
    }
}
