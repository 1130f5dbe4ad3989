//! Review drafts. Each is visible only to its author.

use sea_orm::entity::prelude::*;

table! {
    "review_drafts" [tenant_id: Uuid, user_id: Uuid, policy_version_id: Uuid] TenantOwned {
        /// The submission that the draft was saved for.
        pub submission_id: Uuid,
        /// The note, comments and viewed marks as JSON.
        pub draft: String,
        pub saved_at: DateTimeUtc,
    }
}
