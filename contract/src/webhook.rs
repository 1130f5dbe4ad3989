//! Webhooks: subscriptions to alerts and the status of their deliveries (specification, "Events").

use crate::{
    filter::ListFilter,
    id::{AlertId, DeliveryId, SubscriptionId, TenantId},
    read::{list, text},
    rule::Severity,
    time::Timestamp,
};

/// The maximum length of a webhook URL in characters (contract, section 6).
pub const URL_MAX: usize = 2_048;

/// The maximum number of decision types of a subscription.
pub const DECISION_TYPES_MAX: usize = 100;

/// The maximum number of subscriptions of a tenant. An alert is queued once for each matching subscription.
pub const SUBSCRIPTIONS_MAX: u64 = 100;

string_enum! {
    /// The form of the body of a delivery.
    #[derive(Default)]
    pub enum WebhookEnvelope {
        /// The members `event`, `timestamp` and `alert`.
        #[default]
        Govern = "govern",
        /// A CloudEvents 1.0 event in structured mode, whose data is the alert.
        CloudEvents = "cloudevents",
    }
}

/// A webhook subscription: a URL that receives alerts.
#[wire(Eq)]
pub struct WebhookSubscription {
    /// The ID of the subscription.
    pub id: SubscriptionId,
    /// The tenant of the subscription.
    pub tenant_id: TenantId,
    /// The URL that receives alerts.
    pub webhook_url: String,
    /// The decision types whose alerts are sent; empty means all alerts.
    pub decision_types: Vec<String>,
    /// The minimum severity of alerts that are sent.
    pub severity_min: Severity,
    /// The form of the body of each delivery.
    pub envelope: WebhookEnvelope,
    /// Whether alerts are sent. A subscription becomes inactive when its receiver answers with 410 (gone).
    pub is_active: bool,
    /// Whether deliveries are signed.
    pub has_secret: bool,
    /// The time at which the subscription was created.
    pub created_at: Timestamp,
}

/// The body of `POST /v1/alerts/subscriptions`.
#[body(Eq)]
pub struct SubscriptionDraft {
    /// The URL that receives alerts: `https://` and a host with public addresses.
    #[json(with = text(1, URL_MAX))]
    pub url: String,
    /// The decision types whose alerts are sent; absent or empty means all alerts.
    #[json(with = list(DECISION_TYPES_MAX, text(1, 100)))]
    pub decision_types: Option<Vec<String>>,
    /// The minimum severity of alerts that are sent.
    pub severity_min: Severity,
    /// The form of the body of each delivery; absent means `govern`.
    pub envelope: Option<WebhookEnvelope>,
}

/// A created subscription. The secret is shown only once.
#[wire(derive_more::Debug, Eq)]
#[debug("SubscriptionCreated {{ subscription: {subscription:?}, .. }}")]
pub struct SubscriptionCreated {
    /// The created subscription.
    pub subscription: WebhookSubscription,
    /// The secret that signs deliveries: `whsec_` and 32 bytes in base64. The key of `X-Service-Signature` is the
    /// whole text, including the prefix. The key of `webhook-signature` is the 32 bytes.
    pub secret: String,
}

string_enum! {
    /// The status of a delivery.
    pub enum DeliveryStatus {
        /// The first attempt is pending.
        Pending = "pending",
        /// The receiver accepted the delivery.
        Delivered = "delivered",
        /// The last attempt failed and another attempt will follow.
        Failed = "failed",
        /// The delivery failed permanently; no attempt follows.
        Dead = "dead",
    }
}

string_enum! {
    /// The reason why an attempt failed.
    pub enum FailureReason {
        /// The host name could not be resolved.
        Dns = "dns_error",
        /// The address of the host is not permitted.
        Blocked = "blocked_address",
        /// The connection timed out.
        ConnectTimeout = "connect_timeout",
        /// The TLS connection failed.
        Tls = "tls_error",
        /// The response timed out.
        Timeout = "timeout",
        /// The receiver responded with a status other than 2xx.
        HttpStatus = "http_status",
        /// The connection failed, or was closed before the response was complete.
        ConnectionReset = "connection_reset",
        /// The response body was too large.
        BodyTooLarge = "body_too_large",
        /// The secret cannot be decrypted with the keys of the process.
        SecretUnavailable = "secret_unavailable",
        /// The subscription was deleted.
        SubscriptionDeleted = "subscription_deleted",
    }
}

