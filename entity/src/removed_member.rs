//! Members whom a tenant has removed and not invited again.

use sea_orm::entity::prelude::*;

table! {
    "removed_members" [tenant_id: Uuid, user_id: Uuid] TenantOwned {
        pub removed_at: DateTimeUtc,
    }
}
