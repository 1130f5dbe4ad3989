//! Keys in a PKCS#11 token, with Debian's `SoftHSM`.
//!
//! `SoftHSM` finds its tokens by an environment variable, so each test runs in a process of its own.

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
use serde_json::json;
use server::{
    config::{Environment, StoreConfig},
    keys::{self, KeysConfig},
};
use verify::Overall;

use super::{Folder, kids};
use crate::{
    bundles::{checked, full, lines, recorded},
    capabilities::EVERY,
    client::text,
    service::{
        CHAIN, ProcessKeys, TestService, TestServiceBuilder, chained, request, use_cases_with,
    },
    transparency::{log_all, log_what_waits},
    trust::{begin, root, trusted},
};

const PIN: &str = "1234";

/// Tells the process of a test from the one that began it.
const FOLDER: &str = "GOVERN_TEST_TOKEN_FOLDER";

/// Where packages have the module.
const MODULES: [&str; 3] = [
    "/usr/lib/softhsm/libsofthsm2.so",
    "/usr/lib64/softhsm/libsofthsm.so",
    "/usr/local/lib/softhsm/libsofthsm2.so",
];

/// A token of one test's own.
struct Token(PathBuf);

impl Token {
    /// Makes a token and runs the test again in a process that has it: there it returns the token.
    fn of(test: &str) -> Option<Self> {
        if let Some(folder) = env::var_os(FOLDER) {
            return Some(Self(folder.into()));
        }
        let folder = Folder::new(test);
        let tokens = folder.path("tokens");
        fs::create_dir_all(&tokens).expect("a folder can be made");
        let settings = folder.path("softhsm2.conf");
        let lines = format!("directories.tokendir = {}\nlog.level = ERROR\n", tokens.display());
        fs::write(&settings, lines).expect("it is ours");
        let pin = folder.path("pin");
        fs::write(&pin, format!("{PIN}\n")).expect("it is ours");
        fs::set_permissions(&pin, fs::Permissions::from_mode(0o600)).expect("it is ours");
        let made = Command::new("softhsm2-util")
            .args(["--init-token", "--free", "--label", "govern", "--so-pin", PIN, "--pin", PIN])
            .env("SOFTHSM2_CONF", &settings)
            .output()
            .expect("softhsm2-util, which `scripts/setup test` installs");
        assert!(made.status.success(), "{made:?}");
        let again = Command::new(env::current_exe().expect("a test is a program"))
            .args(["--exact", &format!("keys::tokens::{test}"), "--nocapture"])
            .env("SOFTHSM2_CONF", &settings)
            .env(FOLDER, &folder.0)
            .output()
            .expect("it runs");
        let told = String::from_utf8_lossy(&again.stdout);
        assert!(
            again.status.success() && told.contains("1 passed"),
            "{told}{}",
            String::from_utf8_lossy(&again.stderr)
        );
        None
    }

    fn store(&self) -> StoreConfig {
        let module = MODULES.into_iter().map(Path::new).find(|module| module.exists());
        StoreConfig {
            database_url: None,
            data_dir: self.0.join("data"),
            pg_bin: None,
            environment: Environment::Production,
            keys: KeysConfig {
                keys_dir: None,
                pkcs11_module: Some(module.expect("the package softhsm2").to_owned()),
                pkcs11_token: Some("govern".to_owned()),
                pkcs11_pin_file: Some(self.0.join("pin")),
            },
            signing_key_file: None,
            secret_key_file: None,
            allow_unsigned: false,
            log_origin: None,
        }
    }

    /// The provider of the token, with a key for each purpose.
    async fn provider(&self) -> Arc<dyn KeyProvider> {
        let provider = keys::provider(&self.store()).expect("a token");
        keys::create_missing(provider.as_ref(), &Purpose::ALL).await.expect("the keys are made");
        provider
    }

    async fn world(&self) -> TestService {
        let world =
            TestServiceBuilder { provider: self.provider().await, ..TestServiceBuilder::default() }
                .world()
                .await;
        world.governance.set_log_origin("govern.example/log/1");
        world
    }

