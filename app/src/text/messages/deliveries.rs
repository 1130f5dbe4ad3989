//! Texts of `/t/{tenant}/webhooks/deliveries` and `/t/{tenant}/webhooks/deliveries/{delivery}`.

use contract::webhook::{DeliveryAttempt, DeliveryStatus, FailureReason};

use crate::text::number::{count, whole};

pub(crate) const TITLE: &str = "Deliveries";
pub(crate) const ONE: &str = "Delivery";
pub(crate) const HEAD: [&str; 8] = [
    "Select",
    "Queued (UTC)",
    "Webhook",
    "Event",
    "Status",
    "Attempts",
    "Next try (UTC)",
    "Reason",
];
pub(crate) const EMPTY: &str = "No deliveries yet.";
pub(crate) const EMPTY_NEXT: &str = "Each alert that a webhook asks for is listed here.";
pub(crate) const STATUS: &str = "Status";
pub(crate) const STATUSES: [(&str, &str); 5] = [
    ("", "Any"),
    ("pending", "Pending"),
    ("delivered", "Delivered"),
    ("failed", "Failed"),
    ("dead", "Dead"),
];
pub(crate) const WEBHOOK: &str = "Webhook";
pub(crate) const ANY: &str = "Any";
pub(crate) const GONE: &str = "Deleted webhook";
pub(crate) const SAMPLE: &str = "A test: no alert was raised";
pub(crate) const RETRY: &str = "Retry";
pub(crate) const RETRY_SELECTED: &str = "Retry selected";
pub(crate) const RETRY_SAYS: &str =
    "It is tried at once, and its attempts are counted from 1 again.";
pub(crate) const REDRIVE: &str = "Retry all dead ones";
pub(crate) const SINCE: &str = "Queued since (UTC); empty for all";
pub(crate) const ALREADY_DELIVERED: &str = "Already delivered";
pub(crate) const STILL_PENDING: &str = "Still pending";
pub(crate) const WEBHOOK_DELETED: &str = "Its webhook was deleted";
pub(crate) const REFUSED: &str = "Not tried again:";
pub(crate) const RELOAD: &str = "Reload";
pub(crate) const RELOAD_SAYS: &str = "It is tried by itself.";
pub(crate) const ID: &str = "Delivery id";
pub(crate) const ALERT: &str = "Alert";
pub(crate) const SHOW_ALERT: &str = "Show the alert";
pub(crate) const QUEUED: &str = "Queued";
pub(crate) const NEXT_TRY: &str = "Next try";
pub(crate) const DELIVERED: &str = "Delivered";
pub(crate) const ATTEMPTS: &str = "Attempts";
pub(crate) const NO_ATTEMPTS: &str = "It was not tried yet.";
pub(crate) const SENT: &str = "What is sent";
pub(crate) const HEADERS: &str = "Headers of the last attempt";
pub(crate) const NO_HEADERS: &str = "Timestamp and signature are made with each attempt. The headers stand here once one was made, for as long as its secret is there.";
pub(crate) const BODY: &str = "Body, the same at every attempt";
pub(crate) const SIGNATURE: &str = "How the receiver checks it";
pub(crate) const RECIPE: [&str; 3] = [
    "Take X-Service-Timestamp, a dot, and the bytes of the body as they came. Their HMAC-SHA-256 under the whole secret, whsec_ included, in hex, is what stands behind sha256= in X-Service-Signature. Compare it in constant time.",
    "Refuse a timestamp that is more than 5 minutes off.",
    "Count an X-Service-Delivery-Id once: a delivery may come twice, with the same body.",
];
pub(crate) const COMMAND: &str = "The same on a command line";
#[cfg(feature = "ssr")]
pub(crate) const NOT_SELECTED: &str = "tick 1 to 50 deliveries";
#[cfg(feature = "ssr")]
pub(crate) const BAD_SINCE: &str = "Queued since: give a date and time, such as 2026-11-20T23:04.";

/// Returns the display name of a delivery status.
pub(crate) const fn status(status: DeliveryStatus) -> &'static str {
    match status {
        DeliveryStatus::Pending => "Pending",
        DeliveryStatus::Delivered => "Delivered",
        DeliveryStatus::Failed => "Failed",
        DeliveryStatus::Dead => "Dead",
    }
}

