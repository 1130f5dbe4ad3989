//! The client commands of `govern` against a running service.

mod cookbook;
mod git;
mod login;
mod mcp;
mod schemas;
mod streams;

use std::{ffi::OsStr, fs, path::Path, process::Stdio};

use tempfile::TempDir;
use tokio::{io::AsyncWriteExt as _, process::Command};

use crate::prelude::*;

/// A user of the client commands: a directory, and the settings of a service.
pub(crate) struct Terminal<'s> {
    service: &'s TestService,
    directory: TempDir,
    key: String,
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Output {
    /// Checks the exit code and returns the standard output.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self.stdout
    }

    /// Checks the exit code and parses the standard output.
    #[track_caller]
    pub(crate) fn json(self, code: i32) -> Value {
        let text = self.expect(code);
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("not JSON: {text}"))
    }
}

impl<'s> Terminal<'s> {
    /// Creates an API key of the admin with these scopes, and an empty directory. `name` must be unique.
    pub(crate) async fn new(service: &'s TestService, name: &str, scopes: &[Scope]) -> Self {
        let body = json!({"name": "terminal", "scopes": scopes});
        let created = service.key.post("/v1/api-keys", &body).await.expect(201);
        let directory = TempDir::with_prefix(name).expect("a new directory");
        Self { service, directory, key: text(&created["plaintext_key"]).to_owned() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.directory.path().join(name), text).expect("a file can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.directory.path().join(name)).expect("the file exists")
    }

    /// Returns a command in the directory with the settings of the service.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.directory.path())
            .env("GOVERN_URL", format!("http://{}", self.service.address))
            .env("GOVERN_TENANT_ID", self.service.tenant.to_string())
            .env("GOVERN_API_KEY", &self.key)
            .env("XDG_CONFIG_HOME", self.directory.path().join("config"))
            .env_remove("GOVERN_PROFILE")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Runs `govern` with these arguments.
    pub(crate) async fn govern(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_govern-client"));
        finish(command.args(arguments)).await
    }
}

/// Waits for a command.
pub(crate) async fn finish(command: &mut Command) -> Output {
    let output = command.output().await.expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("commands write UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    Output { code: output.status.code(), stdout, stderr }
}

pub(crate) const POLICIES: [Scope; 2] = [Scope::PoliciesRead, Scope::PoliciesWrite];

/// A policy file with a comment.
pub(crate) const FILE: &str = "\
code: PAY-01
name: Payments
decision_types: [payment]
rules:
  # Agreed with the treasury.
  - code: AMOUNT
    rule_type: threshold
    severity: high
    condition: {field: amount, max: 10000}
";

#[testkit::test]
async fn pushed_files_become_drafts_and_can_be_submitted(service: TestService) {
    let terminal = Terminal::new(&service, "push", &POLICIES).await;
    terminal.write("pay.policy.yaml", FILE);
    let push = ["policy", "push", "pay.policy.yaml"];
    let diff = ["policy", "diff", "pay.policy.yaml"];
    assert_snapshot!(terminal.govern(&diff).await.expect(1), @r#"
    PAY-01 compared with the service, which has no such policy
      code: added "PAY-01"
      decision_types: added ["payment"]
      name: added "Payments"
    + rule AMOUNT
    "#);
    assert_snapshot!(terminal.govern(&push).await.expect(0), @"PAY-01: created the policy with draft version 1, revision 1");
    assert_snapshot!(terminal.govern(&push).await.expect(0), @"PAY-01: no changes to the rules of version 1, revision 1");
    assert_snapshot!(terminal.govern(&diff).await.expect(0), @"PAY-01 compared with version 1 (draft): no differences");

    terminal.write(
        "pay.policy.yaml",
        &FILE.replace("10000", "20000").replace("Payments", "All payments"),
    );
    assert_snapshot!(terminal.govern(&diff).await.expect(1), @r#"
    PAY-01 compared with version 1 (draft)
      name: "Payments" → "All payments"
    ~ rule AMOUNT
        condition/max: 10000 → 20000
    "#);
    let unified =
        terminal.govern(&["policy", "diff", "--unified", "pay.policy.yaml"]).await.expect(1);
    assert!(unified.contains("-      max: 10000\n+      max: 20000\n"), "{unified}");
    let submit = ["policy", "submit", "pay.policy.yaml"];
    let early = terminal.govern(&submit).await;
    assert!(early.stderr.contains("the draft differs from `pay.policy.yaml`"), "{early:?}");
    assert_snapshot!(terminal.govern(&push).await.expect(0), @"PAY-01: changed draft version 1, revision 2; changed name of the policy");
    assert_snapshot!(terminal.govern(&submit).await.expect(0), @"PAY-01: submitted version 1");

    let found = service.key.get("/v1/policies?q=PAY-01").await.expect(200)["items"][0].clone();
    assert_eq!((&found["name"], &found["is_active"]), (&json!("All payments"), &json!(false)));
    let path = format!("/v1/policies/{}/versions/1", text(&found["id"]));
    let version = service.key.get(path).await.expect(200);
    assert_eq!(version["status"], "submitted");
    assert_eq!(version["rules"][0]["condition"]["max"], 20_000);

    // A submitted version cannot be changed.
    terminal.write("pay.policy.yaml", &FILE.replace("10000", "30000"));
    let refused = terminal.govern(&push).await;
    assert!(refused.stderr.contains("(INVALID_TRANSITION)\n  request "), "{refused:?}");
    assert_eq!(refused.code, Some(3));
}

#[testkit::test]
async fn members_of_an_active_policy_change_only_on_request(service: TestService) {
    service.active("PAY-01").await;
    let terminal = Terminal::new(&service, "active", &POLICIES).await;
    terminal.govern(&["policy", "pull", "--code", "PAY-01", "pay.policy.json"]).await.expect(0);
    let file = terminal.read("pay.policy.json");
    let schema = format!("\"$schema\": \"http://{}/schemas/policy.json\"", service.address);
    assert!(file.contains(&schema), "{file}");
    let push = terminal.govern(&["policy", "push", "pay.policy.json"]).await.expect(0);
    assert_snapshot!(push, @"PAY-01: no changes to the rules of version 1, revision 1");
    terminal.write(
        "pay.policy.json",
        &file.replace("\"code\": \"PAY-01\",", "\"code\": \"PAY-01\", \"shadow_mode\": true,"),
    );
    let skipped = terminal.govern(&["policy", "push", "pay.policy.json"]).await;
    assert!(skipped.stderr.contains("shadow_mode of the active policy differ"), "{skipped:?}");
    let shadow_mode = async || {
        let list = service.key.get("/v1/policies?q=PAY-01").await.expect(200);
        list["items"][0]["shadow_mode"].clone()
    };
    assert_eq!(shadow_mode().await, false);
    let push = terminal.govern(&["policy", "push", "--change-active", "--json", "."]).await.json(0);
    assert_eq!(push["items"][0]["changed"], json!(["shadow_mode"]));
    assert_eq!(shadow_mode().await, true);
}

#[testkit::test]
async fn pulled_files_keep_their_comments(service: TestService) {
    let terminal = Terminal::new(&service, "pull", &POLICIES).await;
    terminal.write("pay.policy.yaml", FILE);
    terminal.govern(&["policy", "push", "pay.policy.yaml"]).await.expect(0);
    let pull = ["policy", "pull", "pay.policy.yaml"];
    assert_snapshot!(terminal.govern(&pull).await.expect(0), @"no changes in pay.policy.yaml: version 1 (draft)");
    assert_eq!(terminal.read("pay.policy.yaml"), FILE);

    let found = service.key.get("/v1/policies?q=PAY-01").await.expect(200)["items"][0].clone();
    let path = format!("/v1/policies/{}/versions/1", text(&found["id"]));
    let mut version = service.key.get(path.as_str()).await.expect(200);
    version["rules"][0]["name"] = "At most 10,000".into();
    let patch =
        json!({"expected_revision": 1, "rules": version["rules"], "change_reason": "Names."});
    service.key.patch(path, &patch).await.expect(200);
    terminal.govern(&pull).await.expect(0);
    let named = FILE
        .replace("rules:", "change_reason: Names.\nrules:")
        .replace("    rule_type", "    name: \"At most 10,000\"\n    rule_type");
    assert_eq!(terminal.read("pay.policy.yaml"), named);

    terminal.govern(&["policy", "pull", "--code", "PAY-01", "new.policy.yaml"]).await.expect(0);
    let schema = format!(
        "# yaml-language-server: $schema=http://{}/schemas/policy.json\ncode: PAY-01\n",
        service.address
    );
    let new = terminal.read("new.policy.yaml");
    assert!(new.starts_with(&schema), "{new}");
    terminal.write("pay.policy.yaml", &FILE.replace('\n', "\r\n"));
    terminal.govern(&pull).await.expect(0);
    assert_eq!(terminal.read("pay.policy.yaml"), named.replace('\n', "\r\n"));
    let other = terminal.govern(&["policy", "pull", "--code", "PAY-02", "pay.policy.yaml"]).await;
    assert!(other.stderr.contains("is the file of policy `PAY-01`"), "{other:?}");
    let unknown = terminal.govern(&["policy", "pull", "--code", "PAY-02", "x.yaml"]).await;
    assert_eq!(unknown.stderr, "govern: the service has no policy `PAY-02`\n");
}

#[testkit::test]
async fn decisions_are_evaluated_recorded_shown_and_exported(service: TestService) {
    service.active("PAY-01").await;
    let scopes = [Scope::DecisionsEvaluate, Scope::DecisionsRead, Scope::DecisionsWrite];
    let terminal = Terminal::new(&service, "decisions", &scopes).await;
    let fields = ["--type", "payment", "--field", "amount=20000", "--field", "region=US"];
    let evaluate = [&["evaluate", "--fail-on", "deny"][..], &fields].concat();
    assert_snapshot!(terminal.govern(&evaluate).await.expect(1), @r"
    DENY  not recorded
      AMOUNT   high      amount is 20000, above the maximum of 10000
      PURPOSE  medium    purpose is missing
    ");
    terminal.write("context.yaml", &payment(5).to_string());
    let json = terminal.govern(&["evaluate", "context.yaml", "--json"]).await.json(0);
    assert_eq!(json["result"]["decision"], "REVIEW");

    terminal.write("request.json", &request("payment-1", 5).to_string());
    let record = ["record", "request.json", "--json"];
    let first = terminal.govern(&record).await.json(0);
    let second = terminal.govern(&record).await.json(0);
    assert_eq!((&first["is_new"], &second["is_new"]), (&json!(true), &json!(false)));
    assert_eq!(first["decision"], second["decision"]);
    let id = text(&first["decision"]["id"]);
    let shown = terminal.govern(&["decision", "show", id]).await.expect(0);
    assert!(shown.contains("verdict          REVIEW\n"), "{shown}");
    assert!(shown.contains("  PURPOSE  medium    purpose is missing\n"), "{shown}");

    let receipt = terminal.govern(&["receipt", id]).await.expect(0);
    assert!(receipt.contains("policy          PAY-01 version 1\n"), "{receipt}");
    terminal.govern(&["receipt", id, "--bundle", "--output", "bundle.tar"]).await.expect(0);
    // Without trusted keys, the check is incomplete.
    let verified = terminal.govern(&["verify", "bundle.tar", "--json"]).await.json(3);
    assert_eq!(verified["overall"], "incomplete");
    assert_eq!(terminal.govern(&["verify", "request.json"]).await.code, Some(1));

    let export = ["export", "--from", "2026-01-01", "--to", "2027-01-01", "--output", "all.ndjson"];
    let exported = terminal.govern(&export).await.expect(0);
    assert!(exported.starts_with("wrote all.ndjson: 1 lines, "), "{exported}");
    let line: Value = serde_json::from_str(&terminal.read("all.ndjson")).expect("one decision");
    assert_eq!(line["id"], first["decision"]["id"]);
    assert!(!terminal.path().join("all.ndjson.part").exists());
    let csv = ["export", "--from", "2026-01-01", "--to", "2027-01-01", "--format", "csv"];
    assert_eq!(terminal.govern(&csv).await.expect(0).lines().count(), 2);
    // The last day belongs to the range.
    let day = text(&first["decision"]["recorded_at"]).split('T').next().expect("a date");
    let export = ["export", "--from", day, "--to", day, "--output", "-"];
    assert_eq!(terminal.govern(&export).await.expect(0).lines().count(), 1);
}

#[testkit::test]
async fn tail_prints_decisions_as_they_are_recorded(service: TestService) {
    service.active("PAY-01").await;
    let terminal = Terminal::new(&service, "tail", &[Scope::DecisionsRead]).await;
    let mut command = terminal.command(env!("CARGO_BIN_EXE_govern-client"));
    let tail = finish(command.args(["decision", "tail", "--count", "1", "--json"]));
    // The stream starts at some time after the command, so decisions are recorded until it ends.
    let record = async {
        for number in 0.. {
            service.record(&format!("payment-{number}"), 5).await;
        }
    };
    let output = tokio::select! {
        output = tail => output,
        () = record => unreachable!("the loop has no end"),
    };
    let event: Value = output.json(0);
    assert_eq!((&event["decision"], &event["violations"]), (&json!("REVIEW"), &json!(["PURPOSE"])));
}

#[testkit::test]
async fn errors_have_the_code_the_field_and_the_request_id(service: TestService) {
    let terminal = Terminal::new(&service, "errors", &[Scope::DecisionsEvaluate]).await;
    let scope =
        terminal.govern(&["decision", "show", "00000000-0000-4000-8000-000000000000"]).await;
    assert_eq!(scope.code, Some(3));
    assert!(scope.stderr.contains("(INSUFFICIENT_SCOPE)\n  request "), "{scope:?}");
    terminal.write("context.json", r#"{"decision_type": "", "fields": {}, "other": 1}"#);
    let invalid = terminal.govern(&["evaluate", "context.json"]).await;
    assert_eq!(invalid.code, Some(2));
    assert_contains(
        &invalid.stderr,
        ["govern: context.json: /decision_type ", "\ncontext.json: /other "],
    );
    let scope = terminal.govern(&["decision", "tail", "--json"]).await;
    let refused: Value = serde_json::from_str(&scope.stderr).expect("one JSON object");
    assert_eq!((scope.code, &refused["error"]["code"]), (Some(3), &json!("INSUFFICIENT_SCOPE")));
    assert!(refused["correlation_id"].is_string(), "{refused}");
}

#[testkit::test]
async fn login_stores_a_valid_key_in_a_profile(service: TestService) {
    let terminal = Terminal::new(&service, "login", &POLICIES).await;
    let login = async |key: &str| {
        let mut command = terminal.command(env!("CARGO_BIN_EXE_govern-client"));
        command.env_remove("GOVERN_API_KEY").stdin(Stdio::piped());
        let mut child =
            command.args(["login", "--key", "--profile", "test"]).spawn().expect("a process");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(format!("{key}\n").as_bytes()).await.expect("the command reads");
        drop(stdin);
        child.wait_with_output().await.expect("the command ends")
    };
    let refused = login("svc_wrong").await;
    assert_eq!(refused.status.code(), Some(3));
    assert!(!terminal.path().join("config").exists());
    let stored = login(&terminal.key).await;
    assert_eq!(stored.status.code(), Some(0), "{stored:?}");
    let output = [stored.stdout, stored.stderr].concat();
    assert!(!String::from_utf8_lossy(&output).contains(&terminal.key));

    terminal.write("pay.policy.yaml", FILE);
    let mut command = terminal.command(env!("CARGO_BIN_EXE_govern-client"));
    for variable in ["GOVERN_URL", "GOVERN_TENANT_ID", "GOVERN_API_KEY"] {
        command.env_remove(variable);
    }
    let push = finish(command.args(["policy", "push", "--profile", "test", "."])).await.expect(0);
    assert_snapshot!(push, @"PAY-01: created the policy with draft version 1, revision 1");
    // The command did not create the key, so it does not revoke it.
    let logout = terminal.govern(&["logout", "--profile", "test"]).await.expect(0);
    assert_snapshot!(logout, @"removed profile `test`; its API key is still valid, because `govern login` did not create it on this machine");
    assert_eq!(terminal.govern(&["policy", "push", "."]).await.code, Some(0));
}

#[testkit::test]
async fn local_results_equal_those_of_the_service(service: TestService) {
    service.active_policy(&policy("PAY-01")).await;
    let scopes = [Scope::DecisionsEvaluate, Scope::PoliciesRead];
    let terminal = Terminal::new(&service, "equal", &scopes).await;
    terminal.govern(&["policy", "pull", "--code", "PAY-01", "pay.policy.yaml"]).await.expect(0);
    let contexts = [
        json!({"amount": 1}),
        json!({"amount": 20_000, "purpose": "rent", "region": "EU"}),
        json!({"amount": "many", "region": "EU", "tax_number": "1"}),
        json!({}),
    ];
    let contexts = contexts.map(|fields| json!({"decision_type": "payment", "fields": fields}));
    let cases: Value = contexts
        .iter()
        .enumerate()
        .map(|(number, context)| json!({"name": number.to_string(), "context": context, "expect": "ALLOW"}))
        .collect();
    terminal.write("pay.cases.json", &cases.to_string());
    let local = terminal.govern(&["policy", "test", "--json"]).await.json(1);
    for (number, context) in contexts.iter().enumerate() {
        let body = json!({"context": context});
        let remote = service.key.post("/v1/decisions/evaluate", &body).await.expect(200);
        let mut violations = remote["result"]["violations"].clone();
        for violation in violations.as_array_mut().expect("a list") {
            // A file does not contain the ID of its policy.
            violation["policy_id"] = json!("00000000-0000-0000-0000-000000000000");
        }
        let result = &local["files"][0]["results"][number];
        assert_eq!(result["decision"], remote["result"]["decision"], "{context}");
        assert_eq!(result["violations"], violations, "{context}");
    }
}
