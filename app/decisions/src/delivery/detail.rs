//! One delivery: its attempts, the request that is sent, and how the receiver verifies it. While attempts are pending,
//! `public/page.js` updates the page.

use contract::webhook::{DeliveryAttempt, DeliveryStatus, WebhookDelivery};
use governance::notify::webhook as service;
use page_kit::{
    prelude::*,
    ui::{chart::percent, panel::card, time::clock},
};

use super::{
    DELETED_WEBHOOK, DeliveryRow, RetryDeliveries, attempts, failure, reason, retry_notice,
    status_badge,
};
use crate::webhook::{self, WebhookRow};

const ONE: &str = "Delivery";

/// `/t/{tenant}/webhooks/deliveries/{delivery}`
pub async fn delivery() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("delivery")?;
    let service::DeliveryDetails { delivery, url, body, last } = service::inspect(&cx, id).await?;
    let webhook = match &url {
        Some(_) => webhook_row(&cx, delivery.subscription_id).await?,
        None => None,
    };
    let own = url::delivery(tenant, id);
    let problem = take_rejected(&own).await.map(|rejected| rejected.problem);
    let retried = take_result(&own).await;
    let is_inactive = webhook.as_ref().is_some_and(|row| !row.webhook.is_active);
    let row = DeliveryRow { delivery, url, is_inactive };
    let headers = last.map_or_else(Vec::new, |call| call.headers.into());
    let alert = (!is_sample(&body)).then(|| url::alert(tenant, row.delivery.alert_id));
    let inner = (url::deliveries(tenant), super::TITLE.to_owned());
    Ok(any_view! {
        <Crumb href=url::webhooks(tenant) label=webhook::TITLE inner />
        {problem.map(problem_note)}
        {retried.map(|retried| retry_notice(tenant, retried))}
        <div id="delivery" class="stack" data-refresh=row.refresh_ms()>
            {head(tenant, &row)}
            {dead_notice(&row.delivery, alert.clone())}
            <div class="with-rail">
                <div class="stack">
                    {attempts_section(&row.delivery)}
                    {sent_request(row.url.as_deref(), &headers, body)}
                </div>
                <aside class="rail">
                    {facts(&row.delivery, alert)} {webhook_card(tenant, webhook)}
                    {signature(&headers)}
                </aside>
            </div>
        </div>
    })
}

/// Returns a webhook with its counts, or `None` if it was deleted meanwhile.
async fn webhook_row(cx: &Cx, id: SubscriptionId) -> Result<Option<WebhookRow>, Problem> {
    let Ok(webhook) = service::read(cx, id).await else { return Ok(None) };
    Ok(webhook::counted_rows(cx, vec![webhook]).await?.pop())
}

/// Returns whether a body belongs to a test, which has no alert.
fn is_sample(body: &str) -> bool {
    let body = Value::parse(body.as_bytes(), &Limits::REQUEST).ok();
    let kind = body.as_ref().and_then(|body| body.get("alert")?.get("alert_type")?.as_str());
    kind == Some("test")
}

/// Returns the host of an address, with the port if the address names one.
fn host(url: &str) -> Option<&str> {
    url.split_once("://")?.1.split(['/', '?', '#']).next()
}

/// Renders the receiver and the status, with the retry button, or the reason why a retry is not possible.
fn head(tenant: TenantId, row: &DeliveryRow) -> AnyView {
    let id = row.delivery.id;
    let label = "Retry delivery";
    let retry = match row.no_retry() {
        Some(reason) => any_view! {
            <div class="unavailable push">
                <span id="why-no-retry" class="text-xs text-muted">
                    {reason}
                </span>
                <button
                    type="button"
                    class="button"
                    aria-disabled="true"
                    aria-describedby="why-no-retry"
                >
                    {label}
                </button>
            </div>
        },
        None => any_view! {
            <form method="post" action=RetryDeliveries::url() class="row push">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="ids[]" value=id.to_string() />
                <input type="hidden" name="back" value=url::delivery(tenant, id) />
                <span class="text-xs text-muted">
                    "Retries immediately and resets the attempt count."
                </span>
                <button class="primary">{label}</button>
            </form>
        },
    };
    let reload = row.is_pending().then(|| {
        view! {
            <p class="row" role="status">
                <span class="text-muted">"Retries automatically. This page updates itself."</span>
                <a class="button" href=url::delivery(tenant, id) rel="external">
                    "Reload"
                </a>
            </p>
        }
    });
    // The host is unknown if the webhook was deleted.
    let title = match row.url.as_deref().and_then(host) {
        Some(host) => format!("{ONE} to {}", isolated(host)),
        None => ONE.to_owned(),
    };
    any_view! {
        <div class="page-head">
            <Heading title />
            {status_badge(row.delivery.status)}
            {retry}
        </div>
        {reload}
    }
}

