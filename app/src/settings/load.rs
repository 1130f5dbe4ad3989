//! Data of the settings page.

use contract::{
    audit::AuditFilter, id::TenantId, pagination::LIMIT_MAX, policy::VersionStage,
    settings::Settings,
};
use governance::{
    Cx, PageRequest,
    access::permission,
    authoring::{
        policy::{self, version::OpenVersion},
        settings::{self, ChangePreview},
    },
    proof::audit,
};

use super::{
    view::{Change, ChangeForm, Setting, SettingChange, SettingsPage, Waiting},
    words,
};
use crate::{
    problem::Problem,
    request::{directory, into_problem, take_rejected},
    text::url,
};

/// Returns the settings, their changes, and a preview of the change in the address.
pub(crate) async fn page(
    cx: &Cx,
    tenant: TenantId,
    change: &str,
    to: &str,
) -> Result<SettingsPage, Problem> {
    into_problem(cx.tenant(permission::CHANGE_SETTINGS).map(drop))?;
    let current = into_problem(settings::read(cx).await)?;
    let names = &directory(cx).await?.names;
    let stages = into_problem(policy::version::open_stages(cx).await)?;
    let waiting = |stage: VersionStage| stages.values().filter(|own| **own == stage).count();
    let note = |setting: Setting, is_on: bool, stage: VersionStage, without: &str| {
        let versions = Some(waiting(stage)).filter(|versions| is_on && *versions > 0)?;
        Some((setting, format!("{} {without}", setting.waiting(versions)?)))
    };
    let notes = [
        note(
            Setting::MakerCheckerEnabled,
            current.maker_checker_enabled,
            VersionStage::WaitingForRatification,
            words::WITHOUT_MAKER_CHECKER,
        ),
        note(
            Setting::ReviewRequired,
            current.review_required,
            VersionStage::WaitingForReview,
            words::WITHOUT_REVIEW,
        ),
    ];
    let updates = AuditFilter { action: Some("settings.update".to_owned()), ..Default::default() };
    let newest = PageRequest { limit: LIMIT_MAX, cursor: None };
    let updates = into_problem(audit::list(cx, updates, &newest).await)?;
    let change = match change.parse::<Setting>() {
        Ok(setting) => preview(cx, setting, &current, to).await?,
        Err(()) => None,
    };
    let rejected = match &change {
        Some(change) => {
            take_rejected(&url::change_setting(tenant, change.setting.word(), to)).await
        }
        None => None,
    };
    let history = updates.items.iter().flat_map(|item| SettingChange::of_event(item, names));
    Ok(SettingsPage {
        values: Setting::ALL.map(|setting| (setting, setting.value(&current).to_owned())).into(),
        notes: notes.into_iter().flatten().collect(),
        history: history.collect(),
        has_older_changes: updates.next_cursor.is_some(),
        change,
        rejected,
    })
}

/// Returns the preview of setting `setting` to `to`, or `None` for an invalid value.
async fn preview(
    cx: &Cx,
    setting: Setting,
    current: &Settings,
    to: &str,
) -> Result<Option<Change>, Problem> {
    let Some(patch) = setting.patch(to) else { return Ok(None) };
    let ChangePreview { alert, versions, keys } =
        into_problem(settings::preview(cx, &patch).await)?;
    let waiting = versions.into_iter().map(|OpenVersion { policy, name, version, .. }| Waiting {
        policy,
        name,
        version,
    });
    Ok(Some(Change {
        setting,
        before: setting.value(current).to_owned(),
        after: to.to_owned(),
        alert,
        waiting: waiting.collect(),
        keys,
    }))
}

pub(crate) async fn change(cx: &Cx, form: &ChangeForm) -> Result<(), Problem> {
    let (patch, reason) = form.patch()?;
    into_problem(settings::change(cx, patch, Some(reason), Some(&form.read()?)).await).map(drop)
}
