//! Key files: created in development, required in production, private to their owner.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use governance::proof::signing::{KeyMaterial, Purpose};
use server::{
    config::{Environment, StoreConfig},
    keys,
};

use super::{DataDir, kids};
use crate::prelude::*;

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("the mode can be set");
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("the file exists").permissions().mode() & 0o777
}

/// Loads the keys, which must fail, and returns the error, which must be one line.
async fn load_error(store: &StoreConfig) -> String {
    let error = keys::load(store).await.expect_err("the keys cannot be used");
    let line = format!("{error:#}");
    assert!(!line.contains('\n'), "{line}");
    line
}

#[tokio::test]
async fn development_creates_a_private_key_file_for_each_purpose() {
    let dir = DataDir::new("development");
    let store = dir.store(Environment::Development);
    keys::load(&store).await.expect("the keys are created").expect("keys");
    assert_eq!(mode(&dir.path("keys")), 0o700);
    for purpose in Purpose::ALL {
        assert_eq!(mode(&dir.path(&format!("keys/{purpose}.pem"))), 0o600, "{purpose}");
    }
    let first = kids(dir.files().as_ref()).await;
    assert_eq!(first.len(), Purpose::ALL.len());
    keys::load(&store).await.expect("the keys can be read").expect("keys");
    assert_eq!(kids(dir.files().as_ref()).await, first, "the next start creates no keys");
}

#[tokio::test]
async fn concurrently_started_processes_have_the_same_keys() {
    let dir = DataDir::new("concurrent");
    let files = dir.files();
    let create = async |_| files.create(Purpose::Receipt).await.expect("a directory");
    let ((), (), ()) = tokio::join!(create(1), create(2), create(3));
    assert_eq!(files.keys(Purpose::Receipt).await.expect("a key").len(), 1);
}

#[tokio::test]
async fn production_requires_all_keys_and_reports_a_missing_purpose() {
    let dir = DataDir::new("production");
    let store = dir.store(Environment::Production);
    let none = load_error(&store).await;
    assert!(none.starts_with("the receipt key is missing"), "{none}");
    assert!(none.contains("govern keys init") && none.contains("GOVERN_ALLOW_UNSIGNED"), "{none}");
    assert!(!dir.path("keys").exists(), "nothing is created");
    let unsigned = StoreConfig { allow_unsigned: true, ..store.clone() };
    assert!(keys::load(&unsigned).await.expect("unsigned records are allowed").is_none());

    dir.govern(&["keys", "init"]).await.expect("the keys are created");
    let loaded = keys::load(&store).await.expect("the keys can be read").expect("keys");
    assert!(loaded.rekor().is_some());
    for purpose in Purpose::ED25519 {
        let file = dir.path(&format!("keys/{purpose}.pem"));
        let backup = file.with_extension("backup");
        fs::rename(&file, &backup).expect("the file exists");
        for store in [&store, &unsigned] {
            let line = load_error(store).await;
            assert!(line.starts_with(&format!("the {purpose} key is missing")), "{line}");
        }
        fs::rename(&backup, &file).expect("the file exists");
    }
    fs::remove_file(dir.path("keys/rekor.pem")).expect("the file exists");
    let loaded = keys::load(&store).await.expect("Rekor is not configured").expect("keys");
    assert!(loaded.rekor().is_none());
}

#[tokio::test]
async fn file_or_directory_readable_by_other_users_prevents_startup() {
    let dir = DataDir::new("modes");
    let store = dir.store(Environment::Development);
    keys::load(&store).await.expect("the keys are created");
    for purpose in Purpose::ALL {
        let file = dir.path(&format!("keys/{purpose}.pem"));
        for open in [0o640, 0o604, 0o602, 0o660] {
            chmod(&file, open);
            let line = load_error(&store).await;
            assert!(line.starts_with(&format!("the {purpose} key cannot be used")), "{line}");
            assert!(line.contains(&format!("0{open:o}")) && line.contains("chmod 600"), "{line}");
        }
        for private in [0o400, 0o600] {
            chmod(&file, private);
            keys::load(&store).await.expect("only its owner can read it");
        }
    }
    chmod(&dir.path("keys"), 0o750);
    let line = load_error(&store).await;
    assert!(line.contains("chmod 700"), "{line}");
}

#[tokio::test]
async fn setting_overrides_the_file_of_the_receipt_key() {
    let dir = DataDir::new("override");
    let store = dir.store(Environment::Development);
    keys::load(&store).await.expect("the keys are created");
    let other = DataDir::new("override-other");
    keys::load(&other.store(Environment::Development)).await.expect("the keys are created");
    let file = other.path("keys/receipt.pem");
    let production = StoreConfig {
        environment: Environment::Production,
        signing_key_file: Some(file.clone()),
        ..store.clone()
    };
    let provider = keys::provider(&production).expect("files");
    let [own, other] = [dir.files(), other.files()];
    let (own, other) = (kids(own.as_ref()).await, kids(other.as_ref()).await);
    assert_eq!(kids(provider.as_ref()).await, [&other[..1], &own[1..]].concat());
    keys::load(&production).await.expect("a key for each purpose").expect("keys");

    chmod(&file, 0o644);
    let line = load_error(&production).await;
    assert!(line.starts_with("the receipt key cannot be used"), "{line}");
    fs::remove_file(&file).expect("the file exists");
    let line = load_error(&production).await;
    assert!(line.contains("GOVERN_SIGNING_KEY_FILE") && line.contains("receipt"), "{line}");
}

