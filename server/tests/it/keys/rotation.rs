//! Rotation of one key leaves the others and what they signed in place, and a replaced receipt key gives
//! nothing but itself.

use std::{fs, sync::Arc};

use contract::json::{Limits, Value as Tree};
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

use super::{Folder, kids};
use crate::{
    bundles::{checked, full, lines, recorded},
    capabilities::{EVERY, Grant},
    client::Client,
    service::{ProcessKeys, TestService, TestServiceBuilder, use_cases_with},
    transparency::log_what_waits,
    trust::{begin, root, trusted},
};

/// A world whose keys are files, with a registry and a log.
struct Service {
    folder: Folder,
    world: TestService,
    memory: Arc<InMemoryGuard>,
}

impl Service {
    async fn start(name: &str) -> Self {
        let folder = Folder::new(name);
        folder.govern(&["keys", "init"]).await.expect("the keys are made");
        let world =
            TestServiceBuilder { provider: folder.files(), ..TestServiceBuilder::default() }
                .world()
                .await;
        world.governance.set_log_origin("govern.example/log/1");
        let service = Self { folder, world, memory: Arc::default() };
        service.log(&service.world.governance).await;
        begin(&service.world).await;
        service.world.active("PAY-01").await;
        service
    }

    /// Logs what waits, and gives the lease back.
    async fn log(&self, process: &Governance) {
        let sequencer = Sequencer::new(process, self.memory.clone());
        log_what_waits(process, &sequencer).await;
        sequencer.release(process).await.expect("the store is there");
    }

    /// A process that starts now, and its client.
    async fn next_process(&self) -> (Governance, Client) {
        let keys = ProcessKeys { provider: Some(self.folder.files()), ..ProcessKeys::default() };
        let clock = self.world.clock.clone();
        let process = use_cases_with(&self.world.database, clock, 2, keys).await;
        let client = self.world.process_of(process.clone(), self.world.service.edge.clone()).await;
        (process, client)
    }

    /// Checks that all of these bundles verify in full.
    async fn verifies(&self, client: &Client, bundles: &[String]) {
        let trust = trusted(&self.world).await;
        for bundle in bundles {
            let report = checked(&client.get(bundle).await.bytes, &trust);
            assert_eq!(report.overall, Overall::Verified, "{:?}", lines(&report));
        }
    }
}

/// What a program sees of its grant in a process.
async fn current(client: &Client, world: &TestService, grant: &Grant) -> u16 {
    let key = grant.key.header("authorization").expect("it is a key's").to_owned();
    let client = client.with("x-service-tenant-id", world.tenant).with("authorization", key);
    client.get("/v1/authoring-capabilities/current").await.status
}

async fn rotated(purpose: Purpose) {
    let service = Service::start(purpose.as_str()).await;
    let world = &service.world;
    let grant = world.grant(&world.draft("PAY-02").await, &EVERY).await;
    let mut bundles = vec![recorded(&world.key, &full("old")).await];
    service.log(&world.governance).await;
    let before = kids(service.folder.files().as_ref()).await;
    service.verifies(&world.public, &bundles).await;

    let rotate = ["keys", "rotate", "--purpose", purpose.as_str()];
    service.folder.govern(&rotate).await.expect("it is rotated");
    let after = kids(service.folder.files().as_ref()).await;
    for (old, new) in before.iter().zip(&after) {
        assert_eq!(old.1 != new.1, old.0 == purpose, "{old:?} {new:?}");
    }
    world.clock.advance(1_000);
    let (process, client) = service.next_process().await;
    if purpose == Purpose::Log {
        transparency_log::freeze(&process.operator(), service.memory.clone(), None)
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
        let is_retired =
            registry.registry.key(&old.1).expect("it stays listed").status == KeyStatus::Retired;
        assert_eq!(is_retired, old.0 == purpose, "{old:?}");
    }
    world.clock.advance(1_000);
    let key = world.key.header("authorization").expect("it is a key's").to_owned();
    let key = client.with("x-service-tenant-id", world.tenant).with("authorization", key);
    bundles.push(recorded(&key, &full("new")).await);
    service.log(&process).await;
    assert_eq!(process.log_halt_reason(), None);
    service.verifies(&client, &bundles).await;
    assert_eq!(current(&client, world, &grant).await, 200, "a grant of before holds");
}

#[tokio::test]
async fn rotation_of_the_receipt_key_leaves_what_all_keys_signed_in_place() {
    rotated(Purpose::Receipt).await;
}

#[tokio::test]
async fn rotation_of_the_approval_key_leaves_what_all_keys_signed_in_place() {
    rotated(Purpose::PolicyApproval).await;
}

