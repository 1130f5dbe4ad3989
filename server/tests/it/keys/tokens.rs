//! Keys in a PKCS#11 token, with Debian's `SoftHSM`.
//!
//! `SoftHSM` finds its tokens by an environment variable, so each test runs in a separate process.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use cryptoki::{
    context::{CInitializeArgs, CInitializeFlags, Pkcs11},
    object::{Attribute, ObjectClass},
    session::UserType,
    slot::Slot,
};
use governance::proof::{
    signing::{KeyMaterial, KeyProvider, Purpose},
    transparency_log::{InMemoryGuard, Sequencer},
    trust_registry::{self, Rotation},
};
use server::{
    config::{Environment, StoreConfig, keys::KeysConfig},
    keys,
};
use verify::Overall;

use super::{DataDir, kids};
use crate::{
    bundles::{claim_lines, full_request, record_bundle_path, verify_bundle},
    capabilities::EVERY,
    prelude::*,
    transparency::append_all_pending,
    trust::root,
};

const PIN: &str = "1234";

/// The environment variable with the token directory, which is set in the process of a test.
const TOKEN_DIRECTORY: &str = "GOVERN_TEST_TOKEN_DIRECTORY";

/// The paths at which packages install the module.
const MODULES: [&str; 3] = [
    "/usr/lib/softhsm/libsofthsm2.so",
    "/usr/lib64/softhsm/libsofthsm.so",
    "/usr/local/lib/softhsm/libsofthsm2.so",
];

/// The token of one test.
struct Token(PathBuf);

impl Token {
    /// Creates a token and runs the test in another process, which receives the token here.
    fn for_test(test: &str) -> Option<Self> {
        if let Some(directory) = env::var_os(TOKEN_DIRECTORY) {
            return Some(Self(directory.into()));
        }
        let dir = DataDir::new(test);
        let tokens = dir.path("tokens");
        fs::create_dir_all(&tokens).expect("a directory can be created");
        let settings = dir.path("softhsm2.conf");
        let lines = format!("directories.tokendir = {}\nlog.level = ERROR\n", tokens.display());
        fs::write(&settings, lines).expect("the file can be written");
        let pin = dir.path("pin");
        fs::write(&pin, format!("{PIN}\n")).expect("the file can be written");
        fs::set_permissions(&pin, fs::Permissions::from_mode(0o600)).expect("the mode can be set");
        let created = Command::new("softhsm2-util")
            .args(["--init-token", "--free", "--label", "govern", "--so-pin", PIN, "--pin", PIN])
            .env("SOFTHSM2_CONF", &settings)
            .output()
            .expect("softhsm2-util, which `scripts/setup test` installs");
        assert!(created.status.success(), "{created:?}");
        let output = Command::new(env::current_exe().expect("a test is a program"))
            .args(["--exact", &format!("keys::tokens::{test}"), "--nocapture"])
            .env("SOFTHSM2_CONF", &settings)
            .env(TOKEN_DIRECTORY, dir.0.path())
            .output()
            .expect("the test runs");
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && stdout.contains("1 passed"),
            "{stdout}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        None
    }

    fn store(&self) -> StoreConfig {
        let module = MODULES.into_iter().map(Path::new).find(|module| module.exists());
        StoreConfig {
            keys: KeysConfig {
                keys_dir: None,
                pkcs11_module: Some(module.expect("the package softhsm2").to_owned()),
                pkcs11_token: Some("govern".to_owned()),
                pkcs11_pin_file: Some(self.0.join("pin")),
            },
            ..store_config(self.0.join("data"), Environment::Production)
        }
    }

    /// Returns the provider of the token after creating a key for each purpose.
    async fn provider(&self) -> Arc<dyn KeyProvider> {
        let provider = keys::provider(&self.store()).expect("a token");
        keys::create_missing(provider.as_ref(), &Purpose::ALL).await.expect("the keys are created");
        provider
    }

    async fn start(&self) -> TestService {
        let provider = self.provider().await;
        TestServiceBuilder { provider, ..TestServiceBuilder::default() }.start().await
    }

    /// Loads the module a second time in this process and returns it with the slot of the token.
    fn module(&self) -> (Pkcs11, Slot) {
        let module = Pkcs11::new(self.store().keys.pkcs11_module.expect("the setting is present"));
        let module = module.expect("the module can be loaded");
        let slots = module.get_slots_with_token().expect("the process has initialized it");
        let slot = slots
            .into_iter()
            .find(|slot| module.get_token_info(*slot).is_ok_and(|token| token.label() == "govern"));
        (module, slot.expect("the token exists"))
    }
}

