//! Webhooks: the list with the counts of deliveries, and the form of a new webhook, which can be a copy of another one.

use contract::webhook::{DeliveryCounts, WebhookEnvelope, WebhookSubscription};
use governance::{
    base::error::{ResourceKind, not_found},
    notify::webhook,
};
use kit::flash::FormWithErrors;
use page_kit::{prelude::*, request::take_form, text::verdict::SEVERITIES};

pub(crate) const TITLE: &str = "Webhooks";
pub(crate) const TYPES: &str = "Decision types";
pub(crate) const SEVERITY: &str = "From severity";
pub(crate) const LAST_DAY: &str = "Last 24 hours";
pub(crate) const ALL_TYPES: &str = "All";
const CLOUD_EVENTS: &str = "CloudEvents 1.0";
const REPLACE: &str = "Replace";
const REPLACE_HELP: &str = "Filters cannot be changed. Replace creates a copy with your changes; remove the old one after.";

/// A webhook and its deliveries.
pub(crate) struct WebhookRow {
    pub(crate) webhook: WebhookSubscription,
    /// The counts of its deliveries in the last 24 hours.
    pub(crate) day: DeliveryCounts,
    /// The number of all its dead deliveries.
    pub(crate) dead: u64,
}

/// Returns all webhooks, newest first. A tenant has at most one page of them.
pub(crate) async fn all(cx: &Cx) -> Result<Vec<WebhookSubscription>, Problem> {
    let page = PageRequest { limit: LIMIT_MAX, cursor: None };
    Ok(webhook::list(cx, &page).await?.items)
}

/// Returns the webhooks with the counts of their deliveries.
pub(crate) async fn counted_rows(
    cx: &Cx,
    webhooks: Vec<WebhookSubscription>,
) -> Result<Vec<WebhookRow>, Problem> {
    let day = webhook::counts_since(cx, cx.now.plus_millis(-DAY_MS)).await?;
    let dead = webhook::dead_counts(cx).await?;
    let row = |webhook: WebhookSubscription| {
        let counted = day.iter().find(|stats| stats.subscription_id == webhook.id);
        let dead = dead.get(&webhook.id).copied().unwrap_or_default();
        WebhookRow { day: counted.map(|stats| stats.counts).unwrap_or_default(), dead, webhook }
    };
    Ok(webhooks.into_iter().map(row).collect())
}

/// `/t/{tenant}/webhooks`
pub async fn webhooks() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let rows = counted_rows(&cx, all(&cx).await?).await?;
    let own = url::webhooks(tenant);
    let secret = take_created(&own).map(|OneTimeSecret { name, secret }| {
        let row = rows.iter().find(|row| row.webhook.id.to_string() == name);
        let url = row.map_or(&name, |row| &row.webhook.webhook_url);
        view! {
            <OneTimeSecretBox
                title=format!("Webhook {} created.", isolated(url))
                secret
                what="Secret"
                note="Copy the secret now. Deliveries are signed with it, and it will not be shown again. If you lose it, delete the webhook and create another."
                page=own.clone()
                done="I have copied it"
            />
        }
    });
    let problem = take_rejected(&own).await.map(|rejected| rejected.problem);
    let help = (!rows.is_empty()).then(|| view! { <p class="text-muted">{REPLACE_HELP}</p> });
    let empty = ["No webhooks yet", "Add a webhook to receive alerts."];
    Ok(any_view! {
        <div class="page-head">
            <Heading title=TITLE />
            <a class="button push" href=url::deliveries(tenant)>
                "Deliveries"
            </a>
            <a class="button primary" href=url::new_webhook(tenant) data-key="n">
                "New webhook"
            </a>
        </div>
        {problem.map(problem_note)}
        {secret}
        {table(tenant).or_empty(&rows, empty)}
        {help}
    })
}

