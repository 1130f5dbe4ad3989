//! Checkpoints are put on record at Rekor, in both of its dialects, and nothing that it answers is
//! believed unchecked.

mod fake_rekor;

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use governance::proof::{
    rekor::{
        self, Dialect, Entry, LogKey, Proof, ProofError, Rekor, RekorKey, SubmissionError, submit,
    },
    transparency_log::{self, InMemoryGuard, Sequencer},
};
use serde_json::Value;

use self::fake_rekor::{FakeTransport, Fault, Instance};
use crate::fixtures::{TestEnv, spending, world};

const NOTE: &str = "govern.example/log/1\n5\nL/sBGj69QXbJKUGDOyZYvlx/wwAHYn6jr60pXgK4Juk=\n\n— govern.example/log/1 dCgKPm8/\n";

fn key() -> RekorKey {
    RekorKey::from_bytes(&[7; 32]).unwrap()
}

#[tokio::test]
async fn a_checkpoint_is_put_on_record_in_both_dialects() {
    for dialect in [Dialect::V1, Dialect::V2] {
        let rekor = Instance::new(dialect, 300);
        let entry = Entry::new(dialect, &key(), NOTE);
        let proof = submit(&rekor, &entry, Some(&rekor.key())).await.unwrap();
        assert_eq!((proof.index, rekor.size()), (300, 301), "{dialect:?}");
        assert_eq!(proof.uuid.is_some(), dialect == Dialect::V1);
        assert_eq!(
            rekor.signed_by(&key()),
            1,
            "the entry is signed by our key, as Rekor checks it"
        );
        let kept: Value = serde_json::from_str(&proof.to_stored(NOTE)).unwrap();
        assert_eq!(kept["schema"], "govern-rekor-proof/v1");
        assert_eq!(kept["dialect"], dialect.as_str());
        assert_eq!(kept["note"], NOTE);
    }
}

#[tokio::test]
async fn an_entry_that_is_there_already_is_found_again() {
    // The places of the entry: in a tree of one, at both sides of a full tile, deep in the tree.
    for before in [0, 1, 255, 256, 300, 70_000] {
        for dialect in [Dialect::V1, Dialect::V2] {
            let rekor = Instance::new(dialect, before);
            let entry = Entry::new(dialect, &key(), NOTE);
            let first = submit(&rekor, &entry, Some(&rekor.key())).await.unwrap();
            rekor.grow(13);
            let again = submit(&rekor, &entry, Some(&rekor.key())).await.unwrap();
            assert_eq!((again.index, &again.body), (first.index, &first.body), "{dialect:?}");
            assert_eq!(rekor.size(), before + 14, "one entry, and those of others");
        }
    }
}

#[tokio::test]
async fn an_older_instance_says_the_number_in_a_sentence() {
    let rekor = Instance::new(Dialect::V2, 5);
    let entry = Entry::new(Dialect::V2, &key(), NOTE);
    submit(&rekor, &entry, Some(&rekor.key())).await.unwrap();
    rekor.fails(Fault::NoIndexHeader);
    assert_eq!(submit(&rekor, &entry, Some(&rekor.key())).await.unwrap().index, 5);
}

