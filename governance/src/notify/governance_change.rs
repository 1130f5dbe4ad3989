//! Alerts of governance changes.

use contract::alert::AlertType;

use crate::{base::prelude::*, notify::alert};

/// The content of a governance change alert.
pub(crate) struct Report {
    /// One sentence.
    pub(crate) message: String,
    /// As named in the audit log.
    pub(crate) action: &'static str,
    pub(crate) facts: Object,
}

/// Returns the severity of the alert of a change: `high` or `floor`, the minimum severity of alerts, whichever is
/// higher.
pub(crate) fn severity(floor: Severity) -> Severity {
    floor.max(Severity::High)
}

/// Creates the alert of a change in the transaction of the change, with the severity that [`severity`] returns.
pub(crate) async fn raise(tx: &TenantTx, cx: &Cx, floor: Severity, report: Report) -> Result<()> {
    let Report { message, action, facts: mut data } = report;
    data.insert("action", action);
    if let Some(principal) = cx.caller.principal() {
        data.insert("changed_by", principal);
    }
    let severity = severity(floor);
    alert::raise(tx, cx, AlertType::GovernanceChange, severity, &message, data).await?;
    Ok(())
}

/// Returns the names of changed members as a JSON list.
pub(crate) fn names(changed: &[&str]) -> Value {
    changed.iter().map(|name| Value::from(*name)).collect()
}
