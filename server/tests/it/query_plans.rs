//! The plans of all statements that requests, pages and background tasks run for a tenant with 50,000 decisions: none
//! scans a table sequentially, and none reads or sorts the history.
//!
//! `auto_explain` reports the plan of each statement of the service with the numbers of rows that were read. So the
//! statements are those of the service, with its role and row-level security, and no statement is left out.

mod plan;

use std::collections::BTreeSet;

use governance::{ServiceOptions, insight::rollup::RollupWorker, proof::audit::CheckpointWorker};
use testkit::database::{self, texts};
use tracing_subscriber::layer::SubscriberExt as _;

use self::plan::{Plans, REPORT_PLANS};
use crate::{
    client::Call,
    prelude::*,
    service::LOG_ORIGIN,
    webhooks::{delivery_worker, subscribe},
};

/// The maximum number of rows of a table that one node of a plan reads or sorts.
const ROWS_MAX: f64 = 1_000.0;

/// The statements that may read more: a part of their text, the maximum number of rows, whether they may scan a table
/// sequentially, and the reason.
const EXCEPTIONS: [(&str, f64, bool, &str); 5] = [
    (
        "\"decisions\".\"recorded_at\" <=",
        60_000.0,
        false,
        "the index of a time range has the order of the list, so decisions after the range are passed in the index",
    ),
    (
        "\"audit_events\".\"occurred_at\" <=",
        60_000.0,
        false,
        "a range of more than 5,000 events is read in the order of the list, like a range of decisions",
    ),
    ("AS \"total\"", 5_100.0, false, "a page of the list of alerts is read up to its offset"),
    (
        "ANY(\"rule_codes\")",
        13_000.0,
        true,
        "under row-level security, no index answers a search in an array",
    ),
    (
        "min(next_attempt_at)",
        13_000.0,
        true,
        "the statistics count all deliveries; the console asks for those of one day",
    ),
];

/// The queries of the list of decisions: every filter. Of combined filters, one is answered by its index.
const FILTERS: [&str; 24] = [
    "",
    "decision_type=payment",
    "decision_type=none",
    "decision=DENY",
    "decision=REVIEW",
    "correlation_id=history-77",
    "correlation_id=none",
    "chain_id={chain}",
    "idempotency_key=history-77",
    "policy_id={policy}",
    "policy_id={decision}",
    "policy_id={policy}&decision=DENY",
    "policy_id={policy}&rule_code=MAX",
    "rule_code=MAX",
    "rule_code=NONE",
    "actor_id=agent-3",
    "actor_id=none",
    "severity=high",
    "severity=low",
    "outcome=accepted",
    "outcome=expired",
    "outcome=none",
    "shadow_converted=true",
    "shadow_converted=false",
];

/// The time ranges of lists: the newest days, the oldest days, and days between.
const RANGES: [[&str; 2]; 3] = [
    ["2026-08-30T00:00:00Z", "2026-09-02T00:00:00Z"],
    ["2026-07-01T00:00:00Z", "2026-07-08T00:00:00Z"],
    ["2026-08-01T00:00:00Z", "2026-08-02T00:00:00Z"],
];

/// The other reads of the API.
const READS: [&str; 34] = [
    "decisions/{decision}",
    "receipts/{decision}",
    "receipts/{decision}/bundle",
    "chains/{chain}/bundle",
    "chains/{chain}/verify",
    "chains?limit=50",
    "policies/{policy}/decisions?limit=50",
    "policies/{policy}/decisions?limit=50&decision=DENY",
    "policies/{policy}/decisions?limit=50&rule_code=MAX",
    "policies/{policy}/analytics",
    "policies/{policy}",
    "policies?limit=50",
    "policies?limit=50&q=none",
    "alerts/{alert}",
    "alerts?limit=50",
    "alerts?limit=50&offset=5000",
    "alerts?limit=50&status=open",
    "alerts?limit=50&status=acknowledged",
    "alerts?limit=50&status=snoozed",
    "alerts?limit=50&severity=low",
    "alerts?limit=50&alert_type=governance_change",
    "alerts?limit=50&rule_code=NONE",
    "alerts/deliveries?limit=50",
    "alerts/deliveries?limit=50&status=dead",
    "alerts/deliveries/stats",
    "alerts/subscriptions",
    "audit-log?limit=50",
    "audit-log?limit=50&action=decision.record",
    "audit-log?limit=50&action=policy.create",
    "audit-log?limit=50&actor_id=none",
    "audit-log?limit=50&object_type=alert",
    "audit-log?limit=50&object_id={decision}",
    "audit-log?limit=50&actor_email=none@acme.example",
    "log/checkpoint",
];

