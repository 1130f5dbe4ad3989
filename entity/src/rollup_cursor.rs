//! The sequence number up to which the decisions of a tenant are counted.

use sea_orm::entity::prelude::*;

table! {
    "rollup_cursors" [tenant_id: Uuid] TenantOwned {
        pub sequence: i64,
    }
}
