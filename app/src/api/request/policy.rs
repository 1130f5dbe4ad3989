//! Data of the policy page, and deactivation of a policy.

use contract::{id::PolicyId, policy::ReasonBody};
use governance::{
    Cx,
    access::member,
    authoring::policy::{self, VersionSelector},
};

use super::{into_problem, version as versions};
use crate::{
    problem::Problem,
    view::{
        names::{name_policy, name_version},
        policy::PolicyPage,
    },
};

pub(in crate::api) async fn page(cx: &Cx, id: PolicyId) -> Result<PolicyPage, Problem> {
    let names = into_problem(member::names(cx).await)?;
    let mut versions = into_problem(policy::version::all(cx, id).await)?;
    for version in &mut versions {
        name_version(version, &names);
    }
    let active = versions.iter().any(|version| version.is_active);
    let selector = active.then_some(VersionSelector::Active);
    let mut policy = into_problem(policy::read(cx, id, selector).await)?;
    name_policy(&mut policy, &names);
    Ok(PolicyPage::new(policy, &versions, cx.role()))
}

/// Deactivates a policy, unless the active version is not the one that the user has seen.
pub(in crate::api) async fn deactivate(
    cx: &Cx,
    id: PolicyId,
    seen: u32,
    reason: &str,
) -> Result<(), Problem> {
    let reason = versions::reason(reason.trim().replace("\r\n", "\n"))?;
    into_problem(policy::deactivate(cx, id, ReasonBody { reason }, Some(seen)).await).map(drop)
}