/// The pages of the console.
const PAGES: [&str; 23] = [
    "",
    "inbox",
    "alerts",
    "alerts?alert={alert}",
    "alerts?status=acknowledged",
    "policies",
    "policies/{policy}",
    "policies/{policy}/versions/1",
    "groups",
    "capabilities",
    "forms",
    "decisions",
    "decisions/{decision}",
    "chains",
    "chains/{chain}",
    "audit",
    "members",
    "keys",
    "webhooks",
    "webhooks/deliveries",
    "settings",
    "search?q=PAY",
    "search?q={decision}",
];

/// The requests to a tenant with a long history, and what was wrong with their plans.
struct Inspection<'s> {
    service: &'s TestService,
    plans: Plans,
    /// The tables with many rows.
    tables: BTreeSet<String>,
    /// The names in paths with the IDs that take their places.
    ids: Vec<(&'static str, String)>,
    statements: usize,
    findings: Vec<String>,
    exceptions: BTreeSet<&'static str>,
}

impl Inspection<'_> {
    fn path(&self, path: &str) -> String {
        self.ids.iter().fold(path.to_owned(), |path, (name, id)| path.replace(name, id))
    }

    /// Sends a request and checks the plans of its statements.
    async fn send(&mut self, name: &str, call: Call) {
        let response = call.await;
        // The search for an ID leads to its page.
        assert!((200..400).contains(&response.status), "{name}: {}", response.text);
        self.check(name);
    }

    /// Reads a path of the API.
    async fn read(&mut self, path: &str) {
        let call = self.service.key.get(format!("/v1/{}", self.path(path)));
        self.send(path, call).await;
    }

    /// Checks the plans of the statements since the last check.
    fn check(&mut self, name: &str) {
        for plan in self.plans.take() {
            self.statements += 1;
            for finding in plan.findings(&self.tables, ROWS_MAX) {
                let exception = EXCEPTIONS.iter().find(|(part, rows_max, allows_seq_scan, _)| {
                    plan.statement.contains(part)
                        && finding.rows <= *rows_max
                        && (*allows_seq_scan || !finding.is_seq_scan)
                });
                match exception {
                    Some((part, ..)) => {
                        self.exceptions.insert(part);
                    }
                    None => self.findings.push(format!("{name}: {finding}\n  {}", plan.statement)),
                }
            }
        }
    }
}

#[testkit::test]
async fn no_statement_reads_or_sorts_the_history_of_a_tenant(mut service: TestService) {
    let sequencer = service.log_with_registry().await;
    let policy = service.active("PAY-01").await.policy;
    subscribe(&service, "https://1.1.1.1/hook".to_owned()).await;
    let admin = service.admin().await;
    record(&service.key, &chain_request("chain", json!({}))).await;
    service.record("pattern", 1).await;
    append_pending(&service, &sequencer).await;

    let superuser = database::connect(&service.database.superuser_url).await;
    for statements in [include_str!("query_plans/history.sql"), "vacuum (analyze)", REPORT_PLANS] {
        run(&superuser, statements).await;
    }
    let tables = texts(
        &superuser,
        "select c.relname::text from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace \
             and (select sum(t.reltuples) from pg_class t \
                  where coalesce(pg_partition_root(t.oid), t.oid) = coalesce(pg_partition_root(c.oid), c.oid)) > 4000",
    )
    .await;
    // The sessions of the new process report their plans.
    let options =
        ServiceOptions { log_origin: Some(LOG_ORIGIN.to_owned()), ..ServiceOptions::default() };
    let plans = Plans::default();
    let subscriber = tracing_subscriber::registry().with(plans.clone());
    let _guard = tracing::subscriber::set_default(subscriber);
    service.restart(options).await;

    let mut inspection = Inspection {
        service: &service,
        plans,
        tables: tables.into_iter().collect(),
        ids: vec![("{chain}", CHAIN.to_owned()), ("{policy}", policy)],
        statements: 0,
        findings: Vec::new(),
        exceptions: BTreeSet::new(),
    };
    inspect_writes(&mut inspection).await;
    inspect_reads(&mut inspection).await;
    inspect_pages(&mut inspection, &Browser::new(&service, &admin)).await;

    let now = service.clock.now();
    RollupWorker::default().run_once(&service.governance).await.expect("the rollups are updated");
    CheckpointWorker::default().run_once(&service.governance, now).await.expect("checkpoints");
    append_pending(&service, &sequencer).await;
    let claimed = delivery_worker(&service.governance).claim(&service.governance, now).await;
    claimed.expect("the due deliveries are claimed");
    inspection.check("background tasks");

    let Inspection { tables, statements, findings, exceptions, .. } = inspection;
    assert!(tables.contains("decisions") && tables.contains("alerts"), "{tables:?}");
    assert!(statements > 500, "{statements} plans were reported");
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
    let unused = EXCEPTIONS.iter().find(|(part, ..)| !exceptions.contains(part));
    assert_eq!(unused, None, "an exception is not needed");
}

