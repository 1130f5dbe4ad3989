//! Data of the settings page.

use contract::id::TenantId;
use governance::{
    Cx,
    access::{member, permission},
    authoring::{policy::version, settings},
};

use super::{into_problem, take_rejected};
use crate::{
    problem::Problem,
    text::url,
    view::settings::{Change, ChangeForm, Setting, SettingsPage, Waiting},
};

/// Returns the settings, and a preview of the change in the address.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    change: &str,
    to: &str,
) -> Result<SettingsPage, Problem> {
    into_problem(cx.tenant(permission::CHANGE_SETTINGS).map(drop))?;
    let current = into_problem(settings::read(cx).await)?;
    let names = into_problem(member::names(cx).await)?;
    let by = current.updated_by.clone().map(|by| names.get(&by).cloned().unwrap_or(by));
    let values = Setting::ALL.map(|setting| (setting, setting.value(&current).to_owned()));
    let setting = change.parse::<Setting>().ok().filter(|setting| setting.patch(to).is_some());
    let change = match setting {
        Some(setting) => Some(Change {
            setting,
            before: setting.value(&current).to_owned(),
            after: to.to_owned(),
            waiting: if setting.ends_maker_checker(to) {
                versions_awaiting_ratification(cx).await?
            } else {
                Vec::new()
            },
        }),
        None => None,
    };
    let rejected = match &change {
        Some(change) => {
            take_rejected(&url::change_setting(tenant, change.setting.word(), to)).await
        }
        None => None,
    };
    let updated = current.updated_at.map(|at| (by, at));
    Ok(SettingsPage { values: values.into(), updated, change, rejected })
}

async fn versions_awaiting_ratification(cx: &Cx) -> Result<Vec<Waiting>, Problem> {
    let waiting = into_problem(version::awaiting_ratification(cx).await)?.into_iter();
    let waiting = waiting.map(|version::AwaitingRatification { policy, name, version }| Waiting {
        policy,
        name,
        version,
    });
    Ok(waiting.collect())
}

pub(in crate::api) async fn change(cx: &Cx, form: &ChangeForm) -> Result<(), Problem> {
    let (patch, reason) = form.patch()?;
    into_problem(settings::change(cx, patch, Some(reason), Some(&form.read()?)).await).map(drop)
}