    /// The module, as another user of it in this process, and the slot of the token.
    fn module(&self) -> (Pkcs11, Slot) {
        let module = Pkcs11::new(self.store().keys.pkcs11_module.expect("it is set"));
        let module = module.expect("it can be loaded");
        let slots = module.get_slots_with_token().expect("the process has initialized it");
        let slot = slots
            .into_iter()
            .find(|slot| module.get_token_info(*slot).is_ok_and(|token| token.label() == "govern"));
        (module, slot.expect("the token is there"))
    }
}

#[tokio::test]
async fn everything_is_signed_by_the_token_and_verifies_offline() {
    let Some(token) = Token::of("everything_is_signed_by_the_token_and_verifies_offline") else {
        return;
    };
    let refused = keys::load(&token.store()).await.expect_err("the token has no keys yet");
    assert!(format!("{refused:#}").starts_with("the receipt key is missing"), "{refused:#}");

    let world = token.world().await;
    for purpose in Purpose::ALL {
        let found = keys::provider(&token.store()).expect("a token").keys(purpose).await;
        let [key] = &*found.expect("the keys can be read") else { panic!("one key: {purpose}") };
        let is_file = purpose == Purpose::Rekor;
        assert_eq!(key.provider, if is_file { "file" } else { "pkcs11" });
        if !is_file {
            assert_eq!(key.location, format!("govern-{purpose}"));
        }
    }
    let files = fs::read_dir(token.0.join("data/keys")).expect("the key for Rekor is a file");
    let files = files.map(|file| file.expect("it is ours").file_name().into_string());
    let mut files: Vec<String> = files.collect::<Result<_, _>>().expect("our names are text");
    files.sort_unstable();
    assert_eq!(files, ["lock", "rekor.pem"]);

    let sequencer = Sequencer::new(&world.governance, Arc::new(InMemoryGuard::default()));
    log_all(&world, &sequencer).await;
    begin(&world).await;
    world.active("PAY-01").await;
    let grant = world.grant(&world.draft("PAY-02").await, &EVERY).await;
    let bundle = recorded(&world.key, &full("k")).await;
    world.key.post("/v1/decisions/record", &chained("a", json!({}))).await.expect(201);
    world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201);
    log_all(&world, &sequencer).await;
    assert_eq!(world.governance.log_halt_reason(), None);
    let trust = trusted(&world).await;
    for path in [bundle, format!("/v1/chains/{CHAIN}/bundle")] {
        let report = checked(&world.public.get(&path).await.bytes, &trust);
        assert_eq!(report.overall, Overall::Verified, "{:?}", lines(&report));
    }
    let current = grant.key.get("/v1/authoring-capabilities/current").await;
    assert_eq!(current.status, 200, "the grant is signed, and holds");
}

#[tokio::test]
async fn a_rotated_key_stays_in_the_token_for_what_it_signed() {
    let Some(token) = Token::of("a_rotated_key_stays_in_the_token_for_what_it_signed") else {
        return;
    };
    let world = token.world().await;
    let memory = Arc::new(InMemoryGuard::default());
    let sequencer = Sequencer::new(&world.governance, memory.clone());
    log_all(&world, &sequencer).await;
    begin(&world).await;
    world.active("PAY-01").await;
    let mut bundles = vec![recorded(&world.key, &full("old")).await];
    log_all(&world, &sequencer).await;
    sequencer.release(&world.governance).await.expect("the store is there");

    let provider = token.provider().await;
    for purpose in Purpose::ED25519 {
        let before = kids(provider.as_ref()).await;
        provider.renew(purpose).await.expect("the token makes keys");
        let after = kids(provider.as_ref()).await;
        for (old, new) in before.iter().zip(&after) {
            assert_eq!(old.1 != new.1, old.0 == purpose, "{old:?} {new:?}");
        }
        let stored = provider.keys(purpose).await.expect("the keys can be read");
        let [_, replaced] = &*stored else { panic!("two keys: {stored:?}") };
        assert_eq!(replaced.location, format!("govern-{purpose}-replaced"));
        assert!(matches!(replaced.material, KeyMaterial::Ed25519(_)));
    }
    world.clock.advance(1_000);
    let keys = ProcessKeys { provider: Some(provider), ..ProcessKeys::default() };
    let process = use_cases_with(&world.database, world.clock.clone(), 2, keys).await;
    let client = world.process_of(process.clone(), world.service.edge.clone()).await;
    let rotation = Rotation { to: None, retires: true };
    trust_registry::rotate(&process, &[root()], rotation).await.expect("version 2");
    world.clock.advance(1_000);
    let key = world.key.header("authorization").expect("it is a key's").to_owned();
    let key = client.with("x-service-tenant-id", world.tenant).with("authorization", key);
    bundles.push(recorded(&key, &full("new")).await);
    // The open tree goes on with its own key, which was replaced.
    log_what_waits(&process, &Sequencer::new(&process, memory)).await;
    assert_eq!(process.log_halt_reason(), None);
    let trust = trusted(&world).await;
    for path in bundles {
        let report = checked(&client.get(&path).await.bytes, &trust);
        assert_eq!(report.overall, Overall::Verified, "{:?}", lines(&report));
    }
}