#[tokio::test]
async fn invalid_or_shared_key_file_prevents_startup() {
    let dir = DataDir::new("bad");
    let store = dir.store(Environment::Development);
    keys::load(&store).await.expect("the keys are created");
    let (receipt, log) = (dir.path("keys/receipt.pem"), dir.path("keys/log.pem"));
    let pem = fs::read_to_string(&log).expect("the file exists");
    fs::copy(&receipt, &log).expect("the file can be copied");
    let line = load_error(&store).await;
    assert_eq!(
        line,
        "the log key and the receipt key are the same; each purpose needs its own key"
    );
    for bad in ["", "no key", &pem.replace("PRIVATE", "PUBLIC")] {
        fs::write(&log, bad).expect("the file can be written");
        let line = load_error(&store).await;
        assert!(line.starts_with("the log key cannot be used"), "{line}");
    }
    // A key of the other algorithm.
    fs::copy(dir.path("keys/rekor.pem"), &log).expect("the file can be copied");
    assert!(load_error(&store).await.contains("not an Ed25519 key"));
}

#[tokio::test]
async fn derived_keys_of_an_earlier_version_are_not_replaced_silently() {
    let dir = DataDir::new("derived");
    fs::write(dir.path("signing-key.pem"), "a key").expect("the file can be written");
    let store = dir.store(Environment::Development);
    let line = load_error(&store).await;
    assert!(line.contains("docs/TRUST.md"), "{line}");
    // With keys of this version, the file is ignored.
    dir.files().create(Purpose::Receipt).await.expect("a separate directory");
    keys::load(&store).await.expect("the keys are created");
}

#[testkit::test]
async fn command_creates_lists_and_rotates_keys_and_retains_public_keys(service: TestService) {
    let dir = DataDir::new("command");
    let database = ["--database-url", &service.database.superuser_url];
    let govern = async |arguments: &[&str]| dir.govern(&[&database, arguments].concat()).await;
    govern(&["keys", "init", "--purpose", "receipt", "--json"]).await.expect("the key is created");
    assert_eq!(kids(dir.files().as_ref()).await.len(), 1);
    govern(&["keys", "init"]).await.expect("the other keys are created");
    let before = kids(dir.files().as_ref()).await;
    govern(&["keys", "init"]).await.expect("there is nothing to do");
    assert_eq!(kids(dir.files().as_ref()).await, before);
    for list in [&["keys", "list"][..], &["keys", "list", "--purpose", "log", "--json"]] {
        govern(list).await.expect("the keys are listed");
    }
    let unknown = govern(&["keys", "rotate", "--purpose", "witness"]).await.unwrap_err();
    assert!(unknown.contains("must be one of receipt, policy_approval"), "{unknown}");

    for (index, purpose) in Purpose::ALL.into_iter().enumerate() {
        let before = kids(dir.files().as_ref()).await;
        govern(&["keys", "rotate", "--purpose", purpose.as_str()])
            .await
            .expect("the key is rotated");
        let after = kids(dir.files().as_ref()).await;
        for (position, (old, new)) in before.iter().zip(&after).enumerate() {
            assert_eq!(old != new, position == index, "{purpose}: {old:?}, {new:?}");
        }
        let kid = &before[index].1;
        let retired = dir.path(&format!("keys/retired/{purpose}-{kid}.pem"));
        assert_eq!((mode(&retired), mode(&dir.path("keys/retired"))), (0o600, 0o700));
        if purpose == Purpose::Rekor {
            continue;
        }
        // Without the private key, existing signatures can still be verified.
        let previous_key = async || {
            let keys = dir.files().keys(purpose).await.expect("the keys can be read");
            assert_eq!(keys.len(), 2);
            keys.into_iter().find(|key| !key.is_current).expect("the previous key")
        };
        assert!(matches!(previous_key().await.material, KeyMaterial::Ed25519(_)));
        fs::remove_file(&retired).expect("the file can be removed");
        let key = previous_key().await;
        assert!(matches!(key.material, KeyMaterial::Public(_)));
        assert_eq!(key.material.kid(), kid);
    }
    let before = kids(dir.files().as_ref()).await;
    govern(&["keys", "rotate"]).await.expect("all keys are rotated");
    let after = kids(dir.files().as_ref()).await;
    assert!(before.iter().zip(&after).all(|(old, new)| old != new));
}
