//! Checks of the database, its clock, the trust registry and the log.

use std::sync::Arc;

use contract::time::Timestamp;
use governance::{
    Governance, GovernanceConfig, Pepper, ServiceOptions,
    base::{
        clock::{Clock, Entropy},
        database::connect,
        replica::Replica,
    },
    proof::{
        transparency_log::{self, GuardState},
        trust_registry,
    },
};
use migration::{DbErr, SchemaState, ServerState};

use super::{Finding, signing_keys};
use crate::{
    command::admin::connect_error,
    config::{ServeConfig, StoreConfig},
    rollback_guard_file::RollbackGuardFile,
};
use local_postgres::OwnerKind;

const DATABASE: &str = "database";
const SCHEMA: &str = "schema";
const CLOCK: &str = "clock";
const LOG: &str = "log";
const REPLICA: &str = "replica";

/// The oldest supported version of the server.
const OLDEST_VERSION: u32 = 15;

/// The differences of the clocks in milliseconds from which a finding is a warning, or failed.
const CLOCK_MS: (i64, i64) = (1_000, 60_000);

/// The age in seconds from which pending log entries are a warning.
const PENDING_SECONDS: f64 = 60.0;

/// The connections that the checks need.
const CONNECTIONS: u32 = 4;

pub(super) async fn check(
    store: &StoreConfig,
    serve: &ServeConfig,
    now: Timestamp,
) -> Vec<Finding> {
    if !store.database().exists() {
        let action =
            "the service creates it at its first start; check DATABASE_URL if there was one";
        return vec![Finding::warning(DATABASE, "there is no database yet", action)];
    }
    let database = match local_postgres::open(&store.database(), OwnerKind::Command).await {
        Ok(database) => database,
        Err(error) => {
            let action =
                "start it; the log of a private database is `postgres.log` in the data directory";
            return vec![Finding::failed(DATABASE, format!("{error:#}"), action)];
        }
    };
    let mut findings = Vec::new();
    match of_server(store, &database.app_url).await {
        Ok(of_server) => {
            findings.extend(of_server);
            findings.extend(of_service(store, serve, &database.app_url, now).await);
        }
        Err(unavailable) => findings.push(unavailable),
    }
    if let Some(url) = &serve.database_read_url {
        findings.push(of_replica(url).await);
    }
    if let Err(error) = database.close().await {
        findings.push(Finding::warning(DATABASE, format!("{error:#}"), "stop the database"));
    }
    findings
}

/// Checks the server and the schema, as the role of the service.
///
/// # Errors
/// The database is unavailable.
async fn of_server(store: &StoreConfig, url: &str) -> Result<Vec<Finding>, Finding> {
    let unavailable = |error: DbErr| {
        let message = migration::describe(url, &error);
        Finding::failed(DATABASE, message, "check DATABASE_URL, the server and the network")
    };
    let db = migration::connect(url).await.map_err(unavailable)?;
    let before = Clock::System.now().millis();
    let server = migration::server_state(&db).await;
    let after = Clock::System.now().millis();
    let schema = migration::schema_state(&db).await;
    // The connection is closed with the process otherwise.
    let _ = db.close().await;
    let server = server.map_err(unavailable)?;
    let mut findings = of_settings(&server, store);
    findings.push(of_clock(before, server.now_ms, after));
    findings.push(of_schema(&schema.map_err(unavailable)?, migration::roles::is_app(url)));
    Ok(findings)
}

/// Checks the role and the settings of the server.
fn of_settings(server: &ServerState, store: &StoreConfig) -> Vec<Finding> {
    let setting = |name: &str| server.settings.get(name).map_or("", String::as_str);
    let mut findings = Vec::new();
    let mut failed = |is_wrong: bool, message: String, action: &str| {
        if is_wrong {
            findings.push(Finding::failed(DATABASE, message, action));
        }
    };
    failed(
        server.major() < OLDEST_VERSION,
        format!("PostgreSQL {} is too old", server.version),
        "use PostgreSQL 15 or newer",
    );
    failed(
        server.is_replica,
        "the server is a replica".to_owned(),
        "set DATABASE_URL to the primary, and GOVERN_DATABASE_READ_URL to the replica",
    );
    failed(
        server.bypasses_row_security || server.unprotected_tables > 0,
        format!("row-level security does not apply to `{}`", server.user),
        "use the user `govern_app`, which is neither a superuser nor has BYPASSRLS",
    );
    for name in ["fsync", "full_page_writes", "synchronous_commit"] {
        failed(
            setting(name) == "off",
            format!(
                "`{name}` is off, so a crash loses acknowledged decisions or corrupts the data"
            ),
            "set it to on, and reload the server",
        );
    }
    failed(
        setting("server_encoding") != "UTF8",
        format!("the encoding is {}", setting("server_encoding")),
        "create the database with the encoding UTF8",
    );
    let mut warn = |is_wrong: bool, message: String, action: &str| {
        if is_wrong {
            findings.push(Finding::warning(DATABASE, message, action));
        }
    };
    warn(
        setting("data_checksums") == "off",
        "the server has no checksums of pages".to_owned(),
        "enable them with pg_checksums while the server is stopped",
    );
    warn(
        store.database_url.is_some() && setting("archive_mode") == "off",
        "`archive_mode` is off, so there is no point-in-time recovery".to_owned(),
        "archive the write-ahead log (docs/OPERATIONS.md, \"Backups\")",
    );
    let connections = setting("max_connections").parse::<u32>().unwrap_or(u32::MAX);
    warn(
        store.database_connections.saturating_add(1) > connections,
        format!("GOVERN_DATABASE_CONNECTIONS exceeds `max_connections`, which is {connections}"),
        "lower the one or raise the other",
    );
    if findings.is_empty() {
        let mib = server.size_bytes >> 20;
        let message = format!("PostgreSQL {}, {mib} MiB, as `{}`", server.version, server.user);
        findings.push(Finding::ok(DATABASE, message));
    }
    findings
}

