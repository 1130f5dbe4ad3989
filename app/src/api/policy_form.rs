//! Making a policy, and changing what stays the same from version to version.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::policy_form::{PolicyForm, PolicyFormPage},
};

/// The form of a new policy, or of `policy`.
#[server(prefix = "/console", endpoint = "policy-form", output = Answer)]
pub(crate) async fn read_policy_form(
    tenant: TenantId,
    policy: Option<PolicyId>,
) -> Result<PolicyFormPage, Problem> {
    use super::ssr::{self, policy_form as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, tenant, policy).await
}

/// Makes a policy and leads to its first draft.
#[server(prefix = "/console", endpoint = "create-policy", output = Answer)]
pub(crate) async fn create_policy(tenant: TenantId, form: PolicyForm) -> Result<(), Problem> {
    use super::ssr::{self, policy_form as sources};
    let cx = ssr::human(tenant).await?;
    sources::create(&cx, tenant, form).await
}

/// Changes a policy and leads to it.
#[server(prefix = "/console", endpoint = "edit-policy", output = Answer)]
pub(crate) async fn edit_policy(
    tenant: TenantId,
    policy: PolicyId,
    form: PolicyForm,
) -> Result<(), Problem> {
    use super::ssr::{self, policy_form as sources};
    let cx = ssr::human(tenant).await?;
    sources::edit(&cx, tenant, policy, form).await
}
