//! Review records. Append-only.

use contract::policy::ReviewVerdict;
use sea_orm::entity::prelude::*;

use crate::column::TextEnum;

table! {
    "review_records" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId {
        pub submission_id: Uuid,
        pub verdict: TextEnum<ReviewVerdict>,
        pub recorded_at: DateTimeUtc,
        pub recorded_by: String,
        /// The canonical record, including its comments.
        pub record: String,
        /// Digest of `record`.
        pub digest: String,
    }
}
