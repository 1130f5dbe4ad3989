//! Bundles after a tree of the log was frozen, and the proofs of seals.

use std::sync::Arc;

use governance::proof::{
    transparency_log::{self, InMemoryGuard, Sequencer},
    trust_registry::{self, Rotation},
};
use serde_json::json;
use verify::Overall;

use super::{check, files, full, lines, recorded};
use crate::{
    console_bundle::says,
    console_pages::Browser,
    service::{CHAIN, chained, world},
    transparency::log_all,
    trust::{begin, root, trusted},
};

const NO_EVIDENCE: &str = "evidence: not_applicable NO_EVIDENCE";

#[tokio::test]
async fn after_a_freeze_bundles_carry_the_final_proof_beside_the_unchanged_anchor() {
    let world = world().await;
    world.governance.set_log_origin("govern.example/log/1");
    let memory = Arc::new(InMemoryGuard::default());
    let sequencer = Sequencer::new(&world.governance, memory.clone());
    log_all(&world, &sequencer).await;
    begin(&world).await;
    world.active("PAY-01").await;
    let alone = recorded(&world.key, &full("alone")).await;
    log_all(&world, &sequencer).await;
    let step = recorded(&world.key, &chained("step", json!({}))).await;
    world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201);
    log_all(&world, &sequencer).await;
    let chain = format!("/v1/chains/{CHAIN}/bundle");
    let before = [&alone, &step, &chain];
    let mut exported = Vec::new();
    for path in before {
        let bundle = files(&world.public, path).await;
        assert!(bundle.names().all(|name| !name.ends_with("final.tlog-proof")));
        assert_eq!(check(&bundle, &trusted(&world).await).overall, Overall::Verified, "{path}");
        exported.push(bundle);
    }

    // More is logged, so that no earlier proof ends in the final checkpoint.
    recorded(&world.key, &full("between")).await;
    log_all(&world, &sequencer).await;
    transparency_log::freeze(&world.governance.operator(), memory, None).await.expect("a new tree");
    world.clock.advance(1_000);
    let later = recorded(&world.key, &full("later")).await;
    log_all(&world, &sequencer).await;
    let rotation = Rotation { to: None, retires: false };
    let issued =
        trust_registry::rotate(&world.governance, &[root()], rotation).await.expect("version 2");
    let [frozen, open] = &issued.registry.logs[..] else { panic!("two logs are listed") };
    assert!(frozen.final_checkpoint.is_some() && frozen.valid_until.is_some());
    assert!(open.final_checkpoint.is_none() && open.valid_until.is_none());

    let trust = trusted(&world).await;
    for (path, old) in before.into_iter().zip(&exported) {
        let found = lines(&check(old, &trust));
        let frozen = "transparency_proof: indeterminate LOG_FROZEN";
        assert!(found.contains(&frozen.to_owned()), "{path}: {found:?}");
        let new = files(&world.public, path).await;
        let report = check(&new, &trust);
        assert_eq!(report.overall, Overall::Verified, "{path}: {:?}", lines(&report));
        for (name, bytes) in old.iter().filter(|(name, _)| name.starts_with("transparency/")) {
            assert_eq!(new.get(name), Some(bytes), "{name} never changes");
        }
        let proofs = new.names().filter(|name| name.ends_with("final.tlog-proof")).count();
        let logged = new.names().filter(|name| name.ends_with("anchor.json")).count();
        assert_eq!(proofs, logged, "{path}");
    }
    let new = files(&world.public, &later).await;
    assert!(new.names().all(|name| !name.ends_with("final.tlog-proof")));
    assert_eq!(check(&new, &trust).overall, Overall::Verified);
}

#[tokio::test]
async fn a_seal_brings_its_own_proof_and_is_called_pending_only_while_it_is() {
    let world = world().await;
    world.governance.set_log_origin("govern.example/log/1");
    let sequencer = Sequencer::new(&world.governance, Arc::new(InMemoryGuard::default()));
    log_all(&world, &sequencer).await;
    begin(&world).await;
    world.active("PAY-01").await;
    let trust = trusted(&world).await;
    let step = recorded(&world.key, &chained("step", json!({}))).await;
    log_all(&world, &sequencer).await;
    world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201);
    let chain = format!("/v1/chains/{CHAIN}/bundle");
    let pending = "transparency_proof: verified SEAL_ANCHOR_PENDING";
    for path in [&step, &chain] {
        let bundle = files(&world.public, path).await;
        assert_eq!(lines(&check(&bundle, &trust)), [pending, NO_EVIDENCE]);
    }
    log_all(&world, &sequencer).await;
    for path in [&step, &chain] {
        let bundle = files(&world.public, path).await;
        for name in ["entry.json", "anchor.json", "proof.tlog-proof"] {
            assert!(bundle.get(&format!("transparency/seal/{name}")).is_some(), "{path} {name}");
        }
        let report = check(&bundle, &trust);
        assert_eq!(
            (report.overall, lines(&report)),
            (Overall::Verified, vec![NO_EVIDENCE.to_owned()])
        );
    }
    // The pages that show the bundle and its check do not say otherwise.
    let id = step.trim_end_matches("/bundle").rsplit('/').next().expect("an id");
    let page =
        Browser::of(&world, &world.admin().await).page(&format!("decisions/{id}/bundle")).await;
    assert!(says(&page.text, "Entry of the seal in the public log"), "{}", page.text);
    let own = world.public.get(format!("/verify?id={id}")).header("accept", "text/html");
    let own = own.header("sec-fetch-site", "same-origin").await.text;
    assert!(says(&own, "Checked by this service, not by you"), "{own}");
    assert!(!says(&own, "The seal is not in the log yet."), "{own}");
}
