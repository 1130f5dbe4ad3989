//! Rotation of the receipt key: the transparency log continues under its own key, and bundles
//! verify completely.

use std::sync::Arc;

use governance::{
    Governance,
    proof::{
        signing::Purpose,
        trust_registry::{self, Rotation},
    },
};
use serde_json::{Value, json};
use verify::{Overall, Trust};

use super::{NO_CHAIN, claim_lines, full_request, record_bundle_path, verify_bundle};
use crate::{
    client::Client,
    service::{TestService, test_keys},
    transparency::{append_all_pending, append_pending, new_sequencer, service_with_log},
    trust::{another_key, current_trust, root},
};

/// Starts a process with another key of `purpose` and returns it with its client.
async fn next_process(service: &TestService, purpose: Purpose) -> (Governance, Client) {
    service.start_process_with_keys(Arc::new(test_keys().with(purpose, another_key()))).await
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
    let (service, sequencer) = service_with_log().await;
    let old = record_bundle_path(&service.key, &full_request("old")).await;
    append_pending(&service, &sequencer).await;
    let pinned = current_trust(&service).await;
    service.clock.advance(1_000);
    let rotation = Rotation { to: Some(another_key()), retires: false };
    trust_registry::rotate(&service.governance, &[root()], rotation).await.expect("version 2");
    sequencer.release(&service.governance).await.expect("the lease is released");

    let (process, client) = next_process(&service, Purpose::Receipt).await;
    let next_sequencer = new_sequencer(&process);
    append_all_pending(&process, &next_sequencer).await;
    assert_eq!(log_readiness(&client).await, json!("ok"));
    let key = service.key.at_process_of(&client);
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
    let (service, sequencer) = service_with_log().await;
    append_pending(&service, &sequencer).await;
    sequencer.release(&service.governance).await.expect("the lease is released");
    let (process, client) = next_process(&service, Purpose::Log).await;
    let other = new_sequencer(&process);
    let path = record_bundle_path(&service.key, &full_request("k")).await;
    append_all_pending(&process, &other).await;
    assert_eq!(log_readiness(&client).await, json!("LOG_KEY_CHANGED"));
    let receipt = client.get(path.trim_end_matches("/bundle")).await.expect(200);
    assert_eq!(receipt["transparency_anchor"], Value::Null);
    append_pending(&service, &sequencer).await;
    let receipt = client.get(path.trim_end_matches("/bundle")).await.expect(200);
    assert!(receipt["transparency_anchor"].is_object(), "the process with the key logs the entry");
}
