//! ID types, which prevent mixing up IDs of different resources.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    filter::{FilterValue, Format},
    json::Value,
    read::{self, FieldErrors, FromJson, JsonPath},
};

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

        impl FromJson for $name {
            fn from_json(
                value: &Value,
                at: &JsonPath<'_>,
                errors: &mut FieldErrors,
            ) -> Option<Self> {
                read::id(value, at, errors)
            }
        }

        impl FilterValue for $name {
            const FORMAT: Format = Format::Id;

            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
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
                crate::schema::string_with_format(utoipa::openapi::KnownFormat::Uuid)
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::ToSchema for $name {}
    )+};
}

/// Parses the hyphenated form only. Braces, `urn:uuid:` and bare hexadecimal are rejected.
fn parse(text: &str) -> Result<Uuid, uuid::Error> {
    // `uuid::Error` has no public constructor; parsing an empty text returns one.
    if text.len() == 36 { Uuid::try_parse(text) } else { Uuid::try_parse("") }
}

ids! {
    /// The ID of a tenant.
    TenantId,
    /// The ID of a user account. A user can be a member of several tenants.
    UserId,
    /// The ID of a session. It is not the session token.
    SessionId,
    /// The ID of an API key.
    ApiKeyId,
    /// The ID of a policy.
    PolicyId,
    /// The ID of a policy version.
    PolicyVersionId,
    /// The ID of a review submission.
    SubmissionId,
    /// The ID of a review record.
    ReviewRecordId,
    /// The ID of a comment on a policy version.
    CommentId,
    /// The ID of an authoring capability grant.
    CapabilityId,
    /// The ID of a policy group.
    PolicyGroupId,
    /// The ID of a policy snapshot.
    SnapshotId,
    /// The ID of a recorded decision. It is unguessable because it is part of a public path.
    DecisionId,
    /// The ID of a decision chain, chosen by the caller.
    ChainId,
    /// The ID of an audit event.
    EventId,
    /// The ID of a hosted form. It is unguessable because it is part of a public path.
    FormId,
    /// The ID of a form token.
    FormTokenId,
    /// The ID of a saved filter of the decision list.
    SavedFilterId,
    /// The ID of an alert.
    AlertId,
    /// The ID of a webhook subscription.
    SubscriptionId,
    /// The ID of a webhook delivery.
    DeliveryId,
    /// The ID of an identity provider.
    IdentityProviderId,
    /// The ID of a passkey. It is not the ID of its credential.
    PasskeyId,
}
