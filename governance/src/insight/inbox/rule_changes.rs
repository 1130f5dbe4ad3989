//! How the rules of open versions differ from those of the active versions.

use crate::{access::permission, base::prelude::*};

/// The numbers of rules of a version that differ from those of the active version of its policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleChanges {
    /// The number of rules of the version.
    pub rules: u32,
    /// The rules that are new or changed; `None` if no version of the policy is active.
    pub changed: Option<u32>,
    /// The rules of the active version that the version neither has nor replaces.
    pub removed: u32,
}

const SELECT_CHANGES: &str = include_str!("rule_changes.sql");

/// Returns how the rules of these versions differ from those of the active versions. Omits unknown versions.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `policies:read`.
pub async fn rule_changes(
    cx: &Cx,
    versions: &[(PolicyId, u32)],
) -> Result<BTreeMap<(PolicyId, u32), RuleChanges>> {
    let policies: Vec<_> = versions.iter().map(|(policy, _)| policy.0).collect();
    let numbers: Vec<_> =
        versions.iter().map(|(_, version)| i32::try_from(*version).unwrap_or(i32::MAX)).collect();
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let rows = tenant.tuples(SELECT_CHANGES, [policies.into(), numbers.into()]).await?;
    let changes = |(policy, version, rules, changed, removed)| {
        let changed = Option::map(changed, unsigned);
        let changes = RuleChanges { rules: unsigned(rules), changed, removed: unsigned(removed) };
        ((PolicyId(policy), unsigned(version)), changes)
    };
    Ok(rows.into_iter().map(changes).collect())
}
