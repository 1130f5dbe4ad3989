//! The mails that people and API keys have caused, and that accounts have received, within an hour.

use sea_orm::entity::prelude::*;

table! {
    "mail_counts" [
        tenant_id: Uuid,
        /// The kind of mail, and whether the subject caused or received it.
        kind: String,
        /// The ID of the person, the API key or the account.
        subject: Uuid,
    ] TenantOwned {
        /// The beginning of the hour.
        pub started_at: DateTimeUtc,
        pub mails: i32,
    }
}
