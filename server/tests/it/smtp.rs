//! Mail over a real SMTP server (`aiosmtpd`, which `scripts/setup test` installs).

use std::{
    path::{Path, PathBuf},
    process::Stdio,
};

use governance::{
    ServiceOptions,
    access::{
        mail::{self, Mail},
        operator,
    },
};
use server::{config::mail::SmtpUrl, mail::Smtp};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use crate::prelude::*;

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/smtp/server.py");

/// A mail server for one test.
struct MailServer {
    port: u16,
    lines: Lines<BufReader<ChildStdout>>,
    directory: TempDir,
    // The process ends when its input is closed.
    _input: ChildStdin,
    _process: Child,
}

impl MailServer {
    async fn start(mode: &str) -> Self {
        let directory = TempDir::new().expect("a new directory");
        make_certificate(directory.path()).await;
        let mut process = Command::new("smtp-test-python")
            .args([SERVER, mode, "cert.pem", "key.pem"])
            .current_dir(directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("aiosmtpd is installed (scripts/setup test)");
        let input = process.stdin.take().expect("it is piped");
        let output = process.stdout.take().expect("it is piped");
        let mut lines = BufReader::new(output).lines();
        let port = lines.next_line().await.expect("a line").expect("the port");
        let port = port.parse().expect("a number");
        Self { port, lines, directory, _input: input, _process: process }
    }

    fn certificate(&self) -> PathBuf {
        self.directory.path().join("cert.pem")
    }

    /// Creates the transport for a setting.
    fn transport(&self, setting: &str, ca_file: Option<&Path>) -> Smtp {
        let url: SmtpUrl = setting.replace("PORT", &self.port.to_string()).parse().expect("a URL");
        let from = "Govern <govern@acme.example>".parse().expect("a sender");
        Smtp::new(&url, from, ca_file).expect("a transport")
    }

    /// Waits for the next accepted message.
    async fn next_message(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("a line").expect("a message");
        serde_json::from_str(&line).expect("JSON")
    }
}

async fn make_certificate(directory: &Path) {
    let output = Command::new("openssl")
        .args("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2".split(' '))
        .args(["-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=mail.test"])
        .args(["-addext", "subjectAltName=IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .current_dir(directory)
        .output()
        .await
        .expect("openssl is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

async fn send_due(service: &TestService) {
    mail::send_due(&service.governance, service.clock.now())
        .await
        .expect("the database is reachable");
}

/// Starts a service that sends its mail with `transport`. Its queue is empty at first.
async fn service_with_mail(transport: Smtp) -> TestService {
    let mut service = test_service().await;
    let options = ServiceOptions {
        public_url: "https://govern.acme.example".to_owned(),
        mail: Some(Mail::new(transport)),
        ..ServiceOptions::default()
    };
    service.restart(options).await;
    service
}

async fn request_reset(service: &TestService, email: &str) {
    let response = service.public.post("/v1/session/reset", &json!({"email": email})).await;
    assert_eq!(response.status, 202);
}

/// Returns the header lines and the decoded body of a message.
fn parts(message: &Value) -> (Vec<String>, String) {
    let data = message["data"].as_str().expect("a text");
    let (head, body) = data.split_once("\r\n\r\n").expect("a head");
    let body = body.replace("=\r\n", "").replace("=3D", "=").replace("\r\n", "\n");
    (head.split("\r\n").map(str::to_owned).collect(), body)
}

#[tokio::test]
async fn mail_is_sent_over_tls_with_a_login() {
    let user = "govern:p%40ss%20word";
    for (mode, setting) in [
        ("wrapped", format!("smtps://{user}@127.0.0.1:PORT")),
        ("required", format!("smtp://{user}@127.0.0.1:PORT?tls=required")),
    ] {
        let mut server = MailServer::start(mode).await;
        let transport = server.transport(&setting, Some(&server.certificate()));
        let service = service_with_mail(transport).await;
        request_reset(&service, &service.admin_email).await;
        send_due(&service).await;
        let message = server.next_message().await;
        assert_eq!(message["to"], json!(["admin@acme.example"]), "{mode}");
        assert_eq!(message["from"], "govern@acme.example");
        assert_eq!((&message["tls"], &message["authenticated"]), (&json!(true), &json!(true)));
        let (head, body) = parts(&message);
        for line in [
            "From: Govern <govern@acme.example>",
            "To: admin@acme.example",
            "Subject: Reset your Govern password",
            "Date: Tue, 01 Sep 2026 10:00:00 +0000",
            "Auto-Submitted: auto-generated",
            "Content-Type: text/plain; charset=utf-8",
        ] {
            assert!(head.iter().any(|header| header == line), "{mode} {line}: {head:#?}");
        }
        let (_, token) =
            body.split_once("https://govern.acme.example/setup?token=").expect("a link");
        let token = token.split_whitespace().next();
        let body = json!({"token": token, "password": "four other words of mine"});
        assert_eq!(service.public.post("/v1/session/setup", &body).await.status, 204);
        assert_eq!(
            service.sql("select count(*)::text from mail_outbox where attempts > 0").await,
            ["0"]
        );
    }
}

#[tokio::test]
async fn no_mail_is_sent_without_the_required_tls_or_with_an_untrusted_certificate() {
    for (mode, setting) in [
        ("wrapped", "smtps://govern:p%40ss%20word@127.0.0.1:PORT"),
        ("plain", "smtp://127.0.0.1:PORT?tls=required"),
    ] {
        let server = MailServer::start(mode).await;
        let service = service_with_mail(server.transport(setting, None)).await;
        request_reset(&service, &service.admin_email).await;
        send_due(&service).await;
        let attempts = service.sql("select attempts::text from mail_outbox").await;
        assert_eq!(attempts, ["1"], "{mode}");
    }
}

#[tokio::test]
async fn a_temporary_rejection_is_retried_and_a_permanent_rejection_is_not() {
    let mut server = MailServer::start("plain").await;
    let service = service_with_mail(server.transport("smtp://127.0.0.1:PORT", None)).await;
    let names = ["ada@refused.example", "ada@later.example", "ada@accepted.example"];
    for name in names {
        let password = PASSWORD.to_owned();
        operator::create_user(&service.governance, service.tenant, name, password, Role::Viewer)
            .await
            .expect("the user can be created");
    }
    for name in names {
        request_reset(&service, name).await;
    }
    send_due(&service).await;
    assert_eq!(server.next_message().await["to"], json!(["ada@accepted.example"]));
    assert_eq!(service.sql("select email from mail_outbox").await, ["ada@later.example"]);
}
