//! What the receipt of a bundle states, to show with a report.

use contract::json::{Object, Value};

use crate::bundle::{Bundle, Kind};

/// Returns what the receipt of a decision bundle states: `verdict`, and where present `decision_type`,
/// `recorded_at` and `policy` with `name` and `version`. Returns `None` for other bundles.
///
/// The values are read and not verified. They may be shown as verified only if the claim `receipt` of the report is
/// verified.
pub fn summary(bytes: &[u8]) -> Option<Value> {
    let bundle = Bundle::read(bytes).ok().filter(|bundle| bundle.kind == Kind::Decision)?;
    let receipt = bundle.receipts.first()?;
    let view = receipt.view.as_ref().ok();
    let bound = receipt.bound().ok();
    let statement = bound.as_ref().map(|bound| bound.value);
    let stated = |name: &str| statement.and_then(|statement| statement.get(name));
    let result = |name: &str| view.and_then(|view| view.get("result")?.get(name));
    let mut summary = Object::new();
    let verdict = stated("decision").or_else(|| result("decision"))?;
    summary.insert("verdict", verdict.clone());
    let recorded_at = stated("recorded_at").or_else(|| result("timestamp"));
    for (name, value) in [("decision_type", stated("decision_type")), ("recorded_at", recorded_at)]
    {
        if let Some(value) = value {
            summary.insert(name, value.clone());
        }
    }
    if let Some(policy) = view.and_then(|view| view.get("policy"))
        && let (Some(name), Some(version)) = (policy.get("name"), policy.get("version"))
    {
        let policy = Object::from([("name", name.clone()), ("version", version.clone())]);
        summary.insert("policy", policy);
    }
    Some(summary.into())
}