#[tokio::test]
async fn all_signatures_of_the_token_verify_offline() {
    let Some(token) = Token::for_test("all_signatures_of_the_token_verify_offline") else {
        return;
    };
    let error = keys::load(&token.store()).await.expect_err("the token has no keys yet");
    assert!(format!("{error:#}").starts_with("the receipt key is missing"), "{error:#}");

    let service = token.start().await;
    for purpose in Purpose::ALL {
        let keys = keys::provider(&token.store()).expect("a token").keys(purpose).await;
        let [key] = &*keys.expect("the keys can be read") else { panic!("one key: {purpose}") };
        let is_file = purpose == Purpose::Rekor;
        assert_eq!(key.provider, if is_file { "file" } else { "pkcs11" });
        if !is_file {
            assert_eq!(key.location, format!("govern-{purpose}"));
        }
    }
    let files = fs::read_dir(token.0.join("data/keys")).expect("the key for Rekor is a file");
    let files = files.map(|file| file.expect("the file can be read").file_name().into_string());
    let mut files: Vec<String> = files.collect::<Result<_, _>>().expect("the names are text");
    files.sort_unstable();
    assert_eq!(files, ["lock", "rekor.pem"]);

    let sequencer = service.log_with_registry().await;
    service.active("PAY-01").await;
    let grant = service.grant(&service.draft("PAY-02").await, &EVERY).await;
    let bundle = record_bundle_path(&service.key, &full_request("k")).await;
    service.key.post("/v1/decisions/record", &chain_request("a", json!({}))).await.expect(201);
    service.seal_chain().await;
    append_pending(&service, &sequencer).await;
    assert_eq!(service.governance.log_halt_reason(), None);
    let trust = current_trust(&service).await;
    for path in [bundle, format!("/v1/chains/{CHAIN}/bundle")] {
        let report = verify_bundle(&service.public.get(&path).await.bytes, &trust);
        assert_eq!(report.overall, Overall::Verified, "{:?}", claim_lines(&report));
    }
    let current = grant.key.get("/v1/authoring-capabilities/current").await;
    assert_eq!(current.status, 200, "the grant is signed and valid");
}

#[tokio::test]
async fn rotated_key_remains_in_the_token_for_existing_signatures() {
    let Some(token) = Token::for_test("rotated_key_remains_in_the_token_for_existing_signatures")
    else {
        return;
    };
    let service = token.start().await;
    let guard = Arc::new(InMemoryGuard::default());
    let sequencer = Sequencer::new(&service.governance, guard.clone());
    append_pending(&service, &sequencer).await;
    create_registry(&service).await;
    service.active("PAY-01").await;
    let mut bundles = vec![record_bundle_path(&service.key, &full_request("old")).await];
    append_pending(&service, &sequencer).await;
    sequencer.release(&service.governance).await.expect("the database is available");

    let provider = token.provider().await;
    for purpose in Purpose::ED25519 {
        let before = kids(provider.as_ref()).await;
        provider.renew(purpose).await.expect("the token creates keys");
        let after = kids(provider.as_ref()).await;
        for (old, new) in before.iter().zip(&after) {
            assert_eq!(old.1 != new.1, old.0 == purpose, "{old:?} {new:?}");
        }
        let purpose_keys = provider.keys(purpose).await.expect("the keys can be read");
        let [_, replaced] = &*purpose_keys else { panic!("two keys: {purpose_keys:?}") };
        assert_eq!(replaced.location, format!("govern-{purpose}-replaced"));
        assert!(matches!(replaced.material, KeyMaterial::Ed25519(_)));
    }
    service.clock.advance(1_000);
    let (process, client) = service.start_process_with_keys(provider).await;
    let rotation = Rotation { to: None, retires: true };
    trust_registry::rotate(&process, &[root()], rotation).await.expect("version 2");
    service.clock.advance(1_000);
    let key = service.key.at_process_of(&client);
    bundles.push(record_bundle_path(&key, &full_request("new")).await);
    // The open tree still uses its own key, which was replaced.
    append_all_pending(&process, &Sequencer::new(&process, guard)).await;
    assert_eq!(process.log_halt_reason(), None);
    let trust = current_trust(&service).await;
    for path in bundles {
        let report = verify_bundle(&client.get(&path).await.bytes, &trust);
        assert_eq!(report.overall, Overall::Verified, "{:?}", claim_lines(&report));
    }
}

