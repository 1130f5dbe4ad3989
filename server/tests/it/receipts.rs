//! The headers of public receipts.

use crate::prelude::*;

#[testkit::test]
async fn receipt_allows_any_origin_and_conditional_requests(service: TestService) {
    service.active("PAY-01").await;
    let decision = service.record("k-1", 12_000).await;
    let path = format!("/v1/receipts/{}", text(&decision["id"]));
    let receipt = service.public.get(&path).await;
    assert_eq!(receipt.status, 200);
    assert_eq!(receipt.header("access-control-allow-origin"), Some("*"));
    assert_eq!(receipt.header("access-control-allow-credentials"), None);
    assert_eq!(receipt.header("cross-origin-resource-policy"), Some("cross-origin"));
    assert_eq!(receipt.header("cache-control"), Some("no-cache"));
    let etag = receipt.header("etag").expect("a receipt has an ETag").to_owned();
    for known in [etag.clone(), format!("W/{etag}"), format!("\"x\", {etag}"), "*".to_owned()] {
        let same = service.public.get(&path).header("if-none-match", &known).await;
        assert_eq!((same.status, &*same.text), (304, ""), "{known}");
        assert_eq!(same.header("etag"), Some(&*etag));
    }
    let other = service.public.get(&path).header("if-none-match", "\"x\"").await;
    assert_eq!((other.status, other.text), (200, receipt.text));
    let redaction = json!({"public_receipt_redaction": "values"});
    service.key.patch("/v1/settings", &redaction).await.expect(200);
    assert_eq!(service.public.get(&path).header("if-none-match", &etag).await.status, 200);
}
