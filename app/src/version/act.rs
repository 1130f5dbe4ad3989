//! One policy version and the actions on it.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use super::{form::ActionForm, view::VersionPage};
use crate::{codec::JsonCodec, flash::RejectedForm, problem::Problem, rule::view::RulePosition};

/// Returns one version with the rules at `position`, and the rejected input of the form on `page`.
#[server(prefix = "/console", endpoint = "version", output = JsonCodec)]
pub(crate) async fn read_version(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    page: String,
    position: RulePosition,
    shows_bytes: bool,
) -> Result<(VersionPage, Option<RejectedForm>), Problem> {
    use super::actions::VersionAction;
    use super::load as sources;
    use crate::request;
    use crate::text::url;
    let cx = request::human(tenant).await?;
    let mut version = sources::read(&cx, policy, version).await?;
    let is_own_page = page == url::version(tenant, policy, version.version);
    if is_own_page {
        version.comments = sources::comments(&cx, &version, page.clone()).await?;
        version.approval = sources::approval(&cx, &version).await?;
    }
    if is_own_page || page.ends_with(VersionAction::Send.word()) {
        version.submission = sources::submission(&cx, &version).await?;
    }
    Ok((version.at(&position, shows_bytes), request::take_rejected(&page).await))
}

/// Performs the action of the form on exactly the version that the user has read, and redirects to its result
/// page.
#[server(prefix = "/console", endpoint = "act-on-version", output = JsonCodec)]
pub(crate) async fn act_on_version(form: ActionForm) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(form.tenant).await?;
    match sources::act(&cx, &form).await {
        Ok(page) => request::redirect(&page),
        Err(problem) => request::set_rejected(problem, form.page(), form.text).await?,
    }
    Ok(())
}
