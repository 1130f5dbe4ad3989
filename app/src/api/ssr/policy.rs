//! What the page of a policy is made of, and how a policy is taken out of force.

use contract::{id::PolicyId, policy::WithReason};
use governance::{
    Cx, member,
    policy::{self, VersionSelector},
};

use super::{answer, version as versions};
use crate::{
    problem::Problem,
    view::{
        people::{name_policy, name_version},
        policy::PolicyPage,
    },
};

/// One policy, its active rules, and all its versions.
pub(in crate::api) async fn page(cx: &Cx, id: PolicyId) -> Result<PolicyPage, Problem> {
    let names = answer(member::names(cx).await)?;
    let mut versions = answer(policy::version::all(cx, id).await)?;
    for version in &mut versions {
        name_version(version, &names);
    }
    let active = versions.iter().any(|version| version.is_active);
    let selector = active.then_some(VersionSelector::Active);
    let mut policy = answer(policy::read(cx, id, selector).await)?;
    name_policy(&mut policy, &names);
    Ok(PolicyPage::new(policy, &versions, cx.role()))
}

/// Deactivates a policy, unless another version is active than the one that the person has seen.
pub(in crate::api) async fn deactivate(
    cx: &Cx,
    id: PolicyId,
    seen: u32,
    reason: &str,
) -> Result<(), Problem> {
    let reason = versions::reason(reason.trim().replace("\r\n", "\n"))?;
    answer(policy::deactivate(cx, id, WithReason { reason }, Some(seen)).await).map(drop)
}