fn table(tenant: TenantId) -> Table<'static, WebhookRow> {
    Table::new(TITLE)
        .column("Webhook", move |WebhookRow { webhook, .. }: &WebhookRow| {
            let is_cloud_events = webhook.envelope == WebhookEnvelope::CloudEvents;
            let inactive = (!webhook.is_active).then(|| {
                view! {
                    <span id=why_inactive(
                        webhook.id,
                    )>" · " "Inactive: the receiver answered 410 (gone)"</span>
                }
            });
            view! {
                <a href=url::deliveries_to(tenant, webhook.id, "") data-row="">
                    <bdi class="breaks">{webhook.webhook_url.clone()}</bdi>
                </a>
                <span class="text-muted text-xs">
                    {minute(webhook.created_at)}
                    {is_cloud_events.then(|| format!(" · {CLOUD_EVENTS}"))} {inactive}
                </span>
            }
        })
        .column(TYPES, |row| match &*row.webhook.decision_types {
            [] => any_view! { <span class="text-muted">{ALL_TYPES}</span> },
            types => {
                any_view! { <bdi class="font-mono text-xs breaks">{types.join(", ")}</bdi> }
            }
        })
        .column(SEVERITY, |row| severity_chip(row.webhook.severity_min))
        .numbers(LAST_DAY, |row| health(row.day))
        .numbers("Dead", move |row| match row.dead {
            0 => any_view! { <span class="text-muted">"0"</span> },
            dead => {
                let href = url::deliveries_to(tenant, row.webhook.id, "dead");
                any_view! { <a href=href>{counted(dead)}</a> }
            }
        })
        .column("Action", move |row| actions(tenant, &row.webhook))
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
    if some.is_empty() { "No deliveries".to_owned() } else { some.join(", ") }
}

/// Returns the element ID of the reason why a webhook is inactive.
fn why_inactive(id: SubscriptionId) -> String {
    format!("inactive-{id}")
}

/// Renders the actions for a webhook. Deletion needs a confirmation.
fn actions(tenant: TenantId, webhook: &WebhookSubscription) -> AnyView {
    let id = webhook.id;
    let label = |word: &str| format!("{word}: {}", isolated(&webhook.webhook_url));
    let hidden_fields = || {
        view! {
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=id.to_string() />
        }
    };
    let test = "Send test";
    let test = if webhook.is_active {
        any_view! {
            <form method="post" action=TestWebhook::url()>
                {hidden_fields()}
                <button aria-label=label(test)>{test}</button>
            </form>
        }
    } else {
        any_view! {
            <button
                type="button"
                aria-disabled="true"
                aria-label=label(test)
                aria-describedby=why_inactive(id)
            >
                {test}
            </button>
        }
    };
    any_view! {
        <div class="row">
            {test}
            <a class="button" href=url::replace_webhook(tenant, id) aria-label=label(REPLACE)>
                {REPLACE}
            </a> <details class="disclosure">
                <summary aria-label=label("Delete")>"Delete"</summary>
                <form method="post" action=DeleteWebhook::url() class="stack">
                    {hidden_fields()}
                    <p>"Pending deliveries are discarded. This cannot be undone."</p>
                    <div class="row">
                        <button class="danger" aria-label=label("Delete")>
                            "Delete"
                        </button>
                    </div>
                </form>
            </details>
        </div>
    }
}

/// Deletes a webhook and redirects to the list.
#[server(prefix = "/console", endpoint = "delete-webhook", output = JsonCodec)]
async fn delete_webhook(tenant: TenantId, id: SubscriptionId) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let list = url::webhooks(tenant);
    let result = webhook::delete(&cx, id).await.map_err(Problem::from);
    request::respond(result, &list, &list, String::new()).await
}

/// Sends a test to a webhook and redirects to the delivery.
#[server(prefix = "/console", endpoint = "test-webhook", output = JsonCodec)]
async fn test_webhook(tenant: TenantId, id: SubscriptionId) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    request::act(&url::webhooks(tenant), String::new(), async {
        Ok(url::delivery(tenant, webhook::send_test(&cx, id).await?.id))
    })
    .await
}

/// `/t/{tenant}/webhooks/new`
pub async fn new_webhook() -> PageResult {
    let (tenant, cx) = page::member().await?;
    cx.tenant(permission::MANAGE_WEBHOOKS)?;
    let from = page::query("from");
    let replaced = match from.parse() {
        _ if from.is_empty() => None,
        Ok(id) => Some(webhook::read(&cx, id).await?),
        Err(_) => {
            return Err(governance::Error::from(not_found(ResourceKind::Subscription)).into());
        }
    };
    let from = replaced.as_ref().map(|webhook| webhook.id);
    let (problem, rejected) = take_form(&form_page(tenant, from)).await;
    let FormWithErrors { form, errors } = rejected.unwrap_or_else(|| FormWithErrors {
        form: replaced.as_ref().map(WebhookForm::from).unwrap_or_default(),
        errors: Vec::new(),
    });
    let title = if from.is_some() { REPLACE } else { "New webhook" };
    let from = from.map(|from| {
        view! {
            <input type="hidden" name="from" value=from.to_string() />
            <p>{REPLACE_HELP}</p>
        }
    });
    let next = request::governance().entropy().id::<SubscriptionId>();
    let tab = messages::title_with_errors(title, errors.len());
    let summary = (!errors.is_empty()).then(|| {
        let errors = errors.clone();
        error_summary(errors, &FIELDS)
    });
    Ok(any_view! {
        <Crumb href=url::webhooks(tenant) label=TITLE />
        <Heading title=tab>{title}</Heading>
        <form method="post" action=CreateWebhook::url() class="card panel roomy stack" novalidate>
            {problem.map(problem_note)}
            {summary}
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=next.to_string() />
            {from}
            {fields(form, &errors)}
            {submit_or_cancel("Create the webhook", url::webhooks(tenant))}
        </form>
    })
}

