//! The public trust registry, and the command `govern trust` that issues it.

use std::{fs, os::unix::fs::PermissionsExt};

use clap::Parser as _;
use governance::proof::trust_registry::{self, Rotation};
use receipt::key::SigningKey;
use server::{
    command::{self, Govern},
    config::{Environment, StoreConfig},
    trust_startup,
};
use tempfile::TempDir;
use verify::{Trust, TrustDocument};

use crate::{console_bundle::plain_text, prelude::*, service::use_cases};

const PATH: &str = "/v1/.well-known/trust-registry";

pub(crate) fn root() -> SigningKey {
    SigningKey::from_seed([1; 32])
}

pub(crate) async fn create_registry(service: &TestService) {
    trust_registry::init(&service.governance, &[root()], 1)
        .await
        .expect("the registry can be issued");
}

/// Returns the trust of a verifier that has the trust document of the service.
pub(crate) async fn current_trust(service: &TestService) -> Trust {
    let document =
        trust_registry::trust_document(&service.governance).await.expect("there is a registry");
    let document =
        TrustDocument::read(document.to_canonical().as_bytes()).expect("the document can be read");
    Trust::new(document).expect("the document is valid")
}

/// A signing key other than that of the test service.
pub(crate) fn another_key() -> SigningKey {
    SigningKey::from_seed([90; 32])
}

fn version(response: &TestResponse) -> Value {
    use base64::Engine as _;
    let envelope = response.expect(200);
    let payload = base64::engine::general_purpose::STANDARD.decode(text(&envelope["payload"]));
    let registry: Value = serde_json::from_slice(&payload.expect("base64")).expect("JSON");
    registry["version"].clone()
}

#[testkit::test]
async fn the_registry_is_public_and_every_version_remains_readable(service: TestService) {
    for path in [PATH.to_owned(), format!("{PATH}?version=1")] {
        assert_eq!(service.public.get(path).await.to_string(), "404 NOT_FOUND");
    }
    create_registry(&service).await;
    let first = service.public.get(PATH).await;
    assert_eq!(version(&first), 1);
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    assert_eq!(first.header("access-control-allow-origin"), Some("*"));
    let etag = first.header("etag").expect("a public read has an ETag").to_owned();
    let cached = service.public.get(PATH).header("if-none-match", &etag).await;
    assert_eq!((cached.status, &*cached.text), (304, ""));

    let rotation = Rotation { to: Some(another_key()), retires: false };
    trust_registry::rotate(&service.governance, &[root()], rotation).await.expect("version 2");
    let other_process = service.start_process().await;
    for client in [&service.public, &other_process] {
        assert_eq!(version(&client.get(PATH).header("if-none-match", &etag).await), 2);
        for (number, text) in [(1, Some(&first.text)), (2, None)] {
            let fixed = client.get(format!("{PATH}?version={number}")).await;
            assert_eq!(version(&fixed), number);
            assert!(text.is_none_or(|text| *text == fixed.text), "byte for byte");
            let cache = fixed.header("cache-control");
            assert_eq!(cache, Some("public, max-age=31536000, immutable"));
        }
    }
    for (query, expected) in [
        ("version=3", "404 NOT_FOUND"),
        ("version=4294967295", "404 NOT_FOUND"),
        ("version=0", "422 VALIDATION_ERROR"),
        ("version=-1", "422 VALIDATION_ERROR"),
        ("version=1&version=2", "422 VALIDATION_ERROR"),
        ("versoin=1", "422 VALIDATION_ERROR"),
    ] {
        let response = service.public.get(format!("{PATH}?{query}")).await;
        assert_eq!(response.to_string(), expected, "{query}");
    }
}

#[testkit::test]
async fn the_key_set_follows_the_registry_and_names_its_successor(service: TestService) {
    let keys = async || service.public.get("/v1/.well-known/signing-keys").await;
    let kids = |response: &TestResponse| -> Vec<String> {
        let keys = response.expect(200)["keys"].as_array().expect("a list").clone();
        keys.iter().map(|key| text(&key["kid"]).to_owned()).collect()
    };
    let before = kids(&keys().await);
    create_registry(&service).await;
    let response = keys().await;
    assert_eq!(kids(&response), before, "the registry lists the same keys");
    assert_eq!(response.header("content-type"), Some("application/jwk-set+json"));
    assert_eq!(response.header("cache-control"), Some("max-age=300"));
    assert!(response.header("deprecation").is_some_and(|at| at.starts_with('@')));
    let link = format!("<{PATH}>; rel=\"successor-version\"");
    assert_eq!(response.header("link"), Some(&*link));
    assert_eq!(response.expect(200)["deprecation"], json!({"successor": PATH}));
}

