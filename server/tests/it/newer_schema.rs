//! A service whose database a newer version has migrated, as during an upgrade of several servers.

use governance::ServiceOptions;
use sea_orm::ConnectionTrait as _;

use crate::{prelude::*, transparency::new_sequencer};

/// The statements that the deployment test uses too.
const NEWER_SCHEMA: &str = include_str!("../../../deploy/newer-schema.sql");

async fn execute(service: &TestService, sql: &str) {
    let superuser = migration::connect(&service.database.superuser_url).await.expect("a server");
    superuser.execute_unprepared(sql).await.expect("the statements are valid");
    superuser.close().await.expect("the connection closes");
}

/// Uses what the added columns concern: decisions, chains, policies, the audit log and the transparency log.
async fn use_service(service: &TestService, code: &str, key: &str) {
    service.active(code).await;
    service.record(key, 12_000).await;
    let linked = chain_request(&format!("{key}-linked"), json!({}));
    service.key.post("/v1/decisions/record", &linked).await.expect(201);
    service.key.get("/v1/decisions").await.expect(200);
    service.key.get("/v1/policies").await.expect(200);
    let verified = service.key.post("/v1/audit-log/verify", &json!({})).await.expect(200);
    assert_eq!(verified["status"], "intact");
    let sequencer = new_sequencer(&service.governance);
    append_pending(service, &sequencer).await;
    let pending = service.sql("select count(*)::text from log_pending").await;
    assert_eq!(pending, ["0"]);
    sequencer.release(&service.governance).await.expect("the lease ends");
}

#[tokio::test]
async fn service_works_while_and_after_a_newer_version_migrates_the_database() {
    let mut service = test_service().await;
    use_service(&service, "PAY-01", "k-1").await;
    execute(&service, NEWER_SCHEMA).await;
    // The statements that the process has prepared before stay valid.
    use_service(&service, "PAY-02", "k-2").await;
    let state = migration::run(&service.database.app_url).await.expect("the service starts");
    assert_eq!(state.newer, ["m9998_newer"]);
    service.restart(ServiceOptions::default()).await;
    use_service(&service, "PAY-03", "k-3").await;
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["6"]);
    // A user who could migrate leaves the schema as it is.
    let state = migration::run(&service.database.superuser_url).await.expect("nothing is applied");
    assert_eq!(state.newer, ["m9998_newer"]);
}

#[testkit::test]
async fn service_does_not_start_after_a_migration_that_excludes_it(service: TestService) {
    let insert = "insert into seaql_migrations values ('m9999_contract_newer', 0)";
    execute(&service, insert).await;
    for url in [&service.database.app_url, &service.database.superuser_url] {
        let error = migration::run(url).await.expect_err("the schema is refused").to_string();
        let expected = "Custom Error: the migration `m9999_contract_newer` of a newer version excludes this version; \
                        start a newer version";
        assert_eq!(error, expected);
    }
    execute(&service, "delete from seaql_migrations where version = 'm9999_contract_newer'").await;
    // A database of another build that lacks a migration of this one.
    let last = migration::MIGRATIONS.last().expect("there are migrations").name;
    let rename =
        format!("update seaql_migrations set version = 'm9998_newer' where version = '{last}'");
    execute(&service, &rename).await;
    let error = migration::run(&service.database.app_url).await.expect_err("it is refused");
    assert!(error.to_string().contains("start the version that migrated it"), "{error}");
}
