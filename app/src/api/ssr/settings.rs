//! What the page of settings is made of.

use contract::id::TenantId;
use governance::{Cx, member, permission, policy::version, settings};

use super::{answer, kept};
use crate::{
    problem::Problem,
    text::url,
    view::settings::{Change, ChangeForm, Setting, SettingsPage, Waiting},
};

/// The settings, and the change that the address asks for.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    change: &str,
    to: &str,
) -> Result<SettingsPage, Problem> {
    answer(cx.tenant(permission::CHANGE_SETTINGS).map(drop))?;
    let now = answer(settings::read(cx).await)?;
    let names = answer(member::names(cx).await)?;
    let by = now.updated_by.clone().map(|by| names.get(&by).cloned().unwrap_or(by));
    let values = Setting::ALL.map(|setting| (setting, setting.value(&now).to_owned()));
    let setting = change.parse::<Setting>().ok().filter(|setting| setting.patch(to).is_some());
    let change = match setting {
        Some(setting) => Some(Change {
            setting,
            before: setting.value(&now).to_owned(),
            after: to.to_owned(),
            waiting: if setting.ends_maker_checker(to) { waiting(cx).await? } else { Vec::new() },
        }),
        None => None,
    };
    let kept = match &change {
        Some(change) => kept(&url::change_setting(tenant, change.setting.word(), to)).await,
        None => None,
    };
    let updated = now.updated_at.map(|at| (by, at));
    Ok(SettingsPage { values: values.into(), updated, change, kept })
}

async fn waiting(cx: &Cx) -> Result<Vec<Waiting>, Problem> {
    let waiting = answer(version::waiting(cx).await)?.into_iter();
    let waiting =
        waiting.map(|version::Waiting { policy, name, version }| Waiting { policy, name, version });
    Ok(waiting.collect())
}

/// Makes the change of a form.
pub(in crate::api) async fn change(cx: &Cx, form: &ChangeForm) -> Result<(), Problem> {
    let (patch, reason) = form.patch()?;
    answer(settings::change(cx, patch, Some(reason), Some(&form.read()?)).await).map(drop)
}
