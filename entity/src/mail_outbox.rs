//! Outgoing mail.

use sea_orm::entity::prelude::*;

table! {
    "mail_outbox" [
        /// The ID, also used as the ID of the message, so that recipients can detect duplicates.
        id: Uuid,
    ] {
        /// The account that the message is about; absent for a password reset, which names an address.
        pub user_id: Option<Uuid>,
        pub email: String,
        /// The content as JSON, without links.
        pub letter: String,
        /// The number of started send attempts.
        pub attempts: i32,
        pub created_at: DateTimeUtc,
        /// The time of the next send attempt.
        pub due_at: DateTimeUtc,
        /// Whether the mail waits for all that are not routine.
        pub is_routine: bool,
        /// The tenant of the mail; the account, if the mail belongs to no tenant; absent for a password reset.
        pub turn_of: Option<Uuid>,
        /// The turn in which the mail is sent.
        pub turn: i64,
    }
}
