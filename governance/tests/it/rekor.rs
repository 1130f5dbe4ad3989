//! Rekor submissions: checkpoints are published in both dialects of Rekor, and every response is
//! verified.

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

use self::fake_rekor::{FakeRekor, FakeTransport, Fault};
use crate::prelude::*;

const NOTE: &str = "govern.example/log/1\n5\nL/sBGj69QXbJKUGDOyZYvlx/wwAHYn6jr60pXgK4Juk=\n\n— govern.example/log/1 dCgKPm8/\n";

fn key() -> RekorKey {
    RekorKey::from_bytes(&[7; 32]).unwrap()
}

#[tokio::test]
async fn checkpoint_is_submitted_in_both_dialects() {
    for dialect in [Dialect::V1, Dialect::V2] {
        let rekor = FakeRekor::new(dialect, 300);
        let entry = Entry::new(dialect, &key(), NOTE);
        let proof = submit(&rekor, &entry, Some(&rekor.key())).await.unwrap();
        assert_eq!((proof.index, rekor.size()), (300, 301), "{dialect:?}");
        assert_eq!(proof.uuid.is_some(), dialect == Dialect::V1);
        assert_eq!(
            rekor.count_signed_by(&key()),
            1,
            "Rekor verifies the entry with the key of the service"
        );
        let stored: Value = serde_json::from_str(&proof.to_stored(NOTE)).unwrap();
        assert_eq!(stored["schema"], "govern-rekor-proof/v1");
        assert_eq!(stored["dialect"], dialect.as_str());
        assert_eq!(stored["note"], NOTE);
    }
}

#[tokio::test]
async fn resubmitting_an_existing_entry_returns_its_index() {
    // Tests the only entry of a tree, both sides of a full tile, and an entry of a large tree.
    for before in [0, 1, 255, 256, 300, 70_000] {
        for dialect in [Dialect::V1, Dialect::V2] {
            let rekor = FakeRekor::new(dialect, before);
            let entry = Entry::new(dialect, &key(), NOTE);
            let first = submit(&rekor, &entry, Some(&rekor.key())).await.unwrap();
            rekor.add_entries(13);
            let repeated = submit(&rekor, &entry, Some(&rekor.key())).await.unwrap();
            assert_eq!((repeated.index, &repeated.body), (first.index, &first.body), "{dialect:?}");
            assert_eq!(rekor.size(), before + 14, "the entry is added once");
        }
    }
}

#[tokio::test]
async fn conflict_without_index_header_returns_the_index_from_its_message() {
    let rekor = FakeRekor::new(Dialect::V2, 5);
    let entry = Entry::new(Dialect::V2, &key(), NOTE);
    submit(&rekor, &entry, Some(&rekor.key())).await.unwrap();
    rekor.set_fault(Fault::NoIndexHeader);
    assert_eq!(submit(&rekor, &entry, Some(&rekor.key())).await.unwrap().index, 5);
}

#[tokio::test]
async fn invalid_response_is_rejected_with_its_reason() {
    for (fault, expected) in [
        (Fault::OtherEntry, ProofError::OtherEntry),
        (Fault::OtherKey, ProofError::NotSigned),
        (Fault::WrongHash, ProofError::NotIncluded),
        (Fault::MissingHash, ProofError::NotIncluded),
        (Fault::WrongIndex, ProofError::NotIncluded),
        (Fault::Garbage, ProofError::Malformed),
    ] {
        for dialect in [Dialect::V1, Dialect::V2] {
            let rekor = FakeRekor::new(dialect, 300);
            rekor.set_fault(fault);
            let entry = Entry::new(dialect, &key(), NOTE);
            let error = submit(&rekor, &entry, Some(&rekor.key())).await.unwrap_err();
            assert_eq!(error, SubmissionError::Broken(expected), "{fault:?} in {dialect:?}");
        }
    }
}

