//! The command `govern-verify`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use receipt::bundle::{read_archive, write_archive, write_json};
use verify::{Options, verify};

use crate::{
    examples::examples,
    oracle::{archive, trust},
    vectors::{Known as _, json},
};

/// A temporary directory of one test, removed at the end.
struct TestDirectory(PathBuf);

impl TestDirectory {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        let directory = Self(path);
        let oracle = json("service_profile_oracle.json");
        directory.write("trust.json", oracle.at("trust_document").to_canonical().as_bytes());
        let registry = oracle.at("trust_registry").at("v2").at("envelope");
        directory.write("registry.dsse.json", registry.to_canonical().as_bytes());
        directory.write("keys.json", oracle.at("jwks").to_canonical().as_bytes());
        directory.write("bundle.tar", &archive("decision_bundle"));
        directory
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_govern-verify"));
        command.current_dir(&self.0).env_clear().args(arguments).output().unwrap()
    }

    fn code(&self, arguments: &[&str]) -> Option<i32> {
        self.run(arguments).status.code()
    }
}

impl Drop for TestDirectory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn exit_code_matches_the_result_and_usage_errors() {
    let directory = TestDirectory::new("exit_codes");
    assert_eq!(directory.code(&["--trust", "trust.json", "bundle.tar"]), Some(0));
    assert_eq!(directory.code(&["bundle.tar"]), Some(3), "nothing is pinned");
    let hyphen = ["--pin", "-cf7cIJ5C6qsgkn3hl1jQSembbm6EeDA2MhJpLDa64w", "bundle.tar"];
    assert_eq!(directory.code(&hyphen), Some(3), "a fingerprint may begin with a hyphen");
    let mut files = read_archive(&archive("decision_bundle")).unwrap();
    directory.write("bundle.json", write_json(&files).unwrap().text.as_bytes());
    assert_eq!(directory.code(&["--trust", "trust.json", "bundle.json"]), Some(0));
    files.remove("receipt/integrity.json");
    directory.write("broken.tar", &write_archive(&files).unwrap());
    assert_eq!(directory.code(&["--trust", "trust.json", "broken.tar"]), Some(1));
    directory.write("none.tar", b"");
    assert_eq!(directory.code(&["none.tar"]), Some(1));
    for arguments in [
        &["--trust", "trust.json"][..],
        &["--trust", "trust.json", "absent.tar"],
        &["--trust", "absent.json", "bundle.tar"],
        &["--trust", "keys.json", "bundle.tar"],
        &["--trust", "registry.dsse.json", "bundle.tar"],
        &["--trust", "registry.dsse.json", "--root-key", "other", "bundle.tar"],
        &["--jwks", "trust.json", "bundle.tar"],
        &["--pin", "bad", "bundle.tar"],
        &["--pin", "purpose=-cf7cIJ5C6qsgkn3hl1jQSembbm6EeDA2MhJpLDa64w", "bundle.tar"],
        &["--pin", "receipt=cf7cIJ5C6qsgkn3hl1jQSembbm6EeDA2MhJpLDa64w", "bundle.tar"],
        &["--log-key", "x", "bundle.tar"],
        &["--witness", "x", "bundle.tar"],
        &["--tenant", "x", "bundle.tar"],
        &["--now", "today", "bundle.tar"],
        &["--quorum", "-1", "bundle.tar"],
        &["--unknown", "bundle.tar"],
        &["bundle.tar", "bundle.tar"],
        &[],
    ] {
        let output = directory.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn retired_keys_and_frozen_logs_have_the_exit_code_of_their_result() {
    let directory = TestDirectory::new("examples");
    for example in examples() {
        directory.write("bundle.json", example.bundle.as_bytes());
        directory.write("document.json", example.trust_document.as_bytes());
        let output = directory.run(&["--trust", "document.json", "--json", "bundle.json"]);
        assert_eq!(output.status.code(), Some(example.exit_code), "{}", example.name);
        let report = String::from_utf8(output.stdout).unwrap();
        for code in example.codes {
            let (_, code) = code.split_once(' ').unwrap();
            assert!(report.contains(&format!("\"{code}\"")), "{}: {report}", example.name);
        }
    }
}

#[test]
fn json_report_is_canonical() {
    let directory = TestDirectory::new("report");
    let output = directory.run(&["--trust", "trust.json", "--json", "bundle.tar"]);
    let report = verify(&archive("decision_bundle"), &trust(), &Options::default());
    let expected = format!("{}\n", report.to_value().to_canonical());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert!(output.stderr.is_empty());
}

#[test]
fn trust_arguments_can_be_combined() {
    let directory = TestDirectory::new("pieces");
    let oracle = json("service_profile_oracle.json");
    let kid = |name: &str| oracle.at("test_keys").at(name).at("jwk").text("kid").to_owned();
    let (a, b) = (kid("root_a"), kid("root_b"));
    let registry =
        ["--trust", "registry.dsse.json", "--root-key", &a, "--root-key", &b, "bundle.tar"];
    assert_eq!(directory.code(&registry), Some(0));
    let three = [&["--root-threshold", "3"], &registry[..]].concat();
    assert_eq!(directory.code(&three), Some(2));

    let approval = format!("policy_approval={}", kid("policy_approval"));
    let log = oracle.at("vkeys").text("log");
    let witness = oracle.at("vkeys").text("witness");
    let receipt = kid("receipt");
    let pins = ["--pin", &receipt, "--pin", &approval, "--jwks", "keys.json"];
    let logs = ["--log-key", log, "--witness", witness, "--quorum", "1"];
    let pinned = [&pins[..], &logs, &["bundle.tar"]].concat();
    let output = directory.run(&pinned);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("PINNED_KEYS_ONLY"), "{text}");
    assert_eq!(
        directory.code(&[&["--quorum", "2"], &logs[..4], &pins, &["bundle.tar"]].concat()),
        Some(3)
    );
    let tenant = ["--trust", "trust.json", "bundle.tar", "--tenant"];
    let own = [&tenant[..], &["5f0c1f1e-7c1b-4a52-9d0e-3b6a3c1d2e01"]].concat();
    assert_eq!(directory.code(&own), Some(0));
    let other = [&tenant[..], &["5f0c1f1e-7c1b-4a52-9d0e-3b6a3c1d2e02"]].concat();
    assert_eq!(directory.code(&other), Some(1));
}

#[test]
fn text_report_lists_results_and_explains_on_request() {
    let directory = TestDirectory::new("text");
    let plain = directory.run(&["--trust", "trust.json", "bundle.tar"]).stdout;
    let plain = String::from_utf8(plain).unwrap();
    assert!(plain.starts_with("verified\n  receipt             verified\n"), "{plain}");
    assert!(plain.contains("Established:\n") && plain.contains("Not established:\n"), "{plain}");
    assert!(plain.contains("that the input data were true"), "{plain}");
    assert!(!plain.contains("checked:"), "{plain}");
    let explained = directory.run(&["--trust", "trust.json", "--explain", "bundle.tar"]).stdout;
    let explained = String::from_utf8(explained).unwrap();
    assert!(explained.contains("    checked: "), "{explained}");
    assert!(explained.contains("    not checked: "), "{explained}");
    let help = String::from_utf8(directory.run(&["--help"]).stdout).unwrap();
    assert!(help.contains("no network connection is ever opened"), "{help}");
}