/// A delivery: one alert to be sent to one subscription.
#[wire(Eq)]
pub struct WebhookDelivery {
    /// The ID of the delivery. Every attempt sends it as `X-Service-Delivery-Id`.
    pub id: DeliveryId,
    /// The ID of the subscription.
    pub subscription_id: SubscriptionId,
    /// The ID of the alert.
    pub alert_id: AlertId,
    /// Always `alert.created`.
    pub event: String,
    /// The status of the delivery.
    pub status: DeliveryStatus,
    /// The number of attempts since the delivery was queued or last retried on request.
    pub attempt_count: u32,
    /// The maximum number of attempts.
    pub max_attempts: u32,
    /// The time of the next attempt.
    pub next_attempt_at: Option<Timestamp>,
    /// The time of the last attempt.
    pub last_attempt_at: Option<Timestamp>,
    /// The HTTP status of the last response.
    pub last_status_code: Option<u16>,
    /// The reason why the last attempt failed.
    pub failure_reason: Option<FailureReason>,
    /// The time at which the receiver accepted the delivery.
    pub delivered_at: Option<Timestamp>,
    /// The time at which the delivery was queued.
    pub created_at: Timestamp,
    /// All attempts, oldest first. Present only when a single delivery is read.
    pub attempts: Option<Vec<DeliveryAttempt>>,
}

/// An attempt of a delivery.
#[wire(Eq)]
pub struct DeliveryAttempt {
    /// The attempt number, as sent in `X-Service-Attempt`: from 1, and from 1 again after a requested retry.
    pub attempt: u32,
    /// The time at which the attempt started.
    pub at: Timestamp,
    /// The HTTP status of the response.
    pub status_code: Option<u16>,
    /// The duration in milliseconds.
    pub duration_ms: u32,
    /// The reason why the attempt failed.
    pub failure_reason: Option<FailureReason>,
}

/// A filter of deliveries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ListFilter)]
pub struct DeliveryFilter {
    /// Only deliveries with this status.
    pub status: Option<DeliveryStatus>,
    /// Only deliveries to this subscription.
    #[filter(page = "webhook")]
    pub subscription_id: Option<SubscriptionId>,
}

/// The numbers of deliveries by status.
#[wire(Copy, Default, Eq)]
pub struct DeliveryCounts {
    /// Deliveries without an attempt.
    pub pending: u64,
    /// Deliveries that the receiver accepted.
    pub delivered: u64,
    /// Deliveries that will be retried.
    pub failed: u64,
    /// Deliveries that failed permanently.
    pub dead: u64,
}

/// Delivery statistics.
#[wire(Eq)]
pub struct DeliveryStats {
    /// All deliveries by status.
    pub by_status: DeliveryCounts,
    /// The deliveries of each subscription, including deleted subscriptions.
    pub by_subscription: Vec<SubscriptionStats>,
    /// The time at which the oldest open delivery was or will be due.
    pub oldest_due_at: Option<Timestamp>,
}

/// The delivery statistics of one subscription.
#[wire(Eq)]
pub struct SubscriptionStats {
    /// The ID of the subscription.
    pub subscription_id: SubscriptionId,
    /// The deliveries by status.
    #[serde(flatten)]
    pub counts: DeliveryCounts,
}

/// The body of `POST /v1/alerts/deliveries/redrive`.
#[body(Copy, Default, Eq)]
pub struct RedriveRequest {
    /// Limits the redrive to this subscription.
    pub subscription_id: Option<SubscriptionId>,
    /// Limits the redrive to deliveries that were queued at or after this time.
    pub since: Option<Timestamp>,
}

/// The result of a redrive.
#[wire(Copy, Eq)]
pub struct RedriveResult {
    /// The number of restarted deliveries.
    pub redriven: u64,
}
