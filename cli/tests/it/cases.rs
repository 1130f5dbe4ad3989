//! `govern policy test`: results, failures for people, and JUnit.

use cli::policy::{junit, test::report};
use contract::time::Timestamp;
use insta::assert_snapshot;

use crate::{Directory, POLICY};

const NOW: &str = "2026-09-01T10:00:00Z";

fn now() -> Timestamp {
    NOW.parse().expect("a timestamp")
}

const CASES: &str = r"
- name: a small payment is allowed
  context:
    decision_type: payment
    fields: {amount: 100}
  expect: ALLOW
- name: a payment above the limit is denied
  context: {decision_type: payment, fields: {amount: 60000, region: EU}}
  expect:
    decision: DENY
    violations: [PAY-LIMIT, {rule_code: PAY-PURPOSE, reason_code: FIELD_MISSING, field: purpose}]
";

#[test]
fn cases_pass_or_fail_with_rule_field_and_value() {
    let directory = Directory::new();
    directory.write("pay.policy.yaml", POLICY);
    directory.write("pay.cases.yaml", CASES);
    let report = report(&[directory.path().to_owned()], now()).expect("valid files");
    assert_eq!((report.passed, report.failed), (2, 0), "{report:?}");

    let failing =
        CASES.replace("expect: ALLOW", "expect: REVIEW").replace("[PAY-LIMIT, {", "[PAY-X, {");
    directory.write("pay.cases.yaml", failing.replace("region: EU", "region: US"));
    let report = self::report_of(&directory);
    assert_eq!((report.passed, report.failed), (0, 2));
    let failures: Vec<&str> = report.files[0]
        .results
        .iter()
        .flat_map(|result| result.failures.iter().map(String::as_str))
        .collect();
    assert_snapshot!(failures.join("\n"), @r#"
    expected REVIEW, got ALLOW
    no expected violation of PAY-X: the policy has no such rule
    no expected violation of PAY-PURPOSE: the rule is not applicable: region is "US", not "EU"
    unexpected violation of PAY-LIMIT (high, VALUE_ABOVE_MAX): amount is 60000, above the maximum of 50000; amount = 60000
    "#);
}

fn report_of(directory: &Directory) -> cli::policy::report::Report {
    report(&[directory.path().to_owned()], now()).expect("valid files")
}

#[test]
fn results_are_written_as_junit() {
    let directory = Directory::new();
    let path = directory.write("pay.policy.yaml", POLICY);
    directory.write("pay.cases.yaml", CASES.replace("expect: ALLOW", "expect: DENY"));
    let mut report = report_of(&directory);
    for result in &mut report.files[0].results {
        result.time = std::time::Duration::from_millis(2);
    }
    let xml = junit::render(&report).expect("XML").replace(&path.display().to_string(), "PATH");
    assert_snapshot!(xml, @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="govern policy test" tests="2" skipped="0" failures="1" errors="0">
        <testsuite name="PATH" tests="2" skipped="0" errors="0" failures="1" time="0.004">
            <testcase name="a small payment is allowed" classname="PATH" time="0.002">
                <failure message="expected DENY, got ALLOW">expected DENY, got ALLOW</failure>
            </testcase>
            <testcase name="a payment above the limit is denied" classname="PATH" time="0.002"/>
        </testsuite>
    </testsuites>
    "#);
}

#[test]
fn invalid_cases_are_refused_with_their_lines() {
    let directory = Directory::new();
    directory.write("pay.policy.yaml", POLICY);
    let twice = format!("{CASES}{}", CASES.replace("expect: ALLOW", "expect: MAYBE"));
    directory.write("pay.cases.yaml", &twice);
    let error = report(&[directory.path().to_owned()], now()).expect_err("invalid cases");
    let error = error.to_string();
    assert!(error.contains("pay.cases.yaml:17: /2/expect must be one of ALLOW"), "{error}");
    directory.write("pay.cases.yaml", format!("{CASES}{CASES}"));
    let error = report(&[directory.path().to_owned()], now()).expect_err("duplicate names");
    let error = error.to_string();
    assert!(error.contains("/2/name `a small payment is allowed` is already"), "{error}");
}
