//! Webhooks: a row of the list, and the form of a new one.

use contract::{
    error::FieldError,
    id::{SubscriptionId, TenantId},
    json::{Object, Value},
    rule::Severity,
    time::Timestamp,
    webhook::{DeliveryCounts, WebhookSubscription},
};
use serde::{Deserialize, Serialize};

use super::kept::Made;
use crate::{problem::Problem, text::lines};

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookRow {
    /// The webhook.
    pub id: SubscriptionId,
    /// The address that is called.
    pub url: String,
    /// Alerts of decisions of these types only; empty means every alert.
    pub types: Vec<String>,
    /// The mildest severity that is sent.
    pub severity: Severity,
    /// When it was made.
    pub made_at: Timestamp,
    /// How its deliveries of the last 24 hours are going.
    pub day: DeliveryCounts,
    /// How many of all its deliveries were given up.
    pub dead: u64,
}

impl WebhookRow {
    /// The row of a subscription.
    pub fn new(subscription: WebhookSubscription, day: DeliveryCounts, dead: u64) -> Self {
        Self {
            id: subscription.id,
            url: subscription.webhook_url,
            types: subscription.decision_types,
            severity: subscription.severity_min,
            made_at: subscription.created_at,
            day,
            dead,
        }
    }
}

/// The list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WebhooksPage {
    /// The tenant.
    pub tenant: TenantId,
    /// All webhooks, newest first.
    pub rows: Vec<WebhookRow>,
    /// The webhook that was made a moment ago, by its address, with its secret.
    pub made: Option<Made>,
    /// Why an act was refused.
    pub refused: Option<Problem>,
}

/// The page of a new webhook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WebhookFormPage {
    /// The tenant.
    pub tenant: TenantId,
    /// The id that the webhook will have.
    pub next: SubscriptionId,
    /// Which one it replaces.
    pub from: Option<SubscriptionId>,
    /// What stands in the form.
    pub form: WebhookForm,
    /// Why it was refused, where no value is at fault.
    pub problem: Option<Problem>,
    /// What is wrong, value by value.
    pub faults: Vec<FieldError>,
}

/// A new webhook, as it was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WebhookForm {
    /// The address to call.
    pub url: String,
    /// Decision types, one a line; empty for every alert.
    pub types: String,
    /// The mildest severity to send.
    pub severity: String,
}

impl Default for WebhookForm {
    fn default() -> Self {
        let severity = Severity::High.as_str().to_owned();
        Self { url: String::new(), types: String::new(), severity }
    }
}

impl From<&WebhookSubscription> for WebhookForm {
    fn from(subscription: &WebhookSubscription) -> Self {
        Self {
            url: subscription.webhook_url.clone(),
            types: subscription.decision_types.join("\n"),
            severity: subscription.severity_min.as_str().to_owned(),
        }
    }
}

impl WebhookForm {
    /// The body that makes the webhook.
    pub fn draft(&self) -> Value {
        let types: Value = lines(&self.types).collect();
        let body = Object::from([
            ("url", self.url.trim().into()),
            ("decision_types", types),
            ("severity_min", self.severity.as_str().into()),
        ]);
        body.into()
    }
}

#[cfg(test)]
mod tests {
    use contract::{read, webhook::SubscriptionDraft};

    use super::*;

    #[test]
    fn a_form_asks_for_exactly_what_was_typed() {
        let form = WebhookForm {
            url: " https://ops.example.com/hook ".into(),
            types: "payment\r\n\r\n refund\r\n".into(),
            ..WebhookForm::default()
        };
        let draft: SubscriptionDraft = read::body(&form.draft()).unwrap();
        assert_eq!(draft.url, "https://ops.example.com/hook");
        assert_eq!(draft.decision_types.unwrap(), ["payment", "refund"]);
        assert_eq!(draft.severity_min, Severity::High);
    }
}
