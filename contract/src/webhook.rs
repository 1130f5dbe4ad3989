//! Webhooks: where alerts are sent, and what became of each delivery (specification, "Events").

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    id::{AlertId, DeliveryId, SubscriptionId, TenantId},
    json::Value,
    read::{At, Errors, Members, Read, id, instant, list, text, word},
    rule::Severity,
    time::Timestamp,
};

/// The most characters of an address (contract, section 6).
pub const URL_MAX: usize = 2_048;

/// How many decision types a subscription names at the most.
pub const DECISION_TYPES_MAX: usize = 100;

/// How many subscriptions a tenant has at the most: each alert is queued for each that asks for it.
pub const SUBSCRIPTIONS_MAX: u64 = 100;

/// Where alerts are sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookSubscription {
    /// The id.
    pub id: SubscriptionId,
    /// Its tenant.
    pub tenant_id: TenantId,
    /// The address that is called.
    pub webhook_url: String,
    /// Alerts of decisions of these types only; empty means every alert.
    pub decision_types: Vec<String>,
    /// The mildest severity that is sent.
    pub severity_min: Severity,
    /// Whether it is sent to.
    pub is_active: bool,
    /// Whether deliveries are signed.
    pub has_secret: bool,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The body of `POST /v1/alerts/subscriptions`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubscriptionDraft {
    /// Where to send: `https://` and a host with public addresses.
    pub url: String,
    /// Alerts of decisions of these types only; absent or empty means every alert.
    pub decision_types: Option<Vec<String>>,
    /// The mildest severity that is sent.
    pub severity_min: Severity,
}

impl Read for SubscriptionDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let url = members.required("url", text(1, URL_MAX));
        let decision_types =
            members.optional("decision_types", list(DECISION_TYPES_MAX, text(1, 100)));
        let severity_min = members.required("severity_min", word(&Severity::WORDS));
        members.finish()?;
        Some(Self { url: url?, decision_types, severity_min: severity_min? })
    }
}

/// A subscription that was just made, and the only sight of its secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubscriptionCreated {
    /// The subscription.
    pub subscription: WebhookSubscription,
    /// What deliveries are signed with: `whsec_` and a base64url token, as it stands.
    pub secret: String,
}

impl fmt::Debug for SubscriptionCreated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("SubscriptionCreated");
        shown.field("subscription", &self.subscription).finish_non_exhaustive()
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+ }

        impl $name {
            /// All of them.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word of the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(())
            }
        }

        #[cfg(feature = "openapi")]
        crate::schema::words!($name, [$($word),+]);
    };
}

words! {
    /// What became of a delivery so far.
    DeliveryStatus {
        /// It was not tried yet.
        Pending = "pending",
        /// The receiver took it.
        Delivered = "delivered",
        /// An attempt failed, and there is another one to come.
        Failed = "failed",
        /// It was given up.
        Dead = "dead",
    }
}

words! {
    /// Why an attempt failed.
    FailureReason {
        /// The host has no address.
        Dns = "dns_error",
        /// The host has an address that is not called.
        Blocked = "blocked_address",
        /// No connection in time.
        ConnectTimeout = "connect_timeout",
        /// The receiver does not speak TLS as it must.
        Tls = "tls_error",
        /// No whole answer in time.
        Timeout = "timeout",
        /// The receiver answered, and not with 2xx.
        HttpStatus = "http_status",
        /// No connection, or one that ended before the answer did.
        ConnectionReset = "connection_reset",
        /// The answer was longer than is read.
        BodyTooLarge = "body_too_large",
        /// The secret cannot be opened with the keys of the process.
        SecretUnavailable = "secret_unavailable",
        /// The subscription was deleted.
        SubscriptionDeleted = "subscription_deleted",
    }
}

/// An alert on its way to a subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookDelivery {
    /// The id, which every attempt sends as `X-Service-Delivery-Id`.
    pub id: DeliveryId,
    /// Where it goes.
    pub subscription_id: SubscriptionId,
    /// What it tells of.
    pub alert_id: AlertId,
    /// `alert.created`.
    pub event: String,
    /// What became of it so far.
    pub status: DeliveryStatus,
    /// How often it was tried since it was queued, or last forced.
    pub attempt_count: u32,
    /// How often it is tried at the most.
    pub max_attempts: u32,
    /// When it is tried next.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next_attempt_at: Option<Timestamp>,
    /// When it was tried last.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_attempt_at: Option<Timestamp>,
    /// What the receiver last answered.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_status_code: Option<u16>,
    /// Why the last attempt failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failure_reason: Option<FailureReason>,
    /// When the receiver took it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub delivered_at: Option<Timestamp>,
    /// When it was queued.
    pub created_at: Timestamp,
    /// Every attempt, oldest first; only where one delivery is read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attempts: Option<Vec<DeliveryAttempt>>,
}

/// One attempt to deliver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeliveryAttempt {
    /// Its number as `X-Service-Attempt` says it: from 1, and from 1 again after a forced retry.
    pub attempt: u32,
    /// When it began.
    pub at: Timestamp,
    /// What the receiver answered.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub status_code: Option<u16>,
    /// How long it took.
    pub duration_ms: u32,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failure_reason: Option<FailureReason>,
}

/// Which deliveries a list shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// In this state.
    pub status: Option<DeliveryStatus>,
    /// To this subscription.
    pub subscription_id: Option<SubscriptionId>,
}

/// How many deliveries there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeliveryCounts {
    /// Not tried yet.
    pub pending: u64,
    /// Taken.
    pub delivered: u64,
    /// To be tried again.
    pub failed: u64,
    /// Given up.
    pub dead: u64,
}

/// How deliveries are going.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeliveryStats {
    /// All of them, by status.
    pub by_status: DeliveryCounts,
    /// Those of each subscription, also of deleted ones.
    pub by_subscription: Vec<SubscriptionStats>,
    /// Since when the oldest delivery that is to be tried has been due, or when it will be.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub oldest_due_at: Option<Timestamp>,
}

/// How deliveries to one subscription are going.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubscriptionStats {
    /// The subscription.
    pub subscription_id: SubscriptionId,
    /// Its deliveries.
    #[serde(flatten)]
    pub counts: DeliveryCounts,
}

/// The body of `POST /v1/alerts/deliveries/redrive`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Redrive {
    /// Dead deliveries to this subscription only.
    pub subscription_id: Option<SubscriptionId>,
    /// Only those that were queued at this instant or later.
    pub since: Option<Timestamp>,
}

impl Read for Redrive {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let subscription_id = members.optional("subscription_id", id);
        let since = members.optional("since", instant);
        members.finish()?;
        Some(Self { subscription_id, since })
    }
}

/// What a redrive did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Redriven {
    /// How many deliveries are tried again.
    pub redriven: u64,
}
