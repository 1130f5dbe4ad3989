//! Audit events of sessions, in the log of each tenant that the person belongs to.

use contract::id::{SessionId, TenantId, UserId};
use entity::user as table;
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use super::{Client, tenants};
use crate::{
    Governance, audit::Event, caller::Person, cx::Cx, database::untenanted, error::Result,
    tenancy::TenantTx,
};

/// The tenants of a person whose logs a transaction writes into, in the order in which their heads are
/// locked. A person without a tenant has none.
#[derive(Debug)]
pub(super) struct Logs {
    first: Option<TenantId>,
    rest: Vec<TenantId>,
}

impl Logs {
    pub(super) async fn of(governance: &Governance, person: UserId) -> Result<Self> {
        let mut tenants = tenants(governance, person).await?.into_iter();
        Ok(Self { first: tenants.next(), rest: tenants.collect() })
    }

    /// No logs, for what is not an event.
    pub(super) fn none() -> Self {
        Self { first: None, rest: Vec::new() }
    }

    /// Begins a transaction in the first of the tenants.
    pub(super) async fn begin(&self, cx: &Cx) -> Result<TenantTx> {
        cx.tenant_unchecked(self.first.unwrap_or(TenantId(Uuid::nil()))).begin().await
    }

    /// Writes the events into each of the logs and commits.
    pub(super) async fn commit(self, mut tx: TenantTx, cx: &Cx, events: &[Event]) -> Result<()> {
        let Some((last, others)) = events.split_last() else { return tx.settle().await };
        if self.first.is_none() {
            return tx.settle().await;
        }
        for tenant in self.rest {
            events.iter().cloned().for_each(|event| tx.also(event));
            tx = tx.go_on_in(cx, tenant).await?;
        }
        others.iter().cloned().for_each(|event| tx.also(event));
        tx.commit(cx, last.clone()).await
    }
}

/// The event of a session. Network and user agent are personal facts and not inside it.
pub(super) fn of_session(action: &'static str, id: SessionId, client: &Client) -> Event {
    with_client(Event::new(action, "session", id), client)
}

fn with_client(event: Event, client: &Client) -> Event {
    event
        .with_personal("network", client.network().as_deref())
        .with_personal("user_agent", client.user_agent.as_deref())
}

/// Records a wrong password of these accounts after the request was answered, so that its time does not
/// depend on whether there are any. The limits of failed attempts bound how many events there are.
///
/// The actor is the public: nobody has proved to be the person. The object is the account.
pub(super) fn failed(governance: &Governance, accounts: Vec<UserId>, client: &Client) {
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
    let logs = Logs::of(&cx.governance, account).await?;
    let tx = logs.begin(cx).await?;
    let row = untenanted::<table::Entity>().filter(table::Column::UserId.eq(account.0));
    let email = row.select_only().column(table::Column::Email).into_tuple::<String>();
    let email = email.one(tx.connection()).await?;
    let event = with_client(Event::new("session.fail", "user", account), client)
        .with_personal("email", email.as_deref());
    logs.commit(tx, cx, &[event]).await
}

/// The same operation by the owner of a session.
pub(super) fn by(cx: &Cx, user_id: UserId, email: String) -> Cx {
    cx.by(Person { user_id, email })
}