#[tokio::test]
async fn what_an_instance_gets_wrong_is_named() {
    for (fault, expected) in [
        (Fault::OtherEntry, ProofError::OtherEntry),
        (Fault::OtherKey, ProofError::NotSigned),
        (Fault::WrongHash, ProofError::NotIncluded),
        (Fault::MissingHash, ProofError::NotIncluded),
        (Fault::WrongIndex, ProofError::NotIncluded),
        (Fault::Garbage, ProofError::Malformed),
    ] {
        for dialect in [Dialect::V1, Dialect::V2] {
            let rekor = Instance::new(dialect, 300);
            rekor.fails(fault);
            let entry = Entry::new(dialect, &key(), NOTE);
            let refused = submit(&rekor, &entry, Some(&rekor.key())).await.unwrap_err();
            assert_eq!(refused, SubmissionError::Broken(expected), "{fault:?} in {dialect:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_cannot_send_us_elsewhere() {
    let rekor = Instance::new(Dialect::V1, 5);
    let entry = Entry::new(Dialect::V1, &key(), NOTE);
    submit(&rekor, &entry, Some(&rekor.key())).await.unwrap();
    rekor.fails(Fault::ForeignLocation);
    let refused = submit(&rekor, &entry, Some(&rekor.key())).await.unwrap_err();
    assert_eq!(refused, SubmissionError::Broken(ProofError::Malformed));
    assert!(rekor.paths().iter().all(|path| path == "/api/v1/log/entries"));
}

#[tokio::test]
async fn refusals_and_silence_are_told_apart() {
    let rekor = Instance::new(Dialect::V2, 5);
    let entry = Entry::new(Dialect::V2, &key(), NOTE);
    rekor.fails(Fault::Status(429));
    assert_eq!(submit(&rekor, &entry, None).await.unwrap_err(), SubmissionError::Status(429));
    rekor.fails(Fault::Silence);
    let silent = submit(&rekor, &entry, None).await.unwrap_err();
    assert_eq!(silent, SubmissionError::Unreachable("no answer".to_owned()));
}

/// A service with a log of some entries, and an instance that may be told what to get wrong.
async fn ready() -> (TestEnv, Arc<Instance>, Rekor) {
    let world = world().await;
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    grow(&world).await;
    let instance = Arc::new(Instance::new(Dialect::V2, 5));
    let rekor = Rekor {
        courier: Box::new(FakeTransport(Arc::clone(&instance))),
        dialect: Dialect::V2,
        log_key: Some(instance.key()),
    };
    (world, instance, rekor)
}

/// Logs what waits.
async fn grow(world: &TestEnv) {
    let sequencer = Sequencer::new(&world.governance, Arc::new(InMemoryGuard::default()));
    for _ in 0..2 {
        sequencer.run_once(&world.governance, world.governance.clock().now()).await.unwrap();
    }
    sequencer.release(&world.governance).await.unwrap();
}

#[tokio::test]
async fn the_newest_checkpoint_is_put_on_record_once_in_a_while() {
    let (world, instance, rekor) = ready().await;
    let now = world.governance.clock().now();
    let turn = async |millis: i64| rekor.run_once(&world.governance, now.plus_millis(millis)).await;
    assert!(matches!(turn(0).await.unwrap(), rekor::SubmissionResult::Recorded(1..)));
    assert_eq!(turn(1).await.unwrap(), rekor::SubmissionResult::Idle, "it is on record");
    assert_eq!(
        turn(600_001).await.unwrap(),
        rekor::SubmissionResult::Idle,
        "the log has not grown"
    );
    assert_eq!(instance.size(), 6);
    let last: Value =
        serde_json::from_str(&rekor::latest_proof(&world.governance).await.unwrap()).unwrap();
    let note = transparency_log::checkpoint(&world.governance).await.unwrap();
    assert_eq!(last["note"], note, "what was put on record is what everybody reads");
}

#[tokio::test]
async fn an_instance_that_is_away_is_asked_again_with_growing_pauses() {
    let (world, instance, rekor) = ready().await;
    let turn_after = async |millis: i64| {
        world.governance.clock().advance(millis);
        rekor.run_once(&world.governance, world.governance.clock().now()).await.unwrap()
    };
    instance.fails(Fault::Silence);
    let failed =
        rekor::SubmissionResult::Failed(SubmissionError::Unreachable("no answer".to_owned()));
    assert_eq!(turn_after(0).await, failed);
    assert_eq!(turn_after(29_999).await, rekor::SubmissionResult::Idle, "the first pause is 30 s");
    assert_eq!(turn_after(1).await, failed);
    instance.recovers();
    assert_eq!(turn_after(59_999).await, rekor::SubmissionResult::Idle, "the second is a minute");
    assert!(matches!(turn_after(1).await, rekor::SubmissionResult::Recorded(1..)));
    assert_eq!(instance.size(), 6);
}

#[tokio::test]
async fn of_two_processes_one_puts_a_checkpoint_on_record() {
    let (world, instance, rekor) = ready().await;
    let now = world.governance.clock().now();
    let turns = tokio::join!(
        rekor.run_once(&world.governance, now),
        rekor.run_once(&world.governance, now)
    );
    let turns = [turns.0.unwrap(), turns.1.unwrap()];
    assert!(turns.contains(&rekor::SubmissionResult::Idle), "{turns:?}");
    assert!(
        turns.iter().any(|turn| matches!(turn, rekor::SubmissionResult::Recorded(_))),
        "{turns:?}"
    );
    assert_eq!(instance.size(), 6);
}

/// Answers of the public instances, as they stand in the bundles of the conformance suite: the proof
/// of each, whatever artifact it is for.
#[test]
fn proofs_of_the_public_instances() {
    // Of rekor.sigstore.dev; its digest begins with the id that its checkpoints carry.
    const PRODUCTION: &str = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2G2Y+2tabdTV5BcGiBIx0a9fAFwrkBbmLSGtks4L3qX6yYY0zufBnhC8Ur/iy55GhWP/9A/bY2LhC30M9+RYtw==";
    // What is wrong with these is the artifact, not the log.
    const OF_THE_ARTIFACT: [&str; 3] = [
        "wrong-hashedrekord-artifact_fail",
        "wrong-hashedrekord-cert-and-sig_fail",
        "wrong-hashedrekord-entry_fail",
    ];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../receipt/vectors/sigstore-rekor-cases");
    let mut seen = (0, 0);
    for case in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = case.file_name().into_string().unwrap();
        let Ok(bundle) = std::fs::read(case.path().join("bundle.sigstore.json")) else { continue };
        let bundle: Value = serde_json::from_slice(&bundle).unwrap();
        let entry = &bundle["verificationMaterial"]["tlogEntries"][0];
        let key = match std::fs::read(case.path().join("trusted_root.json")) {
            Ok(root) => instance_key(&serde_json::from_slice(&root).unwrap()),
            Err(_) => LogKey::from_der(&STANDARD.decode(PRODUCTION).unwrap()).unwrap(),
        };
        let proven = Proof::read(Dialect::V2, entry.to_string().as_bytes())
            .and_then(|proof| proof.check_inclusion(Some(&key)));
        let good = !name.ends_with("_fail") || OF_THE_ARTIFACT.contains(&name.as_str());
        assert_eq!(proven.is_ok(), good, "{name}: {proven:?}");
        seen = if good { (seen.0 + 1, seen.1) } else { (seen.0, seen.1 + 1) };
    }
    assert_eq!(seen, (9, 11));
}

fn instance_key(root: &Value) -> LogKey {
    let logs = root["tlogs"].as_array().unwrap();
    let log = logs.iter().find(|log| log["baseUrl"].as_str().unwrap().contains("log2025")).unwrap();
    let der = log["publicKey"]["rawBytes"].as_str().unwrap();
    LogKey::from_der(&STANDARD.decode(der).unwrap()).unwrap()
}

#[test]
fn a_log_s_key_is_read_as_pem() {
    let pem = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAPn+AREHoBaZ7wgS1zBqpxmLSGnyhxXj4lFxSdWVB8o8=\n-----END PUBLIC KEY-----\n";
    LogKey::from_pem(pem).unwrap();
    for bad in ["", "MCow", "-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----"] {
        LogKey::from_pem(bad).unwrap_err();
    }
}
