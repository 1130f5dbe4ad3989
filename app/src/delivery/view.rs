//! Deliveries: the filters in the address, the rows, one delivery with its request, and the result of a
//! retry.

use contract::{
    id::{DeliveryId, SubscriptionId, TenantId},
    webhook::{DeliveryAttempt, DeliveryFilter, DeliveryStatus, WebhookDelivery},
};
use serde::{Deserialize, Serialize};

use crate::{
    flash::RejectedForm,
    problem::Problem,
    text::{
        query::{ListQuery, parsed},
        url,
    },
    ui::list_page::ListPage,
    webhook::view::WebhookRow,
};

/// The filters of the list as query parameters. An empty value matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeliveryQuery {
    pub status: String,
    /// The ID of a webhook.
    pub webhook: String,
    pub cursor: String,
    /// If not empty, every row of the page that can be retried is selected.
    pub select: String,
}

impl ListQuery for DeliveryQuery {
    fn filters(&self) -> Vec<(&'static str, &str)> {
        vec![("status", self.status.as_str()), ("webhook", self.webhook.as_str())]
    }
}

impl DeliveryQuery {
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        Self {
            status: text("status"),
            webhook: text("webhook"),
            cursor: text("cursor"),
            select: text("select"),
        }
    }

    /// Returns the address of this page of `path` with the selection `select`.
    pub fn own_address(&self, path: &str, select: &str) -> String {
        let mut pairs = self.filters();
        pairs.extend([("cursor", &*self.cursor), ("select", select)]);
        url::with_query(path, &pairs)
    }

    /// Returns the filter for the service.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub fn filter(&self) -> Result<DeliveryFilter, &'static str> {
        let (status, subscription_id) = (parsed(&self.status)?, parsed(&self.webhook)?);
        Ok(DeliveryFilter { status, subscription_id })
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeliveriesPage {
    pub tenant: TenantId,
    /// One page of deliveries, newest first.
    pub rows: ListPage<DeliveryRow>,
    /// All webhooks, with their URLs.
    pub webhooks: Vec<(SubscriptionId, String)>,
    /// The error in the filters, as a sentence.
    pub error: Option<String>,
    /// Why the last retry was rejected. The text is the start time entered for retrying all dead deliveries.
    pub refused: Option<RejectedForm>,
    pub retried: Option<Retried>,
    /// The mark of the page; only newer deliveries are counted as new.
    pub mark: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryRow {
    pub delivery: WebhookDelivery,
    /// The URL of its webhook; absent if the webhook was deleted.
    pub url: Option<String>,
    /// Whether its webhook is inactive, because the receiver answered 410.
    pub is_inactive: bool,
}

/// An attempt, and the milliseconds since the end of the previous one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedAttempt {
    pub attempt: DeliveryAttempt,
    /// Absent for the first attempt, also after a requested retry.
    pub waited_ms: Option<u32>,
}

impl TimedAttempt {
    /// Returns the end of the attempt in milliseconds since 1970.
    pub fn end_ms(&self) -> i64 {
        self.attempt.at.millis().saturating_add(i64::from(self.attempt.duration_ms))
    }
}

/// The time after which a pending delivery is read again, in milliseconds.
const REFRESH_MS: u32 = 3_000;

impl DeliveryRow {
    /// Returns whether further attempts follow without an action of a user.
    pub fn is_pending(&self) -> bool {
        let is_open =
            matches!(self.delivery.status, DeliveryStatus::Pending | DeliveryStatus::Failed);
        is_open && self.url.is_some()
    }

    /// Returns the time after which the page reads the delivery again, in milliseconds, if it is pending.
    pub fn refresh_ms(&self) -> Option<u32> {
        self.is_pending().then_some(REFRESH_MS)
    }

    /// Returns the host of its webhook, with the port if the address names one.
    pub fn host(&self) -> Option<&str> {
        let (_, rest) = self.url.as_deref()?.split_once("://")?;
        rest.split(['/', '?', '#']).next()
    }

    /// Returns the attempts, with the delay before each.
    pub fn timed_attempts(&self) -> Vec<TimedAttempt> {
        let attempts = self.delivery.attempts.as_deref().unwrap_or_default();
        let mut end = None;
        let timed = attempts.iter().map(|attempt| {
            let start = attempt.at.millis();
            let waited = end.filter(|_| attempt.attempt > 1);
            let waited =
                waited.map(|end: i64| u32::try_from(start.saturating_sub(end)).unwrap_or_default());
            end = Some(start.saturating_add(i64::from(attempt.duration_ms)));
            TimedAttempt { attempt: attempt.clone(), waited_ms: waited }
        });
        timed.collect()
    }

