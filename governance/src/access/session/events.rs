//! Audit events of sessions, recorded for each tenant of the user.

use entity::user as table;

use super::Client;
use crate::{access::audit_logs::AuditLogs, base::prelude::*};

/// Creates the audit event of a session. Network and user agent are stored as personal data.
pub(super) fn session_event(action: &'static str, id: SessionId, client: &Client) -> Event {
    with_client(Event::new(action, "session", id), client)
}

fn with_client(event: Event, client: &Client) -> Event {
    event
        .with_personal("network", client.network().as_deref())
        .with_personal("user_agent", client.user_agent.as_deref())
}

/// Records a wrong password for these accounts in the background, so that the response time does not
/// reveal whether accounts exist. The limits on failed attempts also limit the number of events.
///
/// The actor is the public, because the caller is not authenticated. The object is the account.
pub(crate) fn record_failures(governance: &Governance, accounts: Vec<UserId>, client: &Client) {
    governance.emit(Observed::SignIn { is_successful: false });
    let (cx, client) = (governance.public(governance.correlation_id()), client.clone());
    governance.base().background.spawn(async move {
        for account in accounts {
            if let Err(error) = record_failure(&cx, account, &client).await {
                tracing::warn!(%error, "the audit event of a failed sign-in is missing");
            }
        }
    });
}

async fn record_failure(cx: &Cx, account: UserId, client: &Client) -> Result<()> {
    let logs = AuditLogs::of_user(&cx.governance, account).await?;
    let tx = logs.begin(cx).await?;
    let row = untenanted::<table::Entity>().filter(table::Column::UserId.eq(account.0));
    let email = row.select_only().column(table::Column::Email).into_tuple::<String>();
    let email = email.one(tx.connection()).await?;
    let event = with_client(Event::new("session.fail", "user", account), client)
        .with_personal("email", email.as_deref());
    logs.commit(tx, cx, &[event]).await
}