async fn inspect_writes(inspection: &mut Inspection<'_>) {
    let key = &inspection.service.key;
    let evaluate = json!({"context": request("", 1)["context"]});
    for (name, path, body) in [
        ("evaluate", "evaluate", evaluate),
        ("record", "record", request("new", 1)),
        ("record a denied decision", "record", request("denied", 20_000)),
        ("record with a known key", "record", request("pattern", 1)),
        ("record in a chain", "record", chain_request("next", json!({}))),
    ] {
        inspection.send(name, key.post(format!("/v1/decisions/{path}"), &body)).await;
    }
    let newest = key.get("/v1/decisions?limit=1").await.expect(200);
    let alert = key.get("/v1/alerts?limit=1&status=open").await.expect(200);
    let id = |page: &serde_json::Value| text(&page["items"][0]["id"]).to_owned();
    inspection.ids.extend([("{decision}", id(&newest)), ("{alert}", id(&alert))]);
    for (path, body) in [
        ("decisions/{decision}/outcome", json!({"status": "accepted"})),
        ("decisions/{decision}/replay", json!({})),
        ("alerts/{alert}/snooze", json!({"until": "2026-09-02T00:00:00Z"})),
        ("alerts/{alert}/acknowledge", json!({})),
        ("alerts/deliveries/redrive", json!({})),
        ("audit-log/verify", json!({})),
        ("chains/{chain}/seal", json!({})),
    ] {
        let call = key.post(format!("/v1/{}", inspection.path(path)), &body);
        inspection.send(path, call).await;
    }
}

async fn inspect_reads(inspection: &mut Inspection<'_>) {
    for filter in FILTERS {
        let list = inspection.path(&format!("decisions?limit=50&{filter}"));
        inspection.read(&list).await;
        let page = inspection.service.key.get(format!("/v1/{list}")).await.expect(200);
        inspection.check(&list);
        if let Some(cursor) = page["next_cursor"].as_str() {
            inspection.read(&format!("{list}&cursor={cursor}")).await;
        }
    }
    for [from, to] in RANGES {
        inspection.read(&format!("audit-log?limit=50&from={from}&to={to}")).await;
        let range = format!("recorded_from={from}&recorded_to={to}");
        inspection.read(&format!("decisions?limit=50&{range}")).await;
        inspection.read(&format!("policies/{{policy}}/decisions?limit=50&{range}")).await;
        inspection.read(&format!("decisions/export?{range}")).await;
        inspection.read(&format!("decisions/export?{range}&format=csv")).await;
    }
    for path in READS {
        inspection.read(path).await;
    }
}

async fn inspect_pages(inspection: &mut Inspection<'_>, browser: &Browser<'_>) {
    let live = format!("/console/live?tenant={}&since=1.0.0&once=true", browser.tenant());
    inspection.send("live counts", browser.client("theme=dark").get(live)).await;
    for page in PAGES {
        let path = browser.at(&inspection.path(page));
        let call = browser.client("theme=dark").get(path.trim_end_matches('/'));
        inspection.send(&format!("page {page}"), call).await;
    }
}

async fn run(superuser: &sea_orm::DatabaseConnection, statements: &str) {
    use sea_orm::ConnectionTrait as _;
    superuser.execute_unprepared(statements).await.expect("the statements of the test are valid");
}