/// Renders the notice that all attempts failed. `alert` is the address of the alert.
fn dead_notice(delivery: &WebhookDelivery, alert: Option<String>) -> Option<AnyView> {
    let text = match (delivery.status, delivery.attempt_count) {
        (DeliveryStatus::Dead, 1) => "The only attempt failed.".to_owned(),
        (DeliveryStatus::Dead, attempts) => format!("All {attempts} attempts failed."),
        _ => return None,
    };
    let alert = alert.map(|href| {
        view! {
            " "
            <a href=href>"Show the alert"</a>
        }
    });
    let text = view! {
        <b>{text}</b>
        " "
        {failure(delivery)}
        {alert}
    };
    Some(note(Tone::Deny, None, text))
}

fn facts(delivery: &WebhookDelivery, alert: Option<String>) -> AnyView {
    let time_row = |label: &'static str, at| fact(label, exact(at));
    let next = delivery.next_attempt_at.map(|at| time_row("Next attempt", at));
    let delivered = delivery.delivered_at.map(|at| time_row("Delivered", at));
    let failure_row = failure(delivery).map(|failure| fact("Reason", failure));
    let alert = match alert {
        Some(href) => any_view! { <a href=href>"Show the alert"</a> },
        None => "Test without an alert".into_any(),
    };
    let facts = view! {
        <dl>
            <dt>"Event"</dt>
            <dd class="font-mono">{delivery.event.clone()}</dd>
            {fact("Alert", alert)}
            <dt>"Attempts"</dt>
            <dd class="tabular-nums">{attempts(delivery)}</dd>
            {time_row("Queued", delivery.created_at)}
            {next}
            {delivered}
            {failure_row}
            {short_id_fact("Delivery ID", delivery.id.to_string())}
        </dl>
    };
    card("card stack", ONE, facts.into_any())
}

/// Renders the webhook: its address, its filters, and its other deliveries.
fn webhook_card(tenant: TenantId, row: Option<WebhookRow>) -> AnyView {
    let Some(WebhookRow { webhook, day, dead }) = row else {
        let deleted = view! { <p class="text-muted">{DELETED_WEBHOOK}</p> };
        return card("card stack", "Webhook", deleted.into_any());
    };
    let types = match &*webhook.decision_types {
        [] => webhook::ALL_TYPES.into_any(),
        types => any_view! { <bdi class="font-mono breaks">{types.join(", ")}</bdi> },
    };
    let severity = severity_chip(webhook.severity_min);
    let deliveries = |status| url::deliveries_to(tenant, webhook.id, status);
    let dead = (dead > 0).then(|| {
        view! {
            <p>
                <a href=deliveries("dead")>"Show its dead deliveries"</a>
                " "
                <span class="tabular-nums text-muted">{counted(dead)}</span>
            </p>
        }
    });
    let all = view! { <a href=deliveries("")>"All deliveries to this webhook"</a> };
    let content = view! {
        <dl>
            {fact("Address", view! { <bdi class="breaks">{webhook.webhook_url}</bdi> })}
            {fact(webhook::TYPES, types)} {fact(webhook::SEVERITY, severity)}
            {fact(webhook::LAST_DAY, webhook::health(day))}
        </dl>
        <p>{all}</p>
        {dead}
    };
    card("card stack", "Webhook", content.into_any())
}

/// An attempt, and the milliseconds since the end of the previous one.
struct TimedAttempt<'a> {
    attempt: &'a DeliveryAttempt,
    /// Absent for the first attempt, also after a requested retry.
    waited_ms: Option<u32>,
}

impl TimedAttempt<'_> {
    /// Returns the end of the attempt in milliseconds since 1970.
    fn end_ms(&self) -> i64 {
        self.attempt.at.millis().saturating_add(i64::from(self.attempt.duration_ms))
    }
}

