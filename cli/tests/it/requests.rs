//! Requests from files and arguments: what the service would refuse or read differently is refused before it is sent.

use clap::Parser as _;
use cli::Cli;

use crate::{
    Directory, POLICY,
    exit_codes::{code, run},
};

/// Nothing listens on port 1, so a request that is sent ends with 4.
const SERVICE: [&str; 4] =
    ["--url", "http://127.0.0.1:1", "--tenant", "00000000-0000-4000-8000-000000000001"];

async fn evaluate(arguments: &[&str]) -> String {
    run(&[&["evaluate"], arguments, &SERVICE].concat()).await
}

#[tokio::test]
async fn values_of_the_wrong_type_are_refused() {
    let directory = Directory::new();
    let sent = [
        "decision_type: payment\nfields: {amount: 1}\n",
        "\u{feff}decision_type: payment\r\nfields:\r\n  amount: 1\r\n",
        "context: {decision_type: payment, fields: {}}\nactor: {id: a}\n",
        "{\"decision_type\": \"payment\", \"fields\": {\"a\": null}}",
    ];
    for text in sent {
        let file = directory.write("request.yaml", text).display().to_string();
        assert_eq!(evaluate(&[&file]).await, code(4), "{text}");
    }
    let refused = [
        "decision_type: payment\nfields: []\n",
        "decision_type: payment\nfields: text\n",
        "decision_type: payment\nfields: 1\n",
        "decision_type: payment\nfields:\n",
        "decision_type: payment\n",
        "decision_type: 1\nfields: {}\n",
        "fields: {}\n",
        "decision_type: payment\nfields: {}\nfield: {amount: 1}\n",
        "context: []\n",
        "context: {decision_type: payment, fields: {}}\nactor: ann\n",
        "context: {decision_type: payment, fields: {}}\nexplain: yes please\n",
        "decision_type: payment\nfields: {a: 1, a: 2}\n",
        "decision_type: payment\nfields: {a: .inf}\n",
        "decision_type: payment\nfields: {a: 9007199254740993}\n",
        "decision_type: payment\nfields: {account: 0012}\n",
        "[]",
        "",
    ];
    for text in refused {
        let file = directory.write("request.yaml", text).display().to_string();
        for command in ["evaluate", "record"] {
            let key = if command == "record" { &["--idempotency-key", "k"][..] } else { &[] };
            let arguments = [&[command, &file][..], key, &SERVICE].concat();
            assert_eq!(run(&arguments).await, code(2), "{command}: {text}");
        }
        // An argument does not repair a wrong value.
        if text.contains("fields") {
            assert_eq!(evaluate(&[&file, "--field", "b.c=1"]).await, code(2), "{text}");
        }
    }
}

#[tokio::test]
async fn a_record_has_an_idempotency_key_of_the_right_type() {
    let directory = Directory::new();
    let record = async |text: &str, arguments: &[&str]| {
        let file = directory.write("request.yaml", text).display().to_string();
        run(&[&["record", &file], arguments, &SERVICE].concat()).await
    };
    let context = "context: {decision_type: payment, fields: {}}\n";
    assert_eq!(record(context, &[]).await, code(2));
    assert_eq!(record(context, &["--idempotency-key", ""]).await, code(2));
    assert_eq!(record(&format!("{context}idempotency_key: 7\n"), &[]).await, code(2));
    assert_eq!(record(&format!("{context}idempotency_key: a\n"), &[]).await, code(4));
}

#[tokio::test]
async fn unreadable_files_are_refused() {
    let directory = Directory::new();
    let files = [
        directory.path().to_owned(),
        directory.path().join("missing.json"),
        directory.write("latin.yaml", b"decision_type: caf\xe9\nfields: {}\n"),
        directory.write("utf16.json", b"\xff\xfe{\0}\0"),
        directory.write("deep.json", format!("{{\"fields\": {}", "[".repeat(100_000))),
        directory.write("large.yaml", vec![b'#'; 5 << 20]),
        "/dev/zero".into(),
    ];
    for file in files {
        assert_eq!(evaluate(&[&file.display().to_string()]).await, code(2), "{}", file.display());
    }
}

#[tokio::test]
async fn fields_of_the_arguments_are_unambiguous() {
    let payment = ["--type", "payment"];
    for fields in [&["a=1"][..], &["a=x y", "b.c=1", "b.d=[1]"], &["ab=1", "a=\"[\""], &["a=NO"]] {
        let arguments: Vec<&str> = fields.iter().flat_map(|field| ["--field", field]).collect();
        assert_eq!(evaluate(&[&payment[..], &arguments].concat()).await, code(4), "{fields:?}");
    }
    for fields in [["a=1", "a=2"], ["a=1", "a.b=2"], ["a.b.c=1", "a.b=2"]] {
        let arguments: Vec<&str> = fields.iter().flat_map(|field| ["--field", field]).collect();
        assert_eq!(evaluate(&[&payment[..], &arguments].concat()).await, code(2), "{fields:?}");
    }
    for field in ["a", "=1", "a..b=1", "a={\"b\":1", "a=[x]", "a=1e400", "a={\"b\":1,\"b\":2}"] {
        let parsed = Cli::try_parse_from(["govern", "evaluate", "--type", "x", "--field", field]);
        assert_eq!(parsed.map(|_| ()).map_err(|error| error.exit_code()), Err(2), "{field}");
    }
    for repeated in [["--type", "--type"], ["--url", "--url"]] {
        let arguments = repeated.iter().flat_map(|option| [option, "http://a.example"]);
        let parsed = Cli::try_parse_from(["govern", "evaluate"].into_iter().chain(arguments));
        assert_eq!(parsed.map(|_| ()).map_err(|error| error.exit_code()), Err(2), "{repeated:?}");
    }
}

#[tokio::test]
async fn a_policy_has_one_file_and_one_file_of_cases() {
    let directory = Directory::new();
    directory.write("a.policy.yaml", POLICY);
    let path = directory.path().display().to_string();
    std::os::unix::fs::symlink("..", directory.path().join("again")).expect("a link");
    assert_eq!(run(&["policy", "test", &path]).await, code(0));
    let cases =
        "- {name: a, context: {decision_type: payment, fields: {amount: 1}}, expect: ALLOW}\n";
    directory.write("a.cases.yaml", cases);
    assert_eq!(run(&["policy", "test", &path]).await, code(0));
    directory.write("a.cases.json", "[]");
    assert_eq!(run(&["policy", "test", &path]).await, code(2));
    directory.write("b.policy.yaml", POLICY.replace("code: PAY\n", "code: pay\n"));
    assert_eq!(run(&[&["policy", "push", &path][..], &SERVICE].concat()).await, code(2));
}

#[tokio::test]
async fn pull_does_not_replace_other_files() {
    let directory = Directory::new();
    let pull = async |text: &str, arguments: &[&str]| {
        let file = directory.write("a.policy.yaml", text).display().to_string();
        run(&[&["policy", "pull", &file], arguments, &SERVICE].concat()).await
    };
    assert_eq!(pull(POLICY, &["--code", "OTHER"]).await, code(2));
    assert_eq!(pull("name: not a policy\n", &["--code", "PAY"]).await, code(2));
    assert_eq!(pull(POLICY, &["--code", "pay"]).await, code(4));
    assert_eq!(pull(POLICY, &[]).await, code(4));
}
