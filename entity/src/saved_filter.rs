//! Saved filters of the decision list.

use sea_orm::entity::prelude::*;

table! {
    "saved_filters" [tenant_id: Uuid, user_id: Uuid, id: Uuid] TenantOwned {
        pub name: String,
        /// The filter as a URL query of the decision list.
        pub query: String,
        pub created_at: DateTimeUtc,
    }
}
