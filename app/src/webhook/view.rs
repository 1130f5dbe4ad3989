//! Webhooks: a row of the list, and the form of a new one.

use contract::{
    error::FieldError,
    id::{SubscriptionId, TenantId},
    json::{Object, Value},
    rule::Severity,
    time::Timestamp,
    webhook::{DeliveryCounts, WebhookEnvelope, WebhookSubscription},
};
use serde::{Deserialize, Serialize};

use crate::{flash::OneTimeSecret, problem::Problem, text::lines};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookRow {
    pub id: SubscriptionId,
    pub url: String,
    /// The decision types whose alerts are sent; empty means every alert.
    pub types: Vec<String>,
    /// The minimum severity that is sent.
    pub severity: Severity,
    pub envelope: WebhookEnvelope,
    /// Whether alerts are sent. An inactive webhook cannot be activated again.
    pub is_active: bool,
    pub made_at: Timestamp,
    /// The counts of its deliveries in the last 24 hours.
    pub day: DeliveryCounts,
    /// The number of all its dead deliveries.
    pub dead: u64,
}

impl WebhookRow {
    pub fn new(subscription: WebhookSubscription, day: DeliveryCounts, dead: u64) -> Self {
        Self {
            id: subscription.id,
            url: subscription.webhook_url,
            types: subscription.decision_types,
            severity: subscription.severity_min,
            envelope: subscription.envelope,
            is_active: subscription.is_active,
            made_at: subscription.created_at,
            day,
            dead,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WebhooksPage {
    pub tenant: TenantId,
    /// All webhooks, newest first.
    pub rows: Vec<WebhookRow>,
    /// The webhook that was just created: its URL and its secret.
    pub secret: Option<OneTimeSecret>,
    /// Why the last action was rejected.
    pub refused: Option<Problem>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WebhookFormPage {
    pub tenant: TenantId,
    /// The ID of the new webhook.
    pub next: SubscriptionId,
    /// The webhook that it replaces.
    pub from: Option<SubscriptionId>,
    pub form: WebhookForm,
    /// Why the form was rejected, unless there are field errors.
    pub problem: Option<Problem>,
    pub errors: Vec<FieldError>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WebhookForm {
    pub url: String,
    /// The decision types, one per line; empty for every alert.
    pub types: String,
    /// The minimum severity.
    pub severity: String,
    /// The form of the body of deliveries.
    pub envelope: String,
}

impl Default for WebhookForm {
    fn default() -> Self {
        let severity = Severity::High.as_str().to_owned();
        let envelope = WebhookEnvelope::default().as_str().to_owned();
        Self { url: String::new(), types: String::new(), severity, envelope }
    }
}

impl From<&WebhookSubscription> for WebhookForm {
    fn from(subscription: &WebhookSubscription) -> Self {
        Self {
            url: subscription.webhook_url.clone(),
            types: subscription.decision_types.join("\n"),
            severity: subscription.severity_min.as_str().to_owned(),
            envelope: subscription.envelope.as_str().to_owned(),
        }
    }
}

impl WebhookForm {
    /// Returns the body that creates the webhook.
    pub fn draft(&self) -> Value {
        let types: Value = lines(&self.types).collect();
        let body = Object::from([
            ("url", self.url.trim().into()),
            ("decision_types", types),
            ("severity_min", self.severity.as_str().into()),
            ("envelope", self.envelope.as_str().into()),
        ]);
        body.into()
    }
}

#[cfg(test)]
mod tests {
    use contract::{read, webhook::SubscriptionDraft};

    use super::*;

    #[test]
    fn a_form_becomes_a_draft_with_the_entered_values() {
        let form = WebhookForm {
            url: " https://ops.example.com/hook ".into(),
            types: "payment\r\n\r\n refund\r\n".into(),
            envelope: "cloudevents".into(),
            ..WebhookForm::default()
        };
        let draft: SubscriptionDraft = read::body(&form.draft()).unwrap();
        assert_eq!(draft.url, "https://ops.example.com/hook");
        assert_eq!(draft.decision_types.unwrap(), ["payment", "refund"]);
        assert_eq!(draft.severity_min, Severity::High);
        assert_eq!(draft.envelope, Some(WebhookEnvelope::CloudEvents));
    }
}
