//! Deliveries: the filters in the address, the rows, one with what it sends, and what a retry came to.

use contract::{
    id::{DeliveryId, SubscriptionId, TenantId},
    page::Page,
    webhook::{DeliveryFilter, DeliveryStatus, WebhookDelivery},
};
use serde::{Deserialize, Serialize};

use super::{kept::Kept, query::parsed};
use crate::{
    problem::Problem,
    text::{url, words},
};

/// The filters of the list as they stand in the address; empty means any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeliveryQuery {
    /// A status.
    pub status: String,
    /// The id of a webhook.
    pub webhook: String,
    /// Where the page starts.
    pub cursor: String,
    /// Anything: every row of the page that can be retried is ticked.
    pub select: String,
}

impl DeliveryQuery {
    /// Reads the filters by name.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        Self {
            status: text("status"),
            webhook: text("webhook"),
            cursor: text("cursor"),
            select: text("select"),
        }
    }

    /// Whether anything is filtered.
    pub fn filters(&self) -> bool {
        !self.status.is_empty() || !self.webhook.is_empty()
    }

    /// The address of this page of `path`, with other pairs instead of its own; nothing is ticked.
    pub fn address(&self, path: &str, others: &[(&str, &str)]) -> String {
        let own = [("status", &*self.status), ("webhook", &self.webhook), ("cursor", &self.cursor)];
        url::with_other(path, &own, others)
    }

    /// The filter that the service understands.
    ///
    /// # Errors
    /// What is wrong, in a sentence for the reader.
    pub fn filter(&self) -> Result<DeliveryFilter, &'static str> {
        let (status, subscription_id) = (parsed(&self.status)?, parsed(&self.webhook)?);
        Ok(DeliveryFilter { status, subscription_id })
    }
}

/// The list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeliveriesPage {
    /// The tenant.
    pub tenant: TenantId,
    /// One page of deliveries, newest first.
    pub rows: Page<DeliveryRow>,
    /// All webhooks, with their addresses.
    pub webhooks: Vec<(SubscriptionId, String)>,
    /// What is wrong with the filters, in a sentence.
    pub fault: Option<String>,
    /// Why nothing was retried, and since when all dead ones should have been.
    pub refused: Option<Kept>,
    /// What a retry came to.
    pub retried: Option<Retried>,
}

/// A delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryRow {
    /// The delivery.
    pub delivery: WebhookDelivery,
    /// Where it goes; nothing once its webhook was deleted.
    pub url: Option<String>,
}

impl DeliveryRow {
    /// Why it cannot be retried now.
    pub fn no_retry(&self) -> Option<&'static str> {
        use words::deliveries::{ALREADY_DELIVERED, STILL_PENDING, WEBHOOK_DELETED};
        match self.delivery.status {
            DeliveryStatus::Delivered => Some(ALREADY_DELIVERED),
            DeliveryStatus::Pending => Some(STILL_PENDING),
            DeliveryStatus::Failed | DeliveryStatus::Dead => {
                self.url.is_none().then_some(WEBHOOK_DELETED)
            }
        }
    }
}

/// One delivery, with what it sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeliveryPage {
    /// The tenant.
    pub tenant: TenantId,
    /// The delivery, with every attempt.
    pub row: DeliveryRow,
    /// Whether it is a test, which no alert is behind.
    pub is_sample: bool,
    /// The headers of the last attempt as they were sent; empty when they cannot be told.
    pub headers: Vec<(String, String)>,
    /// What every attempt sends, byte for byte.
    pub body: String,
    /// Why it was not retried.
    pub refused: Option<Problem>,
    /// What a retry came to.
    pub retried: Option<Retried>,
}

impl DeliveryPage {
    /// The headers as a request has them, one a line.
    pub fn head(&self) -> String {
        let lines = self.headers.iter().map(|(name, value)| format!("{name}: {value}"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The timestamp that the last attempt was signed with.
    pub fn timestamp(&self) -> Option<&str> {
        let header = self.headers.iter().find(|(name, _)| name == "x-service-timestamp");
        header.map(|(_, value)| value.as_str())
    }
}

/// What a retry came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retried {
    /// How many are tried again.
    pub again: u64,
    /// Which ones are not, each with the reason.
    pub refused: Vec<(DeliveryId, Problem)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(status: DeliveryStatus, url: Option<&str>) -> DeliveryRow {
        let at = contract::time::Timestamp::from_millis(0).unwrap();
        let id = uuid::Uuid::nil();
        let delivery = WebhookDelivery {
            id: id.into(),
            subscription_id: id.into(),
            alert_id: id.into(),
            event: "alert.created".into(),
            status,
            attempt_count: 0,
            max_attempts: 6,
            next_attempt_at: None,
            last_attempt_at: None,
            last_status_code: None,
            failure_reason: None,
            delivered_at: None,
            created_at: at,
            attempts: None,
        };
        DeliveryRow { delivery, url: url.map(str::to_owned) }
    }

    #[test]
    fn only_what_failed_and_still_has_its_webhook_is_retried() {
        let url = Some("https://ops.example.com/");
        assert_eq!(row(DeliveryStatus::Failed, url).no_retry(), None);
        assert_eq!(row(DeliveryStatus::Dead, url).no_retry(), None);
        assert_eq!(row(DeliveryStatus::Delivered, url).no_retry(), Some("Already delivered"));
        assert_eq!(row(DeliveryStatus::Pending, url).no_retry(), Some("Still pending"));
        assert_eq!(row(DeliveryStatus::Dead, None).no_retry(), Some("Its webhook was deleted"));
    }

    #[test]
    fn filters_stand_in_the_address_and_ticks_do_not_stay() {
        let query = DeliveryQuery {
            status: "dead".into(),
            cursor: "abc".into(),
            select: "page".into(),
            ..DeliveryQuery::default()
        };
        assert_eq!(query.address("/d", &[]), "/d?status=dead&cursor=abc");
        assert_eq!(query.address("/d", &[("cursor", "")]), "/d?status=dead");
        assert_eq!(query.filter().unwrap().status, Some(DeliveryStatus::Dead));
        assert!(DeliveryQuery { webhook: "x".into(), ..query }.filter().is_err());
    }
}
