//! Bundles forged with one stolen key of the service: none verifies.

use std::sync::Arc;

use contract::json::{Limits, Value as Tree};
use governance::proof::{
    transparency_log::{InMemoryGuard, Sequencer},
    trust_registry::{self, Rotation},
};
use receipt::{
    bundle::{self, Files, Subject, path::BundleScope, write_archive},
    canonical_json::CanonicalJson,
    digest::Digest,
    dsse::Envelope,
    key::{PayloadType, SigningKey},
    merkle::leaf_hash,
    transparency_log::{
        Anchor, Checkpoint, EntryKind, InclusionProof, NoteKey, ProofText, VkeyKind, entry, tree_id,
    },
};
use serde_json::{Value, json};
use verify::{Options, Overall, Status, Trust, verify};

use super::{files, full, recorded};
use crate::{
    service::{TestService, world},
    transparency::log_all,
    trust::{another_key, begin, root, trusted},
};

const ORIGIN: &str = "govern.example/log/1";

/// The receipt key of a world.
fn service() -> SigningKey {
    SigningKey::from_seed([9; 32])
}

/// A key that no registry lists.
fn thief() -> SigningKey {
    SigningKey::from_seed([77; 32])
}

/// What the keys for other purposes were derived from the receipt key by, before keys were independent:
/// HMAC-SHA-256 of the purpose under its seed.
fn derived(purpose: &str) -> SigningKey {
    let mut seed = [0_u8; 64];
    seed[..32].copy_from_slice(&[9; 32]);
    let padded = |pad: u8| seed.map(|byte| byte ^ pad).to_vec();
    let message = format!("service-signing-key/v1:{purpose}");
    let inner = Digest::compute(&[padded(0x36), message.into_bytes()].concat());
    SigningKey::from_seed(
        *Digest::compute(&[padded(0x5c), inner.as_bytes().to_vec()].concat()).as_bytes(),
    )
}

/// The keys that a forger signs with.
struct Forger {
    receipts: SigningKey,
    manifests: SigningKey,
    log: NoteKey,
}

fn json_of(files: &Files, name: &str) -> Value {
    serde_json::from_slice(files.get(name).expect(name)).expect("it is JSON")
}

fn tree(value: &Value) -> Tree {
    Tree::parse(value.to_string().as_bytes(), &Limits::BUNDLE_MEMBER).expect("it is JSON")
}

fn replace(files: &mut Files, name: &str, bytes: impl Into<Vec<u8>>) {
    files.remove(name);
    files.insert(name, bytes).expect("it fits");
}

impl Forger {
    /// Makes the bundle of another decision, backdated by half an hour, out of a genuine bundle.
    fn forge(&self, genuine: &Files) -> Files {
        let mut files = genuine.clone();
        let place = BundleScope::Decision;
        let decision = uuid::Uuid::from_u128(0x0f0f_4000_8000_0000_0000_0000_0001);
        let mut statement = json_of(&files, &place.statement());
        statement["decision_id"] = json!(decision);
        statement["idempotency_key_digest"] = json!(Digest::compute(b"forged").to_string());
        statement["recorded_at"] = json!("2026-09-01T10:30:00.000Z");
        statement["timestamp"] = json!("2026-09-01T10:30:00.000Z");
        statement["kid"] = json!(self.receipts.kid());
        let canonical = CanonicalJson::from_value(&tree(&statement));
        let signature = self.receipts.sign(PayloadType::Receipt, &canonical).expect("it is signed");
        let leaf = entry(EntryKind::Receipt, canonical.digest);
        let anchor = self.anchor(&leaf.text);
        let mut view = json_of(&files, &place.receipt());
        let shown: Value = serde_json::from_str(&anchor.canonical().text).expect("it is JSON");
        for pointer in ["", "/result"] {
            let members = view.pointer_mut(pointer).expect("an object");
            members["signature"] = json!(signature);
            members["signature_kid"] = json!(self.receipts.kid());
            members["transparency_anchor"] = shown.clone();
        }
        view["decision_id"] = json!(decision);
        view["result"]["timestamp"] = statement["timestamp"].clone();
        view["statement"] = statement;
        let signed = [(self.receipts.kid(), signature.as_str())];
        let envelope =
            Envelope::new(PayloadType::Receipt, canonical.clone(), signed).expect("an envelope");
        let proof = &anchor.inclusion_proof;
        let checkpoint = proof.checkpoint.as_deref().expect("a checkpoint");
        let text = ProofText { index: 0, hashes: proof.hashes.clone(), checkpoint }.to_string();
        replace(&mut files, &place.receipt(), bundle::file(&tree(&view)));
        replace(&mut files, &place.statement(), canonical.text.as_str());
        replace(&mut files, &place.receipt_envelope(), bundle::file(&envelope.to_value()));
        replace(&mut files, &place.entry(), leaf.text);
        replace(&mut files, &place.anchor(), anchor.canonical().text);
        replace(&mut files, &place.proof_text(), text);
        files.remove("manifest.json");
        files.remove("manifest.dsse.json");
        let tenant_id = view["tenant_id"].as_str().expect("text").parse().expect("an id");
        let subject = Subject::Decision {
            decision_id: decision.into(),
            tenant_id,
            receipt_digest: canonical.digest,
        };
        bundle::close(&mut files, &subject, Some(&self.manifests)).expect("it is not too large");
        files
    }

