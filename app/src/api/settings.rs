//! Settings: what they are, and changing one.

use contract::id::TenantId;
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::settings::{ChangeForm, SettingsPage},
};

/// The settings, and what setting `change` to `to` would do.
#[server(prefix = "/console", endpoint = "settings", output = Answer)]
pub(crate) async fn read_settings(
    tenant: TenantId,
    change: String,
    to: String,
) -> Result<SettingsPage, Problem> {
    use super::ssr::{self, settings as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, tenant, &change, &to).await
}

/// Changes one setting and leads back to the page.
#[server(prefix = "/console", endpoint = "change-setting", output = Answer)]
pub(crate) async fn change_setting(form: ChangeForm) -> Result<(), Problem> {
    use super::ssr::{self, settings as sources};
    use crate::text::url;
    let cx = ssr::human(form.tenant).await?;
    match sources::change(&cx, &form).await {
        Ok(()) => ssr::go(&url::settings(form.tenant)),
        Err(problem) => {
            let page = url::change_setting(form.tenant, form.setting.word(), &form.value);
            ssr::keep(problem, page, form.reason).await?;
        }
    }
    Ok(())
}
