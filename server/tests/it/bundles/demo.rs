//! What the demo records is proof as anybody would want it: every bundle of it verifies, in full.

use std::sync::Arc;

use governance::{
    access::operator::{self, Bootstrap},
    demo,
    proof::transparency_log::{InMemoryGuard, Sequencer},
};
use serde_json::Value;
use verify::Overall;

use super::{NO_CHAIN, checked, lines};
use crate::{
    client::{Client, text},
    service::{PASSWORD, TestService, with_key, world},
    transparency::log_all,
    trust::{begin, trusted},
};

/// A tenant that the demo filled, by its key.
async fn filled(world: &TestService) -> Client {
    let start = Bootstrap {
        tenant: "Demo".to_owned(),
        email: "admin@demo.example".to_owned(),
        password: PASSWORD.to_owned(),
    };
    let plan = operator::plan(&world.governance, start).await.expect("a good start");
    let made = operator::bootstrap(&world.governance, plan).await.expect("a tenant can be made");
    let key = &made.api_key.plaintext_key;
    Box::pin(demo::fill(&world.governance, made.tenant_id, key)).await.expect("it is filled");
    with_key(&world.public, made.tenant_id, key)
}

/// What the authors of a worked case expect: its name, the verdict and the violated rules.
fn expected(case: &Value) -> (String, String, Vec<String>) {
    let expect = &case["expect"];
    let violated = expect["violations"].as_array().expect("a list").iter();
    let violated = violated.map(|violation| text(&violation["rule_code"]).to_owned()).collect();
    (text(&case["name"]).to_owned(), text(&expect["decision"]).to_owned(), violated)
}

/// Every decision of a tenant, as [`expected`] tells it, with its id.
async fn decisions(key: &Client) -> Vec<(String, (String, String, Vec<String>))> {
    let (mut all, mut path) = (Vec::new(), "/v1/decisions?limit=100".to_owned());
    loop {
        let page = key.get(&path).await.expect(200);
        for item in page["items"].as_array().expect("a list") {
            let name = text(&item["idempotency_key"]).trim_start_matches("demo: ").to_owned();
            let violations = item["result"]["violations"].as_array().expect("a list").iter();
            let violated = violations.map(|one| text(&one["rule_code"]).to_owned()).collect();
            let told = (name, text(&item["decision"]).to_owned(), violated);
            all.push((text(&item["id"]).to_owned(), told));
        }
        let Some(cursor) = page["next_cursor"].as_str() else { return all };
        path = format!("/v1/decisions?limit=100&cursor={cursor}");
    }
}

#[tokio::test]
async fn every_decision_of_the_demo_verifies_and_is_what_its_authors_say() {
    let world = world().await;
    world.governance.set_log_origin("govern.example/log/1");
    let sequencer = Sequencer::new(&world.governance, Arc::new(InMemoryGuard::default()));
    log_all(&world, &sequencer).await;
    begin(&world).await;
    let key = filled(&world).await;
    log_all(&world, &sequencer).await;
    let trust = trusted(&world).await;
    let mut told = Vec::new();
    for (id, decision) in decisions(&key).await {
        let bundle = world.public.get(format!("/v1/receipts/{id}/bundle")).await;
        let report = checked(&bundle.bytes, &trust);
        let lines: Vec<_> =
            lines(&report).into_iter().filter(|line| *line != NO_EVIDENCE).collect();
        assert_eq!(
            (report.overall, lines),
            (Overall::Verified, vec![NO_CHAIN.to_owned()]),
            "{decision:?}"
        );
        told.push(decision);
    }
    let cases = demo::SAMPLES.iter().flat_map(|file| {
        let file: Value = serde_json::from_str(file).expect("JSON");
        file["contexts"].as_array().expect("a list").iter().map(expected).collect::<Vec<_>>()
    });
    let mut cases: Vec<_> = cases.collect();
    cases.sort();
    told.sort();
    assert_eq!(told, cases);
}

const NO_EVIDENCE: &str = "evidence: not_applicable NO_EVIDENCE";