    /// The anchor of an entry in a tree of its own, under the name of the log.
    fn anchor(&self, entry: &str) -> Anchor {
        let leaf = leaf_hash(entry.as_bytes());
        let text = Checkpoint { origin: ORIGIN.to_owned(), size: 1, root: leaf }.to_string();
        Anchor {
            entry_uuid: format!("{}{leaf}", tree_id(ORIGIN)),
            log_index: 0,
            inclusion_proof: InclusionProof {
                hashes: Vec::new(),
                log_index: 0,
                root_hash: leaf,
                tree_size: 1,
                checkpoint: Some(self.log.sign(&text).expect("it is signed")),
            },
            anchored_at: "2026-09-01T10:30:01.000Z".parse().expect("an instant"),
        }
    }
}

/// A world whose receipt key was retired after it had signed a decision, that decision's bundle, and what
/// verifiers trust since.
async fn retired() -> (TestService, Files, Trust) {
    let world = world().await;
    world.governance.set_log_origin(ORIGIN);
    let sequencer = Sequencer::new(&world.governance, Arc::new(InMemoryGuard::default()));
    log_all(&world, &sequencer).await;
    begin(&world).await;
    world.active("PAY-01").await;
    world.clock.advance(60 * crate::service::MINUTE_MS);
    let path = recorded(&world.key, &full("k")).await;
    log_all(&world, &sequencer).await;
    let pinned = trusted(&world).await;
    let genuine = files(&world.public, &path).await;
    assert_eq!(super::check(&genuine, &pinned).overall, Overall::Verified);
    world.clock.advance(60 * crate::service::MINUTE_MS);
    let rotation = Rotation { to: Some(another_key()), retires: true };
    trust_registry::rotate(&world.governance, &[root()], rotation).await.expect("version 2");
    let genuine = files(&world.public, &path).await;
    let trust = trusted(&world).await;
    (world, genuine, trust)
}

#[tokio::test]
async fn no_single_stolen_key_makes_a_bundle_that_verifies() {
    let (_world, genuine, trust) = retired().await;
    let stolen = [
        // One file of old gave all of these.
        ("retired receipt key", service(), service(), derived("log")),
        ("retired receipt key alone", service(), service(), thief()),
        ("retired receipt key, used for the log", service(), service(), service()),
        ("derived approval key", derived("policy_approval"), derived("policy_approval"), thief()),
        ("derived grant key", derived("capability_grant"), derived("capability_grant"), thief()),
        ("derived log key", derived("log"), derived("log"), derived("log")),
        ("none", thief(), thief(), thief()),
    ];
    for (name, receipts, manifests, log) in stolen {
        let log = NoteKey::new(ORIGIN, VkeyKind::Note, log).expect("a name");
        let forged = Forger { receipts, manifests, log }.forge(&genuine);
        let archive = write_archive(&forged).expect("it is not too large");
        for allow_withheld in [false, true] {
            let options = Options { allow_withheld, ..Options::default() };
            let report = verify(&archive, &trust, &options);
            assert_ne!(report.overall.exit_code(), 0, "{name}: {:#?}", report.claims);
            let receipt = report.claim("receipt").expect("a claim");
            assert_ne!(receipt.status, Status::Verified, "{name}: {receipt:?}");
        }
    }
}

#[tokio::test]
async fn what_a_retired_key_signed_stays_verified_by_the_log() {
    let (_world, genuine, trust) = retired().await;
    let report = super::check(&genuine, &trust);
    let receipt = report.claim("receipt").expect("a claim");
    assert_eq!(receipt.status, Status::Verified);
    assert!(receipt.notes.contains(&verify::Note::KeyRetired));
}
