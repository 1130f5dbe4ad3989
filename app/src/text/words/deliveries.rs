//! `/t/{tenant}/webhooks/deliveries` and `/t/{tenant}/webhooks/deliveries/{delivery}`

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

/// What became of a delivery.
pub(crate) const fn status(status: DeliveryStatus) -> &'static str {
    match status {
        DeliveryStatus::Pending => "Pending",
        DeliveryStatus::Delivered => "Delivered",
        DeliveryStatus::Failed => "Failed",
        DeliveryStatus::Dead => "Dead",
    }
}

/// Why an attempt failed. What the receiver answered is told where it is known.
pub(crate) fn reason(reason: FailureReason, status_code: Option<u16>) -> String {
    let said = match (reason, status_code) {
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
    said.to_owned()
}

/// What came of an attempt: "The receiver answered 500. It took 12 ms."
pub(crate) fn outcome(attempt: &DeliveryAttempt) -> String {
    let said = match (attempt.failure_reason, attempt.status_code) {
        (Some(failure), code) => reason(failure, code),
        (None, Some(code)) => format!("The receiver took it with {code}."),
        (None, None) => "The receiver took it.".to_owned(),
    };
    format!("{said} It took {} ms.", whole(i64::from(attempt.duration_ms)))
}

/// "2 of 6"
pub(crate) fn attempts(made: u32, most: u32) -> String {
    format!("{made} of {most}")
}

/// "Attempt 2"
pub(crate) fn attempt(number: u32) -> String {
    format!("Attempt {number}")
}

/// How many are tried again.
pub(crate) fn again(deliveries: u64) -> String {
    match usize::try_from(deliveries).unwrap_or(usize::MAX) {
        0 => "No delivery is tried again.".to_owned(),
        several => {
            let verb = if several == 1 { "is" } else { "are" };
            format!("{} {verb} tried again.", count(several, "delivery", "deliveries"))
        }
    }
}

/// The name of the box in a row.
pub(crate) fn select(queued: &str, url: &str) -> String {
    format!("Select: {queued}, {url}")
}

/// The signature of the body in `body.json`, for a shell.
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
    fn a_result_counts_what_is_tried_again() {
        assert_eq!(again(0), "No delivery is tried again.");
        assert_eq!(again(1), "1 delivery is tried again.");
        assert_eq!(again(3), "3 deliveries are tried again.");
    }

    #[test]
    fn an_attempt_tells_the_answer_or_the_reason() {
        let at = contract::time::Timestamp::from_millis(0).unwrap();
        let attempt = |status_code, failure_reason| DeliveryAttempt {
            attempt: 1,
            at,
            status_code,
            duration_ms: 12,
            failure_reason,
        };
        let taken = outcome(&attempt(Some(204), None));
        assert_eq!(taken, "The receiver took it with 204. It took 12 ms.");
        let answered = outcome(&attempt(Some(500), Some(FailureReason::HttpStatus)));
        assert_eq!(answered, "The receiver answered 500. It took 12 ms.");
        let unheard = outcome(&attempt(None, Some(FailureReason::Dns)));
        assert_eq!(unheard, "The host has no address. It took 12 ms.");
    }

    #[test]
    fn every_status_has_a_word_and_can_be_filtered() {
        for own in DeliveryStatus::ALL {
            let choice = STATUSES.iter().find(|(word, _)| *word == own.as_str());
            assert_eq!(choice.map(|(_, shown)| *shown), Some(status(own)));
        }
    }
}
