//! The transparency log over HTTP: what anyone may read of it, and the anchors of what is in it.

use std::{collections::BTreeMap, sync::Arc};

use contract::json::{Limits, Value as Tree};
use governance::{
    Governance,
    proof::transparency_log::{self, BatchResult, InMemoryGuard, Sequencer},
};
use receipt::{
    bundle::{Files, file, path::BundleScope, write_archive},
    digest::Digest,
    merkle::{self, leaf_hash},
    transparency_log::{
        Anchor, Checkpoint, EntryKind, Note, ProofText, Tile, TileNodes, Vkey, decode_entries,
        entry, new_tiles,
    },
};
use serde_json::{Value, json};
use verify::{Options, Status, Trust, TrustDocument, verify};

use crate::{
    client::{Client, text},
    service::{CHAIN, MINUTE_MS, TestService, TestServiceBuilder, chained, request, world},
};

/// A world with a policy in force, and the sequencer of its process.
async fn ready() -> (TestService, Sequencer) {
    let world = world().await;
    world.governance.set_log_origin("govern.example/log/1");
    world.active("PAY-01").await;
    let sequencer = Sequencer::new(&world.governance, Arc::new(InMemoryGuard::default()));
    (world, sequencer)
}

/// Logs what waits.
pub(crate) async fn log_all(world: &TestService, sequencer: &Sequencer) {
    log_what_waits(&world.governance, sequencer).await;
}

/// Logs what waits, in any process.
pub(crate) async fn log_what_waits(process: &Governance, sequencer: &Sequencer) {
    for _ in 0..2 {
        while let BatchResult::Logged { .. } =
            sequencer.run_once(process, process.clock().now()).await.expect("the store is there")
        {
        }
    }
}

async fn recorded(world: &TestService, key: &str) -> String {
    let made = world.key.post("/v1/decisions/record", &request(key, 1)).await.expect(201);
    assert_eq!(made["decision"]["result"].get("transparency_anchor"), None);
    text(&made["decision"]["id"]).to_owned()
}

/// Entries made up, beside the real ones.
async fn due(world: &TestService, first: u32, last: u32) {
    let insert = format!(
        "insert into log_pending (kind, digest) select 'receipt', \
         encode(sha256(convert_to(n::text, 'UTF8')), 'hex') from generate_series({first}, {last}) n \
         returning kind"
    );
    world.sql(&insert).await;
}

async fn vkey(world: &TestService) -> Vkey {
    let trees =
        transparency_log::show(&world.governance.operator()).await.expect("an operator may");
    trees.last().expect("a tree").vkey.parse().expect("a verifier key")
}

fn tree(value: &Value) -> Tree {
    Tree::parse(value.to_string().as_bytes(), &Limits::BUNDLE_MEMBER).expect("it is JSON")
}

/// Reads a whole log over HTTP and checks it: of the service it is told the address and the key.
async fn audit(client: &Client, vkey: &Vkey) -> u64 {
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
    let bundles = tiles.iter().filter(|(tile, _)| tile.level.is_none());
    let entries: Vec<&[u8]> =
        bundles.flat_map(|(_, bytes)| decode_entries(bytes).expect("a bundle")).collect();
    for (index, data) in (0..checkpoint.size).zip(&entries) {
        let proof = merkle::inclusion(&nodes, index, checkpoint.size).expect("a proof");
        let (leaf, size) = (leaf_hash(data), checkpoint.size);
        let held = merkle::verify_inclusion(leaf, index, size, &proof, checkpoint.root);
        assert_eq!(held, Ok(()), "entry {index}");
    }
    checkpoint.size
}

