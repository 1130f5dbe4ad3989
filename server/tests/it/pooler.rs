//! The service behind PgBouncer in transaction mode, and database sessions that prevent its start.

mod pgbouncer;

use std::collections::BTreeSet;

use clap::Parser as _;
use governance::base::database::{CONNECTIONS_DEFAULT, connect};
use local_postgres::{Config, OwnerKind};
use server::command::Govern;
use testkit::database::{TestDatabase, test_database};
use tokio::task::JoinSet;

use self::pgbouncer::{PgBouncer, SERVER_CONNECTIONS};
use crate::prelude::*;

const PREPARED_STATEMENTS: &str = "max_prepared_statements = 200";

/// The number of decisions of each tenant.
const DECISIONS: usize = 40;

async fn service_behind(pooler: &PgBouncer, mut database: TestDatabase) -> TestService {
    database.app_url = pooler.url(&database.app_url);
    TestServiceBuilder::default().start_on(database).await
}

/// Records decisions concurrently, each followed by a list, and returns their IDs.
async fn record_and_list(client: Client, tenant: usize) -> BTreeSet<String> {
    let mut calls = JoinSet::new();
    for number in 0..DECISIONS {
        let (client, body) = (client.clone(), request(&format!("k-{tenant}-{number}"), 12_000));
        calls.spawn(async move {
            let decision = record(&client, &body).await;
            let list = client.get("/v1/decisions?limit=5").await.expect(200);
            assert!(!items(&list).is_empty());
            text(&decision["id"]).to_owned()
        });
    }
    calls.join_all().await.into_iter().collect()
}

/// Returns why the service does not start with this database.
async fn start_error(url: &str) -> String {
    connect(url, CONNECTIONS_DEFAULT).await.expect_err("the session is refused").to_string()
}

/// Returns the URL of the service for a `DATABASE_URL`.
async fn app_url(database_url: &str) -> String {
    let (url, data_dir) = (Some(database_url.to_owned()), std::env::temp_dir());
    let config = Config { url, data_dir, pg_bin: None };
    local_postgres::open(&config, OwnerKind::Service)
        .await
        .expect("nothing is started")
        .app_url
        .clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn tenants_that_share_server_connections_see_only_their_own_rows() {
    let database = test_database().await;
    let pooler = PgBouncer::start(&database, PREPARED_STATEMENTS).await;
    let service = service_behind(&pooler, database).await;
    service.active("PAY-01").await;
    let mut keys = vec![service.key.clone()];
    for name in ["Bolt", "Cask", "Dune"] {
        let other = service.other_tenant_named(name).await;
        other.activate_policy("PAY-01").await;
        keys.push(other.key);
    }
    let mut tenants = JoinSet::new();
    for (tenant, key) in keys.iter().cloned().enumerate() {
        tenants.spawn(async move { (tenant, record_and_list(key, tenant).await) });
    }
    let recorded = tenants.join_all().await;
    for (tenant, ids) in &recorded {
        let list = keys[*tenant].get("/v1/decisions?limit=100").await.expect(200);
        let listed = items(&list).iter().map(|decision| text(&decision["id"]).to_owned()).collect();
        assert_eq!(*ids, listed, "tenant {tenant}");
        let id = ids.first().expect("a decision");
        for (other, key) in keys.iter().enumerate() {
            let response = key.get(format!("/v1/decisions/{id}")).await;
            assert_eq!(response.status, if other == *tenant { 200 } else { 404 }, "{response}");
        }
    }
    service.assert_audit_events_are_linked().await;

    service.submitted("SPEND").await;
    let inbox = Browser::member(&service, Role::Ratifier).await.page("inbox").await.html();
    assert!(inbox.contains("3 rules, all new"), "{inbox}");
    assert!(inbox.contains("Open alerts by rule"), "{inbox}");

    let open = service.governance.connections().open;
    assert!(open > SERVER_CONNECTIONS, "{open} connections to the pooler");
    let sessions = "select count(*)::text from pg_stat_activity \
                    where usename = 'govern_app' and datname = current_database()";
    let sessions: u32 = service.sql(sessions).await[0].parse().expect("a number");
    // The connection of the test database does not use the pooler.
    assert!(sessions <= SERVER_CONNECTIONS + 1, "{sessions} connections to the server");
}

#[tokio::test]
async fn a_pooler_without_prepared_statements_is_refused() {
    let database = test_database().await;
    let pooler = PgBouncer::start(&database, "max_prepared_statements = 0").await;
    assert_snapshot!(
        start_error(&pooler.url(&database.app_url)).await,
        @"the pooler does not support prepared statements; use PgBouncer 1.21 or newer with `max_prepared_statements = 200`"
    );
}

#[tokio::test]
async fn a_pooler_that_does_not_set_the_role_is_refused() {
    let database = test_database().await;
    let pooler = PgBouncer::start(&database, PREPARED_STATEMENTS).await;
    let url = app_url(&pooler.url(&database.superuser_url)).await;
    assert_snapshot!(
        start_error(&url).await,
        @"the pooler rejects the startup options that set the role; behind a pooler, DATABASE_URL must name the user `govern_app`"
    );
    let ignoring = format!("{PREPARED_STATEMENTS}\nignore_startup_parameters = options");
    let pooler = PgBouncer::start(&database, &ignoring).await;
    let url = app_url(&pooler.url(&database.superuser_url)).await;
    assert_snapshot!(
        start_error(&url).await,
        @"database sessions run as `postgres` instead of `govern_app`; behind a pooler, DATABASE_URL must name the user `govern_app`"
    );
}

#[tokio::test]
async fn a_role_without_time_limits_is_refused() {
    let database = test_database().await;
    let superuser = testkit::database::connect(&database.superuser_url).await;
    let remove = "do $$ begin execute format('alter role govern_app in database %I \
                  set lock_timeout = 0', current_database()); end $$";
    testkit::database::texts(&superuser, remove).await;
    superuser.close().await.expect("the connection closes");
    assert_snapshot!(
        start_error(&database.app_url).await,
        @"the role `govern_app` has no `lock_timeout`; run `govern migrate` as a user that can become `govern_app`, or set it with `ALTER ROLE govern_app SET lock_timeout = '30s'`, and let the pooler reconnect"
    );
}

#[tokio::test]
async fn another_user_gets_the_role_and_its_limits_as_startup_options() {
    let database = test_database().await;
    let url = app_url(&database.superuser_url).await;
    let connected = connect(&url, CONNECTIONS_DEFAULT).await.expect("the session is accepted");
    let settings = "select name || '=' || setting from pg_settings \
                    where name like any (array['%statement_timeout', 'lock_timeout', 'idle_in_tr%']) \
                    order by name";
    let settings = testkit::database::texts(&connected, settings).await;
    assert_eq!(
        settings,
        [
            "idle_in_transaction_session_timeout=30000",
            "lock_timeout=10000",
            "statement_timeout=25000"
        ]
    );
    connected.close().await.expect("the connections close");
}

#[test]
fn the_number_of_connections_has_a_range() {
    for number in ["3", "1001", "many"] {
        let parsed = Govern::try_parse_from(["govern", "serve", "--database-connections", number]);
        let error = parsed.expect_err("the number is refused").to_string();
        assert!(error.contains("must be a number from 4 to 1000"), "{error}");
    }
    for number in ["4", "1000"] {
        let parsed = Govern::try_parse_from(["govern", "serve", "--database-connections", number]);
        assert!(parsed.is_ok(), "{number}");
    }
}
