//! Answers that are not those of the service.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    thread,
};

use crate::{
    Directory,
    exit_codes::{code, run},
};

const ID: &str = "00000000-0000-4000-8000-000000000001";

/// Returns the URL of a server that gives this answer to each call.
fn server(kind: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.expect("a connection");
            let _ = connection.read(&mut [0; 4096]);
            let length = body.len();
            let _ = write!(
                connection,
                "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            );
        }
    });
    format!("http://{address}")
}

#[tokio::test]
async fn a_page_is_not_stored_as_an_answer() {
    let directory = Directory::new();
    let url = server("text/html; charset=utf-8", "<html>Sign in</html>");
    let file = directory.path().join("file").display().to_string();
    let service = ["--url", &url, "--tenant", ID, "--output", &file];
    for command in
        [&["receipt", ID][..], &["receipt", ID, "--bundle"], &["export", "--from", "2026-01-01"]]
    {
        assert_eq!(run(&[command, &service[..]].concat()).await, code(4), "{command:?}");
    }
    let names = std::fs::read_dir(directory.path()).expect("a directory");
    assert_eq!(names.count(), 0, "no file is left");
}

#[tokio::test]
async fn an_answer_is_written_when_it_is_complete() {
    let directory = Directory::new();
    let url = server("application/x-ndjson", "{}\n");
    let file = directory.path().join("decisions.ndjson");
    let path = file.display().to_string();
    let arguments =
        ["export", "--from", "2026-01-01", "--url", &url, "--tenant", ID, "--output", &path];
    assert_eq!(run(&arguments).await, code(0));
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "{}\n");
    let names = std::fs::read_dir(directory.path()).expect("a directory");
    assert_eq!(names.count(), 1, "no incomplete file is left");
}
