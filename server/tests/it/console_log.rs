//! The public page of the transparency log: its checkpoint, the entries of a digest, and its states.

use std::sync::Arc;

use governance::proof::transparency_log::{self, InMemoryGuard, RollbackGuard, SignedTreeHead};
use receipt::digest::Digest;

use crate::{
    prelude::*,
    transparency::{new_sequencer, service_with_log},
};

const ORIGIN: &str = "govern.example/log/1";

/// Returns the page at `path` as an anonymous user sees it.
async fn page(service: &TestService, path: &str) -> String {
    let response = service.public.with("accept", "text/html").get(path).await;
    assert_eq!(response.status, 200, "{path}");
    response.text
}

/// Returns the digest of the receipt of the only decision.
async fn receipt_digest(service: &TestService) -> String {
    let digest = "select event::json->'details'->>'receipt_digest' from audit_events \
                  where action = 'decision.record'";
    service.sql(digest).await.concat()
}

#[tokio::test]
async fn the_page_shows_the_checkpoint_and_the_inclusion_proof_of_a_digest() {
    let (service, sequencer) = service_with_log().await;
    let decision = service.record("a", 1).await;
    let receipt = format!("/v1/receipts/{}", text(&decision["id"]));
    let digest = receipt_digest(&service).await;
    let pending = page(&service, &format!("/log?digest={digest}")).await;
    assert_shows(&pending, ["The log has no entry for this digest."]);

    append_pending(&service, &sequencer).await;
    let trees = transparency_log::show(&service.governance.operator()).await.expect("trees");
    let tree = trees.last().expect("a tree");
    let found = page(&service, &format!("/log?digest={}", digest.to_uppercase())).await;
    let anchor = &service.public.get(receipt).await.expect(200)["transparency_anchor"];
    let leaf = text(&anchor["entry_uuid"]).split_at(16).1;
    let hash = |hash: &Value| text(hash).to_owned();
    let size = format!("Entries {}", tree.size);
    assert_shows(
        &found,
        [
            ORIGIN,
            &size,
            &tree.root,
            &tree.vkey,
            "No witness cosigned this checkpoint.",
            "No checkpoint was submitted to Rekor.",
            "Receipt",
            leaf,
            &hash(&anchor["inclusion_proof"]["root_hash"]),
            "c2sp.org/tlog-proof@v1",
        ],
    );
    assert!(!contains_text(&found, "Earlier logs"));

    for digest in ["0", "g"] {
        let invalid = page(&service, &format!("/log?digest={digest}")).await;
        assert_shows(&invalid, ["Enter a digest of 64 characters"]);
    }
}

#[tokio::test]
async fn a_halted_log_states_its_reason_and_a_frozen_log_is_listed_as_an_earlier_one() {
    let (service, sequencer) = service_with_log().await;
    let decision = service.record("a", 1).await;
    append_pending(&service, &sequencer).await;
    let guard = Arc::new(InMemoryGuard::default());
    let ahead = SignedTreeHead {
        origin: ORIGIN.to_owned(),
        size: 1_000,
        root: Digest::compute(b"a signed tree head"),
        is_closed: false,
    };
    guard.save(&[ahead]).expect("the guard is in memory");
    let behind = transparency_log::Sequencer::new(&service.governance, guard.clone());
    behind.run_once(&service.governance, service.clock.now()).await.expect("a result");
    let halted = page(&service, "/log").await;
    assert_shows(
        &halted,
        ["The log is halted.", "LOG_ROLLBACK_DETECTED", "The database is older than"],
    );

    transparency_log::freeze(&service.governance.operator(), guard, None).await.expect("a tree");
    append_pending(&service, &behind).await;
    let digest = receipt_digest(&service).await;
    let frozen = page(&service, &format!("/log?digest={digest}")).await;
    assert_shows(&frozen, ["govern.example/log/2", "Earlier logs", "under the final checkpoint"]);
    assert!(!contains_text(&frozen, "The log is halted."));
    assert!(!frozen.contains(text(&decision["id"])), "the page has no data of a tenant");
}

#[tokio::test]
async fn a_service_without_keys_states_that_its_log_is_disabled() {
    let service =
        TestServiceBuilder { is_signed: false, ..TestServiceBuilder::default() }.start().await;
    assert_shows(&page(&service, "/log").await, ["The transparency log is disabled."]);
}

#[testkit::test]
async fn a_log_that_has_not_started_has_no_checkpoint(service: TestService) {
    assert_shows(&page(&service, "/log").await, ["No checkpoint yet."]);
    append_pending(&service, &new_sequencer(&service.governance)).await;
    assert!(!contains_text(&page(&service, "/log").await, "No checkpoint yet."));
}