#[tokio::test]
async fn lost_session_is_reopened_and_a_lost_key_prevents_recording() {
    let Some(token) = Token::for_test("lost_session_is_reopened_and_a_lost_key_prevents_recording")
    else {
        return;
    };
    let service = token.start().await;
    service.active("PAY-01").await;
    let record = async |key: &str| service.key.post("/v1/decisions/record", &request(key, 1)).await;
    let signed = record("before").await.expect(201);
    let (module, slot) = token.module();
    let kid = |response: &serde_json::Value| {
        text(&response["decision"]["result"]["signature_kid"]).to_owned()
    };
    // First the login ends; then the sessions end, as after a restart of the device.
    module
        .open_ro_session(slot)
        .and_then(|session| session.logout())
        .expect("the session can be logged out");
    let response = record("logged out").await.expect(201);
    assert_eq!(kid(&response), kid(&signed));
    module.clone().finalize().expect("the module can be finalized");
    let threads = CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK);
    module.initialize(threads).expect("the module can be initialized");
    let response = record("restarted").await.expect(201);
    assert_eq!(kid(&response), kid(&signed));

    let (module, slot) = token.module();
    let session = module.open_rw_session(slot).expect("a session");
    let _ = session.login(UserType::User, Some(&PIN.into()));
    let attributes =
        [Attribute::Class(ObjectClass::PRIVATE_KEY), Attribute::Label("govern-receipt".into())];
    for key in session.find_objects(&attributes).expect("the key exists") {
        session.destroy_object(key).expect("the key can be deleted");
    }
    let refusal = record("lost").await;
    assert_eq!(refusal.to_string(), "503 SERVICE_UNAVAILABLE");
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["3"]);
    let error = keys::load(&token.store()).await.expect_err("a key is missing");
    assert!(format!("{error:#}").starts_with("the receipt key cannot be used"), "{error:#}");
}

#[tokio::test]
async fn missing_and_invalid_token_settings_are_reported() {
    let Some(token) = Token::for_test("missing_and_invalid_token_settings_are_reported") else {
        return;
    };
    let store = token.store();
    let change = |change: &dyn Fn(&mut StoreConfig)| {
        let mut store = store.clone();
        change(&mut store);
        store
    };
    let other = token.0.join("other");
    fs::write(&other, "0000").expect("the file can be written");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o644)).expect("the mode can be set");
    let stores: [(StoreConfig, &str); 8] = [
        (change(&|store| store.keys.pkcs11_token = None), "GOVERN_PKCS11_TOKEN: must be set"),
        (change(&|store| store.keys.pkcs11_pin_file = None), "GOVERN_PKCS11_PIN_FILE: must be set"),
        (change(&|store| store.keys.pkcs11_module = None), "GOVERN_PKCS11_TOKEN: "),
        (change(&|store| store.signing_key_file = Some("a.pem".into())), "GOVERN_SIGNING_KEY_FILE"),
        (
            change(&|store| store.keys.pkcs11_module = Some("/none.so".into())),
            "GOVERN_PKCS11_MODULE",
        ),
        (
            change(&|store| store.keys.pkcs11_token = Some("other".into())),
            "the receipt key cannot be used: GOVERN_PKCS11_TOKEN",
        ),
        // Other users can read the file.
        (
            change(&|store| store.keys.pkcs11_pin_file = Some(other.clone())),
            "GOVERN_PKCS11_PIN_FILE",
        ),
        (
            change(&|store| store.keys.pkcs11_pin_file = Some(token.0.join("none"))),
            "GOVERN_PKCS11_PIN_FILE",
        ),
    ];
    for (store, expected) in stores {
        let error = keys::load(&store).await.expect_err("the settings are invalid");
        let line = format!("{error:#}");
        assert!(line.starts_with(expected) && !line.contains('\n'), "{expected}: {line}");
    }
    let mode = fs::Permissions::from_mode(0o600);
    fs::set_permissions(&other, mode).expect("the mode can be set");
    let wrong = change(&|store| store.keys.pkcs11_pin_file = Some(other.clone()));
    let line = format!("{:#}", keys::load(&wrong).await.expect_err("the PIN is wrong"));
    assert!(line.contains("rejects the PIN"), "{line}");
}
