//! Texts of `/t/{tenant}/webhooks/deliveries` and `/t/{tenant}/webhooks/deliveries/{delivery}`.

use contract::text::isolated;

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
    "Next attempt (UTC)",
    "Reason",
];
pub(crate) const EMPTY: &str = "No deliveries yet";
pub(crate) const EMPTY_NEXT: &str = "Alerts sent to webhooks are listed here.";
pub(crate) const STATUS: &str = "Status";
pub(crate) const STATUSES: [(&str, &str); 4] =
    [("pending", "Pending"), ("delivered", "Delivered"), ("failed", "Failed"), ("dead", "Dead")];
pub(crate) const WEBHOOK: &str = "Webhook";
pub(crate) const ANY: &str = "Any";
pub(crate) const DELETED_WEBHOOK: &str = "Deleted webhook";
pub(crate) const TEST_DELIVERY: &str = "Test without an alert";
pub(crate) const RETRY: &str = "Retry delivery";
pub(crate) const RETRY_SELECTED: &str = "Retry selected";
pub(crate) const RETRY_HELP: &str = "Retries immediately and resets the attempt count.";
pub(crate) const REDRIVE: &str = "Retry all dead deliveries";
pub(crate) const SINCE: &str = "Queued since (UTC, optional)";
pub(crate) const ALREADY_DELIVERED: &str = "Already delivered";
pub(crate) const STILL_PENDING: &str = "Still pending";
pub(crate) const WEBHOOK_DELETED: &str = "Its webhook was deleted";
pub(crate) const WEBHOOK_INACTIVE: &str = "Its webhook is inactive";
pub(crate) const NOT_RETRIED: &str = "Not retried:";
pub(crate) const RELOAD: &str = "Reload";
pub(crate) const PENDING_NOTE: &str = "Retries automatically. This page updates itself.";
pub(crate) const ID: &str = "Delivery ID";
pub(crate) const ADDRESS: &str = "Address";
pub(crate) const ALL_OF_WEBHOOK: &str = "All deliveries to this webhook";
pub(crate) const ALERT: &str = "Alert";
pub(crate) const SHOW_ALERT: &str = "Show the alert";
pub(crate) const QUEUED: &str = "Queued";
pub(crate) const NEXT_TRY: &str = "Next attempt";
pub(crate) const DELIVERED: &str = "Delivered";
pub(crate) const ATTEMPTS: &str = "Attempts";
pub(crate) const ATTEMPTS_HEAD: [&str; 5] = ["Attempt", "Time (UTC)", "Waited", "Took", "Result"];
pub(crate) const AT_ONCE: &str = "Immediately";
pub(crate) const FIRST: &str = "First attempt:";
pub(crate) const LAST: &str = "Last attempt:";
pub(crate) const NO_ATTEMPTS: &str = "No attempts yet.";
pub(crate) const REQUEST: &str = "Request";
pub(crate) const REQUEST_HELP: &str =
    "Identical for every attempt, except attempt, timestamp and signature.";
pub(crate) const HEADERS: &str = "Headers of the last attempt";
pub(crate) const NO_HEADERS: &str = "Timestamp and signature are created for each attempt. The headers are shown after the first attempt, as long as the secret exists.";
pub(crate) const BODY: &str = "Body";
pub(crate) const SIGNATURE: &str = "Verify the signature";
pub(crate) const SIGNATURE_STEPS: [&str; 5] = [
    "Concatenate X-Service-Timestamp, a dot and the exact bytes of the body.",
    "Compute their HMAC-SHA-256 with the whole secret (including whsec_), in hex.",
    "Compare it in constant time with the value after sha256= in X-Service-Signature.",
    "Reject a timestamp that is more than 5 minutes off and an X-Service-Delivery-Id that was processed before: a delivery may arrive twice, with the same body.",
    "A library of Standard Webhooks does the same with the headers webhook-id, webhook-timestamp and webhook-signature.",
];
pub(crate) const COMMAND: &str = "On the command line";
pub(crate) const AS_CURL: &str = "As a curl command";
pub(crate) const SHOW_DEAD: &str = "Show its dead deliveries";
pub(crate) const NOT_SELECTED: &str = "select 1 to 50 deliveries";
pub(crate) const BAD_SINCE: &str =
    "Queued since: enter a date and time, for example 2026-11-20T23:04.";

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
        (FailureReason::HttpStatus, Some(code)) => {
            return format!("The receiver responded with {code}.");
        }
        (FailureReason::HttpStatus, None) => "The receiver did not respond with 2xx.",
        (FailureReason::Dns, _) => "The host name could not be resolved.",
        (FailureReason::Blocked, _) => "The host resolves to a blocked address.",
        (FailureReason::ConnectTimeout, _) => "The connection timed out.",
        (FailureReason::Tls, _) => "The TLS handshake failed.",
        (FailureReason::Timeout, _) => "No complete response was received within 10 seconds.",
        (FailureReason::ConnectionReset, _) => {
            "The connection failed or ended before the response was complete."
        }
        (FailureReason::BodyTooLarge, _) => "The response was longer than 64 KiB.",
        (FailureReason::SecretUnavailable, _) => {
            "The secret cannot be decrypted with the keys of the service."
        }
        (FailureReason::SubscriptionDeleted, _) => "The webhook was deleted.",
    };
    text.to_owned()
}

