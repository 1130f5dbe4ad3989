//! Creating a policy, and changing its settings.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use super::view::{PolicyForm, PolicyFormPage};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the form of a new policy, or of `policy`.
#[server(prefix = "/console", endpoint = "policy-form", output = JsonCodec)]
pub(crate) async fn read_policy_form(
    tenant: TenantId,
    policy: Option<PolicyId>,
) -> Result<PolicyFormPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, policy).await
}

/// Creates a policy and redirects to its first draft.
#[server(prefix = "/console", endpoint = "create-policy", output = JsonCodec)]
pub(crate) async fn create_policy(tenant: TenantId, form: PolicyForm) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::create(&cx, tenant, form).await
}

/// Changes a policy and redirects to it.
#[server(prefix = "/console", endpoint = "edit-policy", output = JsonCodec)]
pub(crate) async fn edit_policy(
    tenant: TenantId,
    policy: PolicyId,
    form: PolicyForm,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::edit(&cx, tenant, policy, form).await
}
