//! The order of members in files.

use contract::json::{Object, Value};

/// The members that come first, in this order. All others follow in canonical order.
const FIRST: &str = "\
    $schema code unit_id name description decision_types policy_group_id shadow_mode inheritable \
    regulatory_refs change_reason rule_type severity is_active field left operator right condition \
    when source_ref replaces_rule_code rules source clauses ledger codification";

/// Returns the position of the member `name` among the members that come first.
pub(super) fn rank(name: &str) -> usize {
    FIRST.split(' ').position(|first| first == name).unwrap_or(usize::MAX)
}

/// Returns the members in the order of files.
pub(super) fn members(object: &Object) -> Vec<(&str, &Value)> {
    let mut members: Vec<(&str, &Value)> = object.iter().collect();
    members.sort_by_key(|(name, _)| rank(name));
    members
}
