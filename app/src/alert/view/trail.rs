//! What happened to an alert: its deliveries to webhooks, and the changes by users and API keys.

use contract::{id::DeliveryId, time::Timestamp, webhook::DeliveryStatus};
use serde::{Deserialize, Serialize};

use super::action::AlertAction;

/// A delivery of an alert to a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertDelivery {
    pub id: DeliveryId,
    /// The URL of the webhook; absent if the webhook was deleted.
    pub url: Option<String>,
    pub status: DeliveryStatus,
}

/// A change of an alert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastChange {
    pub action: AlertAction,
    pub at: Timestamp,
    /// The name of the user or API key.
    pub by: Option<String>,
}
