//! Changes of verdicts and of safeguards: the setting that closes them to API keys, and their alerts.

use contract::{
    alert::AlertType,
    json::{Object, Value},
    rule::Severity,
};

use crate::{
    alert,
    caller::Caller,
    cx::Cx,
    error::{Result, human_changes_only},
    settings,
    tenancy::TenantTx,
};

/// Refuses an API key while the setting `human_changes_only` is on. The setting stays as it is until the
/// transaction ends. To be called with the object's own row locked, and before the head.
///
/// # Errors
/// `HUMAN_REQUIRED`.
pub(crate) async fn admit(tx: &TenantTx, cx: &Cx) -> Result<()> {
    if matches!(cx.caller, Caller::Key(_)) && settings::held(tx).await?.human_changes_only {
        return Err(human_changes_only().into());
    }
    Ok(())
}

/// What an alert reports: an act and its object.
pub(crate) struct Report {
    /// A sentence for people.
    pub(crate) message: String,
    /// The act, in the word of the audit log.
    pub(crate) action: &'static str,
    /// Further facts for programs.
    pub(crate) facts: Object,
}

/// Raises the alert of a change, in the change's own transaction. Its severity is at least `high`, and
/// not below `floor`.
pub(crate) async fn raise(tx: &TenantTx, cx: &Cx, floor: Severity, report: Report) -> Result<()> {
    let Report { message, action, facts: mut data } = report;
    data.insert("action", action);
    if let Some(principal) = cx.caller.principal() {
        data.insert("changed_by", principal);
    }
    let severity = floor.max(Severity::High);
    alert::raise(tx, cx, AlertType::GovernanceChange, severity, &message, data).await?;
    Ok(())
}

/// The names of changed members, as a list for programs.
pub(crate) fn names(changed: &[&str]) -> Value {
    changed.iter().map(|name| Value::from(*name)).collect()
}
