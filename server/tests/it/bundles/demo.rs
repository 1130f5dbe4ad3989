//! The demo data: the bundle of every decision verifies completely.

use governance::{
    access::operator::{self, Bootstrap},
    demo,
};
use verify::Overall;

use super::{NO_CHAIN, NO_EVIDENCE, claim_lines, verify_bundle};
use crate::prelude::*;

/// Creates a tenant, fills it with the demo data and returns a client with its API key.
async fn fill_demo_tenant(service: &TestService) -> Client {
    let start = Bootstrap {
        tenant: "Demo".to_owned(),
        email: "admin@demo.example".to_owned(),
        password: PASSWORD.to_owned(),
    };
    let plan = operator::plan(&service.governance, start).await.expect("a valid bootstrap");
    let created =
        operator::bootstrap(&service.governance, plan).await.expect("the tenant is created");
    let key = &created.api_key.plaintext_key;
    Box::pin(demo::fill(&service.governance, created.tenant_id, key))
        .await
        .expect("the demo data is stored");
    with_key(&service.public, created.tenant_id, key)
}

/// Returns the ID of every decision of a tenant.
async fn decisions(key: &Client) -> Vec<String> {
    let (mut all, mut path) = (Vec::new(), "/v1/decisions?limit=100".to_owned());
    loop {
        let page = key.get(&path).await.expect(200);
        all.extend(texts(&page, "id"));
        let Some(cursor) = page["next_cursor"].as_str() else { return all };
        path = format!("/v1/decisions?limit=100&cursor={cursor}");
    }
}

#[testkit::test]
async fn every_decision_of_the_demo_verifies(service: TestService) {
    let sequencer = service.log_with_registry().await;
    let key = fill_demo_tenant(&service).await;
    append_pending(&service, &sequencer).await;
    let trust = current_trust(&service).await;
    let decisions = decisions(&key).await;
    assert!(decisions.len() > 100, "{}", decisions.len());
    for id in decisions {
        let bundle = service.public.get(format!("/v1/receipts/{id}/bundle")).await;
        let report = verify_bundle(&bundle.bytes, &trust);
        let mut lines = claim_lines(&report);
        lines.retain(|line| line != NO_EVIDENCE);
        assert_eq!((report.overall, &*lines), (Overall::Verified, &[NO_CHAIN.to_owned()][..]));
    }
}
