//! Key files: made in development, demanded in production, refused when others may read them.

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

use super::{Folder, kids};
use crate::service::world;

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

/// Why the keys cannot be loaded, which is one line.
async fn refusal(store: &StoreConfig) -> String {
    let refused = keys::load(store).await.expect_err("the keys cannot be used");
    let line = format!("{refused:#}");
    assert!(!line.contains('\n'), "{line}");
    line
}

#[tokio::test]
async fn development_makes_a_key_for_each_purpose_that_only_its_owner_may_read() {
    let folder = Folder::new("development");
    let store = folder.store(Environment::Development);
    keys::load(&store).await.expect("they are made").expect("keys");
    assert_eq!(mode(&folder.path("keys")), 0o700);
    for purpose in Purpose::ALL {
        assert_eq!(mode(&folder.path(&format!("keys/{purpose}.pem"))), 0o600, "{purpose}");
    }
    let first = kids(folder.files().as_ref()).await;
    assert_eq!(first.len(), Purpose::ALL.len());
    keys::load(&store).await.expect("they are read").expect("keys");
    assert_eq!(kids(folder.files().as_ref()).await, first, "the next start makes none");
}

#[tokio::test]
async fn processes_that_start_together_have_the_same_keys() {
    let folder = Folder::new("together");
    let files = folder.files();
    let create = async |_| files.create(Purpose::Receipt).await.expect("a directory");
    let ((), (), ()) = tokio::join!(create(1), create(2), create(3));
    assert_eq!(files.keys(Purpose::Receipt).await.expect("a key").len(), 1);
}

#[tokio::test]
async fn production_starts_with_all_keys_or_names_the_purpose_of_a_missing_one() {
    let folder = Folder::new("production");
    let store = folder.store(Environment::Production);
    let none = refusal(&store).await;
    assert!(none.starts_with("the receipt key is missing"), "{none}");
    assert!(none.contains("govern keys init") && none.contains("GOVERN_ALLOW_UNSIGNED"), "{none}");
    assert!(!folder.path("keys").exists(), "nothing is made");
    let unsigned = StoreConfig { allow_unsigned: true, ..store.clone() };
    assert!(keys::load(&unsigned).await.expect("it may record unsigned").is_none());

    folder.govern(&["keys", "init"]).await.expect("the keys are made");
    let made = keys::load(&store).await.expect("they are read").expect("keys");
    assert!(made.rekor().is_some());
    for purpose in Purpose::ED25519 {
        let file = folder.path(&format!("keys/{purpose}.pem"));
        let aside = file.with_extension("aside");
        fs::rename(&file, &aside).expect("it is there");
        for store in [&store, &unsigned] {
            let line = refusal(store).await;
            assert!(line.starts_with(&format!("the {purpose} key is missing")), "{line}");
        }
        fs::rename(&aside, &file).expect("it is there");
    }
    fs::remove_file(folder.path("keys/rekor.pem")).expect("it is there");
    let made = keys::load(&store).await.expect("Rekor is not configured").expect("keys");
    assert!(made.rekor().is_none());
}

#[tokio::test]
async fn a_file_or_directory_that_others_may_read_stops_the_start() {
    let folder = Folder::new("modes");
    let store = folder.store(Environment::Development);
    keys::load(&store).await.expect("they are made");
    for purpose in Purpose::ALL {
        let file = folder.path(&format!("keys/{purpose}.pem"));
        for open in [0o640, 0o604, 0o602, 0o660] {
            chmod(&file, open);
            let line = refusal(&store).await;
            assert!(line.starts_with(&format!("the {purpose} key cannot be used")), "{line}");
            assert!(line.contains(&format!("0{open:o}")) && line.contains("chmod 600"), "{line}");
        }
        for private in [0o400, 0o600] {
            chmod(&file, private);
            keys::load(&store).await.expect("its owner alone may read it");
        }
    }
    chmod(&folder.path("keys"), 0o750);
    let line = refusal(&store).await;
    assert!(line.contains("chmod 700"), "{line}");
}

#[tokio::test]
async fn a_setting_names_another_file_for_the_receipt_key() {
    let folder = Folder::new("override");
    let store = folder.store(Environment::Development);
    keys::load(&store).await.expect("they are made");
    let other = Folder::new("override-other");
    keys::load(&other.store(Environment::Development)).await.expect("they are made");
    let file = other.path("keys/receipt.pem");
    let production = StoreConfig {
        environment: Environment::Production,
        signing_key_file: Some(file.clone()),
        ..store.clone()
    };
    let provider = keys::provider(&production).expect("files");
    let [own, others] = [folder.files(), other.files()];
    let (own, others) = (kids(own.as_ref()).await, kids(others.as_ref()).await);
    assert_eq!(kids(provider.as_ref()).await, [&others[..1], &own[1..]].concat());
    keys::load(&production).await.expect("a key for each purpose").expect("keys");

    chmod(&file, 0o644);
    let line = refusal(&production).await;
    assert!(line.starts_with("the receipt key cannot be used"), "{line}");
    fs::remove_file(&file).expect("it is there");
    let line = refusal(&production).await;
    assert!(line.contains("GOVERN_SIGNING_KEY_FILE") && line.contains("receipt"), "{line}");
}