fn form_page(tenant: TenantId, from: Option<SubscriptionId>) -> String {
    from.map_or_else(|| url::new_webhook(tenant), |id| url::replace_webhook(tenant, id))
}

/// The labels of the fields by member.
const FIELDS: [(&str, &str); 4] = [
    ("url", "URL"),
    ("decision_types", TYPES),
    ("severity_min", SEVERITY),
    ("envelope", "Envelope"),
];

fn fields(form: WebhookForm, errors: &[FieldError]) -> AnyView {
    let field = |label, member, name| MemberField::new(errors, label, member, name);
    let envelopes = [("govern", "Govern"), ("cloudevents", CLOUD_EVENTS)];
    any_view! {
        {field("URL", "url", "form[url]")
            .hint("https:// and a public host. Each alert is sent there as a signed POST request.")
            .line(form.url, false)}
        {field(TYPES, "decision_types", "form[types]")
            .hint(
                "One per line. If empty, every alert is sent, including alerts without a decision.",
            )
            .area(3, form.types)}
        {field(SEVERITY, "severity_min", "form[severity]").choice(SEVERITIES, &form.severity)}
        {field("Envelope", "envelope", "form[envelope]")
            .hint("The form of the body of each request.")
            .choice(envelopes, &form.envelope)}
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct WebhookForm {
    url: String,
    /// The decision types, one per line; empty for every alert.
    types: String,
    /// The minimum severity.
    severity: String,
    /// The form of the body of deliveries.
    envelope: String,
}

impl Default for WebhookForm {
    fn default() -> Self {
        let severity = Severity::High.as_str().to_owned();
        let envelope = WebhookEnvelope::default().as_str().to_owned();
        Self { url: String::new(), types: String::new(), severity, envelope }
    }
}

impl From<&WebhookSubscription> for WebhookForm {
    fn from(webhook: &WebhookSubscription) -> Self {
        Self {
            url: webhook.webhook_url.clone(),
            types: webhook.decision_types.join("\n"),
            severity: webhook.severity_min.as_str().to_owned(),
            envelope: webhook.envelope.as_str().to_owned(),
        }
    }
}

impl WebhookForm {
    /// Returns the body that creates the webhook.
    fn draft(&self) -> Value {
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

/// Creates a webhook with the ID from the form, and redirects to the list, which shows its secret once.
#[server(prefix = "/console", endpoint = "create-webhook", output = JsonCodec)]
async fn create_webhook(
    tenant: TenantId,
    id: SubscriptionId,
    from: Option<SubscriptionId>,
    form: WebhookForm,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = form_page(tenant, from);
    let draft = match read::body(&form.draft()) {
        Ok(draft) => draft,
        Err(errors) => return request::set_errors(page, form, errors).await,
    };
    let (created, list) = (webhook::create_as(&cx, id, draft).await, url::webhooks(tenant));
    if let Ok(created) = &created {
        // The URL may be longer than a cookie can be. The list finds it by the ID.
        let (name, secret) = (created.subscription.id.to_string(), created.secret.clone());
        request::set_created(&OneTimeSecret { name, secret }, &list);
    }
    request::respond_to_form(created, &list, page, form).await
}

#[cfg(test)]
mod tests {
    use contract::webhook::SubscriptionDraft;

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

    #[test]
    fn health_lists_only_counts_above_zero() {
        assert_eq!(health(DeliveryCounts::default()), "No deliveries");
        let counts = DeliveryCounts { delivered: 1_200, dead: 2, ..DeliveryCounts::default() };
        assert_eq!(health(counts), "1,200 delivered, 2 dead");
    }
}
