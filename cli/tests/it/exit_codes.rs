//! Exit codes: the same for all commands, and in the help of each.

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use cli::{Cli, ErrorFormat};

use crate::{Directory, POLICY};

/// Runs a command and returns its exit code.
pub(crate) async fn run(arguments: &[&str]) -> String {
    let cli = Cli::try_parse_from(["govern"].iter().chain(arguments)).expect("valid arguments");
    format!("{:?}", cli::run(cli.command, ErrorFormat::Text).await)
}

pub(crate) fn code(code: u8) -> String {
    format!("{:?}", ExitCode::from(code))
}

const FAILING_CASE: &str =
    "[{name: a, context: {decision_type: payment, fields: {amount: 1}}, expect: DENY}]\n";

#[tokio::test]
async fn exit_codes_separate_results_from_errors() {
    let directory = Directory::new();
    let policy = directory.write("pay.policy.yaml", POLICY).display().to_string();
    assert_eq!(run(&["policy", "test", &policy]).await, code(0));
    directory.write("pay.cases.yaml", FAILING_CASE);
    let junit = directory.path().join("junit.xml").display().to_string();
    assert_eq!(run(&["policy", "test", &policy, "--junit", &junit, "--json"]).await, code(1));
    let xml = std::fs::read_to_string(&junit).expect("the results are written");
    assert!(xml.contains("expected DENY, got ALLOW"), "{xml}");
    directory.write("pay.cases.yaml", "- 1\n");
    assert_eq!(run(&["policy", "test", &policy]).await, code(2));
    let empty = directory.path().join("none").display().to_string();
    assert_eq!(run(&["policy", "test", &empty]).await, code(2));
    // Nothing listens on port 1.
    let tenant = "00000000-0000-4000-8000-000000000001";
    let service = ["--url", "http://127.0.0.1:1", "--tenant", tenant];
    assert_eq!(run(&[&["policy", "diff", &policy][..], &service].concat()).await, code(4));
    assert_eq!(run(&[&["receipt", tenant][..], &service].concat()).await, code(4));
    assert_eq!(run(&["completion", "bash"]).await, code(0));
}

/// Returns all commands without sub-commands, with their names.
fn leaves(command: &clap::Command, name: &str) -> Vec<(String, clap::Command)> {
    let mut leaves = Vec::new();
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let name = format!("{name} {}", inner.get_name());
        if inner.has_subcommands() {
            leaves.extend(self::leaves(inner, &name));
        } else {
            leaves.push((name, inner.clone()));
        }
    }
    leaves
}

#[test]
fn every_command_describes_its_exit_codes_and_prints_json() {
    let leaves = leaves(&Cli::command(), "govern");
    assert!(leaves.len() >= 12, "{leaves:?}");
    for (name, mut command) in leaves {
        let help = command.render_long_help().to_string();
        // A script, and a protocol on standard output.
        if ["govern completion", "govern mcp"].contains(&name.as_str()) {
            continue;
        }
        assert!(help.to_lowercase().contains("exit codes:"), "{name}: {help}");
        assert!(help.contains("--json"), "{name}: {help}");
    }
}

#[test]
fn arguments_are_unambiguous() {
    Cli::command().debug_assert();
    for id in ["stream", "", "..", "../policies", "?q=a"] {
        for command in [&["decision", "show"][..], &["receipt"]] {
            let arguments = [&["govern"], command, &[id]].concat();
            assert!(Cli::try_parse_from(arguments).is_err(), "{command:?} {id}");
        }
    }
    assert!(cli::is_command("policy") && cli::is_command("verify") && !cli::is_command("serve"));
}