#[tokio::test]
async fn location_of_another_host_is_not_followed() {
    let rekor = FakeRekor::new(Dialect::V1, 5);
    let entry = Entry::new(Dialect::V1, &key(), NOTE);
    submit(&rekor, &entry, Some(&rekor.key())).await.unwrap();
    rekor.set_fault(Fault::ForeignLocation);
    let error = submit(&rekor, &entry, Some(&rekor.key())).await.unwrap_err();
    assert_eq!(error, SubmissionError::Broken(ProofError::Malformed));
    assert!(rekor.paths().iter().all(|path| path == "/api/v1/log/entries"));
}

#[tokio::test]
async fn error_status_and_missing_response_are_distinguished() {
    let rekor = FakeRekor::new(Dialect::V2, 5);
    let entry = Entry::new(Dialect::V2, &key(), NOTE);
    rekor.set_fault(Fault::Status(429));
    assert_eq!(submit(&rekor, &entry, None).await.unwrap_err(), SubmissionError::Status(429));
    rekor.set_fault(Fault::NoResponse);
    let unreachable = submit(&rekor, &entry, None).await.unwrap_err();
    assert_eq!(unreachable, SubmissionError::Unreachable("no response".to_owned()));
}

/// Creates a service with some log entries, and a fake Rekor server with configurable faults.
async fn populated() -> (TestEnv, Arc<FakeRekor>, Rekor) {
    let (env, _) = test_tenant_with_policy().await;
    append_pending(&env).await;
    let rekor_server = Arc::new(FakeRekor::new(Dialect::V2, 5));
    let rekor = Rekor {
        transport: Box::new(FakeTransport(Arc::clone(&rekor_server))),
        dialect: Dialect::V2,
        log_key: Some(rekor_server.key()),
    };
    (env, rekor_server, rekor)
}

/// Appends the pending entries to the transparency log.
async fn append_pending(env: &TestEnv) {
    let sequencer = Sequencer::new(&env.governance, Arc::new(InMemoryGuard::default()));
    for _ in 0..2 {
        sequencer.run_once(&env.governance, env.governance.clock().now()).await.unwrap();
    }
    sequencer.release(&env.governance).await.unwrap();
}

#[tokio::test]
async fn newest_checkpoint_is_submitted_once() {
    let (env, rekor_server, rekor) = populated().await;
    let now = env.governance.clock().now();
    let run_at = async |millis: i64| rekor.run_once(&env.governance, now.plus_millis(millis)).await;
    assert!(matches!(run_at(0).await.unwrap(), rekor::SubmissionResult::Recorded(1..)));
    assert_eq!(
        run_at(1).await.unwrap(),
        rekor::SubmissionResult::Idle,
        "the checkpoint is submitted already"
    );
    assert_eq!(
        run_at(600_001).await.unwrap(),
        rekor::SubmissionResult::Idle,
        "the log has not grown"
    );
    assert_eq!(rekor_server.size(), 6);
    let last: Value =
        serde_json::from_str(&rekor::latest_proof(&env.governance).await.unwrap()).unwrap();
    let note = transparency_log::checkpoint(&env.governance).await.unwrap();
    assert_eq!(last["note"], note, "the submitted checkpoint is the public one");
}

#[tokio::test]
async fn unreachable_server_is_retried_with_growing_delays() {
    let (env, rekor_server, rekor) = populated().await;
    let run_after = async |millis: i64| {
        env.governance.clock().advance(millis);
        rekor.run_once(&env.governance, env.governance.clock().now()).await.unwrap()
    };
    rekor_server.set_fault(Fault::NoResponse);
    let failed =
        rekor::SubmissionResult::Failed(SubmissionError::Unreachable("no response".to_owned()));
    assert_eq!(run_after(0).await, failed);
    assert_eq!(run_after(29_999).await, rekor::SubmissionResult::Idle, "the first delay is 30 s");
    assert_eq!(run_after(1).await, failed);
    rekor_server.clear_fault();
    assert_eq!(run_after(59_999).await, rekor::SubmissionResult::Idle, "the second delay is 60 s");
    assert!(matches!(run_after(1).await, rekor::SubmissionResult::Recorded(1..)));
    assert_eq!(rekor_server.size(), 6);
}

