//! Webhook deliveries: the list, and retries; `detail` is the page of one delivery.

mod detail;

use contract::{
    pagination::LIMIT_DEFAULT,
    webhook::{DeliveryFilter, DeliveryStatus, FailureReason, RedriveRequest, WebhookDelivery},
};
use governance::notify::webhook as service;
use page_kit::{
    list::Row,
    prelude::*,
    request::counts,
    text::{errors::describe, query::parsed},
    ui::live::NewItemsPill,
};

pub use self::detail::delivery;
use crate::webhook;

const TITLE: &str = "Deliveries";
pub(crate) const DELETED_WEBHOOK: &str = "Deleted webhook";

/// `/t/{tenant}/webhooks/deliveries`
pub async fn deliveries() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let webhooks = webhook::all(&cx).await?;
    let names: Vec<(String, String)> = webhooks
        .iter()
        .map(|webhook| (webhook.id.to_string(), webhook.webhook_url.clone()))
        .collect();
    let filters = vec![
        Filter::choice(
            DeliveryFilter::STATUS,
            "Status",
            DeliveryStatus::ALL.map(|it| (it.as_str(), status(it))),
        ),
        // A deleted webhook is shown by its ID.
        Filter::choice(DeliveryFilter::SUBSCRIPTION_ID, "Webhook", names.clone()),
    ];
    let query = ListQuery::read(url::deliveries(tenant), filters);
    let own = request::current_page();
    let rejected = take_rejected(&own).await;
    let retried = take_result(&own).await;
    // The counts are read before the rows, so that everything queued in between counts as new.
    let mark = counts(&cx).await?.mark.to_string();
    let window = match query.filter() {
        Ok(filter) => Ok(service::deliveries_window(&cx, filter, &query.page()).await?),
        Err(message) => Err(message),
    };
    let window = window.map(|window| {
        window.map(|delivery| {
            let webhook = webhooks.iter().find(|webhook| webhook.id == delivery.subscription_id);
            DeliveryRow {
                url: webhook.map(|webhook| webhook.webhook_url.clone()),
                is_inactive: webhook.is_some_and(|webhook| !webhook.is_active),
                delivery,
            }
        })
    });
    let none = || {
        let text = "Alerts sent to webhooks are listed here.";
        empty_state("No deliveries yet", text)
    };
    let rows = |rows: &[DeliveryRow]| retry_form(tenant, &query, rows);
    let problem = rejected.as_ref().map(|rejected| rejected.problem.clone());
    let (href, is_part) = (query.address(&[]), query.is_filtered());
    Ok(any_view! {
        <Crumb href=url::webhooks(tenant) label=webhook::TITLE />
        <div class="page-head">
            <Heading title=TITLE />
            <NewItemsPill subject=LiveSubject::Deliveries mark href is_part />
        </div>
        {problem.map(problem_note)}
        {retried.map(|retried| retry_notice(tenant, retried))}
        {query.bar(())}
        {redrive_form(tenant, &query, names, rejected)}
        {list(&query, window, ["delivery", "deliveries"], rows, none)}
    })
}

/// Returns the address of this page of the list. `select` is not empty if every row that can be retried is selected.
fn own_address(query: &ListQuery, select: &str) -> String {
    query.address(&[("cursor", &page::query("cursor")), ("select", select)])
}

/// A delivery and its webhook.
struct DeliveryRow {
    delivery: WebhookDelivery,
    /// The URL of its webhook; absent if the webhook was deleted.
    url: Option<String>,
    /// Whether its webhook is inactive, because the receiver answered 410.
    is_inactive: bool,
}

impl DeliveryRow {
    /// Returns whether further attempts follow without an action of a user.
    fn is_pending(&self) -> bool {
        let is_open =
            matches!(self.delivery.status, DeliveryStatus::Pending | DeliveryStatus::Failed);
        is_open && self.url.is_some()
    }

    /// Returns the time after which the page reads the delivery again, in milliseconds, if it is pending.
    fn refresh_ms(&self) -> Option<u64> {
        self.is_pending().then_some(3_000)
    }

    /// Returns why it cannot be retried now, or `None` if it can.
    fn no_retry(&self) -> Option<&'static str> {
        match self.delivery.status {
            DeliveryStatus::Delivered => Some("Already delivered"),
            DeliveryStatus::Pending => Some("Still pending"),
            DeliveryStatus::Failed | DeliveryStatus::Dead if self.url.is_none() => {
                Some("Its webhook was deleted")
            }
            DeliveryStatus::Failed | DeliveryStatus::Dead => {
                self.is_inactive.then_some("Its webhook is inactive")
            }
        }
    }
}