fn of_schema(schema: &SchemaState, is_app: bool) -> Finding {
    if let Err(error) = schema.check() {
        let message = migration::describe("", &error);
        return Finding::failed(SCHEMA, message, "the service does not start");
    }
    match (schema.pending.len(), schema.newer.last()) {
        (0, None) => {
            let newest = schema.applied.last().map_or("none", String::as_str);
            Finding::ok(SCHEMA, format!("all migrations are applied, the last is `{newest}`"))
        }
        (0, Some(newest)) => Finding::warning(
            SCHEMA,
            format!("a newer version has migrated the database to `{newest}`"),
            "complete the upgrade: start the newer version on all servers",
        ),
        (pending, _) if is_app => Finding::failed(
            SCHEMA,
            format!("{pending} migrations are pending, which `govern_app` cannot apply"),
            "run `govern migrate` with a user that can become `govern_owner`",
        ),
        (pending, _) => Finding::warning(
            SCHEMA,
            format!("{pending} migrations are pending"),
            "the service applies them at its next start; make a backup first",
        ),
    }
}

/// Compares the clock of the database with this machine's, which was read before and after.
fn of_clock(before: i64, database: i64, after: i64) -> Finding {
    let difference = (before - database).max(database - after).max(0);
    let message = format!("the clocks of this machine and the database differ by {difference} ms");
    let action = "synchronize both with NTP; signed times come from this machine";
    if difference >= CLOCK_MS.1 {
        Finding::failed(CLOCK, message, action)
    } else if difference >= CLOCK_MS.0 {
        Finding::warning(CLOCK, message, action)
    } else {
        Finding::ok(CLOCK, message)
    }
}

/// Checks the sessions of the service, the registry, and the log.
async fn of_service(
    store: &StoreConfig,
    serve: &ServeConfig,
    url: &str,
    now: Timestamp,
) -> Vec<Finding> {
    let database = match connect(url, CONNECTIONS).await {
        Ok(database) => database,
        // The message says what to do.
        Err(error) => {
            return vec![Finding::failed(
                DATABASE,
                connect_error(url, error).to_string(),
                "the service does not start",
            )];
        }
    };
    let governance = Governance::new(GovernanceConfig {
        database,
        clock: Clock::System,
        entropy: Entropy::System,
        // The checks use no API key and no secret of a webhook.
        pepper: Pepper::new([0; 32]),
        keys: None,
        options: ServiceOptions::default(),
    });
    let mut findings = Vec::new();
    match trust_registry::newest(&governance).await {
        Ok(newest) => {
            let registry = newest.as_deref();
            findings.extend(signing_keys::check_registry(store, serve, registry, now).await);
        }
        Err(error) => findings.push(Finding::failed(
            "registry",
            format!("the trust registry cannot be read: {error}"),
            "run `govern db verify`",
        )),
    }
    findings.push(of_log(store, &governance).await);
    findings
}

async fn of_log(store: &StoreConfig, governance: &Governance) -> Finding {
    let guard = Arc::new(RollbackGuardFile::new(&store.data_dir));
    let state = transparency_log::guard_state(&governance.operator(), guard).await;
    let backlog = transparency_log::backlog(governance).await;
    let (state, backlog) = match (state, backlog) {
        (Ok(state), Ok(backlog)) => (state, backlog),
        (Err(error), _) | (_, Err(error)) => {
            let message = format!("the log cannot be read: {error}");
            return Finding::failed(LOG, message, "run `govern log show`");
        }
    };
    let halted = "see \"GovernLogHalted\" in docs/OPERATIONS.md";
    match state {
        GuardState::Halted => Finding::failed(LOG, "the log is halted", halted),
        GuardState::Inconsistent => {
            Finding::failed(LOG, "the database is behind the log guard or differs from it", halted)
        }
        _ if backlog.oldest_seconds > PENDING_SECONDS => Finding::warning(
            LOG,
            format!(
                "the oldest of {} pending entries waits for {:.0} s",
                backlog.pending, backlog.oldest_seconds
            ),
            "see \"GovernLogBehind\" in docs/OPERATIONS.md",
        ),
        GuardState::NoTree => Finding::ok(LOG, "there is no tree yet"),
        GuardState::Consistent => {
            Finding::ok(LOG, format!("{} entries, consistent with the log guard", backlog.size))
        }
    }
}

