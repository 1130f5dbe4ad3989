//! The queue of letters: written with the act, read by the worker.

use contract::{id::UserId, time::Timestamp};
use entity::{column::at, mail_outbox as table};
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait, sea_query::OnConflict};

use super::{Letter, Notice};
use crate::{
    Governance,
    error::{Error, Result},
    tenancy::{instant, statement},
};

// SQL: one statement copies the address from the account.
const QUEUE: &str = "INSERT INTO mail_outbox (id, user_id, email, letter, created_at, due_at) \
     SELECT $1, user_id, email, $3, $4, $4 FROM users WHERE user_id = $2";

/// Queues a letter to a person in the transaction of the act. Without mail it does nothing.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub(crate) async fn queue(
    governance: &Governance,
    connection: &impl ConnectionTrait,
    now: Timestamp,
    person: UserId,
    letter: &Letter,
) -> Result<()> {
    if governance.mail().is_none() {
        return Ok(());
    }
    let id: uuid::Uuid = governance.chance().id();
    let row = [id.into(), person.0.into(), text(letter)?.into(), instant(now)];
    connection.execute_raw(statement(QUEUE, row)).await?;
    Ok(())
}

/// Queues a security notice to a person in the transaction of what it is about. Without mail it does nothing.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub(crate) async fn notify(
    governance: &Governance,
    connection: &impl ConnectionTrait,
    now: Timestamp,
    person: UserId,
    notice: Notice,
) -> Result<()> {
    queue(governance, connection, now, person, &Letter::Notice(notice)).await
}

/// Queues the request to reset the passwords of an address, whether or not it has an account: the worker
/// looks. Without mail it does nothing.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub(crate) async fn queue_reset(
    governance: &Governance,
    now: Timestamp,
    email: String,
) -> Result<()> {
    if governance.mail().is_none() {
        return Ok(());
    }
    let row = table::ActiveModel {
        id: Set(governance.chance().id()),
        email: Set(email),
        letter: Set(text(&Letter::Reset)?),
        created_at: Set(at(now)),
        due_at: Set(at(now)),
        ..Default::default()
    };
    // One request waits for each address.
    let queue = table::Entity::insert(row).on_conflict(OnConflict::new().do_nothing().to_owned());
    queue.exec_without_returning(governance.database()).await?;
    Ok(())
}

fn text(letter: &Letter) -> Result<String> {
    serde_json::to_string(letter).map_err(|error| Error::Bug(error.into()))
}
