//! Comparison of the receipt view with its statement (receipts, section 5.2).

use contract::json::Value;
use receipt::{key::PayloadType, statement};

use crate::{bundle::receipt::BoundStatement, claim_check::ClaimCheck, code::Code};

pub(super) fn check(check: &mut ClaimCheck, view: &Value, bound: &BoundStatement<'_>) {
    check.add_checked("view");
    for ((name, value), (statement_name, expected)) in compared_members(view, bound.value) {
        if value != expected {
            let detail = format!("`{name}` differs from `{statement_name}` of the statement");
            check.add_failure(Code::StatementViewMismatch, detail);
        }
    }
    let action = view.get("result").and_then(|result| result.get("action"));
    let matches = action.map(statement::action) == bound.statement.action_digest;
    check.require(matches, Code::StatementViewMismatch, "`result.action` differs");
    let is_signed = bound.statement.kid.is_some();
    let payload_type = is_signed.then_some(PayloadType::Receipt.as_str());
    let actual = view.get("payload_type").map(|value| value.as_str().unwrap_or_default());
    check.require(actual == payload_type, Code::StatementViewMismatch, "`payload_type` differs");
    let has_signature = view.get("signature").is_some();
    check.require(
        has_signature == is_signed,
        Code::StatementViewMismatch,
        "`signature` differs from `kid`",
    );
}

type Member<'a> = (&'static str, Option<&'a Value>);

/// Returns the members that must be equal in view and statement. Absent members equal each other.
fn compared_members<'a>(view: &'a Value, statement: &'a Value) -> Vec<(Member<'a>, Member<'a>)> {
    let result = view.get("result");
    let chain = (view.get("chain"), statement.get("chain"));
    let member =
        |value: Option<&'a Value>, name: &'static str| (name, value.and_then(|v| v.get(name)));
    let in_view = |name| member(Some(view), name);
    let in_statement = |name| member(Some(statement), name);
    let mut pairs = vec![
        (in_view("signature_kid"), in_statement("kid")),
        (in_view("signature_algorithm"), in_statement("alg")),
        (member(chain.0, "chain_id"), member(chain.1, "chain_id")),
        (member(chain.0, "chain_step"), member(chain.1, "step")),
        (member(chain.0, "parent_decision_id"), member(chain.1, "parent_decision_id")),
    ];
    for name in ["tenant_id", "decision_id", "receipt_schema_version"] {
        pairs.push((in_view(name), in_statement(name)));
    }
    for name in [
        "integrity_hash",
        "policy_snapshot_id",
        "policy_snapshot_digest",
        "evidence_manifest_digest",
        "timestamp",
        "decision",
    ] {
        pairs.push((member(result, name), in_statement(name)));
    }
    for name in ["signature", "signature_kid", "signature_algorithm"] {
        pairs.push((member(result, name), in_view(name)));
    }
    pairs
}
