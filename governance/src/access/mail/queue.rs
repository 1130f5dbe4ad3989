//! The mail queue: filled in the transaction that causes a mail, emptied by the worker.

use contract::id::UserId;
use entity::{column::to_column, mail_outbox as table};
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait, sea_query::OnConflict};

use super::{MailContent, Notice};
use crate::base::{
    cx::Cx,
    error::{Error, Result},
    tenancy::{TenantTx, statement, timestamp_value},
};

// SQL: one statement copies the address from the account.
const INSERT_MAIL: &str = "INSERT INTO mail_outbox (id, user_id, email, letter, created_at, due_at) \
     SELECT $1, user_id, email, $3, $4, $4 FROM users WHERE user_id = $2";

/// Queues a mail to a user in the transaction that causes it. Does nothing if mail is not configured.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub(crate) async fn queue(
    tx: &TenantTx,
    cx: &Cx,
    user_id: UserId,
    content: &MailContent,
) -> Result<()> {
    if cx.governance.mail().is_none() {
        return Ok(());
    }
    let id: uuid::Uuid = cx.governance.entropy().id();
    let row = [id.into(), user_id.0.into(), to_json(content)?.into(), timestamp_value(cx.now)];
    tx.connection().execute_raw(statement(INSERT_MAIL, row)).await?;
    Ok(())
}

/// Queues a security notice to a user in the transaction that causes it. Does nothing if mail is not
/// configured.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub(crate) async fn notify(tx: &TenantTx, cx: &Cx, user_id: UserId, notice: Notice) -> Result<()> {
    queue(tx, cx, user_id, &MailContent::Notice(notice)).await
}

/// Queues a password reset for an address, whether or not it has an account; the worker checks. Does
/// nothing if mail is not configured.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub(crate) async fn queue_reset(cx: &Cx, email: String) -> Result<()> {
    let governance = &cx.governance;
    if governance.mail().is_none() {
        return Ok(());
    }
    let row = table::ActiveModel {
        id: Set(governance.entropy().id()),
        email: Set(email),
        letter: Set(to_json(&MailContent::Reset)?),
        created_at: Set(to_column(cx.now)),
        due_at: Set(to_column(cx.now)),
        ..Default::default()
    };
    // At most one request per address is queued.
    let queue = table::Entity::insert(row).on_conflict(OnConflict::new().do_nothing().to_owned());
    queue.exec_without_returning(governance.database()).await?;
    Ok(())
}

fn to_json(content: &MailContent) -> Result<String> {
    serde_json::to_string(content).map_err(|error| Error::Bug(error.into()))
}
