//! Bundles after a tree of the transparency log is frozen, and proofs of chain seals.

use std::sync::Arc;

use governance::proof::{
    transparency_log::{self, InMemoryGuard, Sequencer},
    trust_registry::{self, Rotation},
};
use verify::Overall;

use super::{NO_EVIDENCE, check, claim_lines, files, full_request, record_bundle_path};
use crate::{prelude::*, transparency::service_with_log, trust::root};

#[tokio::test]
async fn after_a_freeze_bundles_contain_the_final_proof_and_the_unchanged_anchor() {
    let service = test_service().await;
    let guard = Arc::new(InMemoryGuard::default());
    let sequencer = Sequencer::new(&service.governance, guard.clone());
    append_pending(&service, &sequencer).await;
    create_registry(&service).await;
    service.active("PAY-01").await;
    let unchained = record_bundle_path(&service.key, &full_request("unchained")).await;
    append_pending(&service, &sequencer).await;
    let step = record_bundle_path(&service.key, &chain_request("step", json!({}))).await;
    service.seal_chain().await;
    append_pending(&service, &sequencer).await;
    let chain = format!("/v1/chains/{CHAIN}/bundle");
    let paths = [&unchained, &step, &chain];
    let mut exported = Vec::new();
    for path in paths {
        let bundle = files(&service.public, path).await;
        assert!(bundle.names().all(|name| !name.ends_with("final.tlog-proof")));
        assert_eq!(
            check(&bundle, &current_trust(&service).await).overall,
            Overall::Verified,
            "{path}"
        );
        exported.push(bundle);
    }

    // One more entry is logged, so that no earlier proof refers to the final checkpoint.
    record_bundle_path(&service.key, &full_request("between")).await;
    append_pending(&service, &sequencer).await;
    transparency_log::freeze(&service.governance.operator(), guard, None)
        .await
        .expect("a new tree");
    service.clock.advance(1_000);
    let later = record_bundle_path(&service.key, &full_request("later")).await;
    append_pending(&service, &sequencer).await;
    let rotation = Rotation { to: None, retires: false };
    let issued =
        trust_registry::rotate(&service.governance, &[root()], rotation).await.expect("version 2");
    let [frozen, open] = &issued.registry.logs[..] else { panic!("two logs are listed") };
    assert!(frozen.final_checkpoint.is_some() && frozen.valid_until.is_some());
    assert!(open.final_checkpoint.is_none() && open.valid_until.is_none());

    let trust = current_trust(&service).await;
    for (path, old) in paths.into_iter().zip(&exported) {
        let report_lines = claim_lines(&check(old, &trust));
        let frozen = "transparency_proof: indeterminate LOG_FROZEN";
        assert!(report_lines.contains(&frozen.to_owned()), "{path}: {report_lines:?}");
        let new = files(&service.public, path).await;
        let report = check(&new, &trust);
        assert_eq!(report.overall, Overall::Verified, "{path}: {:?}", claim_lines(&report));
        for (name, bytes) in old.iter().filter(|(name, _)| name.starts_with("transparency/")) {
            assert_eq!(new.get(name), Some(bytes), "{name} never changes");
        }
        let proofs = new.names().filter(|name| name.ends_with("final.tlog-proof")).count();
        let logged = new.names().filter(|name| name.ends_with("anchor.json")).count();
        assert_eq!(proofs, logged, "{path}");
    }
    let new = files(&service.public, &later).await;
    assert!(new.names().all(|name| !name.ends_with("final.tlog-proof")));
    assert_eq!(check(&new, &trust).overall, Overall::Verified);
}

#[tokio::test]
async fn a_seal_has_its_own_proof_and_is_pending_only_until_it_is_logged() {
    let (service, sequencer) = service_with_log().await;
    let trust = current_trust(&service).await;
    let step = record_bundle_path(&service.key, &chain_request("step", json!({}))).await;
    append_pending(&service, &sequencer).await;
    service.seal_chain().await;
    let chain = format!("/v1/chains/{CHAIN}/bundle");
    let pending = "transparency_proof: verified SEAL_ANCHOR_PENDING";
    for path in [&step, &chain] {
        let bundle = files(&service.public, path).await;
        assert_eq!(claim_lines(&check(&bundle, &trust)), [pending, NO_EVIDENCE]);
    }
    append_pending(&service, &sequencer).await;
    for path in [&step, &chain] {
        let bundle = files(&service.public, path).await;
        for name in ["entry.json", "anchor.json", "proof.tlog-proof"] {
            assert!(bundle.get(&format!("transparency/seal/{name}")).is_some(), "{path} {name}");
        }
        let report = check(&bundle, &trust);
        assert_eq!(
            (report.overall, claim_lines(&report)),
            (Overall::Verified, vec![NO_EVIDENCE.to_owned()])
        );
    }
}
