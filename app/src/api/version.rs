//! One version of a policy, and the acts on it.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::{form::ActForm, kept::Kept, version::VersionPage},
};

/// One version, and what was typed on `page` when its form was refused.
#[server(prefix = "/console", endpoint = "version", output = Answer)]
pub(crate) async fn read_version(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    page: String,
) -> Result<(VersionPage, Option<Kept>), Problem> {
    use super::ssr::{self, version as sources};
    let cx = ssr::human(tenant).await?;
    let version = sources::read(&cx, policy, version).await?;
    Ok((version, ssr::kept(&page).await))
}

/// Does what the form says, on exactly the bytes that were seen, and leads to the version.
#[server(prefix = "/console", endpoint = "act-on-version", output = Answer)]
pub(crate) async fn act_on_version(form: ActForm) -> Result<(), Problem> {
    use super::ssr::{self, version as sources};
    let cx = ssr::human(form.tenant).await?;
    match sources::act(&cx, &form).await {
        Ok(page) => ssr::go(&page),
        Err(problem) => ssr::keep(problem, form.page(), form.text).await?,
    }
    Ok(())
}
