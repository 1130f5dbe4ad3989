//! Rotation of the receipt key: the transparency log continues under its own key, and bundles
//! verify completely.

use std::sync::Arc;

use governance::{
    Governance,
    proof::{
        signing::Purpose,
        transparency_log::{InMemoryGuard, Sequencer},
        trust_registry::{self, Rotation},
    },
};
use serde_json::{Value, json};
use verify::{Overall, Trust};

use super::{NO_CHAIN, claim_lines, full_request, record_bundle_path, verify_bundle};
use crate::{
    client::Client,
    service::{TestProcess, TestService, test_keys, test_service},
    transparency::{append_all_pending, append_pending},
    trust::{another_key, create_registry, current_trust, root},
};

/// A service with a transparency log that its trust registry lists.
async fn with_log() -> (TestService, Sequencer) {
    let service = test_service().await;
    let sequencer = Sequencer::new(&service.governance, Arc::new(InMemoryGuard::default()));
    append_pending(&service, &sequencer).await;
    create_registry(&service).await;
    service.active("PAY-01").await;
    (service, sequencer)
}

/// Starts a process with another key of `purpose` and returns it with its client.
async fn next_process(service: &TestService, purpose: Purpose) -> (Governance, Client) {
    let provider = Arc::new(test_keys().with(purpose, another_key()));
    let process = TestProcess { provider: Some(provider), ..TestProcess::default() };
    let process = process.start(&service.database, service.clock.clone(), 2).await;
    let client = service.start_process_with(process.clone(), service.service.edge.clone()).await;
    (process, client)
}

async fn log_readiness(client: &Client) -> Value {
    client.get("/v1/ready").await.expect(200)["checks"]["log"].clone()
}

/// Checks that a bundle verifies completely under each trust input.
async fn assert_verified(client: &Client, path: &str, trusts: &[&Trust]) {
    let bundle = client.get(path).await;
    for trust in trusts {
        let report = verify_bundle(&bundle.bytes, trust);
        assert_eq!(
            (report.overall, claim_lines(&report)),
            (Overall::Verified, vec![NO_CHAIN.to_owned()])
        );
        assert_eq!(report.registry_version, Some(2));
    }
}

#[tokio::test]
async fn after_a_rotation_the_log_continues_and_every_bundle_verifies() {
    let (service, sequencer) = with_log().await;
    let old = record_bundle_path(&service.key, &full_request("old")).await;
    append_pending(&service, &sequencer).await;
    let pinned = current_trust(&service).await;
    service.clock.advance(1_000);
    let rotation = Rotation { to: Some(another_key()), retires: false };
    trust_registry::rotate(&service.governance, &[root()], rotation).await.expect("version 2");
    sequencer.release(&service.governance).await.expect("the lease is released");

    let (process, client) = next_process(&service, Purpose::Receipt).await;
    let next_sequencer = Sequencer::new(&process, Arc::new(InMemoryGuard::default()));
    append_all_pending(&process, &next_sequencer).await;
    assert_eq!(log_readiness(&client).await, json!("ok"));
    let authorization = service.key.header("authorization").expect("the client has an API key");
    let key = client
        .with("x-service-tenant-id", service.tenant)
        .with("authorization", authorization.to_owned());
    let new = record_bundle_path(&key, &full_request("new")).await;
    let receipt = new.trim_end_matches("/bundle");
    let read_anchored = async { key.get(format!("{receipt}?wait_for=anchor")).await.expect(200) };
    let (anchored, ()) = tokio::join!(read_anchored, append_all_pending(&process, &next_sequencer));
    assert!(anchored["transparency_anchor"].is_object());
    assert_eq!(anchored["signature_kid"], json!(another_key().kid()));
    let later = current_trust(&service).await;
    for path in [&old, &new] {
        assert_verified(&client, path, &[&pinned, &later]).await;
        assert_verified(&service.public, path, &[&pinned, &later]).await;
    }
    assert_eq!(log_readiness(&client).await, json!("ok"));
}

#[tokio::test]
async fn a_process_without_the_key_of_the_log_leaves_entries_to_a_process_with_it() {
    let (service, sequencer) = with_log().await;
    append_pending(&service, &sequencer).await;
    sequencer.release(&service.governance).await.expect("the lease is released");
    let (process, client) = next_process(&service, Purpose::Log).await;
    let other = Sequencer::new(&process, Arc::new(InMemoryGuard::default()));
    let path = record_bundle_path(&service.key, &full_request("k")).await;
    append_all_pending(&process, &other).await;
    assert_eq!(log_readiness(&client).await, json!("LOG_KEY_CHANGED"));
    let receipt = client.get(path.trim_end_matches("/bundle")).await.expect(200);
    assert_eq!(receipt["transparency_anchor"], Value::Null);
    append_pending(&service, &sequencer).await;
    let receipt = client.get(path.trim_end_matches("/bundle")).await.expect(200);
    assert!(receipt["transparency_anchor"].is_object(), "the process with the key logs the entry");
}
