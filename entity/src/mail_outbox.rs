//! Mail that waits to be sent.

use sea_orm::entity::prelude::*;

/// A letter in the queue.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail_outbox")]
pub struct Model {
    /// The id; also the id of the message, so that a letter that was sent twice is recognised.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The account that the letter is about; absent for a password reset, which names an address.
    pub user_id: Option<Uuid>,
    /// The address that it is sent to.
    pub email: String,
    /// The content without any link, as JSON.
    pub letter: String,
    /// How often sending was begun.
    pub attempts: i32,
    /// When it was queued.
    pub created_at: DateTimeUtc,
    /// When it is sent next.
    pub due_at: DateTimeUtc,
}

table!();