/// Returns the attempts, with the delay before each.
fn timed(attempts: &[DeliveryAttempt]) -> Vec<TimedAttempt<'_>> {
    let mut end = None;
    let timed = attempts.iter().map(|attempt| {
        let start = attempt.at.millis();
        let waited = end.filter(|_| attempt.attempt > 1);
        let waited_ms =
            waited.map(|end: i64| u32::try_from(start.saturating_sub(end)).unwrap_or_default());
        let timed = TimedAttempt { attempt, waited_ms };
        end = Some(timed.end_ms());
        timed
    });
    timed.collect()
}

fn attempts_section(delivery: &WebhookDelivery) -> AnyView {
    let attempts = timed(delivery.attempts.as_deref().unwrap_or_default());
    let number = (!attempts.is_empty()).then_some(attempts.len());
    let content = if attempts.is_empty() {
        any_view! { <p class="text-muted">"No attempts yet."</p> }
    } else {
        let nowrap = "whitespace-nowrap tabular-nums";
        let table = Table::new("Attempts")
            .styled("Attempt", nowrap, |timed: &TimedAttempt<'_>| {
                format!("Attempt {}", timed.attempt.attempt)
            })
            .column("Time (UTC)", |timed| exact(timed.attempt.at))
            .styled("Waited", "text-muted tabular-nums", |timed| {
                let waited = timed.waited_ms.map(|waited| format!("{} later", seconds(waited)));
                waited.unwrap_or_else(|| "Immediately".to_owned())
            })
            .styled("Took", nowrap, |timed| seconds(timed.attempt.duration_ms))
            .column("Result", |timed| attempt_result(timed.attempt));
        any_view! {
            {plot(&attempts)}
            {table.of(&attempts)}
        }
    };
    any_view! {
        <section class="stack">
            <h2>"Attempts" " " <span class="tabular-nums text-muted">{number}</span></h2>
            {content}
        </section>
    }
}

/// Renders a mark at the start of each attempt, and a bar as long as the attempt. One attempt has no plot.
fn plot(attempts: &[TimedAttempt<'_>]) -> Option<AnyView> {
    let ([first, .., last], end) = (attempts, attempts.iter().map(TimedAttempt::end_ms).max()?)
    else {
        return None;
    };
    let start = first.attempt.at.millis();
    let length = end - start;
    let part = |timed: &TimedAttempt<'_>| {
        let tone = if timed.attempt.failure_reason.is_some() { "deny" } else { "allow" };
        let x = percent(timed.attempt.at.millis() - start, length);
        let width = percent(i64::from(timed.attempt.duration_ms), length);
        view! {
            <g class=tone>
                <rect class="took" x=x.clone() y="60%" width=width height="40%" />
                <rect x=x y="0" width="3" height="100%" />
            </g>
        }
    };
    let end_of_axis = |label: &'static str, timed: &TimedAttempt<'_>| {
        view! {
            <span>
                <span class="sr-only">{label}</span>
                {clock(timed.attempt.at)}
            </span>
        }
    };
    Some(any_view! {
        <figure class="attempts-plot">
            <svg aria-hidden="true">{attempts.iter().map(part).collect_view()}</svg>
            <figcaption class="axis">
                {end_of_axis("First attempt:", first)} {end_of_axis("Last attempt:", last)}
            </figcaption>
        </figure>
    })
}

/// Returns the result of an attempt, for example "The receiver responded with 500."
fn attempt_result(attempt: &DeliveryAttempt) -> String {
    match (attempt.failure_reason, attempt.status_code) {
        (Some(failure), code) => reason(failure, code),
        (None, Some(code)) => format!("Delivered with status {code}."),
        (None, None) => "Delivered.".to_owned(),
    }
}

/// Returns a duration in seconds, for example "1.23 s".
fn seconds(millis: u32) -> String {
    format!("{}.{:02} s", whole(i64::from(millis / 1_000)), millis % 1_000 / 10)
}

