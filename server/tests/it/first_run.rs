//! The first start on an empty store: on somebody's desk, and for real.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use governance::{Governance, base::clock::Clock};
use server::{
    config::{Environment, RekorDialect, ServeConfig, StoreConfig, edge::EdgeConfig},
    first_run::{self, FirstRun},
    keys::KeysConfig,
};
use testkit::database::{self, TestDatabase};

use crate::service::{NOW, use_cases};

/// A start on an empty store, with a data folder of its own.
struct Start {
    governance: Governance,
    store: StoreConfig,
    serve: ServeConfig,
    // Last: the database can go only when nobody is connected.
    _database: TestDatabase,
}

impl Start {
    async fn in_environment(environment: Environment) -> Self {
        let database = database::test_database().await;
        let clock = Clock::frozen(NOW.parse().expect("an instant"));
        let folder = format!("govern-first-run-{}-{environment:?}", std::process::id());
        let data_dir = std::env::temp_dir().join(folder);
        fs::create_dir_all(&data_dir).expect("a folder can be made");
        Self {
            governance: use_cases(&database, clock, 1).await,
            store: StoreConfig {
                database_url: None,
                data_dir,
                pg_bin: None,
                environment,
                keys: KeysConfig::default(),
                signing_key_file: None,
                secret_key_file: None,
                allow_unsigned: false,
                log_origin: None,
            },
            serve: ServeConfig {
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
            },
            _database: database,
        }
    }

    /// Prepares the start. Returns what is printed.
    async fn prepare(&self) -> String {
        let made = first_run::prepare(&self.governance, &self.store, &self.serve).await;
        first_run::greeting(&self.store, &self.serve, made.expect("it starts").as_ref())
    }

    fn told(&self) -> PathBuf {
        first_run::file(&self.store)
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.store.data_dir);
    }
}

#[tokio::test]
async fn on_a_desk_the_first_start_makes_a_tenant_and_says_how_to_come_in() {
    let start = Start::in_environment(Environment::Development).await;
    let greeting = start.prepare().await;
    let told = fs::read_to_string(start.told()).expect("it is kept");
    let told: FirstRun = serde_json::from_str(&told).expect("JSON");
    let mode = fs::metadata(start.told()).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    for said in [&told.url, &told.email, &told.password, &told.tenant_id, &told.api_key] {
        assert!(greeting.contains(said), "{said}");
    }
    assert_eq!(first_run::hint(&start.governance).await.expect("it answers"), None);
    // The next start makes nothing and prints no secret.
    let next = start.prepare().await;
    assert!(!next.contains(&told.api_key) && !next.contains(&told.password), "{next}");
    assert!(next.contains("first-run.json"), "{next}");
}

#[tokio::test]
async fn in_production_nothing_is_made_up_and_one_line_says_how_to_begin() {
    let start = Start::in_environment(Environment::Production).await;
    let greeting = start.prepare().await;
    assert!(!start.told().exists());
    assert!(governance::access::operator::is_empty(&start.governance).await.expect("it answers"));
    let hint = first_run::hint(&start.governance).await.expect("it answers").expect("a hint");
    assert!(hint.contains("govern bootstrap --tenant") && !hint.contains('\n'), "{hint}");
    assert!(!greeting.contains("password"), "{greeting}");
}

#[tokio::test]
async fn production_prints_no_credentials_of_a_first_start_in_development() {
    let mut start = Start::in_environment(Environment::Development).await;
    start.prepare().await;
    let told = fs::read_to_string(start.told()).expect("it is kept");
    let told: FirstRun = serde_json::from_str(&told).expect("JSON");
    start.store.environment = Environment::Production;
    let greeting = start.prepare().await;
    assert!(greeting.contains(&told.url), "{greeting}");
    for secret in [&told.password, &told.api_key] {
        assert!(!greeting.contains(secret), "{greeting}");
    }
}

#[tokio::test]
async fn a_production_service_refuses_a_public_url_of_plain_http() {
    let mut serve = Start::in_environment(Environment::Production).await.serve.clone();
    serve.public_url = Some("http://govern.example".to_owned());
    let refused =
        serve.check_public_url(Environment::Production).map_err(|error| error.to_string());
    assert!(
        refused.is_err_and(|line| line.starts_with("GOVERN_PUBLIC_URL: must start with https://"))
    );
    serve
        .check_public_url(Environment::Development)
        .expect("a developer's machine has no certificate");
    serve.public_url = Some("https://govern.example".to_owned());
    serve.check_public_url(Environment::Production).expect("TLS");
}
