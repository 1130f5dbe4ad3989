//! The first start on an empty database, in development and in production.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use governance::{Governance, base::clock::Clock};
use server::{
    config::{Environment, RekorDialect, ServeConfig, StoreConfig, edge::EdgeConfig},
    first_run::{self, FirstRun},
};
use testkit::database::{self, TestDatabase};

use crate::{prelude::*, service::use_cases};

/// A start on an empty database with its own data directory.
struct Start {
    governance: Governance,
    store: StoreConfig,
    serve: ServeConfig,
    // The last field: the database can be dropped only after its connections are closed.
    _database: TestDatabase,
}

impl Start {
    async fn in_environment(environment: Environment) -> Self {
        let database = database::test_database().await;
        let clock = Clock::frozen(NOW.parse().expect("a timestamp"));
        let directory = format!("govern-first-run-{}-{environment:?}", std::process::id());
        let data_dir = std::env::temp_dir().join(directory);
        fs::create_dir_all(&data_dir).expect("a directory can be created");
        Self {
            governance: use_cases(&database, clock, 1).await,
            store: store_config(data_dir, environment),
            serve: ServeConfig {
                database_read_url: None,
                webhook_schedule: governance::notify::webhook::Schedule::default(),
                rekor_url: None,
                rekor_dialect: RekorDialect::default(),
                rekor_key_file: None,
                addr: "127.0.0.1:3000".parse().expect("an address"),
                public_url: None,
                lint_url: None,
                demo: false,
                edge: EdgeConfig::default(),
                outbound: server::config::outbound::OutboundConfig::default(),
                mail: server::config::mail::MailConfig::default(),
                traces: server::config::traces::TracesConfig::default(),
            },
            _database: database,
        }
    }

    /// Prepares the start and returns the printed text.
    async fn prepare(&self) -> String {
        let created = first_run::prepare(&self.governance, &self.store, &self.serve).await;
        first_run::greeting(&self.store, &self.serve, created.expect("the start succeeds").as_ref())
    }

    fn credentials_file(&self) -> PathBuf {
        first_run::file(&self.store)
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.store.data_dir);
    }
}

#[tokio::test]
async fn first_start_in_development_creates_a_tenant_and_prints_its_credentials() {
    let start = Start::in_environment(Environment::Development).await;
    let greeting = start.prepare().await;
    let json = fs::read_to_string(start.credentials_file()).expect("the file exists");
    let credentials: FirstRun = serde_json::from_str(&json).expect("JSON");
    let mode =
        fs::metadata(start.credentials_file()).expect("the file exists").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_contains(
        &greeting,
        [
            &credentials.url,
            &credentials.email,
            &credentials.password,
            &credentials.tenant_id,
            &credentials.api_key,
        ],
    );
    assert_eq!(first_run::hint(&start.governance).await.expect("the database responds"), None);
    // The next start creates nothing and prints no secret.
    let next = start.prepare().await;
    assert!(
        !next.contains(&credentials.api_key) && !next.contains(&credentials.password),
        "{next}"
    );
    assert!(next.contains("first-run.json"), "{next}");
}

#[tokio::test]
async fn first_start_in_production_creates_nothing_and_prints_a_hint() {
    let start = Start::in_environment(Environment::Production).await;
    let greeting = start.prepare().await;
    assert!(!start.credentials_file().exists());
    assert!(
        governance::access::operator::is_empty(&start.governance)
            .await
            .expect("the database responds")
    );
    let hint =
        first_run::hint(&start.governance).await.expect("the database responds").expect("a hint");
    assert!(hint.contains("govern bootstrap --tenant") && !hint.contains('\n'), "{hint}");
    assert!(!greeting.contains("password"), "{greeting}");
}

#[tokio::test]
async fn production_does_not_print_credentials_of_a_development_start() {
    let mut start = Start::in_environment(Environment::Development).await;
    start.prepare().await;
    let json = fs::read_to_string(start.credentials_file()).expect("the file exists");
    let credentials: FirstRun = serde_json::from_str(&json).expect("JSON");
    start.store.environment = Environment::Production;
    let greeting = start.prepare().await;
    assert!(greeting.contains(&credentials.url), "{greeting}");
    for secret in [&credentials.password, &credentials.api_key] {
        assert!(!greeting.contains(secret), "{greeting}");
    }
}

#[tokio::test]
async fn production_needs_a_public_url_with_tls() {
    let mut serve = Start::in_environment(Environment::Production).await.serve.clone();
    serve.public_url = Some("http://govern.example".to_owned());
    let result = serve.check_public_url(Environment::Production).map_err(|error| error.to_string());
    assert!(
        result.is_err_and(|line| line.starts_with("GOVERN_PUBLIC_URL: must start with https://"))
    );
    serve
        .check_public_url(Environment::Development)
        .expect("a developer's machine has no certificate");
    serve.public_url = Some("https://govern.example".to_owned());
    serve.check_public_url(Environment::Production).expect("TLS");
    serve.public_url = None;
    let result = serve.check_public_url(Environment::Production).map_err(|error| error.to_string());
    assert!(result.is_err_and(|line| line.starts_with("GOVERN_PUBLIC_URL is not set")));
    serve.check_public_url(Environment::Development).expect("the address of the listener");
}
