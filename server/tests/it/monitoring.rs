//! The files for Prometheus and Grafana: their metrics and labels exist, and each alert has a runbook.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use governance::{
    ServiceOptions,
    base::{database::CONNECTIONS_DEFAULT, replica::Replica},
};
use server::config::edge::{EdgeConfig, Rates};
use testkit::database::test_database;

use crate::prelude::*;

const ALERTS: &str = "deploy/prometheus/alerts.yaml";
const DASHBOARD: &str = "deploy/grafana/govern.json";
const RUNBOOKS: &str = "docs/OPERATIONS.md";

/// The labels that Prometheus adds.
const ADDED_LABELS: [&str; 2] = ["instance", "job"];

fn read(path: &str) -> String {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the expressions of the alert rules, each of one line.
fn alert_expressions() -> Vec<String> {
    let text = read(ALERTS);
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("expr: "));
    lines.map(str::to_owned).collect()
}

fn alert_names() -> BTreeSet<String> {
    let text = read(ALERTS);
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("- alert: "));
    lines.map(str::to_owned).collect()
}

/// Returns the expressions of all panels.
fn panel_expressions() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(&read(DASHBOARD)).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels").iter();
    let targets = panels.filter_map(|panel| panel["targets"].as_array()).flatten();
    targets.map(|target| target["expr"].as_str().expect("an expression").to_owned()).collect()
}

/// A metric in an expression, with the labels of its matchers.
type Selector = (String, BTreeSet<String>);

/// Returns the metrics of this service in an expression.
fn selectors(expression: &str) -> Vec<Selector> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut selectors = Vec::new();
    let mut rest = expression;
    while let Some(start) = rest.find(is_name) {
        let word = &rest[start..];
        let end = word.find(|c| !is_name(c)).unwrap_or(word.len());
        let (name, after) = word.split_at(end);
        rest = after;
        if !name.starts_with("govern_") && !name.starts_with("process_") {
            continue;
        }
        let matchers = after.strip_prefix('{').and_then(|after| after.split_once('}'));
        let labels = matchers.map_or("", |(matchers, _)| matchers).split(", ");
        let labels = labels.filter_map(|matcher| matcher.split(['=', '!']).next());
        let labels = labels.filter(|label| !label.is_empty()).map(str::to_owned).collect();
        selectors.push((name.to_owned(), labels));
    }
    selectors
}

/// Returns the labels after `by`.
fn grouping_labels(expression: &str) -> BTreeSet<String> {
    let groups = expression.split("by (").skip(1);
    let lists = groups.filter_map(|group| group.split_once(')'));
    lists.flat_map(|(list, _)| list.split(", ")).map(str::to_owned).collect()
}

/// The labels of the samples by the name of their metric.
async fn exposed(service: &TestService) -> BTreeMap<String, BTreeSet<String>> {
    let metrics = service.public.get("/metrics").await;
    assert_eq!(metrics.status, 200, "{}", metrics.text);
    let mut exposed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in metrics.text.lines().filter(|line| !line.starts_with('#')) {
        let (series, _) = line.rsplit_once(' ').expect("a value");
        let (name, labels) = series.split_once('{').unwrap_or((series, ""));
        let labels = labels.trim_end_matches('}').split(',');
        let labels =
            labels.filter_map(|label| label.split_once('=')).map(|(name, _)| name.to_owned());
        exposed.entry(name.to_owned()).or_default().extend(labels);
    }
    exposed
}

/// Starts a service that has used all its metrics: also the replica, and a limit.
async fn used_service() -> TestService {
    let database = test_database().await;
    // A server that is not a replica is never used, but its reads are counted.
    let replica = Replica::open(&database.app_url, CONNECTIONS_DEFAULT).await;
    let options = ServiceOptions {
        replica: Some(replica.expect("a connection")),
        ..TestServiceBuilder::default().options
    };
    let rates = Rates { key_per_min: 100.try_into().expect("a rate"), ..Rates::UNLIMITED };
    let edge = EdgeConfig { rates, ..EdgeConfig::default() };
    let builder = TestServiceBuilder { edge, options, ..TestServiceBuilder::default() };
    let service = builder.start_on(database).await;
    service.active("PAY-01").await;
    let decision = service.record("k-1", 12_000).await;
    let id = decision["id"].as_str().expect("an ID");
    service.public.get(format!("/v1/receipts/{id}")).await.expect(200);
    let body = json!({"context": payment(1)});
    service.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    while service.key.get("/v1/policies").await.status != 429 {}
    service
}

#[tokio::test]
async fn every_metric_and_label_of_alerts_and_panels_exists() {
    let exposed = exposed(&used_service().await).await;
    let expressions = [alert_expressions(), panel_expressions()].concat();
    assert!(expressions.len() > 44, "{}", expressions.len());
    for expression in &expressions {
        let selectors = selectors(expression);
        let is_of_prometheus = ["up{", "absent(up"].iter().any(|name| expression.contains(name));
        assert!(!selectors.is_empty() || is_of_prometheus, "no metric in `{expression}`");
        let mut known: BTreeSet<&str> = ADDED_LABELS.into();
        for (name, labels) in &selectors {
            let own = exposed.get(name).unwrap_or_else(|| panic!("no `{name}` for `{expression}`"));
            known.extend(own.iter().map(String::as_str));
            for label in labels {
                let exists = own.contains(label) || ADDED_LABELS.contains(&label.as_str());
                assert!(exists, "`{name}` has no label `{label}`: `{expression}`");
            }
        }
        for label in grouping_labels(expression) {
            assert!(known.contains(label.as_str()), "no label `{label}`: `{expression}`");
        }
    }
}

#[test]
fn every_alert_has_a_runbook_and_a_link_to_it() {
    let runbooks = read(RUNBOOKS);
    let headings = runbooks.lines().filter_map(|line| line.strip_prefix("### "));
    let headings: BTreeSet<String> =
        headings.filter(|heading| heading.starts_with("Govern")).map(str::to_owned).collect();
    assert_eq!(headings, alert_names());
    let (alerts, tests) = (read(ALERTS), read("deploy/prometheus/alerts-test.yaml"));
    for name in alert_names() {
        let link = format!("runbook: {RUNBOOKS}#{}\n", name.to_lowercase());
        assert!(alerts.contains(&link), "{name}");
        let tested = tests.contains(&format!("alertname: {name}\n        exp_alerts"));
        assert!(tested, "{name} has no test in which it fires");
    }
}

#[test]
fn selectors_of_an_expression_are_found() {
    let expression = "sum by (le) (rate(govern_a_bucket{x=\"1\", y!~\"2.*\"}[5m])) > process_b";
    let expected = [
        ("govern_a_bucket".to_owned(), ["x", "y"].map(str::to_owned).into()),
        ("process_b".to_owned(), BTreeSet::new()),
    ];
    assert_eq!(selectors(expression), expected);
    assert_eq!(grouping_labels(expression), ["le".to_owned()].into());
}
