//! The trust registry as everybody reads it, and as `govern trust` issues it.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use clap::Parser as _;
use governance::proof::trust_registry::{self, Rotation};
use receipt::key::SigningKey;
use serde_json::{Value, json};
use server::{
    command::{self, Govern},
    config::{Environment, StoreConfig},
    keys::KeysConfig,
    trust_startup,
};
use verify::{Trust, TrustDocument};

use crate::{
    bundles::{checked, full, lines, recorded},
    client::{TestResponse, text},
    console_bundle::{bare, says},
    service::{TestService, use_cases, world},
};

const PATH: &str = "/v1/.well-known/trust-registry";

/// The root key of a world.
pub(crate) fn root() -> SigningKey {
    SigningKey::from_seed([1; 32])
}

/// Begins the registry of a world.
pub(crate) async fn begin(world: &TestService) {
    trust_registry::init(&world.governance, &[root()], 1).await.expect("the registry begins");
}

/// What a verifier trusts who was handed the trust document.
pub(crate) async fn trusted(world: &TestService) -> Trust {
    let document =
        trust_registry::trust_document(&world.governance).await.expect("there is a registry");
    let document = TrustDocument::read(document.to_canonical().as_bytes()).expect("it is one");
    Trust::new(document).expect("it can be trusted")
}

/// Another signing key than that of a world.
pub(crate) fn another_key() -> SigningKey {
    SigningKey::from_seed([90; 32])
}

fn version(answer: &TestResponse) -> Value {
    use base64::Engine as _;
    let envelope = answer.expect(200);
    let payload = base64::engine::general_purpose::STANDARD.decode(text(&envelope["payload"]));
    let registry: Value = serde_json::from_slice(&payload.expect("base64")).expect("JSON");
    registry["version"].clone()
}

#[tokio::test]
async fn the_registry_is_read_by_anybody_and_each_version_for_ever() {
    let world = world().await;
    for path in [PATH.to_owned(), format!("{PATH}?version=1")] {
        assert_eq!(world.public.get(path).await.to_string(), "404 NOT_FOUND");
    }
    begin(&world).await;
    let first = world.public.get(PATH).await;
    assert_eq!(version(&first), 1);
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    assert_eq!(first.header("access-control-allow-origin"), Some("*"));
    let etag = first.header("etag").expect("a public read has one").to_owned();
    let again = world.public.get(PATH).header("if-none-match", &etag).await;
    assert_eq!((again.status, &*again.text), (304, ""));

    let rotation = Rotation { to: Some(another_key()), retires: false };
    trust_registry::rotate(&world.governance, &[root()], rotation).await.expect("version 2");
    let elsewhere = world.another_process().await;
    for client in [&world.public, &elsewhere] {
        assert_eq!(version(&client.get(PATH).header("if-none-match", &etag).await), 2);
        for (number, text) in [(1, Some(&first.text)), (2, None)] {
            let fixed = client.get(format!("{PATH}?version={number}")).await;
            assert_eq!(version(&fixed), number);
            assert!(text.is_none_or(|text| *text == fixed.text), "byte for byte");
            let cache = fixed.header("cache-control");
            assert_eq!(cache, Some("public, max-age=31536000, immutable"));
        }
    }
    for (query, refused) in [
        ("version=3", "404 NOT_FOUND"),
        ("version=4294967295", "404 NOT_FOUND"),
        ("version=0", "422 VALIDATION_ERROR"),
        ("version=-1", "422 VALIDATION_ERROR"),
        ("version=1&version=2", "422 VALIDATION_ERROR"),
        ("versoin=1", "422 VALIDATION_ERROR"),
    ] {
        let answer = world.public.get(format!("{PATH}?{query}")).await;
        assert_eq!(answer.to_string(), refused, "{query}");
    }
}

#[tokio::test]
async fn the_key_set_follows_the_registry_and_says_what_comes_after_it() {
    let world = world().await;
    let keys = async || world.public.get("/v1/.well-known/signing-keys").await;
    let kids = |answer: &TestResponse| -> Vec<String> {
        let keys = answer.expect(200)["keys"].as_array().expect("a list").clone();
        keys.iter().map(|key| text(&key["kid"]).to_owned()).collect()
    };
    let before = kids(&keys().await);
    begin(&world).await;
    let answer = keys().await;
    assert_eq!(kids(&answer), before, "the same keys, by the registry");
    assert_eq!(answer.header("content-type"), Some("application/jwk-set+json"));
    assert_eq!(answer.header("cache-control"), Some("max-age=300"));
    assert!(answer.header("deprecation").is_some_and(|at| at.starts_with('@')));
    let link = format!("<{PATH}>; rel=\"successor-version\"");
    assert_eq!(answer.header("link"), Some(&*link));
    assert_eq!(answer.expect(200)["deprecation"], json!({"successor": PATH}));
    let rotation = Rotation { to: Some(another_key()), retires: true };
    trust_registry::rotate(&world.governance, &[root()], rotation).await.expect("version 2");
    let both = kids(&keys().await);
    assert!(both.len() == 4 && both.starts_with(&before));
    let revocation = trust_registry::Revocation {
        kids: before.clone(),
        reason: "lost".to_owned(),
        compromised_since: None,
    };
    trust_registry::revoke(&world.governance, &[root()], &revocation).await.expect("version 3");
    assert_eq!(kids(&keys().await), both[3..]);
}

