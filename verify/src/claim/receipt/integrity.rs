//! The preimage of `integrity_hash`, and its members in the result (receipts, section 3.5).

use contract::json::{Object, Value};
use receipt::CanonicalJson;

use crate::{
    bundle::receipt::{BoundStatement, BundledReceipt},
    claim_check::ClaimCheck,
    code::{Code, Note},
};

const SCHEMA: &str = "service-decision-integrity/v2";

/// The members of a violation in the preimage, besides `is_shadow`.
const VIOLATION_MEMBERS: [&str; 7] = [
    "rule_code",
    "severity",
    "reason_code",
    "field",
    "actual_value",
    "expected_value",
    "policy_id",
];

pub(super) fn check(
    check: &mut ClaimCheck,
    receipt: &BundledReceipt,
    view: &Value,
    bound: &BoundStatement<'_>,
) {
    let is_redacted = view.get("redaction").and_then(Value::as_str) == Some("values");
    let integrity = match &receipt.integrity {
        Ok(integrity) => integrity,
        Err(Code::FileMissing) if is_redacted => {
            check.add_note(Note::ValuesRedacted);
            return check.add_not_checked("integrity_preimage");
        }
        Err(code) => return check.add_failure(*code, "the integrity preimage cannot be read"),
    };
    check.add_checked("integrity_preimage");
    if CanonicalJson::from_value(integrity).digest != bound.statement.integrity_hash {
        return check.add_failure(Code::IntegrityHashMismatch, "the preimage has another hash");
    }
    if integrity.get("schema").and_then(Value::as_str) != Some(SCHEMA) {
        return check.add_failure(Code::SchemaMismatch, "the preimage has another schema");
    }
    for name in ["decision_type", "decision", "policy_snapshot_digest", "evidence_manifest_digest"]
    {
        let matches = integrity.get(name) == bound.value.get(name);
        check.require(matches, Code::StatementViewMismatch, "preimage and statement differ");
    }
    let result = view.get("result").cloned().unwrap_or_default();
    if let Some(name) = first_difference(&result, view, integrity, is_redacted) {
        let detail = format!("`{name}` of the result differs from the hashed value");
        check.add_failure(Code::StatementViewMismatch, detail);
    }
}

/// Returns the first member that differs between the result and the preimage.
fn first_difference(
    result: &Value,
    view: &Value,
    integrity: &Value,
    is_redacted: bool,
) -> Option<&'static str> {
    let member_matches = |name: &str| result.get(name) == integrity.get(name);
    let flag_matches = |name: &str| {
        let hashed = integrity.get(name).unwrap_or(&Value::Null);
        result.get(name).unwrap_or(&Value::Bool(false)) == hashed
    };
    let copied = [
        "decision",
        "original_decision",
        "policy_snapshot_digest",
        "evaluated_rules_hash",
        "evidence_manifest_digest",
        "receipt_schema_version",
        "narrowing",
    ];
    let na_rules = |source: &Value| {
        project_list(source.get("na_rules"), |rule| project(rule, &["policy_id", "rule_code"]))
    };
    if view.get("context_digest") != integrity.get("context_digest") {
        return Some("context_digest");
    }
    if !same_violations(result, integrity, is_redacted) {
        return Some("violations");
    }
    if na_rules(result) != na_rules(integrity) {
        return Some("na_rules");
    }
    let differing_flag =
        ["is_shadow", "shadow_converted"].into_iter().find(|name| !flag_matches(name));
    differing_flag.or_else(|| copied.into_iter().find(|name| !member_matches(name)))
}

fn project_list(list: Option<&Value>, project: impl Fn(&Value) -> Value) -> Option<Vec<Value>> {
    Some(list?.as_array()?.iter().map(project).collect())
}

fn project(value: &Value, names: &[&str]) -> Value {
    let members = names.iter().filter_map(|name| {
        let member = value.get(name)?.clone();
        Some(((*name).to_owned(), member))
    });
    members.collect::<Object>().into()
}

/// Returns whether the violations of result and preimage are equal. A redacted result may omit
/// values from the context: `actual_value`, and an `expected_value` that is a context field.
fn same_violations(result: &Value, integrity: &Value, is_redacted: bool) -> bool {
    let list = |source: &'_ Value| project_list(source.get("violations"), project_violation);
    let (Some(displayed), Some(hashed)) = (list(result), list(integrity)) else { return false };
    let is_same = |(displayed, hashed): (&Value, &Value)| {
        let is_omitted = |name: &&str| {
            let is_value = matches!(*name, "actual_value" | "expected_value");
            is_redacted && is_value && displayed.get(name).is_none()
        };
        let names: Vec<&str> =
            VIOLATION_MEMBERS.into_iter().filter(|name| !is_omitted(name)).collect();
        let shadow_matches = displayed.get("is_shadow") == hashed.get("is_shadow");
        shadow_matches && project(displayed, &names) == project(hashed, &names)
    };
    displayed.len() == hashed.len() && displayed.iter().zip(&hashed).all(is_same)
}

fn project_violation(violation: &Value) -> Value {
    let Value::Object(mut members) = project(violation, &VIOLATION_MEMBERS) else {
        return Value::Null;
    };
    let is_shadow = violation.get("is_shadow").cloned().unwrap_or(Value::Bool(false));
    members.insert("is_shadow", is_shadow);
    members.into()
}