#[tokio::test]
async fn anyone_can_read_and_check_the_whole_log() {
    let (world, sequencer) = ready().await;
    assert_eq!(world.public.get("/v1/log/checkpoint").await.to_string(), "404 NOT_FOUND");
    assert_eq!(world.public.get("/v1/log/tile/0/000").await.to_string(), "404 NOT_FOUND");
    recorded(&world, "a").await;
    log_all(&world, &sequencer).await;
    let vkey = vkey(&world).await;
    assert_eq!(audit(&world.public, &vkey).await, 2);
    due(&world, 1, 600).await;
    log_all(&world, &sequencer).await;
    assert_eq!(audit(&world.public, &vkey).await, 602);

    let checkpoint = world.public.get("/v1/log/checkpoint").await;
    assert_eq!(checkpoint.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(checkpoint.header("cache-control"), Some("no-cache"));
    let etag = checkpoint.header("etag").expect("a public read has one").to_owned();
    let again = world.public.get("/v1/log/checkpoint").header("if-none-match", etag).await;
    assert_eq!(again.status, 304);
    for (path, cache) in [
        ("0/000", "public, max-age=31536000, immutable"),
        ("entries/001", "public, max-age=31536000, immutable"),
        ("0/002.p/90", "no-cache"),
        ("0/000.p/7", "no-cache"),
        ("1/000.p/2", "no-cache"),
        ("entries/002.p/90", "no-cache"),
    ] {
        let tile = world.public.get(format!("/v1/log/tile/{path}")).await;
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
        let missing = world.public.get(format!("/v1/log/tile/{path}")).await;
        assert_eq!(missing.to_string(), "404 NOT_FOUND", "{path}");
    }
    let refused = world.public.get("/v1/log/checkpoint?tree=1").await;
    assert_eq!(refused.to_string(), "422 VALIDATION_ERROR");
}

#[tokio::test]
async fn what_is_in_the_log_says_where() {
    let (world, sequencer) = ready().await;
    let id = recorded(&world, "a").await;
    let read = async |path: &str| world.key.get(path).await.expect(200);
    let (receipt, decision) = (format!("/v1/receipts/{id}"), format!("/v1/decisions/{id}"));
    assert_eq!(read(&receipt).await["transparency_anchor"], Value::Null);
    assert_eq!(read(&receipt).await["result"].get("transparency_anchor"), None);
    assert_eq!(read(&decision).await["result"].get("transparency_anchor"), None);
    world.key.post("/v1/decisions/record", &chained("c", json!({}))).await.expect(201);
    let (seal, verified) =
        (format!("/v1/chains/{CHAIN}/seal"), format!("/v1/chains/{CHAIN}/verify"));
    let sealed = world.key.post(&seal, &json!({})).await.expect(201);
    assert_eq!(sealed["transparency_anchor"], Value::Null);
    assert_eq!(read(&verified).await["items"][0]["anchored"], json!(false));

    log_all(&world, &sequencer).await;
    world.clock.advance(MINUTE_MS);
    due(&world, 1, 300).await;
    log_all(&world, &sequencer).await;
    let vkey = vkey(&world).await;
    let shown = read(&receipt).await;
    let anchor = &shown["transparency_anchor"];
    assert_eq!(&shown["result"]["transparency_anchor"], anchor);
    assert_eq!(&read(&decision).await["result"]["transparency_anchor"], anchor);
    assert_eq!(anchor["anchored_at"], crate::service::NOW);
    assert_eq!(
        (&anchor["provider"], &anchor["rekor_public_url"]),
        (&json!("embedded"), &Value::Null)
    );
    assert_eq!(read(&verified).await["items"][0]["anchored"], json!(true));
    let sealed = read(&seal).await;
    assert_eq!(world.key.post(&seal, &json!({})).await.expect(200), sealed, "the same seal");
    let approval = world.sql("select policy_id::text from policy_approvals").await.concat();
    let approval = read(&format!("/v1/policies/{approval}/versions/1/approval")).await;
    for (kind, digest, anchor) in [
        (EntryKind::ChainSeal, &sealed["seal_digest"], &sealed["transparency_anchor"]),
        (EntryKind::PolicyApproval, &approval["approval_digest"], &approval["transparency_anchor"]),
    ] {
        let anchor = Anchor::read(&tree(anchor)).unwrap();
        let proof = &anchor.inclusion_proof;
        let note = Note::read(proof.checkpoint.as_deref().unwrap()).unwrap();
        assert_eq!(note.verify(&vkey), Ok(()));
        let leaf = leaf_hash(entry(kind, text(digest).parse().unwrap()).text.as_bytes());
        let (index, size) = (anchor.log_index, proof.tree_size);
        let held = merkle::verify_inclusion(leaf, index, size, &proof.hashes, proof.root_hash);
        assert_eq!(held, Ok(()));
    }
    // What was answered once is answered for ever.
    let again = world.key.post("/v1/decisions/record", &request("a", 1)).await.expect(200);
    assert_eq!(again["decision"]["result"].get("transparency_anchor"), None);
}

#[tokio::test]
async fn an_anchor_is_checked_offline_and_a_changed_one_found() {
    let (world, sequencer) = ready().await;
    let id = recorded(&world, "a").await;
    due(&world, 1, 40).await;
    log_all(&world, &sequencer).await;
    let receipt = world.public.get(format!("/v1/receipts/{id}")).await.expect(200);
    let logs = vec![vkey(&world).await];
    let trust = Trust::new(TrustDocument { logs, ..TrustDocument::default() }).unwrap();
    let nobody = Trust::new(TrustDocument::default()).unwrap();
    let claim = |receipt: &Value, trust: &Trust| {
        let report = verify(&bundle(receipt), trust, &Options::default());
        let claim = report.claim("transparency_proof").unwrap();
        (claim.status, claim.code.map(|code| code.to_string()))
    };
    assert_eq!(claim(&receipt, &trust), (Status::Verified, None));
    let (_, code) = claim(&receipt, &nobody);
    assert_eq!(code.as_deref(), Some("LOG_UNTRUSTED"));
    for (pointer, value) in [
        ("/inclusion_proof/hashes/0", json!("0".repeat(64))),
        ("/inclusion_proof/root_hash", json!("0".repeat(64))),
        ("/inclusion_proof/tree_size", json!(7)),
        ("/entry_uuid", json!("0".repeat(80))),
    ] {
        let mut changed = receipt.clone();
        for anchor in ["/transparency_anchor", "/result/transparency_anchor"] {
            *changed.pointer_mut(&format!("{anchor}{pointer}")).unwrap() = value.clone();
        }
        assert_eq!(claim(&changed, &trust).0, Status::Failed, "{pointer}");
    }
}

/// As much of a bundle as the fourth claim looks at.
fn bundle(receipt: &Value) -> Vec<u8> {
    let (place, mut files) = (BundleScope::Decision, Files::default());
    let statement = tree(&receipt["statement"]);
    let digest = Digest::compute(&file(&statement));
    let anchor = tree(&receipt["transparency_anchor"]);
    let read = Anchor::read(&anchor).expect("an anchor");
    let proof = ProofText {
        index: read.log_index,
        hashes: read.inclusion_proof.hashes.clone(),
        checkpoint: read.inclusion_proof.checkpoint.as_deref().expect("a checkpoint"),
    };
    for (name, bytes) in [
        (place.receipt(), file(&tree(receipt))),
        (place.statement(), file(&statement)),
        (place.entry(), entry(EntryKind::Receipt, digest).text.into_bytes()),
        (place.anchor(), file(&anchor)),
        (place.proof_text(), proof.to_string().into_bytes()),
    ] {
        files.insert(name, bytes).expect("a member");
    }
    write_archive(&files).expect("it is small")
}

#[tokio::test]
async fn a_reader_may_wait_for_the_anchor() {
    let (world, sequencer) = ready().await;
    log_all(&world, &sequencer).await;
    let id = recorded(&world, "a").await;
    world.key.post("/v1/decisions/record", &chained("c", json!({}))).await.expect(201);
    let seal = format!("/v1/chains/{CHAIN}/seal");
    world.key.post(&seal, &json!({})).await.expect(201);
    let (receipt, decision) = (format!("/v1/receipts/{id}"), format!("/v1/decisions/{id}"));
    let wait = |path: &str| {
        let call = world.key.get(format!("{path}?wait_for=anchor"));
        async move { call.await.expect(200) }
    };
    let logged = async {
        world.key.get("/v1/policies").await.expect(200);
        log_all(&world, &sequencer).await;
    };
    let (shown, read, sealed, ()) =
        tokio::join!(wait(&receipt), wait(&decision), wait(&seal), logged);
    assert!(shown["transparency_anchor"].is_object());
    assert_eq!(read["result"]["transparency_anchor"], shown["transparency_anchor"]);
    assert!(sealed["transparency_anchor"].is_object());
    for path in [&receipt, &decision, &seal] {
        let refused = world.key.get(format!("{path}?wait_for=godot")).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR");
        assert_eq!(refused.faults(), "/wait_for format\n");
    }
}

#[tokio::test]
async fn nobody_waits_for_a_log_that_has_no_key() {
    let world =
        TestServiceBuilder { is_signed: false, ..TestServiceBuilder::default() }.world().await;
    world.active("PAY-01").await;
    let id = recorded(&world, "a").await;
    let sequencer = Sequencer::new(&world.governance, Arc::new(InMemoryGuard::default()));
    let turn = sequencer.run_once(&world.governance, world.clock.now()).await.unwrap();
    assert_eq!(turn, BatchResult::NoKey);
    let receipt = world.public.get(format!("/v1/receipts/{id}?wait_for=anchor")).await.expect(200);
    assert_eq!(receipt["transparency_anchor"], Value::Null);
    assert_eq!(world.public.get("/v1/log/checkpoint").await.status, 404);
    let ready = world.public.get("/v1/ready").await.expect(200);
    assert_eq!(ready["checks"], json!({"database": "ok", "log": "unsigned"}));
}

#[tokio::test]
async fn a_store_that_was_put_back_is_not_ready() {
    let (world, sequencer) = ready().await;
    recorded(&world, "a").await;
    log_all(&world, &sequencer).await;
    let ready = world.public.get("/v1/ready").await.expect(200);
    assert_eq!(ready["checks"], json!({"database": "ok", "log": "ok"}));
    let other = InMemoryGuard::default();
    let ahead = transparency_log::SignedTreeHead {
        origin: "govern.example/log/1".to_owned(),
        size: 1_000,
        root: Digest::compute(b"what was signed"),
        is_closed: false,
    };
    transparency_log::RollbackGuard::save(&other, &[ahead]).unwrap();
    let other = Arc::new(other);
    let behind = Sequencer::new(&world.governance, other.clone());
    behind.run_once(&world.governance, world.clock.now()).await.unwrap();
    let refused = world.public.get("/v1/ready").await;
    assert_eq!(refused.to_string(), "503 SERVICE_UNAVAILABLE");
    let checks = json!({"database": "ok", "log": "LOG_ROLLBACK_DETECTED"});
    assert_eq!(refused.details()["checks"], checks);
    let metrics = world.public.get("/metrics").await.text;
    assert!(metrics.contains("govern_log_refused 1\n"), "{metrics}");
    assert!(metrics.contains("govern_log_tree_size 2\n"), "{metrics}");
    // Records go on meanwhile; their anchors wait.
    let id = recorded(&world, "b").await;
    let metrics = world.public.get("/metrics").await.text;
    assert!(metrics.contains("govern_log_pending 1\n"), "{metrics}");
    log_all(&world, &sequencer).await;
    let receipt = world.public.get(format!("/v1/receipts/{id}")).await.expect(200);
    assert_eq!(receipt["transparency_anchor"], Value::Null);

    transparency_log::freeze(&world.governance.operator(), other, None).await.unwrap();
    log_all(&world, &behind).await;
    world.public.get("/v1/ready").await.expect(200);
    let receipt = world.public.get(format!("/v1/receipts/{id}")).await.expect(200);
    assert_eq!(receipt["transparency_anchor"]["log_index"], json!(0));
    assert_eq!(audit(&world.public, &vkey(&world).await).await, 1);
    let tile = Tile { level: Some(0), index: 0, width: 1 };
    assert_eq!(world.public.get(format!("/v1/log/{tile}")).await.bytes.len(), 32);
}
