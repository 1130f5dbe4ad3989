//! The cookbook: its policies and cases, and `docs/COOKBOOK.md`, which shows them. Another test of the service compares
//! the responses in the document.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, iter,
    path::PathBuf,
};

use cli::policy::{file::PolicyFile, test::report};
use contract::{
    evaluation::Verdict,
    rule::{Rule, Severity},
};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The number of patterns.
const PATTERNS: usize = 20;

/// Returns the verdicts that a policy can give: `ALLOW`, and one for the severity of each rule.
fn possible_verdicts(policy: &PolicyFile) -> BTreeSet<Verdict> {
    let is_shadow = policy.source.draft.shadow_mode == Some(true);
    let verdict_of = |rule: &Rule| match rule.severity {
        Severity::Low => Verdict::Allow,
        _ if is_shadow => Verdict::Alert,
        Severity::Medium => Verdict::Review,
        Severity::High | Severity::Critical => Verdict::Deny,
    };
    iter::once(Verdict::Allow).chain(policy.source.rules.iter().map(verdict_of)).collect()
}

#[test]
fn every_verdict_and_every_rule_of_the_cookbook_has_a_case() {
    let now = "2026-09-01T10:00:00Z".parse().expect("a timestamp");
    let directory = PathBuf::from(format!("{ROOT}/examples/cookbook"));
    let report = report(&[directory], now).expect("valid files");
    let failed = || {
        let results = report.files.iter().flat_map(|file| &file.results);
        results.filter(|result| !result.failures.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(report.failed, 0, "{:#?}", failed());
    assert_eq!(report.files.len(), PATTERNS);
    for file in &report.files {
        let path = file.policy.display();
        let policy = PolicyFile::read(&file.policy).expect("a valid policy");
        let verdicts: BTreeSet<Verdict> =
            file.results.iter().map(|result| result.decision).collect();
        assert_eq!(verdicts, possible_verdicts(&policy), "{path}");
        let violated: BTreeSet<&str> = file
            .results
            .iter()
            .flat_map(|result| &result.violations)
            .map(|violation| violation.rule_code.as_str())
            .collect();
        let rules: BTreeSet<&str> =
            policy.source.rules.iter().map(|rule| rule.code.as_str()).collect();
        assert_eq!(violated, rules, "{path}");
    }
}

#[test]
fn the_document_shows_every_policy_of_the_cookbook() {
    let document = fs::read_to_string(format!("{ROOT}/docs/COOKBOOK.md")).expect("the document");
    let mut decision_types = BTreeMap::new();
    for section in sections(&document) {
        let (_, link) = section.split_once("(../examples/cookbook/").expect("a link to the policy");
        let (name, _) = link.split_once(".policy.yaml)").expect("a link to the policy");
        let path = PathBuf::from(format!("{ROOT}/examples/cookbook/{name}.policy.yaml"));
        let text = fs::read_to_string(&path).expect("the policy");
        assert!(section.contains(&format!("```yaml\n{text}```\n")), "{name} differs");
        assert!(section.contains(&format!("(../examples/cookbook/{name}.cases.yaml)")), "{name}");
        let policy = PolicyFile::read(&path).expect("a valid policy");
        for decision_type in policy.source.draft.decision_types.unwrap_or_default() {
            // A test activates all of them in one tenant.
            let other = decision_types.insert(decision_type, name);
            assert_eq!(other, None, "{name} has the decision type of another pattern");
        }
    }
    assert_eq!(decision_types.len(), PATTERNS);
}

/// Returns the sections of the patterns.
fn sections(document: &str) -> impl Iterator<Item = &str> {
    document.split("\n### ").skip(1)
}
