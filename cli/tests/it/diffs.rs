//! Differences between policies, rule by rule.

use cli::{document::Format, policy::diff::between};
use contract::json::Value;
use insta::assert_snapshot;

use crate::POLICY;

fn diff(after: &str) -> String {
    let parse = |text: &str| -> Value { Format::Yaml.parse(text).expect("valid YAML") };
    serde_json::to_string(&between(&parse(POLICY), &parse(after))).expect("JSON")
}

#[test]
fn default_values_and_nulls_are_no_differences() {
    let same = POLICY.replace("rules:\n", "shadow_mode: false\ndescription: null\nrules:\n");
    let empty = r#"{"members":[],"added":[],"removed":[],"changed":[],"is_reordered":false}"#;
    assert_eq!(diff(&same), empty);
}

#[test]
fn changes_name_the_rule_and_the_path() {
    let changed = POLICY
        .replace("max: 50000", "max: 60000")
        .replace("    severity: medium\n", "    severity: low\n    name: Purpose\n");
    assert_snapshot!(diff(&changed), @r#"{"members":[],"added":[],"removed":[],"changed":[{"code":"PAY-LIMIT","members":[{"path":"condition/max","before":50000,"after":60000}]},{"code":"PAY-PURPOSE","members":[{"path":"name","after":"Purpose"},{"path":"severity","before":"medium","after":"low"}]}],"is_reordered":false}"#);
    let renamed =
        POLICY.replace("PAY-LIMIT", "PAY-MAX").replace("name: Payments", "name: All payments");
    assert_snapshot!(diff(&renamed), @r#"{"members":[{"path":"name","before":"Payments","after":"All payments"}],"added":["PAY-MAX"],"removed":["PAY-LIMIT"],"changed":[],"is_reordered":false}"#);
}
