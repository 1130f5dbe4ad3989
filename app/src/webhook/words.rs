//! Texts of `/t/{tenant}/webhooks` and `/t/{tenant}/webhooks/new`.

use contract::{text::isolated, webhook::DeliveryCounts};

pub(crate) const TITLE: &str = "Webhooks";
use crate::text::number::counted;

pub(crate) const HEAD: [&str; 6] =
    ["Webhook", "Decision types", "From severity", "Last 24 hours", "Dead", "Action"];
pub(crate) const EMPTY: &str = "No webhooks yet";
pub(crate) const EMPTY_NEXT: &str = "Add a webhook to receive alerts.";
pub(crate) const NEW: &str = "New webhook";
pub(crate) const ALL_TYPES: &str = "All";
pub(crate) const INACTIVE: &str = "Inactive: the receiver answered 410 (gone)";
pub(crate) const NO_DELIVERIES: &str = "No deliveries";
pub(crate) const TEST: &str = "Send test";
pub(crate) const REPLACE: &str = "Replace";
pub(crate) const REPLACE_HELP: &str = "Filters cannot be changed. Replace creates a copy with your changes; remove the old one after.";
pub(crate) const DELETE: &str = "Delete";
pub(crate) const DELETE_HELP: &str = "Pending deliveries are discarded. This cannot be undone.";
pub(crate) const URL: &str = "URL";
pub(crate) const URL_HINT: &str =
    "https:// and a public host. Each alert is sent there as a signed POST request.";
pub(crate) const TYPES: &str = "Decision types";
pub(crate) const TYPES_HINT: &str =
    "One per line. If empty, every alert is sent, including alerts without a decision.";
pub(crate) const SEVERITY: &str = "From severity";
pub(crate) const ENVELOPE: &str = "Envelope";
pub(crate) const ENVELOPE_HINT: &str = "The form of the body of each request.";
pub(crate) const CLOUD_EVENTS: &str = "CloudEvents 1.0";
pub(crate) const ENVELOPES: [(&str, &str); 2] =
    [("govern", "Govern"), ("cloudevents", CLOUD_EVENTS)];
pub(crate) const CREATE: &str = "Create the webhook";

pub(crate) const FIELDS: [(&str, &str); 4] =
    [("url", URL), ("decision_types", TYPES), ("severity_min", SEVERITY), ("envelope", ENVELOPE)];

pub(crate) const SECRET: &str = "Secret";
pub(crate) const SECRET_HELP: &str = "Copy the secret now. Deliveries are signed with it, and it will not be shown again. If you lose it, delete the webhook and create another.";
pub(crate) const SAVED: &str = "I have copied it";

pub(crate) fn created(url: &str) -> String {
    format!("Webhook {} created.", isolated(url))
}

pub(crate) fn act(word: &str, url: &str) -> String {
    format!("{word}: {}", isolated(url))
}

/// Returns the delivery counts, for example "12 delivered, 2 dead".
pub(crate) fn health(counts: DeliveryCounts) -> String {
    let counts = [
        (counts.delivered, "delivered"),
        (counts.pending, "pending"),
        (counts.failed, "failed, retrying"),
        (counts.dead, "dead"),
    ];
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    let some: Vec<String> =
        some.map(|(count, word)| format!("{} {word}", counted(count))).collect();
    if some.is_empty() { NO_DELIVERIES.to_owned() } else { some.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_lists_only_counts_above_zero() {
        assert_eq!(health(DeliveryCounts::default()), NO_DELIVERIES);
        let counts = DeliveryCounts { delivered: 1_200, dead: 2, ..DeliveryCounts::default() };
        assert_eq!(health(counts), "1,200 delivered, 2 dead");
    }
}
