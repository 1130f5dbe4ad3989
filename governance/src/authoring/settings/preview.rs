//! The effect of a change of the settings, before it is made.

use contract::{api_key::ApiKey, policy::VersionStage, settings::SettingsPatch};

use super::{apply_patch, load, weakened};
use crate::{
    access::{api_key, permission},
    authoring::policy::version::{self, OpenVersion},
    base::prelude::*,
    notify::governance_change,
};

/// The effect of a change that was not made yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangePreview {
    /// The severity of the alert that the change by a user creates; absent unless it weakens a safeguard.
    pub alert: Option<Severity>,
    /// The versions that the weakened safeguard protects now.
    pub versions: Vec<OpenVersion>,
    /// The API keys that the setting `human_changes_only` restricts, if the change sets it.
    pub keys: Vec<ApiKey>,
}

/// Returns the effect of a change by the caller.
///
/// # Errors
/// As [`super::change`].
pub async fn preview(cx: &Cx, patch: &SettingsPatch) -> Result<ChangePreview> {
    let tx = cx.tenant(permission::CHANGE_SETTINGS)?.begin().await?;
    let before = load(&tx).await?;
    let weakened = weakened(&before, &apply_patch(&before, patch));
    let stage = match weakened {
        Some("maker_checker_enabled") => Some(VersionStage::WaitingForRatification),
        Some("review_required") => Some(VersionStage::WaitingForReview),
        _ => None,
    };
    let versions = match stage {
        Some(stage) => {
            let versions = version::open(&tx).await?.into_iter();
            versions.filter(|version| version.stage == stage).collect()
        }
        None => Vec::new(),
    };
    let keys = if patch.human_changes_only.is_some() {
        api_key::active_with(&tx, cx, Scope::PoliciesWrite).await?
    } else {
        Vec::new()
    };
    tx.finish_read().await?;
    let alert = weakened.map(|_| governance_change::severity(before.alert_min_severity));
    Ok(ChangePreview { alert, versions, keys })
}