#[tokio::test]
async fn people_see_every_key_with_what_it_signs_and_how_it_stands() {
    let world = world().await;
    let page = async || world.public.with("accept", "text/html").get("/trust").await.text;
    let none = page().await;
    assert!(says(&none, "There is no trust registry yet."), "{}", bare(&none));
    let keys = world.public.get("/v1/.well-known/signing-keys").await.expect(200);
    let kids: Vec<&str> =
        keys["keys"].as_array().expect("a list").iter().map(|key| text(&key["kid"])).collect();
    for kid in &kids {
        assert!(says(&none, kid), "{kid}: {}", bare(&none));
    }

    begin(&world).await;
    let rotation = Rotation { to: Some(another_key()), retires: true };
    trust_registry::rotate(&world.governance, &[root()], rotation).await.expect("version 2");
    let revocation = trust_registry::Revocation {
        kids: vec![kids[1].to_owned()],
        reason: "lost on a train".to_owned(),
        compromised_since: None,
    };
    trust_registry::revoke(&world.governance, &[root()], &revocation).await.expect("version 3");
    let newest = trust_registry::newest(&world.governance).await.unwrap().unwrap();
    let listed = page().await;
    for said in ["Version 3", "Signed by 1 of 1 root", "this registry Active", "lost on a train"] {
        assert!(says(&listed, said), "{said}: {}", bare(&listed));
    }
    for key in &newest.registry.keys {
        assert!(says(&listed, key.kid()), "{}: {}", key.kid(), bare(&listed));
    }
    for (word, number) in [("Revoked", 1), ("Retired", 1)] {
        assert_eq!(bare(&listed).matches(word).count(), number, "{word}: {}", bare(&listed));
    }
    let root = root().kid().to_owned();
    assert!(says(&listed, &format!("--root-key {root}")), "{}", bare(&listed));
}

