//! The answerer over HTTP: what it is asked, and that a save succeeds whatever it does.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use server::lint_provider::HttpLintProvider;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use super::codified;
use crate::service::{TestService, world};

/// What the answerer does with one question.
enum ServerBehavior {
    /// Writes these bytes and hangs up.
    Says(Vec<u8>),
    /// Begins, and never ends.
    Stalls,
    /// Writes for as long as it is read.
    Floods,
    /// Hangs up.
    HangsUp,
}

/// An answerer on this machine, and the questions that it was asked.
#[derive(Clone, Default)]
struct FakeLintProvider {
    next: Arc<Mutex<VecDeque<ServerBehavior>>>,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl FakeLintProvider {
    /// Listens, and lints for `world` from here on.
    async fn of(world: &TestService) -> Self {
        let outside = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let url = format!("http://{address}/lint").parse().expect("an address");
        let patience = Duration::from_millis(500);
        world.governance.set_lint_provider(HttpLintProvider::new(url, patience).expect("a client"));
        let own = outside.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(own.clone().answer(socket));
            }
        });
        outside
    }

    async fn answer(self, mut socket: TcpStream) {
        let Some(question) = question(&mut socket).await else { return };
        self.asked.lock().expect("no holder has failed").push(question);
        let does = self.next.lock().expect("no holder has failed").pop_front();
        match does.expect("as many answers as questions") {
            ServerBehavior::Says(bytes) => {
                let _ = socket.write_all(&bytes).await;
            }
            ServerBehavior::HangsUp => {}
            ServerBehavior::Stalls => {
                let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{").await;
                // Until the caller gives up.
                let _ = socket.read(&mut [0]).await;
            }
            ServerBehavior::Floods => {
                let _ = socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
                let blanks = vec![b' '; 65_536];
                while socket.write_all(&blanks).await.is_ok() {}
            }
        }
    }

    /// The lint of a new policy, when the answerer `does` this.
    async fn lint(&self, world: &TestService, code: &str, does: ServerBehavior) -> Value {
        self.next.lock().expect("no holder has failed").push_back(does);
        let made = world.key.post("/v1/policies", &codified(code)).await.expect(201);
        let record = &made["version"]["codification_record"];
        assert_eq!(record["counts"]["clauses"], 5, "the save succeeds");
        record["lint"].clone()
    }
}

/// Reads one request, and gives its body.
async fn question(socket: &mut TcpStream) -> Option<Value> {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let read = socket.read(&mut chunk).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && let Ok(question) = serde_json::from_str(body)
        {
            assert!(head.starts_with("POST /lint HTTP/1.1"), "{head}");
            assert!(head.to_lowercase().contains("content-type: application/json"), "{head}");
            return Some(question);
        }
    }
}

fn response(status: &str, body: &str) -> ServerBehavior {
    let length = body.len();
    ServerBehavior::Says(
        format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes(),
    )
}

