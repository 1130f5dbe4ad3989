//! The transparency log over HTTP: public reads, and anchors of receipts, seals and approvals.

use std::{collections::BTreeMap, sync::Arc};

use governance::{
    Governance,
    proof::transparency_log::{self, BatchResult, InMemoryGuard, Sequencer},
};
use receipt::{
    digest::Digest,
    merkle,
    transparency_log::{Checkpoint, Note, TileNodes, Vkey, new_tiles},
};

use crate::prelude::*;

/// Starts a service with an active policy, and creates its sequencer.
async fn service_with_sequencer() -> (TestService, Sequencer) {
    let service = test_service().await;
    service.active("PAY-01").await;
    let sequencer = new_sequencer(&service.governance);
    (service, sequencer)
}

/// Starts a service with an active policy and a transparency log that its trust registry lists.
pub(crate) async fn service_with_log() -> (TestService, Sequencer) {
    let service = test_service().await;
    let sequencer = service.log_with_registry().await;
    service.active("PAY-01").await;
    (service, sequencer)
}

pub(crate) fn new_sequencer(process: &Governance) -> Sequencer {
    Sequencer::new(process, Arc::new(InMemoryGuard::default()))
}

impl TestService {
    /// Starts the transparency log, and issues a trust registry that lists it.
    pub(crate) async fn log_with_registry(&self) -> Sequencer {
        let sequencer = new_sequencer(&self.governance);
        append_pending(self, &sequencer).await;
        create_registry(self).await;
        sequencer
    }
}

/// Appends all pending entries to the log.
pub(crate) async fn append_pending(service: &TestService, sequencer: &Sequencer) {
    append_all_pending(&service.governance, sequencer).await;
}

/// Appends all pending entries to the log, in any process.
pub(crate) async fn append_all_pending(process: &Governance, sequencer: &Sequencer) {
    for _ in 0..2 {
        while let BatchResult::Logged { .. } = sequencer
            .run_once(process, process.clock().now())
            .await
            .expect("the database is reachable")
        {}
    }
}

async fn record(service: &TestService, key: &str) -> String {
    let decision = service.record(key, 1).await;
    assert_eq!(decision["result"].get("transparency_anchor"), None);
    text(&decision["id"]).to_owned()
}

/// Inserts pending entries with generated digests.
async fn insert_pending_entries(service: &TestService, first: u32, last: u32) {
    let insert = format!(
        "insert into log_pending (kind, digest) select 'receipt', \
         sha256(convert_to(n::text, 'UTF8')) from generate_series({first}, {last}) n \
         returning kind"
    );
    service.sql(&insert).await;
}

async fn vkey(service: &TestService) -> Vkey {
    let trees = transparency_log::show(&service.governance.operator())
        .await
        .expect("the operator has access");
    trees.last().expect("a tree").vkey.parse().expect("a verifier key")
}

/// Reads the whole log over HTTP, verifies its root with the public key and returns its size.
async fn verify_log(client: &Client, vkey: &Vkey) -> u64 {
    let note = client.get("/v1/log/checkpoint").await;
    assert_eq!(note.status, 200);
    let note = Note::read(&note.text).expect("a note");
    assert_eq!(note.verify(vkey), Ok(()));
    let checkpoint = Checkpoint::read(note.text).expect("a checkpoint");
    assert_eq!(checkpoint.origin, vkey.name());
    let mut tiles = BTreeMap::new();
    for tile in new_tiles(0, checkpoint.size) {
        let read = client.get(format!("/v1/log/{tile}")).await;
        assert_eq!(read.status, 200, "{tile}");
        tiles.insert(tile, read.bytes);
    }
    let nodes = TileNodes { size: checkpoint.size, read: |tile| tiles.get(&tile).cloned() };
    assert_eq!(merkle::root(&nodes, checkpoint.size), Ok(checkpoint.root));
    checkpoint.size
}

