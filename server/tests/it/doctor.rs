//! `govern doctor`: findings about a running deployment.

use std::{
    fs::{self, Permissions},
    net::TcpListener,
    os::unix::fs::PermissionsExt,
};

use clap::Parser;
use server::{
    config::{Environment, ServeConfig, StoreConfig},
    doctor::{Examination, Finding, Status},
};

use crate::{keys::DataDir, prelude::*};

#[derive(Debug, Parser)]
struct Settings {
    #[command(flatten)]
    serve: ServeConfig,
}

/// Examines the database of a service with these arguments of `govern serve`.
async fn examine(service: &TestService, data: &DataDir, arguments: &[&str]) -> Vec<Finding> {
    let store = StoreConfig {
        database_url: Some(service.database.app_url.clone()),
        ..store_config(data.directory(), Environment::Development)
    };
    run(&store, arguments).await
}

async fn run(store: &StoreConfig, arguments: &[&str]) -> Vec<Finding> {
    let arguments = std::iter::once("govern").chain(arguments.iter().copied());
    let serve = Settings::parse_from(arguments).serve;
    let examination = Examination {
        store,
        serve: &serve,
        variables: ["GOVERN_PUBLIC_URI", "GOVERN_ADDR", "HOME"].map(str::to_owned).to_vec(),
        known_variables: vec!["GOVERN_ADDR".to_owned()],
        test_mail: None,
    };
    examination.run().await
}

/// Returns the status of the finding whose message contains `text`.
fn status(findings: &[Finding], text: &str) -> Status {
    let found = findings.iter().find(|finding| finding.message.contains(text));
    found.unwrap_or_else(|| panic!("no finding with `{text}`: {findings:#?}")).status
}

#[tokio::test(flavor = "multi_thread")]
async fn findings_name_what_is_wrong() {
    let (service, data) = (test_service().await, DataDir::new("doctor"));
    let findings = examine(&service, &data, &[]).await;
    // The server of the tests is faster than it is safe.
    assert_eq!(status(&findings, "`fsync` is off"), Status::Failed);
    assert_eq!(status(&findings, "`full_page_writes` is off"), Status::Failed);
    assert_eq!(status(&findings, "`archive_mode` is off"), Status::Warning);
    assert_eq!(status(&findings, "all migrations are applied"), Status::Ok);
    assert_eq!(status(&findings, "the clocks of this machine and the database"), Status::Ok);
    assert_eq!(status(&findings, "there is no trust registry"), Status::Warning);
    assert_eq!(status(&findings, "GOVERN_PUBLIC_URI is not a setting"), Status::Warning);
    assert_eq!(status(&findings, "there is no receipt key"), Status::Warning);
    assert_eq!(status(&findings, "mail is written to the data directory"), Status::Ok);
    let text = findings.iter().map(Finding::line).collect::<Vec<_>>().join("\n");
    assert!(!text.contains("GOVERN_ADDR is not"), "{text}");
    assert!(
        !data.path("keys").exists() && !data.path("secret-key.hex").exists(),
        "nothing is created"
    );
    for finding in &findings {
        assert_eq!(finding.status == Status::Ok, finding.action.is_none(), "{finding:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unreachable_services_fail() {
    let (service, data) = (test_service().await, DataDir::new("doctor-unreachable"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("the listener is bound").port();
    drop(listener);
    let (redis, smtp) = (format!("redis://127.0.0.1:{port}"), format!("smtp://127.0.0.1:{port}"));
    let arguments =
        ["--redis-url", &redis, "--smtp-url", &smtp, "--mail-from", "govern@acme.example"];
    let findings = examine(&service, &data, &arguments).await;
    assert_eq!(status(&findings, "Redis does not respond"), Status::Failed);
    assert_eq!(status(&findings, "127.0.0.1: "), Status::Failed);

    let store = StoreConfig {
        database_url: Some(format!("postgres://govern_app@127.0.0.1:{port}/govern")),
        ..store_config(data.directory(), Environment::Production)
    };
    let findings = run(&store, &["--public-url", "http://govern.example"]).await;
    let unavailable =
        format!("the database is unavailable: 127.0.0.1:{port}: Connection refused (os error 111)");
    assert_eq!(status(&findings, &unavailable), Status::Failed);
    assert_eq!(status(&findings, "must start with https://"), Status::Failed);
    assert_eq!(status(&findings, "GOVERN_SECRET_KEY_FILE is not set"), Status::Failed);
    assert_eq!(status(&findings, "there is no receipt key"), Status::Failed);
    assert_eq!(status(&findings, "GOVERN_METRICS_TOKEN is not set"), Status::Warning);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_and_files_that_stop_the_start_fail() {
    let (service, data) = (test_service().await, DataDir::new("doctor-files"));
    let secret_key = data.path("secret-key.hex");
    private_file::write(&secret_key, &"07".repeat(32)).expect("a file");
    fs::set_permissions(&secret_key, Permissions::from_mode(0o644)).expect("a mode");
    let findings = examine(&service, &data, &[]).await;
    let expected = format!("run `chmod 600 {}`", secret_key.display());
    assert_eq!(status(&findings, &expected), Status::Failed);

    let store = StoreConfig {
        database_url: Some(service.database.app_url.clone()),
        ..store_config(data.directory(), Environment::Production)
    };
    let findings = run(&store, &[]).await;
    assert_eq!(status(&findings, "GOVERN_PUBLIC_URL is not set"), Status::Failed);
}

#[tokio::test(flavor = "multi_thread")]
async fn user_without_row_level_security_is_refused() {
    let (service, data) = (test_service().await, DataDir::new("doctor-role"));
    let role = "do $$ begin create role govern_test_bypass bypassrls; \
                exception when duplicate_object then null; end $$";
    service.sql(role).await;
    // The address of the pooler or of another tool may select a role.
    let separator = if service.database.superuser_url.contains('?') { '&' } else { '?' };
    let url = format!(
        "{}{separator}options=-c%20role%3Dgovern_test_bypass",
        service.database.superuser_url
    );
    let db = migration::connect(&url).await.expect("a connection");
    let server = migration::server_state(&db).await.expect("the state can be read");
    db.close().await.expect("the connection closes");
    assert!(server.bypasses_row_security, "{server:?}");
    assert!(server.unprotected_tables > 0, "{server:?}");
    let findings = examine(&service, &data, &[]).await;
    assert!(!findings.iter().any(|finding| finding.message.contains("row-level security")));
}
