//! Settings: read them and change one.

use contract::id::TenantId;
use leptos::prelude::server;

use super::{
    load as sources,
    view::{ChangeForm, SettingsPage},
};
use crate::{codec::JsonCodec, problem::Problem, request, text::url};

/// Returns the settings, and a preview of setting `change` to `to`.
pub(crate) async fn read_settings(
    tenant: TenantId,
    change: String,
    to: String,
) -> Result<SettingsPage, Problem> {
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, &change, &to).await
}

/// Changes one setting and redirects to the page.
#[server(prefix = "/console", endpoint = "change-setting", output = JsonCodec)]
pub(crate) async fn change_setting(form: ChangeForm) -> Result<(), Problem> {
    let cx = request::human(form.tenant).await?;
    let result = sources::change(&cx, &form).await;
    let page = url::change_setting(form.tenant, form.setting.word(), &form.value);
    request::respond(result, &url::settings(form.tenant), &page, form.reason).await
}