/// Renders the request that the receiver gets. `headers` are those of the last attempt as sent; empty if they are not
/// available.
fn sent_request(url: Option<&str>, headers: &[(&str, String)], body: String) -> AnyView {
    let lines = headers.iter().map(|(name, value)| format!("{name}: {value}"));
    let lines = lines.collect::<Vec<_>>().join("\n");
    let label = "Headers of the last attempt";
    let shown = if headers.is_empty() {
        let text = "Timestamp and signature are created for each attempt. The headers are shown after the first attempt, as long as the secret exists.";
        any_view! { <p class="text-muted">{text}</p> }
    } else {
        code_block(lines, label)
    };
    let command = url.filter(|_| !headers.is_empty()).map(|url| {
        let text = curl::repeat(url, headers, &body);
        view! {
            <details class="disclosure">
                <summary>"As a curl command"</summary>
                {code_block(text, "As a curl command")}
            </details>
        }
    });
    let content = view! {
        <p class="text-muted">
            "Identical for every attempt, except attempt, timestamp and signature."
        </p>
        <h3>{label}</h3>
        {shown}
        <h3>{format!("Body, {}", count(body.len(), "byte", "bytes"))}</h3>
        {code_block(body, "Body")}
        {command}
    };
    card("card stack", "Request", content.into_any())
}

/// Renders how the receiver verifies the signature, with a shell command that computes it for the body in `body.json`.
fn signature(headers: &[(&str, String)]) -> AnyView {
    const STEPS: [&str; 5] = [
        "Concatenate X-Service-Timestamp, a dot and the exact bytes of the body.",
        "Compute their HMAC-SHA-256 with the whole secret (including whsec_), in hex.",
        "Compare it in constant time with the value after sha256= in X-Service-Signature.",
        "Reject a timestamp that is more than 5 minutes off and an X-Service-Delivery-Id that was processed before: a delivery may arrive twice, with the same body.",
        "A library of Standard Webhooks does the same with the headers webhook-id, webhook-timestamp and webhook-signature.",
    ];
    let timestamp = headers.iter().find(|(name, _)| *name == "x-service-timestamp");
    let timestamp = timestamp.map_or("\"$TIMESTAMP\"", |(_, value)| value.as_str());
    let command = format!(
        "printf '%s.' {timestamp} | cat - body.json | openssl dgst -sha256 -hmac \"$WEBHOOK_SECRET\""
    );
    let label = "On the command line";
    let content = view! {
        <ol class="steps-text">{STEPS.map(|step| view! { <li>{step}</li> })}</ol>
        <details class="disclosure">
            <summary>{label}</summary>
            {code_block(command, label)}
        </details>
    };
    card("card stack", "Verify the signature", content.into_any())
}

#[cfg(test)]
mod tests {
    use contract::{time::Timestamp, webhook::FailureReason};

    use super::*;

    fn attempt(attempt: u32, at: i64, duration_ms: u32) -> DeliveryAttempt {
        let at = Timestamp::from_millis(at).unwrap();
        DeliveryAttempt { attempt, at, status_code: None, duration_ms, failure_reason: None }
    }

    #[test]
    fn the_delay_before_an_attempt_starts_at_the_end_of_the_previous_one() {
        let attempts = [attempt(1, 0, 250), attempt(2, 1_500, 10)];
        let timed = timed(&attempts);
        let waited: Vec<_> = timed.iter().map(|timed| timed.waited_ms).collect();
        assert_eq!(waited, [None, Some(1_250)]);
        assert_eq!(timed[1].end_ms(), 1_510);
    }

    #[test]
    fn the_host_has_the_port_of_the_address() {
        assert_eq!(host("https://ops.example.com:8443/hook?a=b"), Some("ops.example.com:8443"));
    }

    #[test]
    fn the_result_of_an_attempt_is_the_status_code_or_the_reason() {
        let result = |status_code, failure_reason| {
            attempt_result(&DeliveryAttempt { status_code, failure_reason, ..attempt(1, 0, 12) })
        };
        assert_eq!(result(Some(204), None), "Delivered with status 204.");
        let rejected = result(Some(500), Some(FailureReason::HttpStatus));
        assert_eq!(rejected, "The receiver responded with 500.");
        let unresolved = result(None, Some(FailureReason::Dns));
        assert_eq!(unresolved, "The host name could not be resolved.");
    }

    #[test]
    fn durations_are_in_seconds() {
        assert_eq!(seconds(12), "0.01 s");
        assert_eq!(seconds(10_000), "10.00 s");
        assert_eq!(seconds(1_234), "1.23 s");
    }
}
