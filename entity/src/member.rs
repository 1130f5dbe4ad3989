//! Members: the users of each tenant with their roles.

use contract::{member::MemberStatus, scope::Role};
use sea_orm::entity::prelude::*;

use crate::column::TextEnum;

table! {
    "members" [tenant_id: Uuid, user_id: Uuid] TenantOwned {
        pub role: TextEnum<Role>,
        /// An invited member has no rights until the invitation is accepted.
        pub status: TextEnum<MemberStatus>,
        /// The person who invited the member; absent for API keys and the command line.
        pub invited_by: Option<Uuid>,
        pub created_at: DateTimeUtc,
        pub sequence: i64,
    }
}
