//! Key rotation: other keys and existing signatures remain valid, and a replaced receipt key
//! discloses no other key.

use std::{fs, sync::Arc};

use contract::{
    json::{Limits, Value as Tree},
    verification::Claim,
};
use governance::{
    Governance,
    proof::{
        signing::Purpose,
        transparency_log::{self, InMemoryGuard, Sequencer},
        trust_registry::{self, KeyStatus, Rotation},
    },
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use receipt::{
    bundle::{file, path, read_archive, write_archive},
    digest::Digest,
    dsse::Envelope,
    key::{PayloadType, SigningKey},
    transparency_log::{Checkpoint, Note, Vkey, VkeyKind, signed_note},
};
use sha2::Sha256;
use verify::Overall;

use super::{DataDir, kids};
use crate::{
    bundles::{claim_lines, full_request, record_bundle_path, verify_bundle},
    capabilities::{EVERY, Grant},
    prelude::*,
    transparency::append_all_pending,
    trust::root,
};

/// A test service with key files, a trust registry and a transparency log.
struct KeyFileService {
    dir: DataDir,
    service: TestService,
    guard: Arc<InMemoryGuard>,
}

impl KeyFileService {
    async fn start(name: &str) -> Self {
        let dir = DataDir::new(name);
        dir.govern(&["keys", "init"]).await.expect("the keys are created");
        let service = TestServiceBuilder { provider: dir.files(), ..TestServiceBuilder::default() }
            .start()
            .await;
        let setup = Self { dir, service, guard: Arc::default() };
        setup.log_pending(&setup.service.governance).await;
        create_registry(&setup.service).await;
        setup.service.active("PAY-01").await;
        setup
    }

    /// Adds the pending entries to the log and releases the lease.
    async fn log_pending(&self, process: &Governance) {
        let sequencer = Sequencer::new(process, self.guard.clone());
        append_all_pending(process, &sequencer).await;
        sequencer.release(process).await.expect("the database is available");
    }

    /// Checks that all claims of these bundles verify.
    async fn verify_bundles(&self, client: &Client, bundles: &[String]) {
        let trust = current_trust(&self.service).await;
        for bundle in bundles {
            let report = verify_bundle(&client.get(bundle).await.bytes, &trust);
            assert_eq!(report.overall, Overall::Verified, "{:?}", claim_lines(&report));
        }
    }
}

/// Requests the capability of a grant from a process and returns the status of the response.
async fn capability_status(client: &Client, grant: &Grant) -> u16 {
    let key = grant.key.at_process_of(client);
    key.get("/v1/authoring-capabilities/current").await.status
}

async fn check_rotation(purpose: Purpose) {
    let setup = KeyFileService::start(purpose.as_str()).await;
    let service = &setup.service;
    let grant = service.grant(&service.draft("PAY-02").await, &EVERY).await;
    let mut bundles = vec![record_bundle_path(&service.key, &full_request("old")).await];
    setup.log_pending(&service.governance).await;
    let before = kids(setup.dir.files().as_ref()).await;
    setup.verify_bundles(&service.public, &bundles).await;

    let rotate = ["keys", "rotate", "--purpose", purpose.as_str()];
    setup.dir.govern(&rotate).await.expect("the key is rotated");
    let after = kids(setup.dir.files().as_ref()).await;
    for (old, new) in before.iter().zip(&after) {
        assert_eq!(old.1 != new.1, old.0 == purpose, "{purpose}: {old:?} {new:?}");
    }
    service.clock.advance(1_000);
    let (process, client) = setup.service.start_process_with_keys(setup.dir.files()).await;
    if purpose == Purpose::Log {
        transparency_log::freeze(&process.operator(), setup.guard.clone(), None)
            .await
            .expect("a new tree");
    }
    let rotation = Rotation { to: None, retires: true };
    trust_registry::rotate(&process, &[root()], rotation).await.expect("version 2");
    let registry = trust_registry::newest(&process).await.expect("a registry").expect("version 2");
    for (old, (_, kid)) in
        before.iter().zip(&after).filter(|((old, _), _)| !old.payload_types().is_empty())
    {
        let entry = registry.registry.key(kid).expect("each key that signs is listed");
        assert_eq!(entry.status, KeyStatus::Active);
        let is_retired = registry.registry.key(&old.1).expect("the key stays listed").status
            == KeyStatus::Retired;
        assert_eq!(is_retired, old.0 == purpose, "{purpose}: {old:?}");
    }
    service.clock.advance(1_000);
    let key = service.key.at_process_of(&client);
    bundles.push(record_bundle_path(&key, &full_request("new")).await);
    setup.log_pending(&process).await;
    assert_eq!(process.log_halt_reason(), None);
    setup.verify_bundles(&client, &bundles).await;
    assert_eq!(capability_status(&client, &grant).await, 200, "an earlier grant is still valid");
}

#[tokio::test]
async fn the_rotation_of_each_key_preserves_existing_signatures() {
    futures_util::future::join_all(Purpose::ALL.map(check_rotation)).await;
}

/// Returns `seed`, and the seeds of all keys that earlier versions derived from it.
fn derived_seeds(seed: [u8; 32]) -> Vec<[u8; 32]> {
    let purposes = PayloadType::ALL.map(PayloadType::purpose);
    let derive = |purpose: &str| {
        let mut mac = Hmac::<Sha256>::new_from_slice(&seed).expect("any length");
        mac.update(b"service-signing-key/v1:");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    };
    let derived = purposes.into_iter().chain(["log", "rekor"]).map(derive);
    std::iter::once(seed).chain(derived).collect()
}

#[tokio::test]
async fn keys_are_independent_of_each_other() {
    let [one, two] = [DataDir::new("independent-one"), DataDir::new("independent-two")];
    one.govern(&["keys", "init"]).await.expect("the keys are created");
    // Services with the same receipt key have different other keys.
    two.files().create(Purpose::Receipt).await.expect("a key");
    fs::copy(one.path("keys/receipt.pem"), two.path("keys/receipt.pem"))
        .expect("the file can be copied");
    two.govern(&["keys", "init"]).await.expect("the keys are created");
    let [first, second] = [kids(one.files().as_ref()).await, kids(two.files().as_ref()).await];
    for ((purpose, old), (_, new)) in first.iter().zip(&second) {
        assert_eq!(old == new, *purpose == Purpose::Receipt, "{purpose}");
    }
    for purpose in Purpose::ED25519 {
        let computed = derived_seeds(one.seed(&format!("keys/{purpose}.pem"))).into_iter();
        let computed: Vec<String> =
            computed.map(|seed| SigningKey::from_seed(seed).kid().to_owned()).collect();
        let others = first.iter().filter(|(other, _)| *other != purpose);
        assert!(others.into_iter().all(|(_, kid)| !computed.contains(kid)), "{purpose}");
    }
}

#[tokio::test]
async fn retired_receipt_key_signs_neither_manifests_nor_checkpoints() {
    let setup = KeyFileService::start("forgery").await;
    let service = &setup.service;
    let stolen = setup.dir.seed("keys/receipt.pem");
    setup
        .dir
        .govern(&["keys", "rotate", "--purpose", "receipt"])
        .await
        .expect("the key is rotated");
    service.clock.advance(1_000);
    let (process, client) = setup.service.start_process_with_keys(setup.dir.files()).await;
    let rotation = Rotation { to: None, retires: true };
    trust_registry::rotate(&process, &[root()], rotation).await.expect("version 2");
    let registry = trust_registry::newest(&process).await.expect("a registry").expect("version 2");
    let forgers: Vec<SigningKey> =
        derived_seeds(stolen).into_iter().map(SigningKey::from_seed).collect();

    // The registry lists the stolen key as retired, and no key that can be derived from it.
    for (index, forger) in forgers.iter().enumerate() {
        let entry = registry.registry.key(forger.kid());
        assert_eq!(entry.map(|entry| &entry.status), (index == 0).then_some(&KeyStatus::Retired));
        let is_log = registry.registry.logs.iter().any(|log| log.vkey.key().kid() == forger.kid());
        assert!(!is_log);
    }
    // The stolen key cannot sign a checkpoint of the log.
    let note = client.get("/v1/log/checkpoint").await.text;
    let vkey: Vkey = registry.registry.logs[0].vkey.clone();
    let real = Note::read(&note).expect("a note");
    assert_eq!(real.verify(&vkey), Ok(()));
    let real = Checkpoint::read(real.text).expect("a checkpoint");
    let forged =
        Checkpoint { size: real.size + 1, root: Digest::compute(b"forged"), ..real }.to_string();
    for forger in &forgers {
        let signature = forger.raw_signature(forged.as_bytes());
        let own = Vkey::new(vkey.name(), VkeyKind::Note, forger.public().clone()).expect("a name");
        for note in [&vkey, &own].map(|vkey| signed_note(&forged, vkey, &signature)) {
            assert!(Note::read(&note).expect("a note").verify(&vkey).is_err());
        }
    }
    // The stolen key cannot sign a manifest for the current key.
    let bundle = record_bundle_path(&service.key, &full_request("old")).await;
    setup.log_pending(&process).await;
    let trust = current_trust(service).await;
    let mut files = read_archive(&client.get(&bundle).await.bytes).expect("an archive");
    let report =
        verify_bundle(&write_archive(&files).expect("the size is within the limit"), &trust);
    assert_eq!(report.claims.iter().filter(|claim| claim.name == Claim::Manifest).count(), 1);
    assert!(!claim_lines(&report).iter().any(|line| line.starts_with("manifest: failed")));
    let manifest = files.get(path::MANIFEST_ENVELOPE).expect("the manifest is signed").to_vec();
    let manifest = Tree::parse(&manifest, &Limits::BUNDLE_FILE).expect("JSON");
    let manifest = Envelope::read(&manifest).expect("an envelope");
    let current = manifest.signatures[0].keyid.clone();
    for forger in &forgers {
        let signature = forger.sign(PayloadType::BundleManifest, &manifest.payload);
        let signature = signature.expect("a signature");
        let signed = [(current.as_str(), signature.as_str())];
        let forged = Envelope::new(PayloadType::BundleManifest, manifest.payload.clone(), signed);
        files.remove(path::MANIFEST_ENVELOPE);
        let forged = file(&forged.expect("a signature").to_value());
        files.insert(path::MANIFEST_ENVELOPE, forged).expect("the size is within the limit");
        let report =
            verify_bundle(&write_archive(&files).expect("the size is within the limit"), &trust);
        assert_eq!(report.overall, Overall::Failed);
        assert!(claim_lines(&report).iter().any(|line| line.starts_with("manifest: failed")));
    }
}