/// Returns the result of an attempt, for example "The receiver responded with 500."
pub(crate) fn attempt_result(attempt: &DeliveryAttempt) -> String {
    match (attempt.failure_reason, attempt.status_code) {
        (Some(failure), code) => reason(failure, code),
        (None, Some(code)) => format!("Delivered with status {code}."),
        (None, None) => "Delivered.".to_owned(),
    }
}

/// Returns a duration in seconds, for example "1.23 s".
pub(crate) fn seconds(millis: u32) -> String {
    format!("{}.{:02} s", whole(i64::from(millis / 1_000)), millis % 1_000 / 10)
}

/// Returns the delay after the previous attempt, for example "1.23 s later".
pub(crate) fn waited(millis: u32) -> String {
    format!("{} later", seconds(millis))
}

/// Returns the heading of the page of a delivery to `host`; it is unknown if the webhook was deleted.
pub(crate) fn delivery_to(host: Option<&str>) -> String {
    match host {
        Some(host) => format!("{ONE} to {}", isolated(host)),
        None => ONE.to_owned(),
    }
}

/// Returns the notice for a dead delivery.
pub(crate) fn all_failed(attempts: u32) -> String {
    match attempts {
        1 => "The only attempt failed.".to_owned(),
        attempts => format!("All {attempts} attempts failed."),
    }
}

/// Returns the heading of a body, for example "Body, 317 bytes".
pub(crate) fn body(bytes: usize) -> String {
    format!("{BODY}, {}", count(bytes, "byte", "bytes"))
}

pub(crate) fn attempts(used: u32, max: u32) -> String {
    format!("{used} of {max}")
}

pub(crate) fn attempt(number: u32) -> String {
    format!("Attempt {number}")
}

pub(crate) fn retried(deliveries: u64) -> String {
    match usize::try_from(deliveries).unwrap_or(usize::MAX) {
        0 => "No deliveries are retried.".to_owned(),
        number => {
            let verb = if number == 1 { "is" } else { "are" };
            format!("{} {verb} retried.", count(number, "delivery", "deliveries"))
        }
    }
}

pub(crate) fn select(queued: &str, url: &str) -> String {
    format!("Select: {queued}, {}", isolated(url))
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
        assert_eq!(retried(0), "No deliveries are retried.");
        assert_eq!(retried(1), "1 delivery is retried.");
        assert_eq!(retried(3), "3 deliveries are retried.");
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
        let delivered = attempt_result(&attempt(Some(204), None));
        assert_eq!(delivered, "Delivered with status 204.");
        let rejected = attempt_result(&attempt(Some(500), Some(FailureReason::HttpStatus)));
        assert_eq!(rejected, "The receiver responded with 500.");
        let unresolved = attempt_result(&attempt(None, Some(FailureReason::Dns)));
        assert_eq!(unresolved, "The host name could not be resolved.");
    }

    #[test]
    fn durations_are_in_seconds() {
        assert_eq!(seconds(12), "0.01 s");
        assert_eq!(seconds(10_000), "10.00 s");
        assert_eq!(waited(1_234), "1.23 s later");
    }

    #[test]
    fn every_status_has_a_name_and_a_filter() {
        for status_value in DeliveryStatus::ALL {
            let choice = STATUSES.iter().find(|(word, _)| *word == status_value.as_str());
            assert_eq!(choice.map(|(_, name)| *name), Some(status(status_value)));
        }
    }
}
