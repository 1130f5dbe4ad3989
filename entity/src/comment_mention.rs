//! The members that a comment mentions.

use sea_orm::entity::prelude::*;

table! {
    "comment_mentions" [tenant_id: Uuid, user_id: Uuid, comment_id: Uuid] TenantOwned {}
}