#[tokio::test]
async fn the_whole_log_can_be_read_and_verified_without_credentials() {
    let (service, sequencer) = service_with_sequencer().await;
    assert_eq!(service.public.get("/v1/log/checkpoint").await.to_string(), "404 NOT_FOUND");
    assert_eq!(service.public.get("/v1/log/tile/0/000").await.to_string(), "404 NOT_FOUND");
    record(&service, "a").await;
    append_pending(&service, &sequencer).await;
    let vkey = vkey(&service).await;
    assert_eq!(verify_log(&service.public, &vkey).await, 2);
    insert_pending_entries(&service, 1, 600).await;
    append_pending(&service, &sequencer).await;
    assert_eq!(verify_log(&service.public, &vkey).await, 602);

    let checkpoint = service.public.get("/v1/log/checkpoint").await;
    assert_eq!(checkpoint.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(checkpoint.header("cache-control"), Some("no-cache"));
    let etag = checkpoint.header("etag").expect("a public read has an ETag").to_owned();
    let response = service.public.get("/v1/log/checkpoint").header("if-none-match", etag).await;
    assert_eq!(response.status, 304);
    for (path, cache) in [
        ("0/000", "public, max-age=31536000, immutable"),
        ("entries/001", "public, max-age=31536000, immutable"),
        ("0/002.p/90", "no-cache"),
        ("0/000.p/7", "no-cache"),
        ("1/000.p/2", "no-cache"),
        ("entries/002.p/90", "no-cache"),
    ] {
        let tile = service.public.get(format!("/v1/log/tile/{path}")).await;
        assert_eq!((tile.status, tile.header("cache-control")), (200, Some(cache)), "{path}");
        assert_eq!(tile.header("content-type"), Some("application/octet-stream"));
        assert_eq!(tile.header("access-control-allow-origin"), Some("*"));
    }
    for path in [
        "0/002",
        "0/002.p/91",
        "1/000",
        "1/000.p/3",
        "2/000.p/1",
        "0/003",
        "0/x001/234",
        "8/000",
        "entries/002",
        "0/0",
        "0/000.p/0",
        "0/000.p/256",
        "x",
        "0/000/",
        "entries",
        "0/%00",
        "7/x999/x999/x999/x999/x999/999",
        "-1/000",
        "0/x000/001",
    ] {
        let missing = service.public.get(format!("/v1/log/tile/{path}")).await;
        assert_eq!(missing.to_string(), "404 NOT_FOUND", "{path}");
    }
    let error = service.public.get("/v1/log/checkpoint?tree=1").await;
    assert_eq!(error.to_string(), "422 VALIDATION_ERROR");
}

#[tokio::test]
async fn receipts_seals_and_approvals_in_the_log_have_an_anchor() {
    let (service, sequencer) = service_with_sequencer().await;
    let id = record(&service, "a").await;
    let read = async |path: &str| service.key.get(path).await.expect(200);
    let (receipt, decision) = (format!("/v1/receipts/{id}"), format!("/v1/decisions/{id}"));
    assert_eq!(read(&receipt).await["transparency_anchor"], Value::Null);
    assert_eq!(read(&receipt).await["result"].get("transparency_anchor"), None);
    assert_eq!(read(&decision).await["result"].get("transparency_anchor"), None);
    service.key.post("/v1/decisions/record", &chain_request("c", json!({}))).await.expect(201);
    let (seal, verified) =
        (format!("/v1/chains/{CHAIN}/seal"), format!("/v1/chains/{CHAIN}/verify"));
    let chain_seal = service.key.post(&seal, &json!({})).await.expect(201);
    assert_eq!(chain_seal["transparency_anchor"], Value::Null);
    assert_eq!(read(&verified).await["items"][0]["anchored"], json!(false));

    append_pending(&service, &sequencer).await;
    service.clock.advance(MINUTE_MS);
    insert_pending_entries(&service, 1, 300).await;
    append_pending(&service, &sequencer).await;
    let anchored_receipt = read(&receipt).await;
    let anchor = &anchored_receipt["transparency_anchor"];
    assert_eq!(&anchored_receipt["result"]["transparency_anchor"], anchor);
    assert_eq!(&read(&decision).await["result"]["transparency_anchor"], anchor);
    assert_eq!(anchor["anchored_at"], crate::service::NOW);
    assert_eq!(
        (&anchor["provider"], &anchor["rekor_public_url"]),
        (&json!("embedded"), &Value::Null)
    );
    assert_eq!(read(&verified).await["items"][0]["anchored"], json!(true));
    let chain_seal = read(&seal).await;
    assert_eq!(
        service.key.post(&seal, &json!({})).await.expect(200),
        chain_seal,
        "the seal does not change"
    );
    let approval = service.sql("select policy_id::text from policy_approvals").await.concat();
    let approval = read(&format!("/v1/policies/{approval}/versions/1/approval")).await;
    assert!(approval["transparency_anchor"].is_object(), "{approval}");
    // A repeated record call returns the same decision, without an anchor.
    let repeated = service.key.post("/v1/decisions/record", &request("a", 1)).await.expect(200);
    assert_eq!(repeated["decision"]["result"].get("transparency_anchor"), None);
}

#[tokio::test]
async fn a_read_can_wait_for_the_anchor() {
    let (service, sequencer) = service_with_sequencer().await;
    append_pending(&service, &sequencer).await;
    let id = record(&service, "a").await;
    service.key.post("/v1/decisions/record", &chain_request("c", json!({}))).await.expect(201);
    let seal = format!("/v1/chains/{CHAIN}/seal");
    service.key.post(&seal, &json!({})).await.expect(201);
    let (receipt, decision) = (format!("/v1/receipts/{id}"), format!("/v1/decisions/{id}"));
    let wait = |path: &str| {
        let call = service.key.get(format!("{path}?wait_for=anchor"));
        async move { call.await.expect(200) }
    };
    let append = async {
        service.key.get("/v1/policies").await.expect(200);
        append_pending(&service, &sequencer).await;
    };
    let (receipt_response, decision_response, seal_response, ()) =
        tokio::join!(wait(&receipt), wait(&decision), wait(&seal), append);
    assert!(receipt_response["transparency_anchor"].is_object());
    assert_eq!(
        decision_response["result"]["transparency_anchor"],
        receipt_response["transparency_anchor"]
    );
    assert!(seal_response["transparency_anchor"].is_object());
    for path in [&receipt, &decision, &seal] {
        let error = service.key.get(format!("{path}?wait_for=other")).await;
        assert_eq!(error.to_string(), "422 VALIDATION_ERROR");
        assert_eq!(error.field_errors(), "/wait_for format\n");
    }
}

#[tokio::test]
async fn reads_do_not_wait_for_an_anchor_if_the_log_has_no_key() {
    let service =
        TestServiceBuilder { is_signed: false, ..TestServiceBuilder::default() }.start().await;
    service.active("PAY-01").await;
    let id = record(&service, "a").await;
    let sequencer = new_sequencer(&service.governance);
    let result = sequencer.run_once(&service.governance, service.clock.now()).await.unwrap();
    assert_eq!(result, BatchResult::NoKey);
    let receipt =
        service.public.get(format!("/v1/receipts/{id}?wait_for=anchor")).await.expect(200);
    assert_eq!(receipt["transparency_anchor"], Value::Null);
    assert_eq!(service.public.get("/v1/log/checkpoint").await.status, 404);
    let ready = service.public.get("/v1/ready").await.expect(200);
    assert_eq!(ready["checks"], json!({"database": "ok", "log": "unsigned"}));
}

#[tokio::test]
async fn a_service_with_a_restored_database_is_not_ready() {
    let (service, sequencer) = service_with_sequencer().await;
    record(&service, "a").await;
    append_pending(&service, &sequencer).await;
    let ready = service.public.get("/v1/ready").await.expect(200);
    assert_eq!(ready["checks"], json!({"database": "ok", "log": "ok"}));
    let other = InMemoryGuard::default();
    let ahead = transparency_log::SignedTreeHead {
        origin: "govern.example/log/1".to_owned(),
        size: 1_000,
        root: Digest::compute(b"a signed tree head"),
        is_closed: false,
    };
    transparency_log::RollbackGuard::save(&other, &[ahead]).unwrap();
    let other = Arc::new(other);
    let behind = Sequencer::new(&service.governance, other.clone());
    behind.run_once(&service.governance, service.clock.now()).await.unwrap();
    let error = service.public.get("/v1/ready").await;
    assert_eq!(error.to_string(), "503 SERVICE_UNAVAILABLE");
    let checks = json!({"database": "ok", "log": "LOG_ROLLBACK_DETECTED"});
    assert_eq!(error.details()["checks"], checks);
    let metrics = service.public.get("/metrics").await.text;
    assert!(metrics.contains("govern_log_refused 1\n"), "{metrics}");
    assert!(metrics.contains("govern_log_tree_size 2\n"), "{metrics}");
    // Decisions are still recorded; their anchors remain pending.
    let id = record(&service, "b").await;
    let metrics = service.public.get("/metrics").await.text;
    assert!(metrics.contains("govern_log_pending 1\n"), "{metrics}");
    append_pending(&service, &sequencer).await;
    let receipt = service.public.get(format!("/v1/receipts/{id}")).await.expect(200);
    assert_eq!(receipt["transparency_anchor"], Value::Null);

    transparency_log::freeze(&service.governance.operator(), other, None).await.unwrap();
    append_pending(&service, &behind).await;
    service.public.get("/v1/ready").await.expect(200);
}
