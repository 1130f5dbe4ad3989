//! Bundles that are forged with one stolen key of the service fail verification.

use contract::verification::Claim;
use governance::proof::trust_registry::{self, Rotation};
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

use super::{check, files, full_request, record_bundle_path, replace};
use crate::{
    client::tree,
    service::{MINUTE_MS, TestService},
    transparency::{append_pending, service_with_log},
    trust::{another_key, current_trust, root},
};

const ORIGIN: &str = "govern.example/log/1";

fn receipt_key() -> SigningKey {
    SigningKey::from_seed([9; 32])
}

fn unlisted_key() -> SigningKey {
    SigningKey::from_seed([77; 32])
}

/// Derives the key for another purpose from the receipt key, as earlier versions of the service did:
/// its seed is HMAC-SHA-256 of the purpose under the seed of the receipt key.
fn derived_key(purpose: &str) -> SigningKey {
    let mut seed = [0_u8; 64];
    seed[..32].copy_from_slice(&[9; 32]);
    let padded = |pad: u8| seed.map(|byte| byte ^ pad).to_vec();
    let message = format!("service-signing-key/v1:{purpose}");
    let inner = Digest::compute(&[padded(0x36), message.into_bytes()].concat());
    SigningKey::from_seed(
        *Digest::compute(&[padded(0x5c), inner.as_bytes().to_vec()].concat()).as_bytes(),
    )
}

/// The keys that sign a forged bundle.
struct Forger {
    receipts: SigningKey,
    manifests: SigningKey,
    log: NoteKey,
}

fn json_of(files: &Files, name: &str) -> Value {
    serde_json::from_slice(files.get(name).expect(name)).expect("valid JSON")
}

impl Forger {
    /// Creates the bundle of another decision, backdated by half an hour, from a genuine bundle.
    fn forge(&self, genuine: &Files) -> Files {
        let mut files = genuine.clone();
        let scope = BundleScope::Decision;
        let decision = uuid::Uuid::from_u128(0x0f0f_4000_8000_0000_0000_0000_0001);
        let mut statement = json_of(&files, &scope.statement());
        statement["decision_id"] = json!(decision);
        statement["idempotency_key_digest"] = json!(Digest::compute(b"forged").to_string());
        statement["recorded_at"] = json!("2026-09-01T10:30:00.000Z");
        statement["timestamp"] = json!("2026-09-01T10:30:00.000Z");
        statement["kid"] = json!(self.receipts.kid());
        let canonical = CanonicalJson::from_value(&tree(&statement));
        let signature = self.receipts.sign(PayloadType::Receipt, &canonical).expect("a signature");
        let leaf = entry(EntryKind::Receipt, canonical.digest);
        let anchor = self.anchor(&leaf.text);
        let mut view = json_of(&files, &scope.receipt());
        let anchor_json: Value =
            serde_json::from_str(&anchor.canonical().text).expect("valid JSON");
        for pointer in ["", "/result"] {
            let members = view.pointer_mut(pointer).expect("an object");
            members["signature"] = json!(signature);
            members["signature_kid"] = json!(self.receipts.kid());
            members["transparency_anchor"] = anchor_json.clone();
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
        replace(&mut files, &scope.receipt(), bundle::file(&tree(&view)));
        replace(&mut files, &scope.statement(), canonical.text.as_str());
        replace(&mut files, &scope.receipt_envelope(), bundle::file(&envelope.to_value()));
        replace(&mut files, &scope.entry(), leaf.text);
        replace(&mut files, &scope.anchor(), anchor.canonical().text);
        replace(&mut files, &scope.proof_text(), text);
        files.remove("manifest.json");
        files.remove("manifest.dsse.json");
        let tenant_id = view["tenant_id"].as_str().expect("text").parse().expect("an id");
        let subject = Subject::Decision {
            decision_id: decision.into(),
            tenant_id,
            receipt_digest: canonical.digest,
        };
        bundle::close(&mut files, &subject, Some(&self.manifests))
            .expect("the archive is within the limits");
        files
    }

    /// Creates an anchor of an entry in a separate tree with the origin of the log.
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
                checkpoint: Some(self.log.sign(&text).expect("a signature")),
            },
            anchored_at: "2026-09-01T10:30:01.000Z".parse().expect("a timestamp"),
        }
    }
}

/// A service with a retired receipt key, the bundle of a decision that the key signed, and the
/// current trust input.
async fn with_retired_key() -> (TestService, Files, Trust) {
    let (service, sequencer) = service_with_log().await;
    service.clock.advance(60 * MINUTE_MS);
    let path = record_bundle_path(&service.key, &full_request("k")).await;
    append_pending(&service, &sequencer).await;
    let pinned = current_trust(&service).await;
    let genuine = files(&service.public, &path).await;
    assert_eq!(check(&genuine, &pinned).overall, Overall::Verified);
    service.clock.advance(60 * MINUTE_MS);
    let rotation = Rotation { to: Some(another_key()), retires: true };
    trust_registry::rotate(&service.governance, &[root()], rotation).await.expect("version 2");
    let genuine = files(&service.public, &path).await;
    let trust = current_trust(&service).await;
    (service, genuine, trust)
}

#[tokio::test]
async fn bundles_forged_with_one_stolen_key_fail_verification() {
    let (_world, genuine, trust) = with_retired_key().await;
    let stolen = [
        // The seed of the receipt key was sufficient for all of these keys.
        ("retired receipt key", receipt_key(), receipt_key(), derived_key("log")),
        ("retired receipt key alone", receipt_key(), receipt_key(), unlisted_key()),
        ("retired receipt key, used for the log", receipt_key(), receipt_key(), receipt_key()),
        (
            "derived approval key",
            derived_key("policy_approval"),
            derived_key("policy_approval"),
            unlisted_key(),
        ),
        (
            "derived grant key",
            derived_key("capability_grant"),
            derived_key("capability_grant"),
            unlisted_key(),
        ),
        ("derived log key", derived_key("log"), derived_key("log"), derived_key("log")),
        ("none", unlisted_key(), unlisted_key(), unlisted_key()),
    ];
    for (name, receipts, manifests, log) in stolen {
        let log = NoteKey::new(ORIGIN, VkeyKind::Note, log).expect("a name");
        let forged = Forger { receipts, manifests, log }.forge(&genuine);
        let archive = write_archive(&forged).expect("the archive is within the limits");
        for allow_withheld in [false, true] {
            let options = Options { allow_withheld, ..Options::default() };
            let report = verify(&archive, &trust, &options);
            assert_ne!(report.overall.exit_code(), 0, "{name}: {:#?}", report.claims);
            let receipt = report.claim(Claim::Receipt).expect("a claim");
            assert_ne!(receipt.status, Status::Verified, "{name}: {receipt:?}");
        }
    }
}

#[tokio::test]
async fn logged_signatures_of_a_retired_key_stay_verified() {
    let (_world, genuine, trust) = with_retired_key().await;
    let report = check(&genuine, &trust);
    let receipt = report.claim(Claim::Receipt).expect("a claim");
    assert_eq!(receipt.status, Status::Verified);
    assert!(receipt.notes.contains(&verify::Note::KeyRetired));
}
