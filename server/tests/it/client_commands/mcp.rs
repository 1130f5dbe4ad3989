//! The messages of `govern mcp` over standard input and output, and over HTTP. The service is a listener that accepts
//! calls and never answers.

use std::process::Stdio;

use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    net::{TcpListener, TcpStream},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use crate::prelude::*;

/// A started `govern mcp`.
struct Mcp {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

fn command(service: &TcpListener) -> Command {
    let address = service.local_addr().expect("an address");
    let mut command = Command::new(env!("CARGO_BIN_EXE_govern-client"));
    command
        .arg("mcp")
        .env("GOVERN_URL", format!("http://{address}"))
        .env("GOVERN_TENANT_ID", "00000000-0000-4000-8000-000000000001")
        .env("GOVERN_API_KEY", "svc_test")
        .env_remove("GOVERN_PROFILE")
        .env_remove("GOVERN_MCP_TOKEN")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    command
}

impl Mcp {
    fn start(service: &TcpListener) -> Self {
        let mut child = command(service).spawn().expect("the program starts");
        let stdin = child.stdin.take().expect("a pipe");
        let stdout = child.stdout.take().expect("a pipe");
        Self { child, stdin, lines: BufReader::new(stdout).lines() }
    }

    async fn send(&mut self, line: &str) {
        self.stdin.write_all(format!("{line}\n").as_bytes()).await.expect("the program reads");
    }

    async fn next(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("a text").expect("a message");
        serde_json::from_str(&line).expect("a JSON object")
    }

    /// Sends a message and returns the answer.
    async fn ask(&mut self, message: &Value) -> Value {
        self.send(&message.to_string()).await;
        self.next().await
    }

    async fn initialize(&mut self) {
        let answer = self.ask(&initialize("2025-06-18")).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "{answer}");
        self.send(r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#).await;
    }
}

fn request(id: u32, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn initialize(version: &str) -> Value {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
    request(1, "initialize", &params)
}

async fn service() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.expect("a free port")
}

#[tokio::test]
async fn every_message_that_needs_an_answer_gets_one() {
    let service = service().await;
    let mut mcp = Mcp::start(&service);
    // Before the session.
    mcp.send(r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#).await;
    mcp.send(r#"{"jsonrpc": "2.0", "id": 9, "result": {}}"#).await;
    let ping = request(2, "ping", &json!({}));
    assert_eq!(mcp.ask(&ping).await, json!({"jsonrpc": "2.0", "id": 2, "result": {}}));
    let early = mcp.ask(&request(3, "tools/list", &json!({}))).await;
    assert!(early["error"]["code"].is_i64() && early["id"] == 3, "{early}");
    mcp.initialize().await;

    mcp.send("{").await;
    let answer = mcp.next().await;
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &Value::Null));
    mcp.send(&"x".repeat(2 << 20)).await;
    assert_eq!(mcp.next().await["error"]["code"], -32600);
    for line in [
        "",
        r#"{"jsonrpc": "2.0", "method": "none"}"#,
        r#"{"jsonrpc": "2.0", "method": "notifications/cancelled"}"#,
    ] {
        mcp.send(line).await;
    }
    assert_eq!(mcp.ask(&ping).await["id"], 2);
    // Tools without the required arguments.
    let arguments = [
        json!({}),
        json!({"decision_type": "payment"}),
        json!({"decision_type": "p", "fields": [], "x": 1}),
    ];
    for tool in ["evaluate", "record", "explain"] {
        for arguments in &arguments {
            let params = json!({"name": tool, "arguments": arguments});
            let answer = mcp.ask(&request(7, "tools/call", &params)).await;
            assert_eq!(answer["result"]["isError"], true, "{tool} {arguments}: {answer}");
        }
    }
    let tools = mcp.ask(&json!({"jsonrpc": "2.0", "id": 8, "method": "tools/list"})).await;
    for tool in tools["result"]["tools"].as_array().expect("a list") {
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
    }
    drop(mcp.stdin);
    assert!(mcp.child.wait().await.expect("the program ends").success());
}

#[tokio::test]
async fn an_unknown_version_is_answered_with_a_known_one() {
    let service = service().await;
    let mut mcp = Mcp::start(&service);
    let answer = mcp.ask(&initialize("1999-01-01")).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
}

#[tokio::test]
async fn a_cancelled_call_stops_and_has_no_answer() {
    let service = service().await;
    let mut mcp = Mcp::start(&service);
    mcp.initialize().await;
    let arguments = json!({"decision_type": "payment", "fields": {}});
    let call = json!({"name": "evaluate", "arguments": arguments});
    mcp.send(&request(7, "tools/call", &call).to_string()).await;
    let (mut connection, _) = service.accept().await.expect("the tool calls the service");
    let mut head = [0; 64];
    assert!(connection.read(&mut head).await.expect("a request") > 0);
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    mcp.send(&cancelled.to_string()).await;
    // The client closes the connection to the service.
    let mut rest = Vec::new();
    let _ = connection.read_to_end(&mut rest).await;
    assert_eq!(mcp.ask(&request(8, "ping", &json!({}))).await["id"], 8);
}

#[tokio::test]
async fn messages_are_answered_over_http() {
    let service = service().await;
    let mut command = command(&service);
    command.args(["--http", "127.0.0.1:0"]).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let line = lines.next_line().await.expect("a text").expect("an address");
    let (_, address) = line.split_once("http://").expect("an address");
    let address = address.trim_end_matches("/mcp");
    let post = async |accept: &str, body: &str| {
        let mut socket = TcpStream::connect(address).await.expect("the program listens");
        let length = body.len();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{accept}\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        socket.write_all(request.as_bytes()).await.expect("the program reads");
        let mut response = String::new();
        socket.read_to_string(&mut response).await.expect("a response");
        let (head, body) = response.split_once("\r\n\r\n").expect("a head");
        (head[9..12].to_owned(), serde_json::from_str::<Value>(body).unwrap_or_default())
    };
    let list = request(1, "tools/list", &json!({})).to_string();
    let (status, body) = post("", &list).await;
    assert_eq!((&*status, &body["id"]), ("200", &json!(1)), "{body}");
    assert_eq!(post("accept: text/html\r\n", &list).await.0, "406");
    let (status, body) = post("", "{").await;
    assert_eq!(
        (&*status, &body["error"]["code"], &body["id"]),
        ("400", &json!(-32700), &Value::Null)
    );
}