    /// Returns why it cannot be retried now, or `None` if it can.
    pub fn no_retry(&self) -> Option<&'static str> {
        use super::words::{ALREADY_DELIVERED, STILL_PENDING, WEBHOOK_DELETED, WEBHOOK_INACTIVE};
        match self.delivery.status {
            DeliveryStatus::Delivered => Some(ALREADY_DELIVERED),
            DeliveryStatus::Pending => Some(STILL_PENDING),
            DeliveryStatus::Failed | DeliveryStatus::Dead if self.url.is_none() => {
                Some(WEBHOOK_DELETED)
            }
            DeliveryStatus::Failed | DeliveryStatus::Dead => {
                self.is_inactive.then_some(WEBHOOK_INACTIVE)
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeliveryPage {
    pub tenant: TenantId,
    /// The delivery, with all attempts.
    pub row: DeliveryRow,
    /// Its webhook with the counts of the last 24 hours; absent if it was deleted.
    pub webhook: Option<WebhookRow>,
    /// Whether it is a test, which has no alert.
    pub is_sample: bool,
    /// The headers of the last attempt as sent; empty if they are not available.
    pub headers: Vec<(String, String)>,
    /// The body that every attempt sends, byte for byte.
    pub body: String,
    /// Why the retry was rejected.
    pub refused: Option<Problem>,
    pub retried: Option<Retried>,
}

impl DeliveryPage {
    /// Returns the headers as in an HTTP request, one per line.
    pub fn head(&self) -> String {
        let lines = self.headers.iter().map(|(name, value)| format!("{name}: {value}"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the signed timestamp of the last attempt.
    pub fn timestamp(&self) -> Option<&str> {
        let header = self.headers.iter().find(|(name, _)| name == "x-service-timestamp");
        header.map(|(_, value)| value.as_str())
    }
}

/// The result of a retry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retried {
    pub count: u64,
    /// The deliveries that were not retried, with the reason.
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
        DeliveryRow { delivery, url: url.map(str::to_owned), is_inactive: false }
    }

    #[test]
    fn only_failed_deliveries_with_an_active_webhook_can_be_retried() {
        let url = Some("https://ops.example.com/");
        assert_eq!(row(DeliveryStatus::Failed, url).no_retry(), None);
        assert_eq!(row(DeliveryStatus::Dead, url).no_retry(), None);
        assert_eq!(row(DeliveryStatus::Delivered, url).no_retry(), Some("Already delivered"));
        assert_eq!(row(DeliveryStatus::Pending, url).no_retry(), Some("Still pending"));
        assert_eq!(row(DeliveryStatus::Dead, None).no_retry(), Some("Its webhook was deleted"));
        let gone = DeliveryRow { is_inactive: true, ..row(DeliveryStatus::Dead, url) };
        assert_eq!(gone.no_retry(), Some("Its webhook is inactive"));
    }

    #[test]
    fn the_delay_before_an_attempt_starts_at_the_end_of_the_previous_one() {
        let attempt = |number, at, duration_ms| DeliveryAttempt {
            attempt: number,
            at: contract::time::Timestamp::from_millis(at).unwrap(),
            status_code: None,
            duration_ms,
            failure_reason: None,
        };
        let mut row = row(DeliveryStatus::Failed, Some("https://ops.example.com:8443/hook?a=b"));
        row.delivery.attempts = Some(vec![attempt(1, 0, 250), attempt(2, 1_500, 10)]);
        let waited: Vec<_> = row.timed_attempts().iter().map(|timed| timed.waited_ms).collect();
        assert_eq!(waited, [None, Some(1_250)]);
        assert_eq!(row.timed_attempts()[1].end_ms(), 1_510);
        assert_eq!(row.host(), Some("ops.example.com:8443"));
    }

    #[test]
    fn the_address_keeps_filters_and_drops_the_selection() {
        let query = DeliveryQuery {
            status: "dead".into(),
            cursor: "abc".into(),
            select: "page".into(),
            ..DeliveryQuery::default()
        };
        assert_eq!(query.own_address("/d", ""), "/d?status=dead&cursor=abc");
        assert_eq!(query.own_address("/d", "page"), "/d?status=dead&cursor=abc&select=page");
        assert_eq!(query.address("/d", ""), "/d?status=dead");
        assert_eq!(query.filter().unwrap().status, Some(DeliveryStatus::Dead));
        assert!(DeliveryQuery { webhook: "x".into(), ..query }.filter().is_err());
    }
}