/// A data folder of one test's own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = format!("govern-trust-{}-{name}", std::process::id());
        Self(std::env::temp_dir().join(folder))
    }

    fn store(&self, world: &TestService, environment: Environment) -> StoreConfig {
        StoreConfig {
            database_url: Some(world.database.superuser_url.clone()),
            data_dir: self.0.join("data"),
            pg_bin: None,
            environment,
            keys: KeysConfig::default(),
            signing_key_file: None,
            secret_key_file: None,
            allow_unsigned: false,
            log_origin: None,
        }
    }

    /// Runs `govern trust` as somebody types it.
    async fn govern(&self, world: &TestService, words: &[&str]) -> Result<(), String> {
        let data = self.0.join("data").display().to_string();
        let store = ["--database-url", &world.database.superuser_url, "--data-dir", &data];
        let line = ["govern"].iter().chain(&store).chain(&["trust"]).chain(words);
        let govern = Govern::try_parse_from(line).map_err(|error| error.to_string())?;
        command::run(govern).await.map_err(|error| format!("{error:#}"))
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn the_command_begins_rotates_revokes_and_shows() {
    let world = world().await;
    let folder = Folder::new("command");
    let shown = folder.govern(&world, &["show"]).await.unwrap_err();
    assert!(shown.contains("govern trust init") && !shown.contains('\n'), "{shown}");
    folder.govern(&world, &["init"]).await.unwrap();
    let root = folder.0.join("data-roots/root-key.pem");
    let mode = fs::metadata(&root).expect("the root key is beside the data").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let again = folder.govern(&world, &["init"]).await.unwrap_err();
    assert!(again.contains("exists"), "{again}");

    let next = folder.path("next-key.pem");
    folder.govern(&world, &["rotate", "--to", &next]).await.unwrap();
    folder.govern(&world, &["rotate", "--to", &next, "--retire", "--json"]).await.unwrap();
    let newest = trust_registry::newest(&world.governance).await.unwrap().unwrap();
    let retired = newest.registry.keys[1].kid().to_owned();
    let instant = "2026-01-01T00:00:00Z";
    let revoke = ["revoke", "--reason", "lost", "--compromised-since", instant, "--", &retired];
    folder.govern(&world, &revoke).await.unwrap();
    let twice = folder.govern(&world, &revoke).await.unwrap_err();
    assert!(twice.contains(&retired), "{twice}");
    for show in [&["show"][..], &["show", "--json"], &["show", "--trust-document"]] {
        folder.govern(&world, show).await.unwrap();
    }
    assert_eq!(
        trust_registry::newest(&world.governance).await.unwrap().unwrap().registry.version,
        4
    );
    trusted(&world).await;

    // Without its root key, nothing is issued.
    fs::remove_file(&root).unwrap();
    let lacking = folder.govern(&world, &["rotate"]).await.unwrap_err();
    assert!(lacking.contains("--root-key"), "{lacking}");
    let foreign =
        folder.govern(&world, &["rotate", "--to", &next, "--root-key", &next]).await.unwrap_err();
    assert!(foreign.contains("too few root keys"), "{foreign}");
}

#[tokio::test]
async fn several_root_keys_sign_by_their_threshold() {
    let world = world().await;
    let folder = Folder::new("threshold");
    let roots = ["a", "b", "c"].map(|name| folder.path(name));
    let named = |count: usize| roots[..count].iter().flat_map(|root| ["--root-key", root.as_str()]);
    let line = |word: &'static str, count: usize| -> Vec<&str> {
        std::iter::once(word).chain(named(count)).collect()
    };
    folder.govern(&world, &line("init", 3)).await.unwrap();
    let newest = trust_registry::newest(&world.governance).await.unwrap().unwrap();
    assert_eq!((newest.registry.root_keys.len(), newest.registry.root_threshold), (3, 2));
    assert!(folder.govern(&world, &line("rotate", 1)).await.is_err());
    folder.govern(&world, &line("rotate", 2)).await.unwrap();

    // Another root comes for the third one; whoever trusted a version before walks on.
    let pinned = trusted(&world).await;
    world.active("PAY-01").await;
    let path = recorded(&world.key, &full("k")).await;
    let (d, c) = (folder.path("d"), newest.registry.root_keys[2].clone());
    let retire = format!("--retire-root={c}");
    let other = ["--add-root", &d, &retire, "--threshold", "1"];
    assert!(folder.govern(&world, &[&line("rotate", 1)[..], &other].concat()).await.is_err());
    folder.govern(&world, &[&line("rotate", 2)[..], &other].concat()).await.unwrap();
    folder.govern(&world, &["rotate", "--root-key", &d]).await.unwrap();
    let bundle = world.public.get(&path).await;
    let report = checked(&bundle.bytes, &pinned);
    assert_eq!(report.registry_version, Some(4));
    assert!(!lines(&report).iter().any(|line| line.starts_with("trust_roots")), "{report:?}");
    let both = ["rotate", "--to", &d, "--add-root", &d];
    let refused = folder.govern(&world, &both).await.unwrap_err();
    assert!(refused.contains("cannot be used with"), "{refused}");
}

#[tokio::test]
async fn a_desk_begins_its_registry_and_production_refuses_a_key_that_is_not_listed() {
    let world = world().await;
    let folder = Folder::new("start");
    let production = folder.store(&world, Environment::Production);
    // There is no registry: that is said, and the service serves.
    trust_startup::prepare(&world.governance, &production).await.unwrap();
    assert_eq!(world.public.get(PATH).await.to_string(), "404 NOT_FOUND");

    let desk = folder.store(&world, Environment::Development);
    let other = use_cases(&world.database, world.clock.clone(), 2).await;
    let (one, two) = tokio::join!(
        trust_startup::prepare(&world.governance, &desk),
        trust_startup::prepare(&other, &desk)
    );
    one.and(two).unwrap();
    assert_eq!(world.sql("select version::text from trust_registries").await, ["1"]);
    let roots = trust_startup::root_keys(&desk, &[]).unwrap();
    assert_eq!(roots.len(), 1);
    trust_startup::prepare(&world.governance, &production).await.unwrap();

    let rotation = Rotation { to: Some(another_key()), retires: true };
    trust_registry::rotate(&world.governance, &roots, rotation).await.unwrap();
    trust_startup::prepare(&world.governance, &desk).await.unwrap();
    let refused =
        trust_startup::prepare(&world.governance, &production).await.unwrap_err().to_string();
    assert!(refused.contains("not active in version 2"), "{refused}");
    assert!(!refused.contains('\n'), "{refused}");
}