/// Renders the deliveries, in one form that retries the selected ones.
fn retry_form(tenant: TenantId, query: &ListQuery, rows: &[DeliveryRow]) -> AnyView {
    let is_selected = !page::query("select").is_empty();
    let (label, select) =
        if is_selected { ("Select none", "") } else { ("Select this page", "page") };
    let table = Table::new(TITLE)
        .select("Select", |row: &DeliveryRow| {
            let url = row.url.as_deref().unwrap_or(DELETED_WEBHOOK);
            let label =
                format!("Select: {}, {}", time::second(row.delivery.created_at), isolated(url));
            row.no_retry().is_none().then(|| {
                view! {
                    <input
                        type="checkbox"
                        name="ids[]"
                        value=row.delivery.id.to_string()
                        checked=is_selected
                        aria-label=label
                        data-key="x"
                    />
                }
            })
        })
        .column("Queued (UTC)", |row| {
            view! { <a href=url::delivery(tenant, row.delivery.id)>{second(row.delivery.created_at)}</a> }
        })
        .column("Webhook", |row| {
            let url = row.url.clone().unwrap_or_else(|| DELETED_WEBHOOK.to_owned());
            view! { <bdi class="breaks">{url}</bdi> }
        })
        .styled("Event", "font-mono", |row| row.delivery.event.clone())
        .column("Status", |row| status_badge(row.delivery.status))
        .numbers("Attempts", |row| attempts(&row.delivery))
        .column("Next attempt (UTC)", |row| {
            row.delivery.next_attempt_at.map(second)
        })
        .column("Reason", |row| failure(&row.delivery))
        .rows(|row| Row { id: Some(row.delivery.id.to_string()), refresh: row.refresh_ms() });
    any_view! {
        <form method="post" action=RetryDeliveries::url() class="stack">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="back" value=own_address(query, "") />
            <p class="row">
                <a class="button" href=own_address(query, select) data-key="X" data-noscroll="">
                    {label}
                </a>
                <button>"Retry selected"</button>
            </p>
            {table.of(rows)}
        </form>
    }
}

/// Renders the form that redrives the dead deliveries of one webhook, or of all. `webhooks` are their IDs and URLs.
fn redrive_form(
    tenant: TenantId,
    query: &ListQuery,
    webhooks: Vec<(String, String)>,
    rejected: Option<RejectedForm>,
) -> AnyView {
    let since = rejected.map(|rejected| rejected.text).unwrap_or_default();
    let open = !since.is_empty();
    let selected = query.value("webhook");
    let mut choices = vec![(String::new(), "Any".to_owned())];
    choices.extend(webhooks);
    if choices.iter().all(|(choice, _)| choice != selected) {
        // A deleted webhook stays selected, shown by its ID.
        choices.push((selected.to_owned(), selected.to_owned()));
    }
    let label = "Retry all dead deliveries";
    any_view! {
        <details class="card disclosure" open=open>
            <summary>{label}</summary>
            <form method="post" action=RedriveDeliveries::url() class="filters">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="back" value=own_address(query, "") />
                <TextField
                    label="Queued since (UTC, optional)"
                    name="since"
                    kind="datetime-local"
                    value=since
                />
                <label class="field">
                    <span>"Webhook"</span>
                    <select name="webhook">{options(choices, selected)}</select>
                </label>
                <button>{label}</button>
            </form>
        </details>
    }
}

/// The result of a retry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Retried {
    count: u64,
    /// The deliveries that were not retried, with the reason.
    refused: Vec<(DeliveryId, Problem)>,
}

impl Retried {
    fn sentence(&self) -> String {
        match usize::try_from(self.count).unwrap_or(usize::MAX) {
            0 => "No deliveries are retried.".to_owned(),
            number => {
                let verb = if number == 1 { "is" } else { "are" };
                format!("{} {verb} retried.", count(number, "delivery", "deliveries"))
            }
        }
    }
}

