//! `govern login` through a browser: a client that sends the form of the page and follows its redirect.

use std::{fmt::Write as _, process::Stdio};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
    process::{Child, Command},
};

use super::{FILE, Output, POLICIES, Terminal, finish};
use crate::{cli_login::shown_code, prelude::*};

/// Returns `govern` without the settings of the environment, except the URL of the service.
fn command(terminal: &Terminal<'_>) -> Command {
    let mut command = terminal.command(env!("CARGO_BIN_EXE_govern-client"));
    // The browser of the tests is a program that does nothing.
    command.env_remove("GOVERN_API_KEY").env_remove("GOVERN_TENANT_ID").env("BROWSER", "true");
    command
}

/// A started `govern login`.
struct Login {
    child: Child,
    /// The path and query of the address that the command printed.
    page: String,
}

impl Login {
    async fn start(terminal: &Terminal<'_>, arguments: &[&str]) -> Self {
        let mut command = command(terminal);
        command.arg("login").args(arguments).stdin(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let stderr = child.stderr.take().expect("a pipe");
        let mut lines = BufReader::new(stderr).lines();
        let page = loop {
            let line =
                lines.next_line().await.expect("a text").expect("the command prints an address");
            if let Some((_, page)) = line.split_once("/cli-login?") {
                break format!("/cli-login?{page}");
            }
        };
        // The command continues to write; the rest is read until it ends.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { child, page }
    }

    /// Returns the value of a parameter of the page.
    fn parameter(&self, name: &str) -> &str {
        let (_, query) = self.page.split_once('?').expect("a query");
        let pair =
            query.split('&').find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name));
        pair.unwrap_or_else(|| panic!("no {name} in {}", self.page)).1
    }

    /// Requests an address of the command as the browser does after a redirect.
    async fn callback(&self, query: &str) -> String {
        let port: u16 = self.parameter("port").parse().expect("a port");
        let mut socket =
            TcpStream::connect(("127.0.0.1", port)).await.expect("the command listens");
        let request = format!("GET /callback?{query} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n");
        socket.write_all(request.as_bytes()).await.expect("the command reads");
        let mut response = String::new();
        socket.read_to_string(&mut response).await.expect("the command responds");
        response
    }

    async fn finish(self) -> Output {
        let output = self.child.wait_with_output().await.expect("the command ends");
        let stdout = String::from_utf8(output.stdout).expect("commands write UTF-8");
        Output { code: output.status.code(), stdout, stderr: String::new() }
    }
}

/// Sends the form of the page with the scopes that it has selected.
async fn allow(browser: &Browser<'_>, page: &str) -> TestResponse {
    let shown = browser.client("theme=dark").get(page).await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    let names = ["port", "state", "code_challenge", "name", "scopes"];
    let mut body = String::from("name=my+laptop&days=7");
    for name in names.map(|name| format!("program[{name}]")) {
        write!(body, "&{}={}", encoded(&name), encoded(&hidden(&shown.text, &name)))
            .expect("writing to a string succeeds");
    }
    for part in shown.text.split("<input").filter(|part| part.contains("name=\"scopes[]\"")) {
        let tag = part.split_once('>').expect("a tag").0;
        if tag.contains(" checked") {
            let (_, value) = tag.split_once("value=\"").expect("a value");
            let scope = value.split('"').next().expect("a scope");
            write!(body, "&scopes%5B%5D={}", encoded(scope)).expect("writing to a string succeeds");
        }
    }
    browser.post("/console/allow-cli-login", &body).await
}

#[testkit::test]
async fn login_receives_a_key_from_the_browser_and_logout_revokes_it(service: TestService) {
    let terminal = Terminal::new(&service, "browser", &POLICIES).await;
    let browser = Browser::new(&service, &service.admin().await);
    let scopes = ["--scope", "policies:read", "--scope", "policies:write"];
    let login = Login::start(&terminal, &[&["--browser", "--json"][..], &scopes].concat()).await;
    // Another page cannot end the sign-in.
    let foreign = login.callback("code=any&state=any").await;
    assert!(
        foreign.starts_with("HTTP/1.1 400 ") && foreign.contains("Unknown sign-in"),
        "{foreign}"
    );

    let response = allow(&browser, &login.page).await;
    let location = response.header("location").expect("a redirect");
    let start = format!("http://127.0.0.1:{}/callback?", login.parameter("port"));
    let query = location.strip_prefix(&start).unwrap_or_else(|| panic!("{response:?}"));
    let shown = login.callback(query).await;
    assert!(shown.starts_with("HTTP/1.1 200 ") && shown.contains("<h1>Signed in</h1>"), "{shown}");
    let profile = login.finish().await.json(0);
    assert_eq!(profile["profile"], "default");
    assert_eq!(profile["tenant_id"], service.tenant.to_string());
    assert_eq!(
        (text(&profile["key_name"]), text(&profile["expires_at"])),
        ("my laptop", "2026-09-08T10:00:00.000Z")
    );

    terminal.write("pay.policy.yaml", FILE);
    let push = async || {
        let mut command = command(&terminal);
        finish(command.env_remove("GOVERN_URL").args(["policy", "push", "."])).await
    };
    assert_snapshot!(push().await.expect(0), @"PAY-01: created the policy with draft version 1, revision 1");
    let logout =
        async |arguments: &[&str]| finish(command(&terminal).arg("logout").args(arguments)).await;
    assert_snapshot!(logout(&[]).await.expect(0), @"removed profile `default`; revoked its API key");
    let active = "select name from api_keys where name = 'my laptop' and revoked_at is null";
    assert!(service.sql(active).await.is_empty());
    assert_eq!(push().await.code, Some(2));
    assert_snapshot!(logout(&[]).await.stderr, @"govern: there is no profile `default`");
}

#[testkit::test]
async fn a_cancelled_login_creates_no_key_and_no_profile(service: TestService) {
    let terminal = Terminal::new(&service, "cancelled", &POLICIES).await;
    let login = Login::start(&terminal, &["--browser"]).await;
    let query = format!("error=access_denied&state={}", login.parameter("state"));
    let shown = login.callback(&query).await;
    assert!(shown.contains("<h1>Cancelled</h1>"), "{shown}");
    assert_eq!(login.finish().await.code, Some(3));
    assert!(!terminal.path().join("config").exists());
    assert!(service.sql("select key_name from login_codes").await.is_empty());
}

#[testkit::test]
async fn login_without_a_browser_reads_the_code_of_the_page(service: TestService) {
    let terminal = Terminal::new(&service, "no-browser", &POLICIES).await;
    let browser = Browser::new(&service, &service.admin().await);
    let mut login = Login::start(&terminal, &["--no-browser", "--profile", "remote"]).await;
    let response = allow(&browser, &login.page).await;
    let code = shown_code(&browser, &response).await;
    let mut stdin = login.child.stdin.take().expect("a pipe");
    stdin.write_all(format!("{code}\n").as_bytes()).await.expect("the command reads");
    drop(stdin);
    let output = login.finish().await.expect(0);
    assert!(output.starts_with("stored profile `remote` in "), "{output}");
    assert!(output.contains("API key `my laptop` of tenant "), "{output}");
    // The key of a profile that other programs use stays valid.
    let mut logout = command(&terminal);
    let logout = finish(logout.args(["logout", "--profile", "remote", "--keep-key"])).await;
    assert_snapshot!(logout.expect(0), @"removed profile `remote`; its API key is still valid");
    let active = "select name from api_keys where name = 'my laptop' and revoked_at is null";
    assert_eq!(service.sql(active).await, ["my laptop"]);
}
