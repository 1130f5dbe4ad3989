//! Standard streams of the client commands: the form of errors, outputs that cannot be written, and completion. None of
//! these needs a service.

use std::{
    fs::{self, File},
    process::Stdio,
};

use tempfile::TempDir;
use tokio::process::Command;

use super::{FILE, Output, finish};
use crate::prelude::*;

/// A directory with a policy, where no service is configured.
struct Place(TempDir);

impl Place {
    fn new(name: &str) -> Self {
        let directory = TempDir::with_prefix(name).expect("a new directory");
        fs::write(directory.path().join("pay.policy.yaml"), FILE).expect("a file can be written");
        Self(directory)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_govern-client"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env("XDG_CONFIG_HOME", self.0.path().join("config"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for variable in ["GOVERN_URL", "GOVERN_TENANT_ID", "GOVERN_API_KEY", "GOVERN_PROFILE"] {
            command.env_remove(variable);
        }
        command
    }

    async fn govern(&self, arguments: &[&str]) -> Output {
        finish(&mut self.command(arguments)).await
    }

    /// Runs a command that fails, and returns the error object.
    async fn error(&self, arguments: &[&str], code: i32) -> Value {
        let output = self.govern(arguments).await;
        assert_eq!((output.code, &*output.stdout), (Some(code), ""), "{output:#?}");
        let body: Value = serde_json::from_str(&output.stderr).expect("one JSON object");
        body["error"].clone()
    }
}

/// Waits for a command with this standard output.
async fn write_to(mut command: Command, stdout: Stdio) -> Output {
    let child = command.stdout(stdout).spawn().expect("the program starts");
    let output = child.wait_with_output().await.expect("the program ends");
    let stderr = String::from_utf8(output.stderr).expect("commands write UTF-8");
    Output { code: output.status.code(), stdout: String::new(), stderr }
}

#[tokio::test]
async fn errors_are_json_if_the_output_is() {
    let place = Place::new("errors");
    fs::write(place.0.path().join("context.yaml"), "decision_type: payment\nfields: []\n")
        .expect("a file can be written");
    let evaluate = ["evaluate", "context.yaml", "--json"];
    let invalid = place.error(&evaluate, 2).await;
    assert_eq!(invalid["code"], "VALIDATION_ERROR");
    let details = &invalid["details"];
    assert_eq!(details["file"], "context.yaml");
    assert_eq!(
        details["errors"],
        json!([{"path": "/fields", "code": "type", "message": "must be an object", "line": 2}])
    );
    let text = place.govern(&["evaluate", "context.yaml"]).await;
    assert_eq!(text.stderr, "govern: context.yaml:2: /fields must be an object\n");

    for (arguments, status, code) in [
        (&["evaluate", "missing.json"][..], 2, "INVALID_INPUT"),
        (&["evaluate", "--type", "a", "--field", "a=1", "--field", "a=2"][..], 2, "INVALID_INPUT"),
        (&["evaluate", "--unknown"][..], 2, "INVALID_ARGUMENTS"),
        (&["evaluate"][..], 2, "INVALID_ARGUMENTS"),
        (&["export", "--from", "soon"][..], 2, "INVALID_ARGUMENTS"),
        (&["evaluate", "--type", "a"][..], 2, "INVALID_PROFILE"),
        (&["evaluate", "--type", "a", "--url", "ftp://a.example"][..], 2, "INVALID_PROFILE"),
        (&["evaluate", "--type", "a", "--url", "http://127.0.0.1:1"][..], 4, "SERVICE_UNREACHABLE"),
        (&["verify", "missing.tar"][..], 2, "INVALID_INPUT"),
    ] {
        let error = place.error(&[arguments, &["--json"]].concat(), status).await;
        assert_eq!(error["code"], code, "{arguments:?}");
    }
    let help = place.govern(&["evaluate", "--json", "--help"]).await;
    assert!(help.expect(0).contains("Usage:"));
}

#[tokio::test]
async fn an_output_that_cannot_be_written_is_an_error() {
    let place = Place::new("full");
    for arguments in
        [&["policy", "test"][..], &["policy", "test", "--json"], &["completion", "bash"]]
    {
        let full = File::options().write(true).open("/dev/full").expect("the device exists");
        let output = write_to(place.command(arguments), Stdio::from(full)).await;
        assert_eq!(output.code, Some(2), "{output:#?}");
        assert!(output.stderr.contains("standard output cannot be written: "), "{output:#?}");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let closed = write_to(place.command(arguments), Stdio::from(writer)).await;
        assert_eq!((closed.code, &*closed.stderr), (Some(141), ""), "{arguments:?}");
    }
}

#[tokio::test]
async fn reports_are_complete_for_odd_names_and_texts() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let place = Place::new("odd");
    let odd = place.0.path().join(OsStr::from_bytes(b"\x1b[31m\xff ]]>&.policy.yaml"));
    fs::rename(place.0.path().join("pay.policy.yaml"), &odd).expect("the file can be renamed");
    let cases = json!([{
        "name": "\u{1b}[2J]]>\u{7}<x>\nFAIL \u{9b}1m",
        "context": {"decision_type": "payment", "fields": {"amount": 1}},
        "expect": "DENY",
    }]);
    let path = place.0.path().join(OsStr::from_bytes(b"\x1b[31m\xff ]]>&.cases.json"));
    fs::write(path, cases.to_string()).expect("a file can be written");
    let text = place.govern(&["policy", "test", "--junit", "results.xml"]).await.expect(1);
    assert!(text.chars().all(|character| character == '\n' || !character.is_control()), "{text:?}");
    assert!(text.contains("FAIL \\u001b[2J]]>\\u0007<x>\\nFAIL \\u009b1m\n"), "{text}");
    let xml =
        fs::read_to_string(place.0.path().join("results.xml")).expect("the results are written");
    let is_xml = |character: char| character >= ' ' || "\t\r\n".contains(character);
    assert!(xml.chars().all(is_xml) && !xml.contains("]]>"), "{xml}");
    let report = place.govern(&["policy", "test", "--json"]).await.json(1);
    assert_eq!(report["files"][0]["results"][0]["name"], cases[0]["name"]);
    assert!(report["files"][0]["policy"].as_str().expect("a text").ends_with(".policy.yaml"));
}

#[tokio::test]
async fn completion_scripts_are_small_and_ask_the_program() {
    let place = Place::new("completion");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.govern(&["completion", shell]).await.expect(0);
        assert!(script.contains("GOVERN_COMPLETE") && script.len() < 4_096, "{shell}: {script}");
    }
    let complete = async |words: &[&str]| {
        let mut command = place.command(&[&["--", "govern"][..], words].concat());
        let index = words.len().to_string();
        command.env("GOVERN_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", index);
        let words = finish(command.env("_CLAP_IFS", "\n")).await.expect(0);
        words.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(complete(&["pol"]).await, ["policy"]);
    assert_eq!(complete(&["policy", "pu"]).await, ["pull", "push"]);
    assert!(complete(&["evaluate", "--fi"]).await.contains(&"--field".to_owned()));
}
