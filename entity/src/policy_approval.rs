//! Signed approvals of policy versions. Append-only.

use sea_orm::entity::prelude::*;

table! {
    "policy_approvals" [tenant_id: Uuid, policy_id: Uuid, version: i32] TenantOwned {
        pub policy_version_id: Uuid,
        /// The canonical statement (receipts, section 9.1).
        pub statement: String,
        /// The digest of `statement`, which snapshots refer to.
        pub digest: String,
        /// The signature over `statement`; absent if the service has no signing key.
        pub signature: Option<String>,
        pub signature_kid: Option<String>,
        /// The submission of the ratified revision.
        pub submission_id: Option<Uuid>,
        /// The review record that accepted the submission.
        pub accept_record_id: Option<Uuid>,
        pub ratified_at: DateTimeUtc,
    }
}
