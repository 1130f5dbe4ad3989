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

/// The expected result of a sample: its name, and its verdict, violated rules, rules that do not apply and number of
/// evaluated rules.
fn expected(sample: &Value) -> (String, Value) {
    let expect = &sample["expect"];
    let violated = codes(&expect["violations"]);
    let (na, evaluated) = (&expect["not_applicable"], &expect["rules_evaluated"]);
    (text(&sample["name"]).to_owned(), json!([expect["decision"], violated, na, evaluated]))
}

/// Returns the codes of a list of rules.
fn codes(rules: &Value) -> Vec<&Value> {
    rules.as_array().expect("a list").iter().map(|rule| &rule["rule_code"]).collect()
}

/// Returns every decision of a tenant: its ID, and its result in the form of [`expected`].
async fn decisions(key: &Client) -> Vec<(String, (String, Value))> {
    let (mut all, mut path) = (Vec::new(), "/v1/decisions?limit=100".to_owned());
    loop {
        let page = key.get(&path).await.expect(200);
        for item in items(&page) {
            let name = text(&item["idempotency_key"]).trim_start_matches("demo: ").to_owned();
            let (result, na) = (&item["result"], codes(&item["result"]["na_rules"]));
            let violated = codes(&result["violations"]);
            let result = json!([item["decision"], violated, na, result["rules_evaluated"]]);
            let result = (name, result);
            all.push((text(&item["id"]).to_owned(), result));
        }
        let Some(cursor) = page["next_cursor"].as_str() else { return all };
        path = format!("/v1/decisions?limit=100&cursor={cursor}");
    }
}

#[testkit::test]
async fn every_decision_of_the_demo_verifies_and_has_the_expected_result(service: TestService) {
    let sequencer = service.log_with_registry().await;
    let key = fill_demo_tenant(&service).await;
    append_pending(&service, &sequencer).await;
    let trust = current_trust(&service).await;
    let mut results = Vec::new();
    for (id, decision) in decisions(&key).await {
        let bundle = service.public.get(format!("/v1/receipts/{id}/bundle")).await;
        let report = verify_bundle(&bundle.bytes, &trust);
        let lines: Vec<_> =
            claim_lines(&report).into_iter().filter(|line| *line != NO_EVIDENCE).collect();
        assert_eq!(
            (report.overall, lines),
            (Overall::Verified, vec![NO_CHAIN.to_owned()]),
            "{decision:?}"
        );
        results.push(decision);
    }
    let samples = demo::SAMPLES.iter().flat_map(|file| {
        let file: Value = serde_json::from_str(file).expect("JSON");
        file["contexts"].as_array().expect("a list").iter().map(expected).collect::<Vec<_>>()
    });
    let mut samples: Vec<_> = samples.collect();
    samples.sort_by(|one, other| one.0.cmp(&other.0));
    results.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(results, samples);
}
