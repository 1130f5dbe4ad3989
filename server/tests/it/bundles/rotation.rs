//! A new receipt key leaves the log as it is: it goes on under its own key, and bundles verify in full.

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

use super::{NO_CHAIN, checked, full, lines, recorded};
use crate::{
    client::Client,
    service::{ProcessKeys, TestService, use_cases_with, world, world_keys},
    transparency::{log_all, log_what_waits},
    trust::{another_key, begin, root, trusted},
};

/// A world whose log began before its registry, which lists it.
async fn logged() -> (TestService, Sequencer) {
    let world = world().await;
    world.governance.set_log_origin("govern.example/log/1");
    let sequencer = Sequencer::new(&world.governance, Arc::new(InMemoryGuard::default()));
    log_all(&world, &sequencer).await;
    begin(&world).await;
    world.active("PAY-01").await;
    (world, sequencer)
}

/// A process with another key of `purpose`, and its client.
async fn next_process(world: &TestService, purpose: Purpose) -> (Governance, Client) {
    let provider = Arc::new(world_keys().with(purpose, another_key()));
    let keys = ProcessKeys { provider: Some(provider), ..ProcessKeys::default() };
    let process = use_cases_with(&world.database, world.clock.clone(), 2, keys).await;
    let client = world.process_of(process.clone(), world.service.edge.clone()).await;
    (process, client)
}

async fn ready(client: &Client) -> Value {
    client.get("/v1/ready").await.expect(200)["checks"]["log"].clone()
}

/// Checks that a bundle verifies in full for each of these.
async fn verifies(client: &Client, path: &str, trusts: &[&Trust]) {
    let bundle = client.get(path).await;
    for trust in trusts {
        let report = checked(&bundle.bytes, trust);
        assert_eq!(
            (report.overall, lines(&report)),
            (Overall::Verified, vec![NO_CHAIN.to_owned()])
        );
        assert_eq!(report.registry_version, Some(2));
    }
}

#[tokio::test]
async fn after_a_rotation_the_log_goes_on_and_every_bundle_verifies_in_full() {
    let (world, sequencer) = logged().await;
    let old = recorded(&world.key, &full("old")).await;
    log_all(&world, &sequencer).await;
    let pinned = trusted(&world).await;
    world.clock.advance(1_000);
    let rotation = Rotation { to: Some(another_key()), retires: false };
    trust_registry::rotate(&world.governance, &[root()], rotation).await.expect("version 2");
    sequencer.release(&world.governance).await.expect("the store is there");

    let (process, client) = next_process(&world, Purpose::Receipt).await;
    let begun = Sequencer::new(&process, Arc::new(InMemoryGuard::default()));
    log_what_waits(&process, &begun).await;
    assert_eq!(ready(&client).await, json!("ok"));
    let authorization = world.key.header("authorization").expect("it is a key's");
    let key = client
        .with("x-service-tenant-id", world.tenant)
        .with("authorization", authorization.to_owned());
    let new = recorded(&key, &full("new")).await;
    let receipt = new.trim_end_matches("/bundle");
    let waiting = async { key.get(format!("{receipt}?wait_for=anchor")).await.expect(200) };
    let (shown, ()) = tokio::join!(waiting, log_what_waits(&process, &begun));
    assert!(shown["transparency_anchor"].is_object());
    assert_eq!(shown["signature_kid"], json!(another_key().kid()));
    let later = trusted(&world).await;
    for path in [&old, &new] {
        verifies(&client, path, &[&pinned, &later]).await;
        verifies(&world.public, path, &[&pinned, &later]).await;
    }
    assert_eq!(ready(&client).await, json!("ok"));
}

#[tokio::test]
async fn a_process_without_the_key_of_the_log_leaves_it_to_those_that_have_it() {
    let (world, sequencer) = logged().await;
    log_all(&world, &sequencer).await;
    sequencer.release(&world.governance).await.expect("the store is there");
    let (process, client) = next_process(&world, Purpose::Log).await;
    let other = Sequencer::new(&process, Arc::new(InMemoryGuard::default()));
    let path = recorded(&world.key, &full("k")).await;
    log_what_waits(&process, &other).await;
    assert_eq!(ready(&client).await, json!("LOG_KEY_CHANGED"));
    let receipt = client.get(path.trim_end_matches("/bundle")).await.expect(200);
    assert_eq!(receipt["transparency_anchor"], Value::Null);
    log_all(&world, &sequencer).await;
    let receipt = client.get(path.trim_end_matches("/bundle")).await.expect(200);
    assert!(receipt["transparency_anchor"].is_object(), "who has the key goes on");
}
