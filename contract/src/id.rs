//! Ids as types, so that two of them cannot be swapped.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.as_hyphenated().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.as_hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                parse(text).map(Self)
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                crate::schema::text(utoipa::openapi::KnownFormat::Uuid)
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::ToSchema for $name {}
    )+};
}

/// Reads the hyphenated form only: braces, `urn:uuid:` and bare hex are not ids of ours.
fn parse(text: &str) -> Result<Uuid, uuid::Error> {
    if text.len() == 36 { Uuid::try_parse(text) } else { Uuid::try_parse("") }
}

ids! {
    /// A tenant: whose policies, decisions and people these are.
    TenantId,
    /// A person; may belong to several tenants.
    UserId,
    /// A session of a person: its id, not its token.
    SessionId,
    /// An API key.
    ApiKeyId,
    /// A policy.
    PolicyId,
    /// One version of a policy.
    PolicyVersionId,
    /// A revision of a version that was sealed for review.
    SubmissionId,
    /// What a reviewer recorded about a submission.
    ReviewRecordId,
    /// A grant under which a key works on one version.
    CapabilityId,
    /// A policy group.
    PolicyGroupId,
    /// A stored policy snapshot.
    SnapshotId,
    /// A recorded decision. Unguessable, because a public path names it.
    DecisionId,
    /// A chain of decisions, made by the caller.
    ChainId,
    /// One event of the audit log.
    EventId,
    /// A hosted form. Unguessable, because a public path names it.
    FormId,
    /// A token that opens a form.
    FormTokenId,
    /// A filter of the log that a person keeps.
    SavedFilterId,
    /// An alert.
    AlertId,
    /// Where alerts are sent.
    SubscriptionId,
    /// An alert on its way to a subscription.
    DeliveryId,
}
