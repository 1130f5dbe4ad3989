//! Policies: the list, and one at a glance.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::{
        policy::{PolicyPage, PolicyRows},
        query::PolicyQuery,
    },
};

/// One page of the list, and whether the person may add to it.
#[server(prefix = "/console", endpoint = "policies", output = Answer)]
pub(crate) async fn list_policies(
    tenant: TenantId,
    query: PolicyQuery,
) -> Result<(PolicyRows, bool), Problem> {
    use super::ssr;
    let cx = ssr::human(tenant).await?;
    let page = ssr::page_at(query.cursor.clone());
    let policies = governance::policy::list(&cx, (&query).into(), &page).await;
    Ok((ssr::answer(policies)?.map(Into::into), may_write(&cx)))
}

/// Whether the person may write policies.
#[cfg(feature = "ssr")]
fn may_write(cx: &governance::Cx) -> bool {
    cx.role().is_some_and(|role| role.may(contract::scope::Right::Author))
}

/// One policy, its active rules, and all its versions.
#[server(prefix = "/console", endpoint = "policy", output = Answer)]
pub(crate) async fn read_policy(tenant: TenantId, id: PolicyId) -> Result<PolicyPage, Problem> {
    use governance::policy::{self, VersionSelector};

    use super::ssr;
    use crate::view::people::{name_policy, name_version};
    let cx = ssr::human(tenant).await?;
    let names = ssr::answer(governance::member::names(&cx).await)?;
    let mut versions = ssr::answer(policy::version::all(&cx, id).await)?;
    for version in &mut versions {
        name_version(version, &names);
    }
    let active = versions.iter().any(|version| version.is_active);
    let selector = active.then_some(VersionSelector::Active);
    let mut policy = ssr::answer(policy::read(&cx, id, selector).await)?;
    name_policy(&mut policy, &names);
    Ok(PolicyPage::new(policy, &versions, may_write(&cx)))
}