async fn of_replica(url: &str) -> Finding {
    let url = local_postgres::app_url(url);
    let state = async {
        let db = migration::connect(&url).await?;
        let state = migration::server_state(&db).await;
        db.close().await?;
        state
    };
    // Both at once, because each waits for a server that does not answer.
    let (opened, state) = tokio::join!(Replica::open(&url, CONNECTIONS), state);
    if let Err(error) = opened {
        let message = connect_error(&url, error).to_string();
        return Finding::failed(REPLICA, message, "the service does not start");
    }
    match state {
        Ok(state) if state.is_replica => Finding::ok(REPLICA, "the replica is available"),
        Ok(_) => {
            let action = "set GOVERN_DATABASE_READ_URL to a streaming replica of DATABASE_URL";
            Finding::warning(REPLICA, "the server is not a replica, so it is not used", action)
        }
        Err(error) => {
            let reason = migration::describe(&url, &error);
            let message = format!("the replica is unavailable, so the primary answers: {reason}");
            Finding::warning(REPLICA, message, "start the replica")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use clap::Parser;

    use super::*;
    use crate::doctor::Status;

    #[derive(Debug, Parser)]
    struct Settings {
        #[command(flatten)]
        store: StoreConfig,
    }

    fn server() -> ServerState {
        let settings = [
            ("archive_mode", "on"),
            ("data_checksums", "on"),
            ("fsync", "on"),
            ("full_page_writes", "on"),
            ("max_connections", "100"),
            ("server_encoding", "UTF8"),
            ("synchronous_commit", "on"),
        ];
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
        ServerState {
            version_number: 150_018,
            version: "15.18".to_owned(),
            user: "govern_app".to_owned(),
            bypasses_row_security: false,
            is_empty: false,
            is_replica: false,
            size_bytes: 5 << 30,
            now_ms: 0,
            unprotected_tables: 0,
            settings: BTreeMap::from(settings),
        }
    }

    fn worst(server: &ServerState) -> Status {
        let url = ["govern", "--database-url", "postgres://govern_app@db.example/govern"];
        let store = Settings::parse_from(url).store;
        of_settings(server, &store).into_iter().map(|finding| finding.status).max().unwrap()
    }

    #[test]
    fn settings_that_lose_or_expose_data_fail() {
        assert_eq!(worst(&server()), Status::Ok);
        let with = |name: &str, value: &str| {
            let mut server = server();
            server.settings.insert(name.to_owned(), value.to_owned());
            worst(&server)
        };
        for name in ["fsync", "full_page_writes", "synchronous_commit"] {
            assert_eq!(with(name, "off"), Status::Failed, "{name}");
        }
        assert_eq!(with("synchronous_commit", "remote_apply"), Status::Ok);
        assert_eq!(with("server_encoding", "SQL_ASCII"), Status::Failed);
        for (name, value) in
            [("archive_mode", "off"), ("data_checksums", "off"), ("max_connections", "10")]
        {
            assert_eq!(with(name, value), Status::Warning, "{name}");
        }
        for server in [
            ServerState { version_number: 140_010, ..server() },
            ServerState { is_replica: true, ..server() },
            ServerState { bypasses_row_security: true, ..server() },
            ServerState { unprotected_tables: 1, ..server() },
        ] {
            assert_eq!(worst(&server), Status::Failed, "{server:?}");
        }
    }

    #[test]
    fn clock_difference_excludes_the_time_of_the_query() {
        for (before, database, after, status) in [
            (1_000, 1_005, 1_010, Status::Ok),
            (1_000, 5_000, 9_000, Status::Ok),
            (1_000, 2_500, 1_010, Status::Warning),
            (2_500, 1_000, 2_510, Status::Warning),
            (0, 61_000, 10, Status::Failed),
        ] {
            assert_eq!(of_clock(before, database, after).status, status, "{database}");
        }
    }

    #[test]
    fn schema_of_a_newer_version_is_a_warning_unless_it_excludes_this_version() {
        let names = || migration::MIGRATIONS.iter().map(|migration| migration.name.to_owned());
        let state = |newer: &[&str], skipped: usize| {
            let own = names().take(migration::MIGRATIONS.len() - skipped);
            SchemaState::new(own.chain(newer.iter().map(|name| (*name).to_owned())).collect())
        };
        for (schema, is_app, status) in [
            (state(&[], 0), true, Status::Ok),
            (state(&[], 1), true, Status::Failed),
            (state(&[], 1), false, Status::Warning),
            (state(&["m9998_more"], 0), true, Status::Warning),
            (state(&["m9998_more", "m9999_contract_less"], 0), true, Status::Failed),
            (state(&["m9998_more"], 1), false, Status::Failed),
        ] {
            assert_eq!(of_schema(&schema, is_app).status, status, "{schema:?}");
        }
    }
}
