//! Audit events of sessions, recorded for each tenant of the user.

use contract::id::{SessionId, TenantId, UserId};
use entity::user as table;
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use super::{Client, tenants};
use crate::{
    Governance,
    base::{
        audit_event::Event, caller::Person, cx::Cx, database::untenanted, error::Result,
        tenancy::TenantTx,
    },
};

/// The tenants whose audit logs a transaction writes to, in the lock order of their heads. Empty for a
/// user without a tenant.
#[derive(Debug)]
pub(super) struct Logs {
    first: Option<TenantId>,
    rest: Vec<TenantId>,
}

impl Logs {
    pub(super) async fn load(governance: &Governance, user_id: UserId) -> Result<Self> {
        let mut tenants = tenants(governance, user_id).await?.into_iter();
        Ok(Self { first: tenants.next(), rest: tenants.collect() })
    }

    /// Returns an empty set of logs, for operations without an audit event.
    pub(super) fn none() -> Self {
        Self { first: None, rest: Vec::new() }
    }

    /// Begins a transaction in the first tenant.
    pub(super) async fn begin(&self, cx: &Cx) -> Result<TenantTx> {
        cx.tenant_unchecked(self.first.unwrap_or(TenantId(Uuid::nil()))).begin().await
    }

    /// Writes the events to every log and commits.
    pub(super) async fn commit(self, mut tx: TenantTx, cx: &Cx, events: &[Event]) -> Result<()> {
        let Some((last, others)) = events.split_last() else {
            return tx.commit_without_event().await;
        };
        if self.first.is_none() {
            return tx.commit_without_event().await;
        }
        for tenant in self.rest {
            events.iter().cloned().for_each(|event| tx.add_event(event));
            tx = tx.continue_in(cx, tenant).await?;
        }
        others.iter().cloned().for_each(|event| tx.add_event(event));
        tx.commit(cx, last.clone()).await
    }
}

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
pub(super) fn record_failures(governance: &Governance, accounts: Vec<UserId>, client: &Client) {
    let (cx, client) = (governance.public(governance.correlation_id()), client.clone());
    governance.background().spawn(async move {
        for account in accounts {
            if let Err(error) = record_failure(&cx, account, &client).await {
                tracing::warn!(%error, "the audit event of a failed sign-in is missing");
            }
        }
    });
}

async fn record_failure(cx: &Cx, account: UserId, client: &Client) -> Result<()> {
    let logs = Logs::load(&cx.governance, account).await?;
    let tx = logs.begin(cx).await?;
    let row = untenanted::<table::Entity>().filter(table::Column::UserId.eq(account.0));
    let email = row.select_only().column(table::Column::Email).into_tuple::<String>();
    let email = email.one(tx.connection()).await?;
    let event = with_client(Event::new("session.fail", "user", account), client)
        .with_personal("email", email.as_deref());
    logs.commit(tx, cx, &[event]).await
}

/// Returns the same operation with the owner of a session as its caller.
pub(super) fn with_person(cx: &Cx, user_id: UserId, email: String) -> Cx {
    cx.with_person(Person { user_id, email })
}