/// Returns the reason for a failed attempt, with the status code if it is known.
pub(crate) fn reason(reason: FailureReason, status_code: Option<u16>) -> String {
    let text = match (reason, status_code) {
        (FailureReason::HttpStatus, Some(code)) => return format!("The receiver answered {code}."),
        (FailureReason::HttpStatus, None) => "The receiver did not answer with 2xx.",
        (FailureReason::Dns, _) => "The host has no address.",
        (FailureReason::Blocked, _) => "The host has an address that is not called.",
        (FailureReason::ConnectTimeout, _) => "There was no connection in time.",
        (FailureReason::Tls, _) => "The receiver does not speak TLS as it must.",
        (FailureReason::Timeout, _) => "There was no whole answer within 10 seconds.",
        (FailureReason::ConnectionReset, _) => {
            "There was no connection, or it ended before the answer did."
        }
        (FailureReason::BodyTooLarge, _) => "The answer was longer than 64 KiB.",
        (FailureReason::SecretUnavailable, _) => {
            "The secret cannot be opened with the keys of the service."
        }
        (FailureReason::SubscriptionDeleted, _) => "The webhook was deleted.",
    };
    text.to_owned()
}

/// Returns the result of an attempt, for example "The receiver answered 500. It took 12 ms."
pub(crate) fn outcome(attempt: &DeliveryAttempt) -> String {
    let result = match (attempt.failure_reason, attempt.status_code) {
        (Some(failure), code) => reason(failure, code),
        (None, Some(code)) => format!("The receiver took it with {code}."),
        (None, None) => "The receiver took it.".to_owned(),
    };
    format!("{result} It took {} ms.", whole(i64::from(attempt.duration_ms)))
}

/// Returns, for example, "2 of 6".
pub(crate) fn attempts(used: u32, max: u32) -> String {
    format!("{used} of {max}")
}

/// Returns, for example, "Attempt 2".
pub(crate) fn attempt(number: u32) -> String {
    format!("Attempt {number}")
}

/// Returns the number of retried deliveries.
pub(crate) fn again(deliveries: u64) -> String {
    match usize::try_from(deliveries).unwrap_or(usize::MAX) {
        0 => "No delivery is tried again.".to_owned(),
        number => {
            let verb = if number == 1 { "is" } else { "are" };
            format!("{} {verb} tried again.", count(number, "delivery", "deliveries"))
        }
    }
}

/// Returns the label of the checkbox of a row.
pub(crate) fn select(queued: &str, url: &str) -> String {
    format!("Select: {queued}, {url}")
}

/// Returns a shell command that computes the signature of the body in `body.json`.
pub(crate) fn command(timestamp: Option<&str>) -> String {
    let timestamp = timestamp.unwrap_or("\"$TIMESTAMP\"");
    format!(
        "printf '%s.' {timestamp} | cat - body.json | openssl dgst -sha256 -hmac \"$WEBHOOK_SECRET\""
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_of_a_retry_counts_the_deliveries() {
        assert_eq!(again(0), "No delivery is tried again.");
        assert_eq!(again(1), "1 delivery is tried again.");
        assert_eq!(again(3), "3 deliveries are tried again.");
    }

    #[test]
    fn the_result_of_an_attempt_is_the_status_code_or_the_reason() {
        let at = contract::time::Timestamp::from_millis(0).unwrap();
        let attempt = |status_code, failure_reason| DeliveryAttempt {
            attempt: 1,
            at,
            status_code,
            duration_ms: 12,
            failure_reason,
        };
        let delivered = outcome(&attempt(Some(204), None));
        assert_eq!(delivered, "The receiver took it with 204. It took 12 ms.");
        let rejected = outcome(&attempt(Some(500), Some(FailureReason::HttpStatus)));
        assert_eq!(rejected, "The receiver answered 500. It took 12 ms.");
        let unresolved = outcome(&attempt(None, Some(FailureReason::Dns)));
        assert_eq!(unresolved, "The host has no address. It took 12 ms.");
    }

    #[test]
    fn every_status_has_a_name_and_a_filter() {
        for status_value in DeliveryStatus::ALL {
            let choice = STATUSES.iter().find(|(word, _)| *word == status_value.as_str());
            assert_eq!(choice.map(|(_, name)| *name), Some(status(status_value)));
        }
    }
}