#[tokio::test]
async fn a_file_that_is_no_key_or_serves_two_purposes_stops_the_start() {
    let folder = Folder::new("bad");
    let store = folder.store(Environment::Development);
    keys::load(&store).await.expect("they are made");
    let (receipt, log) = (folder.path("keys/receipt.pem"), folder.path("keys/log.pem"));
    let kept = fs::read_to_string(&log).expect("it is there");
    fs::copy(&receipt, &log).expect("both are ours");
    let line = refusal(&store).await;
    assert_eq!(line, "the log key is the receipt key too; each purpose needs a key of its own");
    for bad in ["", "no key", &kept.replace("PRIVATE", "PUBLIC")] {
        fs::write(&log, bad).expect("it is ours");
        let line = refusal(&store).await;
        assert!(line.starts_with("the log key cannot be used"), "{line}");
    }
    // A key of the other algorithm.
    fs::copy(folder.path("keys/rekor.pem"), &log).expect("both are ours");
    assert!(refusal(&store).await.contains("not an Ed25519 key"));
}

#[tokio::test]
async fn keys_of_a_version_that_derived_them_are_not_replaced_silently() {
    let folder = Folder::new("derived");
    fs::create_dir_all(&folder.0).expect("a folder can be made");
    fs::write(folder.path("signing-key.pem"), "a key").expect("it is ours");
    let store = folder.store(Environment::Development);
    let line = refusal(&store).await;
    assert!(line.contains("docs/TRUST.md"), "{line}");
    // Beside keys of this version it is an old file.
    folder.files().create(Purpose::Receipt).await.expect("a directory of its own");
    keys::load(&store).await.expect("they are made");
}

#[tokio::test]
async fn the_command_makes_lists_and_rotates_and_retains_the_public_half() {
    let world = world().await;
    let folder = Folder::new("command");
    let database = ["--database-url", &world.database.superuser_url];
    let govern = async |words: &[&str]| folder.govern(&[&database, words].concat()).await;
    govern(&["keys", "init", "--purpose", "receipt", "--json"]).await.expect("one is made");
    assert_eq!(kids(folder.files().as_ref()).await.len(), 1);
    govern(&["keys", "init"]).await.expect("the others are made");
    let before = kids(folder.files().as_ref()).await;
    govern(&["keys", "init"]).await.expect("there is nothing to do");
    assert_eq!(kids(folder.files().as_ref()).await, before);
    for list in [&["keys", "list"][..], &["keys", "list", "--purpose", "log", "--json"]] {
        govern(list).await.expect("the keys are listed");
    }
    let unknown = govern(&["keys", "rotate", "--purpose", "witness"]).await.unwrap_err();
    assert!(unknown.contains("must be one of receipt, policy_approval"), "{unknown}");

    for (index, purpose) in Purpose::ALL.into_iter().enumerate() {
        let before = kids(folder.files().as_ref()).await;
        govern(&["keys", "rotate", "--purpose", purpose.as_str()]).await.expect("it is rotated");
        let after = kids(folder.files().as_ref()).await;
        for (place, (old, new)) in before.iter().zip(&after).enumerate() {
            assert_eq!(old != new, place == index, "{purpose}: {old:?}, {new:?}");
        }
        let kid = &before[index].1;
        let retired = folder.path(&format!("keys/retired/{purpose}-{kid}.pem"));
        assert_eq!((mode(&retired), mode(&folder.path("keys/retired"))), (0o600, 0o700));
        if purpose == Purpose::Rekor {
            continue;
        }
        // With its private half gone, what was signed can still be verified.
        let stored = async || {
            let keys = folder.files().keys(purpose).await.expect("they can be read");
            assert_eq!(keys.len(), 2);
            keys.into_iter().find(|key| !key.is_current).expect("the one before")
        };
        assert!(matches!(stored().await.material, KeyMaterial::Ed25519(_)));
        fs::remove_file(&retired).expect("it is ours");
        let key = stored().await;
        assert!(matches!(key.material, KeyMaterial::Public(_)));
        assert_eq!(key.material.kid(), kid);
    }
    let before = kids(folder.files().as_ref()).await;
    govern(&["keys", "rotate"]).await.expect("all are rotated");
    let after = kids(folder.files().as_ref()).await;
    assert!(before.iter().zip(&after).all(|(old, new)| old != new));
}