fn good() -> Value {
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
async fn an_answer_from_outside_is_kept_as_its_own() {
    let world = world().await;
    let outside = FakeLintProvider::of(&world).await;
    let lint = outside.lint(&world, "PAY-01", response("200 OK", &good().to_string())).await;
    assert_eq!((&lint["status"], &lint["answerer"]), (&json!("ran"), &json!("jev")));
    assert_eq!((&lint["questions_version"], &lint["model"]), (&json!("jev/7"), &json!("reader-2")));
    assert_eq!((&lint["floor"], lint.get("reason")), (&json!(60), None));
    assert!(lint["elapsed_ms"].is_u64());
    let units: Vec<&Value> =
        lint["clauses"].as_array().unwrap().iter().map(|clause| &clause["unit_id"]).collect();
    assert_eq!(units, ["u1", "u2", "u3", "u4", "u5"], "each clause, in order");
    let second = &lint["clauses"][1];
    assert_eq!(second["findings"].as_array().unwrap().len(), 1, "the unsure one is dropped");
    assert_eq!(
        (&second["needs_context"], &lint["clauses"][0]["needs_context"]),
        (&json!(true), &json!(false))
    );

    let asked = outside.asked.lock().unwrap().clone();
    let [question] = &asked[..] else { panic!("one question: {asked:?}") };
    let names: Vec<&String> = question.as_object().unwrap().keys().collect();
    assert_eq!(names, ["clauses", "ledger", "rules", "schema", "source"]);
    assert_eq!(question["schema"], "service-codification-lint-question/v1");
    assert_eq!(question["ledger"][0]["rule_code"], "AMOUNT");
    assert_eq!(question["rules"][0]["source_ref"]["section"], "section 1");
}

#[tokio::test]
async fn a_floor_from_outside_holds() {
    let world = world().await;
    let outside = FakeLintProvider::of(&world).await;
    let mut answer = good();
    answer["floor"] = json!(50);
    let lint = outside.lint(&world, "PAY-01", response("200 OK", &answer.to_string())).await;
    assert_eq!(lint["floor"], 50);
    assert_eq!(lint["clauses"][1]["findings"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn whatever_the_answerer_does_the_save_succeeds() {
    let world = world().await;
    let outside = FakeLintProvider::of(&world).await;
    let with = |change: fn(&mut Value)| {
        let mut answer = good();
        change(&mut answer);
        response("200 OK", &answer.to_string())
    };
    let moved = "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
    let nul = good().to_string().replace("Says should.", "\\u0000");
    let deep = "[".repeat(100_000);
    let cases = [
        (response("200 OK", "no JSON"), "the answer is not JSON"),
        (response("200 OK", &nul), "the answer is not JSON"),
        (response("200 OK", &deep), "the answer is not JSON"),
        (response("200 OK", "{}"), "the answer has not the members"),
        (response("200 OK", "[]"), "the answer has not the members"),
        (response("503 Service Unavailable", ""), "the answerer answered with status 503"),
        (ServerBehavior::Says(moved.as_bytes().to_vec()), "the answerer sends elsewhere"),
        (ServerBehavior::Says(b"nonsense\r\n\r\n".to_vec()), "the answerer broke off"),
        (ServerBehavior::HangsUp, "the answerer broke off"),
        (ServerBehavior::Stalls, "the answerer took longer than 0.5 s"),
        (ServerBehavior::Floods, "the answer is longer than 1048576 bytes"),
        (
            with(|answer| answer["clauses"][0]["unit_id"] = json!("u9")),
            "the answer names a clause twice",
        ),
        (
            with(|answer| {
                answer["clauses"][0]["findings"][0]["evidence"]["confidence"] = json!(1.1);
            }),
            "the answer has a finding that is none",
        ),
        (
            with(|answer| answer["clauses"][0]["findings"][0]["code"] = json!("Not A Word")),
            "the answer has a finding that is none",
        ),
        (with(|answer| answer["floor"] = json!(101)), "the answer's head is not as asked for"),
        (
            with(|answer| answer["questions_version"] = json!("")),
            "the answer's head is not as asked for",
        ),
    ];
    for (number, (does, reason)) in cases.into_iter().enumerate() {
        let lint = outside.lint(&world, &format!("PAY-{number}"), does).await;
        assert_eq!(
            (&lint["status"], &lint["answerer"]),
            (&json!("failed"), &json!("jev")),
            "{reason}"
        );
        assert!(lint["reason"].as_str().is_some_and(|said| said.starts_with(reason)), "{lint}");
        assert_eq!((&lint["clauses"], &lint["floor"]), (&json!([]), &json!(60)));
    }
}

#[tokio::test]
async fn an_answerer_that_is_not_there_fails_the_lint_alone() {
    let world = world().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    drop(listener);
    let url = format!("http://user:secret@{address}/").parse().expect("an address");
    let answerer = HttpLintProvider::new(url, Duration::from_secs(10)).expect("a client");
    world.governance.set_lint_provider(answerer);
    let made = world.key.post("/v1/policies", &codified("PAY-01")).await.expect(201);
    let lint = &made["version"]["codification_record"]["lint"];
    assert_eq!(lint["reason"], "the answerer cannot be reached", "and no word of its address");
}