#[tokio::test]
async fn a_lost_session_is_opened_again_and_a_lost_key_records_nothing() {
    let Some(token) = Token::of("a_lost_session_is_opened_again_and_a_lost_key_records_nothing")
    else {
        return;
    };
    let world = token.world().await;
    world.active("PAY-01").await;
    let record = async |key: &str| world.key.post("/v1/decisions/record", &request(key, 1)).await;
    let signed = record("before").await.expect(201);
    let (module, slot) = token.module();
    let kid = |answer: &serde_json::Value| {
        text(&answer["decision"]["result"]["signature_kid"]).to_owned()
    };
    // The login ends; then the sessions end too, as when a device was restarted.
    module.open_ro_session(slot).and_then(|session| session.logout()).expect("it is ours");
    let again = record("logged out").await.expect(201);
    assert_eq!(kid(&again), kid(&signed));
    module.clone().finalize().expect("it is ours");
    let threads = CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK);
    module.initialize(threads).expect("it is ours");
    let again = record("restarted").await.expect(201);
    assert_eq!(kid(&again), kid(&signed));

    let (module, slot) = token.module();
    let session = module.open_rw_session(slot).expect("a session");
    let _ = session.login(UserType::User, Some(&PIN.into()));
    let named =
        [Attribute::Class(ObjectClass::PRIVATE_KEY), Attribute::Label("govern-receipt".into())];
    for key in session.find_objects(&named).expect("it is there") {
        session.destroy_object(key).expect("it is ours");
    }
    let refused = record("lost").await;
    assert_eq!(refused.to_string(), "503 SERVICE_UNAVAILABLE");
    assert_eq!(world.sql("select count(*)::text from decisions").await, ["3"]);
    let begun = keys::load(&token.store()).await.expect_err("a key is gone");
    assert!(format!("{begun:#}").starts_with("the receipt key cannot be used"), "{begun:#}");
}

#[tokio::test]
async fn settings_of_a_token_that_are_missing_or_wrong_are_named() {
    let Some(token) = Token::of("settings_of_a_token_that_are_missing_or_wrong_are_named") else {
        return;
    };
    let store = token.store();
    let change = |change: &dyn Fn(&mut StoreConfig)| {
        let mut store = store.clone();
        change(&mut store);
        store
    };
    let other = token.0.join("other");
    fs::write(&other, "0000").expect("it is ours");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o644)).expect("it is ours");
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
        // Others may read it.
        (
            change(&|store| store.keys.pkcs11_pin_file = Some(other.clone())),
            "GOVERN_PKCS11_PIN_FILE",
        ),
        (
            change(&|store| store.keys.pkcs11_pin_file = Some(token.0.join("none"))),
            "GOVERN_PKCS11_PIN_FILE",
        ),
    ];
    for (store, named) in stores {
        let refused = keys::load(&store).await.expect_err("it cannot start");
        let line = format!("{refused:#}");
        assert!(line.starts_with(named) && !line.contains('\n'), "{named}: {line}");
    }
    let mode = fs::Permissions::from_mode(0o600);
    fs::set_permissions(&other, mode).expect("it is ours");
    let wrong = change(&|store| store.keys.pkcs11_pin_file = Some(other.clone()));
    let line = format!("{:#}", keys::load(&wrong).await.expect_err("the PIN is wrong"));
    assert!(line.contains("refuses the PIN"), "{line}");
}
