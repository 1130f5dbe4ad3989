//! The lint provider over HTTP: its requests, its failures, and saves that succeed in every case.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use governance::ServiceOptions;
use server::lint_provider::HttpLintProvider;

use super::policy_with_codification;
use crate::{
    fake_server::{FakeServer, Reaction},
    prelude::*,
};

/// A fake lint provider on this machine, and its reactions to the next requests.
struct FakeLintProvider {
    server: FakeServer,
    reactions: Arc<Mutex<VecDeque<Reaction>>>,
}

/// Starts a service that uses the lint provider at `url`.
async fn service_with_provider(url: &str, timeout: Duration) -> TestService {
    let provider = HttpLintProvider::new(url.parse().expect("a URL"), timeout).expect("a client");
    let lint_provider = Some(Box::new(provider) as Box<_>);
    test_service_with(ServiceOptions { lint_provider, ..ServiceOptions::default() }).await
}

impl FakeLintProvider {
    /// Starts the provider and a service that uses it.
    async fn start() -> (Self, TestService) {
        let reactions = Arc::<Mutex<VecDeque<Reaction>>>::default();
        let next = Arc::clone(&reactions);
        let server = FakeServer::start(move |_| {
            let next = next.lock().expect("no test panics with the lock").pop_front();
            next.expect("one reaction to each request")
        })
        .await;
        let service = service_with_provider(&server.url("lint"), Duration::from_millis(500)).await;
        (Self { server, reactions }, service)
    }

    /// Creates a policy with this reaction of the provider and returns its lint.
    async fn lint(&self, service: &TestService, code: &str, reaction: Reaction) -> Value {
        self.reactions.lock().expect("no test panics with the lock").push_back(reaction);
        let created =
            service.key.post("/v1/policies", &policy_with_codification(code)).await.expect(201);
        let record = &created["version"]["codification_record"];
        assert_eq!(record["counts"]["clauses"], 5, "the save succeeds");
        record["lint"].clone()
    }
}

fn valid_response() -> Value {
    json!({
        "questions_version": "jev/7",
        "model": "reader-2",
        "unheard_of": true,
        "clauses": [{
            "unit_id": "u2",
            "needs_context": true,
            "findings": [
                {"code": "guidance_as_obligation", "message": "Says should.", "evidence": {"confidence": 0.9}},
                {"code": "tone", "message": "Unsure.", "evidence": {"confidence": 0.59}},
            ],
        }],
    })
}

#[tokio::test]
async fn a_response_of_the_provider_is_stored_under_the_name_of_the_provider() {
    let (provider, service) = FakeLintProvider::start().await;
    let lint = provider
        .lint(&service, "PAY-01", Reaction::response("200 OK", &valid_response().to_string()))
        .await;
    assert_eq!((&lint["status"], &lint["answerer"]), (&json!("ran"), &json!("jev")));
    assert_eq!((&lint["questions_version"], &lint["model"]), (&json!("jev/7"), &json!("reader-2")));
    assert_eq!((&lint["floor"], lint.get("reason")), (&json!(60), None));
    assert!(lint["elapsed_ms"].is_u64());
    let units: Vec<&Value> =
        lint["clauses"].as_array().unwrap().iter().map(|clause| &clause["unit_id"]).collect();
    assert_eq!(units, ["u1", "u2", "u3", "u4", "u5"], "each clause in order");
    let second = &lint["clauses"][1];
    assert_eq!(
        second["findings"].as_array().unwrap().len(),
        1,
        "the finding below the floor is dropped"
    );
    assert_eq!(
        (&second["needs_context"], &lint["clauses"][0]["needs_context"]),
        (&json!(true), &json!(false))
    );

    let requests = provider.server.requests();
    let [request] = &requests[..] else { panic!("one request: {requests:?}") };
    assert_eq!((&*request.method, &*request.path), ("POST", "/lint"));
    assert_eq!(request.header("content-type"), "application/json");
    let request: Value = serde_json::from_str(&request.body).expect("JSON");
    let names: Vec<&String> = request.as_object().unwrap().keys().collect();
    assert_eq!(names, ["clauses", "ledger", "rules", "schema", "source"]);
    assert_eq!(request["schema"], "service-codification-lint-question/v1");
    assert_eq!(request["ledger"][0]["rule_code"], "AMOUNT");
    assert_eq!(request["rules"][0]["source_ref"]["section"], "section 1");
}