#[testkit::test]
async fn the_trust_page_shows_every_key_and_its_status(service: TestService) {
    let page = async || service.public.with("accept", "text/html").get("/trust").await.text;
    let empty_page = page().await;
    assert!(
        contains_text(&empty_page, "There is no trust registry yet."),
        "{}",
        plain_text(&empty_page)
    );
    let keys = service.public.get("/v1/.well-known/signing-keys").await.expect(200);
    let kids: Vec<&str> =
        keys["keys"].as_array().expect("a list").iter().map(|key| text(&key["kid"])).collect();
    for kid in &kids {
        assert!(contains_text(&empty_page, kid), "{kid}: {}", plain_text(&empty_page));
    }

    create_registry(&service).await;
    let rotation = Rotation { to: Some(another_key()), retires: true };
    trust_registry::rotate(&service.governance, &[root()], rotation).await.expect("version 2");
    let revocation = trust_registry::Revocation {
        kids: vec![kids[1].to_owned()],
        reason: "lost on a train".to_owned(),
        compromised_since: None,
    };
    trust_registry::revoke(&service.governance, &[root()], &revocation).await.expect("version 3");
    let newest = trust_registry::newest(&service.governance).await.unwrap().unwrap();
    let page = page().await;
    assert_shows(
        &page,
        ["Version 3", "Signed by 1 of 1 root", "this registry Active", "lost on a train"],
    );
    for key in &newest.registry.keys {
        assert!(contains_text(&page, key.kid()), "{}: {}", key.kid(), plain_text(&page));
    }
    for (status, count) in [("Revoked", 1), ("Retired", 1)] {
        assert_eq!(
            plain_text(&page).matches(status).count(),
            count,
            "{status}: {}",
            plain_text(&page)
        );
    }
    let root = root().kid().to_owned();
    assert!(contains_text(&page, &format!("--root-key {root}")), "{}", plain_text(&page));
}

/// A directory for the data and the root keys of one test.
struct TrustDirectory(TempDir);

impl TrustDirectory {
    fn new(name: &str) -> Self {
        Self(TempDir::with_prefix(name).expect("a new directory"))
    }

    fn store(&self, service: &TestService, environment: Environment) -> StoreConfig {
        StoreConfig {
            database_url: Some(service.database.superuser_url.clone()),
            ..store_config(self.0.path().join("data"), environment)
        }
    }

    /// Runs `govern trust` with these arguments.
    async fn govern(&self, service: &TestService, arguments: &[&str]) -> Result<(), String> {
        let data = self.0.path().join("data").display().to_string();
        let store = ["--database-url", &service.database.superuser_url, "--data-dir", &data];
        let command_line = ["govern"].iter().chain(&store).chain(&["trust"]).chain(arguments);
        let govern = Govern::try_parse_from(command_line).map_err(|error| error.to_string())?;
        command::run(govern, app::CONSOLE).await.map(drop).map_err(|error| format!("{error:#}"))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }
}

