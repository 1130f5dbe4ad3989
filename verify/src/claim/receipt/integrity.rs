//! The preimage of `integrity_hash`, and the result as far as it is in it (receipts, section 3.5).

use contract::json::{Object, Value};
use receipt::Canonical;

use crate::{
    case::{Bound, Case},
    check::Check,
    code::{Code, Note},
};

const SCHEMA: &str = "service-decision-integrity/v2";

/// The members of a violation that are in the preimage, beside `is_shadow`.
const VIOLATION: [&str; 7] = [
    "rule_code",
    "severity",
    "reason_code",
    "field",
    "actual_value",
    "expected_value",
    "policy_id",
];

pub(super) fn check(check: &mut Check, case: &Case, view: &Value, bound: &Bound<'_>) {
    let redacted = view.get("redaction").and_then(Value::as_str) == Some("values");
    let integrity = match &case.integrity {
        Ok(integrity) => integrity,
        Err(Code::FileMissing) if redacted => {
            check.note(Note::ValuesRedacted);
            return check.not_checked("integrity_preimage");
        }
        Err(code) => return check.found(*code, "the integrity preimage cannot be read"),
    };
    check.checked("integrity_preimage");
    if Canonical::of(integrity).digest != bound.statement.integrity_hash {
        return check.found(Code::IntegrityHashMismatch, "the preimage has another hash");
    }
    if integrity.get("schema").and_then(Value::as_str) != Some(SCHEMA) {
        return check.found(Code::SchemaMismatch, "the preimage has another schema");
    }
    for name in ["decision_type", "decision", "policy_snapshot_digest", "evidence_manifest_digest"]
    {
        let same = integrity.get(name) == bound.value.get(name);
        check.require(same, Code::StatementViewMismatch, "preimage and statement differ");
    }
    let result = view.get("result").cloned().unwrap_or_default();
    if let Some(name) = differs(&result, view, integrity, redacted) {
        let detail = format!("`{name}` of the result is not what was hashed");
        check.found(Code::StatementViewMismatch, detail);
    }
}

/// The first member of the projection in which the result and the preimage differ.
fn differs(
    result: &Value,
    view: &Value,
    integrity: &Value,
    redacted: bool,
) -> Option<&'static str> {
    let same = |name: &str| result.get(name) == integrity.get(name);
    let truth =
        |name: &str| result.get(name).unwrap_or(&Value::Bool(false)) == flag(integrity, name);
    let copied = [
        "decision",
        "original_decision",
        "policy_snapshot_digest",
        "evaluated_rules_hash",
        "evidence_manifest_digest",
        "receipt_schema_version",
        "narrowing",
    ];
    let lists = |name: &str, project: &dyn Fn(&Value) -> Value| {
        projected(result.get(name), project) == projected(integrity.get(name), project)
    };
    let violations = same_violations(result, integrity, redacted);
    if view.get("context_digest") != integrity.get("context_digest") {
        return Some("context_digest");
    }
    if !violations {
        return Some("violations");
    }
    if !lists("na_rules", &|rule| project(rule, &["policy_id", "rule_code"])) {
        return Some("na_rules");
    }
    let truths = ["is_shadow", "shadow_converted"].into_iter().find(|name| !truth(name));
    truths.or_else(|| copied.into_iter().find(|name| !same(name)))
}

fn flag<'a>(integrity: &'a Value, name: &str) -> &'a Value {
    integrity.get(name).unwrap_or(&Value::Null)
}

fn projected(list: Option<&Value>, project: &dyn Fn(&Value) -> Value) -> Option<Vec<Value>> {
    Some(list?.as_array()?.iter().map(project).collect())
}

fn project(value: &Value, names: &[&str]) -> Value {
    let kept = names.iter().filter_map(|name| {
        let member = value.get(name)?.clone();
        Some((String::from(*name), member))
    });
    kept.collect::<Object>().into()
}

/// Whether the violations of the result are those of the preimage. A redacted result may leave out what
/// was read from the context: `actual_value`, and an `expected_value` that is a field of the context.
fn same_violations(result: &Value, integrity: &Value, redacted: bool) -> bool {
    let list = |of: &'_ Value| projected(of.get("violations"), &project_violation);
    let (Some(shown), Some(hashed)) = (list(result), list(integrity)) else { return false };
    let same = |(shown, hashed): (&Value, &Value)| {
        let left_out = |name: &&str| {
            let is_value = matches!(*name, "actual_value" | "expected_value");
            redacted && is_value && shown.get(name).is_none()
        };
        let names: Vec<&str> = VIOLATION.into_iter().filter(|name| !left_out(name)).collect();
        let is_shadow = shown.get("is_shadow") == hashed.get("is_shadow");
        is_shadow && project(shown, &names) == project(hashed, &names)
    };
    shown.len() == hashed.len() && shown.iter().zip(&hashed).all(same)
}

fn project_violation(violation: &Value) -> Value {
    let Value::Object(mut members) = project(violation, &VIOLATION) else { return Value::Null };
    let is_shadow = violation.get("is_shadow").cloned().unwrap_or(Value::Bool(false));
    members.insert("is_shadow", is_shadow);
    members.into()
}
