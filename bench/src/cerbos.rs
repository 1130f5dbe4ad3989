//! Cerbos server with the rules of the sample: a baseline of the evaluation benchmark.

use std::{
    collections::BTreeSet,
    fs,
    io::ErrorKind,
    net::SocketAddr,
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result};
use harness::{Connection, Request, process};
use serde_json::{Map, Value, json};

use crate::{
    cleanup,
    sample::{Check, Sample, code},
};

/// The only action of the policies. It is allowed if a rule is violated.
const ACTION: &str = "violate";

/// Starts the server with a policy for each number of rules, or returns `None` if it is not
/// installed. Cleanup stops it and removes its directory.
pub(crate) fn start(numbers: impl IntoIterator<Item = usize>) -> Result<Option<SocketAddr>> {
    let directory = tempfile::Builder::new().prefix("govern-bench-cerbos.").tempdir()?;
    let policies = directory.path().join("policies");
    fs::create_dir(&policies)?;
    for rules in numbers {
        fs::write(policies.join(format!("{}.json", kind(rules))), policy(rules).to_string())?;
    }
    let address = harness::unused_address()?;
    let configuration = directory.path().join("configuration.json");
    let settings = json!({
        "server": {
            "httpListenAddr": address.to_string(), "grpcListenAddr": harness::unused_address()?.to_string(),
        },
        "storage": {
            "driver": "disk", "disk": {"directory": policies, "watchForChanges": false},
        },
        "audit": {"enabled": false},
        "telemetry": {"disabled": true},
    });
    fs::write(&configuration, settings.to_string())?;
    let mut command = Command::new("cerbos");
    command.args(["server", "--log-level=error", "--config"]).arg(configuration);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = match command.spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("without Cerbos, which is not installed: run `scripts/setup bench`");
            return Ok(None);
        }
        spawned => spawned.context("starting Cerbos")?,
    };
    cleanup::defer(move || {
        process::stop(&mut child);
        drop(directory);
    });
    harness::wait_until_answered(address, "/_cerbos/health").context("Cerbos is not ready")?;
    Ok(Some(address))
}

/// Returns the resource kind of a context that this many rules govern.
fn kind(rules: usize) -> String {
    format!("bench_{rules}")
}

/// Returns a resource policy in which each violated rule allows the action and outputs its code.
///
/// Cerbos stops at the first rule that denies an action, but evaluates every rule that allows it.
fn policy(rules: usize) -> Value {
    let rule = |n| {
        json!({
            "actions": [ACTION], "effect": "EFFECT_ALLOW", "roles": ["*"], "name": format!("rule_{n}"),
            "condition": {"match": {"expr": violation_expression(n)}},
            "output": {"when": {"ruleActivated": format!("\"{}\"", code(n))}},
        })
    };
    let rule_values: Vec<Value> = (0..rules).map(rule).collect();
    json!({
        "apiVersion": "api.cerbos.dev/v1",
        "resourcePolicy": {"resource": kind(rules), "version": "default", "rules": rule_values},
    })
}

/// Returns the CEL expression that is true if the rule [`Sample::rule`] is violated.
fn violation_expression(n: usize) -> String {
    if Sample::is_temporal(n) {
        let end = "timestamp(R.attr.valid_until + \"T00:00:00Z\") + duration(\"24h\")";
        return format!("now() >= {end}");
    }
    match Sample::NARROW.check(n) {
        Check::AtMost { field, max } => format!("R.attr.{field} > {max}.0"),
        Check::NoneOf { field, forbidden: [a, b, c] } => {
            format!("R.attr.{field} in [\"{a}\", \"{b}\", \"{c}\", \"\"]")
        }
        Check::Filled { field } => format!("R.attr.{field} == \"\""),
        Check::NotAbove { left, right } => format!("R.attr.{left} > R.attr.{right}"),
    }
}

/// Returns a request that checks these fields against this many rules.
pub(crate) fn check(rules: usize, fields: &Map<String, Value>) -> Request {
    let resource = json!({"kind": kind(rules), "id": "1", "attr": fields});
    let body = json!({
        "principal": {"id": "agent-7", "roles": ["agent"]},
        "resources": [{"actions": [ACTION], "resource": resource}],
    });
    Request::new("POST", "/api/check/resources", "", Some(&body.to_string()))
}

/// Returns the codes of the violated rules.
pub(crate) fn violated_rules(
    address: SocketAddr,
    rules: usize,
    fields: &Map<String, Value>,
) -> Result<BTreeSet<String>> {
    let mut connection = Connection::open(address)?;
    let body: Value = connection.send(&mut check(rules, fields))?.json(200)?;
    let outputs = body.pointer("/results/0/outputs").and_then(Value::as_array);
    let code = |output: &Value| Some(output.get("val")?.as_str()?.to_owned());
    outputs.into_iter().flatten().map(|output| code(output).context("an output")).collect()
}