#[tokio::test]
async fn one_of_two_concurrent_processes_submits_the_checkpoint() {
    let (env, rekor_server, rekor) = populated().await;
    let now = env.governance.clock().now();
    let results =
        tokio::join!(rekor.run_once(&env.governance, now), rekor.run_once(&env.governance, now));
    let results = [results.0.unwrap(), results.1.unwrap()];
    assert!(results.contains(&rekor::SubmissionResult::Idle), "{results:?}");
    assert!(
        results.iter().any(|result| matches!(result, rekor::SubmissionResult::Recorded(_))),
        "{results:?}"
    );
    assert_eq!(rekor_server.size(), 6);
}

/// Checks the inclusion proofs in the bundles of the conformance suite, which are responses of the
/// public Rekor servers. The artifacts are not checked.
#[test]
fn inclusion_proofs_of_the_public_servers_are_verified() {
    // The key of rekor.sigstore.dev. Its digest starts with the key ID in the checkpoints.
    const PRODUCTION_KEY: &str = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2G2Y+2tabdTV5BcGiBIx0a9fAFwrkBbmLSGtks4L3qX6yYY0zufBnhC8Ur/iy55GhWP/9A/bY2LhC30M9+RYtw==";
    // In these cases the artifact is invalid, and the inclusion proof is valid.
    const INVALID_ARTIFACT: [&str; 3] = [
        "wrong-hashedrekord-artifact_fail",
        "wrong-hashedrekord-cert-and-sig_fail",
        "wrong-hashedrekord-entry_fail",
    ];
    let directory =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../receipt/vectors/sigstore-rekor-cases");
    let (mut valid, mut invalid) = (0, 0);
    for case in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let name = case.file_name().into_string().unwrap();
        let Ok(bundle) = std::fs::read(case.path().join("bundle.sigstore.json")) else { continue };
        let bundle: Value = serde_json::from_slice(&bundle).unwrap();
        let entry = &bundle["verificationMaterial"]["tlogEntries"][0];
        let key = match std::fs::read(case.path().join("trusted_root.json")) {
            Ok(root) => instance_key(&serde_json::from_slice(&root).unwrap()),
            Err(_) => LogKey::from_der(&STANDARD.decode(PRODUCTION_KEY).unwrap()).unwrap(),
        };
        let result = Proof::read(Dialect::V2, entry.to_string().as_bytes())
            .and_then(|proof| proof.check_inclusion(Some(&key)));
        let is_valid = !name.ends_with("_fail") || INVALID_ARTIFACT.contains(&name.as_str());
        assert_eq!(result.is_ok(), is_valid, "{name}: {result:?}");
        if is_valid {
            valid += 1;
        } else {
            invalid += 1;
        }
    }
    assert_eq!((valid, invalid), (9, 11));
}

fn instance_key(root: &Value) -> LogKey {
    let logs = root["tlogs"].as_array().unwrap();
    let log = logs.iter().find(|log| log["baseUrl"].as_str().unwrap().contains("log2025")).unwrap();
    let der = log["publicKey"]["rawBytes"].as_str().unwrap();
    LogKey::from_der(&STANDARD.decode(der).unwrap()).unwrap()
}

#[test]
fn log_key_is_parsed_from_pem() {
    let pem = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAPn+AREHoBaZ7wgS1zBqpxmLSGnyhxXj4lFxSdWVB8o8=\n-----END PUBLIC KEY-----\n";
    LogKey::from_pem(pem).unwrap();
    for invalid in ["", "MCow", "-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----"] {
        LogKey::from_pem(invalid).unwrap_err();
    }
}
