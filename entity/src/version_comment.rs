//! Comments on policy versions.

use sea_orm::entity::prelude::*;

table! {
    "version_comments" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId {
        /// The position in the list of comments, allocated by the database.
        pub sequence: i64,
        pub policy_version_id: Uuid,
        /// The draft revision that was commented on.
        pub draft_revision: i32,
        /// The rule of a comment that is not part of a review record.
        pub rule_code: Option<String>,
        /// The text; absent for a comment of a review record, whose text is in the record.
        pub text: Option<String>,
        /// The user who wrote the comment.
        pub author: Uuid,
        pub record_id: Option<Uuid>,
        /// The position among the comments of the review record, from 0.
        pub record_index: Option<i32>,
        /// The first entry of the thread; absent for the first entry itself.
        pub in_reply_to: Option<Uuid>,
        pub created_at: DateTimeUtc,
        pub resolved_at: Option<DateTimeUtc>,
        pub resolved_by: Option<Uuid>,
    }
}
