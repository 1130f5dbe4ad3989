//! The sample policies of the service: their test cases have the same results in files.

use cli::policy::test::report;
use contract::json::{Limits, Object, Value};

use crate::Directory;

/// Returns a context of a sample as a case.
fn case(context: &Value) -> Value {
    let member = |name: &str| Some((name.to_owned(), context.get(name)?.clone()));
    let mut case: Object = ["name", "context", "actor"].into_iter().filter_map(member).collect();
    let expect = context.get("expect").expect("an expected result");
    let expect = ["decision", "violations"]
        .into_iter()
        .map(|name| (name.to_owned(), expect.get(name).expect("a member").clone()));
    case.insert("expect", expect.collect::<Object>());
    case.into()
}

#[test]
fn samples_have_the_expected_verdicts_and_violations() {
    let samples = [
        include_str!("../../../governance/samples/procurement.json"),
        include_str!("../../../governance/samples/consumer-credit.json"),
        include_str!("../../../governance/samples/ai-tool-calls.json"),
    ];
    let directory = Directory::new();
    let mut count = 0;
    for (number, text) in samples.iter().enumerate() {
        let sample = Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE).expect("JSON");
        let contexts = sample.get("contexts").and_then(Value::as_array).expect("a list");
        count += contexts.len();
        let cases: Value = contexts.iter().map(case).collect();
        let policy = sample.get("policy").expect("a policy").to_canonical();
        directory.write(&format!("{number}/sample.policy.json"), &policy);
        directory.write(&format!("{number}/sample.cases.json"), cases.to_canonical());
    }
    let now = "2026-09-01T10:00:00Z".parse().expect("a timestamp");
    let report = report(&[directory.path().to_owned()], now).expect("valid files");
    assert_eq!((report.passed, report.failed), (count, 0), "{report:?}");
    assert!(count > 100, "{count}");
}