#[tokio::test]
async fn rotation_of_the_grant_key_leaves_what_all_keys_signed_in_place() {
    rotated(Purpose::CapabilityGrant).await;
}

#[tokio::test]
async fn rotation_of_the_log_key_leaves_what_all_keys_signed_in_place() {
    rotated(Purpose::Log).await;
}

#[tokio::test]
async fn rotation_of_the_rekor_key_leaves_what_all_keys_signed_in_place() {
    rotated(Purpose::Rekor).await;
}

/// The seeds of every key that can be computed from `seed` by the derivation of earlier versions, after `seed`
/// itself.
fn derived(seed: [u8; 32]) -> Vec<[u8; 32]> {
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
async fn no_key_is_a_function_of_another() {
    let [one, two] = [Folder::new("function-one"), Folder::new("function-two")];
    one.govern(&["keys", "init"]).await.expect("the keys are made");
    // With the same receipt key the others differ.
    two.files().create(Purpose::Receipt).await.expect("a key");
    fs::copy(one.path("keys/receipt.pem"), two.path("keys/receipt.pem")).expect("both are ours");
    two.govern(&["keys", "init"]).await.expect("the keys are made");
    let [first, second] = [kids(one.files().as_ref()).await, kids(two.files().as_ref()).await];
    for ((purpose, old), (_, new)) in first.iter().zip(&second) {
        assert_eq!(old == new, *purpose == Purpose::Receipt, "{purpose}");
    }
    for purpose in Purpose::ED25519 {
        let computed = derived(one.seed(&format!("keys/{purpose}.pem"))).into_iter();
        let computed: Vec<String> =
            computed.map(|seed| SigningKey::from_seed(seed).kid().to_owned()).collect();
        let others = first.iter().filter(|(other, _)| *other != purpose);
        assert!(others.into_iter().all(|(_, kid)| !computed.contains(kid)), "{purpose}");
    }
}

#[tokio::test]
async fn the_file_of_a_retired_receipt_key_signs_no_manifest_of_another_key_and_no_checkpoint() {
    let service = Service::start("forgery").await;
    let world = &service.world;
    let stolen = service.folder.seed("keys/receipt.pem");
    service.folder.govern(&["keys", "rotate", "--purpose", "receipt"]).await.expect("rotated");
    world.clock.advance(1_000);
    let (process, client) = service.next_process().await;
    let rotation = Rotation { to: None, retires: true };
    trust_registry::rotate(&process, &[root()], rotation).await.expect("version 2");
    let registry = trust_registry::newest(&process).await.expect("a registry").expect("version 2");
    let forgers: Vec<SigningKey> = derived(stolen).into_iter().map(SigningKey::from_seed).collect();

    // The registry lists the stolen key for what it signed, and nothing that can be computed from it.
    for (index, forger) in forgers.iter().enumerate() {
        let entry = registry.registry.key(forger.kid());
        assert_eq!(entry.map(|entry| &entry.status), (index == 0).then_some(&KeyStatus::Retired));
        let is_log = registry.registry.logs.iter().any(|log| log.vkey.key().kid() == forger.kid());
        assert!(!is_log);
    }
    // No checkpoint of the log can be signed.
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
    // No manifest verifies under the key that signs them now.
    let bundle = recorded(&world.key, &full("old")).await;
    service.log(&process).await;
    let trust = trusted(world).await;
    let mut files = read_archive(&client.get(&bundle).await.bytes).expect("an archive");
    let report = checked(&write_archive(&files).expect("it fits"), &trust);
    assert_eq!(report.claims.iter().filter(|claim| claim.name == "manifest").count(), 1);
    assert!(!lines(&report).iter().any(|line| line.starts_with("manifest: failed")));
    let manifest = files.get(path::MANIFEST_ENVELOPE).expect("it is signed").to_vec();
    let manifest = Tree::parse(&manifest, &Limits::BUNDLE_MEMBER).expect("JSON");
    let manifest = Envelope::read(&manifest).expect("an envelope");
    let current = manifest.signatures[0].keyid.clone();
    for forger in &forgers {
        let signature = forger.sign(PayloadType::BundleManifest, &manifest.payload);
        let signature = signature.expect("a signature");
        let signed = [(current.as_str(), signature.as_str())];
        let forged = Envelope::new(PayloadType::BundleManifest, manifest.payload.clone(), signed);
        files.remove(path::MANIFEST_ENVELOPE);
        let forged = file(&forged.expect("a signature").to_value());
        files.insert(path::MANIFEST_ENVELOPE, forged).expect("it fits");
        let report = checked(&write_archive(&files).expect("it fits"), &trust);
        assert_eq!(report.overall, Overall::Failed);
        assert!(lines(&report).iter().any(|line| line.starts_with("manifest: failed")));
    }
}
