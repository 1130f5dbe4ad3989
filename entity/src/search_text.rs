//! The folded texts that searches find: of policies, forms and rules of active versions. Written by database triggers, and read
//! by functions of the database that use its index.

use sea_orm::entity::prelude::*;

table! {
    "search_texts" [
        tenant_id: Uuid,
        /// `policy`, `form` or `rule`.
        kind: String,
        /// The policy of rules.
        id: Uuid,
    ] TenantOwned {
        /// The order of results.
        pub name: String,
        pub parts: String,
    }
}