/// Renders the result of a retry: the number of restarted deliveries, and each rejected one with its reason.
fn retry_notice(tenant: TenantId, retried: Retried) -> AnyView {
    let sentence = retried.sentence();
    let rejections = (!retried.refused.is_empty()).then(|| {
        let item = |(id, problem): (DeliveryId, Problem)| {
            let text = describe(&problem).text;
            view! {
                <li>
                    <a class="font-mono" href=url::delivery(tenant, id)>
                        {id.to_string()}
                    </a>
                    " "
                    {quoted(&text)}
                    " "
                    <span class="text-xs text-muted">{problem.code}</span>
                </li>
            }
        };
        view! {
            <p>"Not retried:"</p>
            <ul class="plain-list">{retried.refused.into_iter().map(item).collect_view()}</ul>
        }
    });
    let tone = if rejections.is_some() { Tone::Warn } else { Tone::Allow };
    let paragraphs = view! {
        <p class="font-semibold">{sentence}</p>
        {rejections}
    };
    long_note(tone, Some("status"), paragraphs)
}

/// Retries the selected deliveries and redirects to the page of the form, which shows the result.
#[server(prefix = "/console", endpoint = "retry-deliveries", output = JsonCodec)]
async fn retry_deliveries(
    tenant: TenantId,
    #[server(default)] ids: Vec<String>,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    respond(retry(&cx, &ids).await, &back, String::new()).await
}

/// Retries each of these deliveries separately: a rejected one does not block the others.
async fn retry(cx: &Cx, ids: &[String]) -> Result<Retried, Problem> {
    cx.tenant(permission::MANAGE_WEBHOOKS)?;
    let mut ids: Vec<DeliveryId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
    ids.sort();
    ids.dedup();
    let max = usize::try_from(LIMIT_DEFAULT).unwrap_or(usize::MAX);
    if !(1..=max).contains(&ids.len()) {
        return Err(Problem::of_form("select 1 to 50 deliveries"));
    }
    let mut retried = Retried::default();
    for id in ids {
        match service::retry(cx, id).await {
            Ok(_) => retried.count += 1,
            Err(error) => retried.refused.push((id, error.into())),
        }
    }
    Ok(retried)
}

/// Retries dead deliveries of one webhook or of all, queued at or after `since` when it is set, and redirects
/// to the page of the form.
#[server(prefix = "/console", endpoint = "redrive-deliveries", output = JsonCodec)]
async fn redrive_deliveries(
    tenant: TenantId,
    #[server(default)] webhook: String,
    #[server(default)] since: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    respond(redrive(&cx, &webhook, &since).await, &back, since).await
}

async fn redrive(cx: &Cx, to: &str, since: &str) -> Result<Retried, Problem> {
    let since = instant(since.trim()).map_err(|()| {
        Problem::of_form("Queued since: enter a date and time, for example 2026-11-20T23:04.")
    })?;
    let subscription_id = parsed(to).map_err(Problem::of_form)?;
    let redriven = service::redrive(cx, RedriveRequest { subscription_id, since }).await?;
    Ok(Retried { count: redriven.redriven, refused: Vec::new() })
}

/// Responds to the form of the page `back`, which shows the result.
async fn respond(
    result: Result<Retried, Problem>,
    back: &str,
    text: String,
) -> Result<(), Problem> {
    if let Ok(retried) = &result {
        request::set_result(back, retried).await?;
    }
    request::respond(result, back, back, text).await
}

const fn status(status: DeliveryStatus) -> &'static str {
    match status {
        DeliveryStatus::Pending => "Pending",
        DeliveryStatus::Delivered => "Delivered",
        DeliveryStatus::Failed => "Failed",
        DeliveryStatus::Dead => "Dead",
    }
}

/// Renders the badge of the status of a delivery.
pub fn status_badge(status: DeliveryStatus) -> AnyView {
    let (tone, drawing) = match status {
        DeliveryStatus::Pending => ("na", Icon::Wait),
        DeliveryStatus::Delivered => ("allow", Icon::Allow),
        DeliveryStatus::Failed => ("warn", Icon::Wait),
        DeliveryStatus::Dead => ("deny", Icon::Deny),
    };
    badge(tone, drawing, self::status(status))
}

fn attempts(delivery: &WebhookDelivery) -> String {
    format!("{} of {}", delivery.attempt_count, delivery.max_attempts)
}

/// Returns the reason of the last failed attempt.
fn failure(delivery: &WebhookDelivery) -> Option<String> {
    delivery.failure_reason.map(|failure| reason(failure, delivery.last_status_code))
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
    fn the_result_of_a_retry_counts_the_deliveries() {
        let sentence = |count| Retried { count, refused: Vec::new() }.sentence();
        assert_eq!(sentence(0), "No deliveries are retried.");
        assert_eq!(sentence(1), "1 delivery is retried.");
        assert_eq!(sentence(3), "3 deliveries are retried.");
    }
}