#[testkit::test]
async fn the_command_creates_rotates_revokes_and_shows_the_registry(service: TestService) {
    let directory = TrustDirectory::new("command");
    let error = directory.govern(&service, &["show"]).await.unwrap_err();
    assert!(error.contains("govern trust init") && !error.contains('\n'), "{error}");
    directory.govern(&service, &["init"]).await.unwrap();
    let root = directory.0.path().join("data-roots/root-key.pem");
    let mode = fs::metadata(&root)
        .expect("the root key is stored outside the data directory")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let error = directory.govern(&service, &["init"]).await.unwrap_err();
    assert!(error.contains("exists"), "{error}");

    let next = directory.path("next-key.pem");
    directory.govern(&service, &["rotate", "--to", &next]).await.unwrap();
    directory.govern(&service, &["rotate", "--to", &next, "--retire", "--json"]).await.unwrap();
    let newest = trust_registry::newest(&service.governance).await.unwrap().unwrap();
    let retired = newest.registry.keys[1].kid().to_owned();
    let since = "2026-01-01T00:00:00Z";
    let revoke = ["revoke", "--reason", "lost", "--compromised-since", since, "--", &retired];
    directory.govern(&service, &revoke).await.unwrap();
    let error = directory.govern(&service, &revoke).await.unwrap_err();
    assert!(error.contains(&retired), "{error}");
    for show in [&["show"][..], &["show", "--json"], &["show", "--trust-document"]] {
        directory.govern(&service, show).await.unwrap();
    }
    assert_eq!(
        trust_registry::newest(&service.governance).await.unwrap().unwrap().registry.version,
        4
    );
    current_trust(&service).await;

    // Without its root key, no registry version can be issued.
    fs::remove_file(&root).unwrap();
    let error = directory.govern(&service, &["rotate"]).await.unwrap_err();
    assert!(error.contains("--root-key"), "{error}");
    let error = directory
        .govern(&service, &["rotate", "--to", &next, "--root-key", &next])
        .await
        .unwrap_err();
    assert!(error.contains("too few root keys"), "{error}");
}

#[testkit::test]
async fn several_root_keys_sign_according_to_the_threshold(service: TestService) {
    let directory = TrustDirectory::new("threshold");
    let roots = ["a", "b", "c"].map(|name| directory.path(name));
    let root_key_arguments =
        |count: usize| roots[..count].iter().flat_map(|root| ["--root-key", root.as_str()]);
    let arguments = |command: &'static str, count: usize| -> Vec<&str> {
        std::iter::once(command).chain(root_key_arguments(count)).collect()
    };
    directory.govern(&service, &arguments("init", 3)).await.unwrap();
    let newest = trust_registry::newest(&service.governance).await.unwrap().unwrap();
    assert_eq!((newest.registry.root_keys.len(), newest.registry.root_threshold), (3, 2));
    assert!(directory.govern(&service, &arguments("rotate", 1)).await.is_err());
    directory.govern(&service, &arguments("rotate", 2)).await.unwrap();

    // A new root key replaces the third one.
    let (new_root, old_root) = (directory.path("d"), newest.registry.root_keys[2].clone());
    let retire = format!("--retire-root={old_root}");
    let replacement = ["--add-root", &new_root, &retire, "--threshold", "1"];
    assert!(
        directory
            .govern(&service, &[&arguments("rotate", 1)[..], &replacement].concat())
            .await
            .is_err()
    );
    directory
        .govern(&service, &[&arguments("rotate", 2)[..], &replacement].concat())
        .await
        .unwrap();
    directory.govern(&service, &["rotate", "--root-key", &new_root]).await.unwrap();
    let conflicting = ["rotate", "--to", &new_root, "--add-root", &new_root];
    let error = directory.govern(&service, &conflicting).await.unwrap_err();
    assert!(error.contains("cannot be used with"), "{error}");
}

#[tokio::test]
async fn development_issues_a_registry_and_production_rejects_an_unlisted_key() {
    let service = test_service().await;
    let directory = TrustDirectory::new("start");
    let production = directory.store(&service, Environment::Production);
    // The service starts without a registry.
    trust_startup::prepare(&service.governance, &production).await.unwrap();
    assert_eq!(service.public.get(PATH).await.to_string(), "404 NOT_FOUND");

    let development = directory.store(&service, Environment::Development);
    let other = use_cases(&service.database, service.clock.clone(), 2).await;
    let (first, second) = tokio::join!(
        trust_startup::prepare(&service.governance, &development),
        trust_startup::prepare(&other, &development)
    );
    first.and(second).unwrap();
    assert_eq!(service.sql("select version::text from trust_registries").await, ["1"]);
    let roots = trust_startup::root_keys(&development, &[]).unwrap();
    assert_eq!(roots.len(), 1);
    trust_startup::prepare(&service.governance, &production).await.unwrap();

    let rotation = Rotation { to: Some(another_key()), retires: true };
    trust_registry::rotate(&service.governance, &roots, rotation).await.unwrap();
    trust_startup::prepare(&service.governance, &development).await.unwrap();
    let error =
        trust_startup::prepare(&service.governance, &production).await.unwrap_err().to_string();
    assert!(error.contains("not active in version 2"), "{error}");
    assert!(!error.contains('\n'), "{error}");
}