#[tokio::test]
async fn the_confidence_floor_of_the_provider_is_used() {
    let (provider, service) = FakeLintProvider::start().await;
    let mut body = valid_response();
    body["floor"] = json!(50);
    let lint =
        provider.lint(&service, "PAY-01", Reaction::response("200 OK", &body.to_string())).await;
    assert_eq!(lint["floor"], 50);
    assert_eq!(lint["clauses"][1]["findings"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_save_succeeds_for_every_failure_of_the_provider() {
    let (provider, service) = FakeLintProvider::start().await;
    let with = |change: fn(&mut Value)| {
        let mut body = valid_response();
        change(&mut body);
        Reaction::response("200 OK", &body.to_string())
    };
    let nul = valid_response().to_string().replace("Says should.", "\\u0000");
    let deep = "[".repeat(100_000);
    let cases = [
        (Reaction::response("200 OK", "no JSON"), "the response is not JSON"),
        (Reaction::response("200 OK", &nul), "the response is not JSON"),
        (Reaction::response("200 OK", &deep), "the response is not JSON"),
        (Reaction::response("200 OK", "{}"), "the response lacks required members"),
        (Reaction::response("200 OK", "[]"), "the response lacks required members"),
        (
            Reaction::response("503 Service Unavailable", ""),
            "the lint provider responded with status 503",
        ),
        (
            Reaction::response("302 Found\r\nlocation: http://127.0.0.1:1/", ""),
            "the lint provider sent a redirect",
        ),
        (
            Reaction::Respond(b"nonsense\r\n\r\n".to_vec()),
            "the lint provider closed the connection early",
        ),
        (Reaction::Respond(Vec::new()), "the lint provider closed the connection early"),
        (
            Reaction::Stall("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"),
            "the lint provider took longer than 0.5 s",
        ),
        (
            Reaction::Repeat("HTTP/1.1 200 OK\r\n\r\n", vec![b' '; 65_536], Duration::ZERO),
            "the response is longer than 1048576 bytes",
        ),
        (
            with(|body| body["clauses"][0]["unit_id"] = json!("u9")),
            "the response contains a duplicate or unknown clause",
        ),
        (
            with(|body| {
                body["clauses"][0]["findings"][0]["evidence"]["confidence"] = json!(1.1);
            }),
            "the response contains an invalid finding",
        ),
        (
            with(|body| body["clauses"][0]["findings"][0]["code"] = json!("Not A Word")),
            "the response contains an invalid finding",
        ),
        (with(|body| body["floor"] = json!(101)), "the response header members are invalid"),
        (
            with(|body| body["questions_version"] = json!("")),
            "the response header members are invalid",
        ),
    ];
    for (number, (reaction, reason)) in cases.into_iter().enumerate() {
        let lint = provider.lint(&service, &format!("PAY-{number}"), reaction).await;
        assert_eq!(
            (&lint["status"], &lint["answerer"]),
            (&json!("failed"), &json!("jev")),
            "{reason}"
        );
        assert!(lint["reason"].as_str().is_some_and(|text| text.starts_with(reason)), "{lint}");
        assert_eq!((&lint["clauses"], &lint["floor"]), (&json!([]), &json!(60)));
    }
}

#[tokio::test]
async fn an_unreachable_provider_fails_only_the_lint() {
    let service =
        service_with_provider("http://user:secret@127.0.0.1:1/", Duration::from_secs(10)).await;
    let created =
        service.key.post("/v1/policies", &policy_with_codification("PAY-01")).await.expect(201);
    let lint = &created["version"]["codification_record"]["lint"];
    assert_eq!(
        lint["reason"], "the lint provider cannot be reached",
        "the reason does not contain the address"
    );
}
