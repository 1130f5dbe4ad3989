//! What a receipt shows must be what its statement says (receipts, section 5.2).

use contract::json::Value;
use receipt::{key::PayloadType, statement};

use crate::{case::Bound, check::Check, code::Code};

pub(super) fn check(check: &mut Check, view: &Value, bound: &Bound<'_>) {
    check.checked("view");
    for (shown, meant) in pairs(view, bound.value) {
        if shown.1 != meant.1 {
            let detail = format!("`{}` is not `{}` of the statement", shown.0, meant.0);
            check.found(Code::StatementViewMismatch, detail);
        }
    }
    let action = view.get("result").and_then(|result| result.get("action"));
    let same = action.map(statement::action) == bound.statement.action_digest;
    check.require(same, Code::StatementViewMismatch, "`result.action` is another one");
    let signed = bound.statement.kid.is_some();
    let payload_type = signed.then_some(PayloadType::Receipt.as_str());
    let shown = view.get("payload_type").map(|shown| shown.as_str().unwrap_or_default());
    check.require(shown == payload_type, Code::StatementViewMismatch, "`payload_type` differs");
    let has_signature = view.get("signature").is_some();
    check.require(has_signature == signed, Code::StatementViewMismatch, "`signature` and `kid`");
}

type Member<'a> = (&'static str, Option<&'a Value>);

/// What must be equal: a member as it is shown, and as it is meant. Absent equals absent.
fn pairs<'a>(view: &'a Value, statement: &'a Value) -> Vec<(Member<'a>, Member<'a>)> {
    let result = view.get("result");
    let chain = (view.get("chain"), statement.get("chain"));
    let of = |value: Option<&'a Value>, name: &'static str| (name, value.and_then(|v| v.get(name)));
    let own = |name| of(Some(view), name);
    let signed = |name| of(Some(statement), name);
    let mut pairs = vec![
        (own("signature_kid"), signed("kid")),
        (own("signature_algorithm"), signed("alg")),
        (of(chain.0, "chain_id"), of(chain.1, "chain_id")),
        (of(chain.0, "chain_step"), of(chain.1, "step")),
        (of(chain.0, "parent_decision_id"), of(chain.1, "parent_decision_id")),
    ];
    for name in ["tenant_id", "decision_id", "receipt_schema_version"] {
        pairs.push((own(name), signed(name)));
    }
    for name in [
        "integrity_hash",
        "policy_snapshot_id",
        "policy_snapshot_digest",
        "evidence_manifest_digest",
        "timestamp",
        "decision",
    ] {
        pairs.push((of(result, name), signed(name)));
    }
    for name in ["signature", "signature_kid", "signature_algorithm"] {
        pairs.push((of(result, name), own(name)));
    }
    pairs
}
