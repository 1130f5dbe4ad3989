//! One delivery: its attempts, the request that is sent, and how the receiver verifies it. While attempts are pending,
//! `public/page.js` updates the page.

use contract::{id::TenantId, webhook::DeliveryStatus};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{RetryDeliveries, read_delivery},
    list::RetryNotice,
    markup::DeliveryBadge,
    view::{DeliveryPage as DeliveryView, DeliveryRow, TimedAttempt},
};
use crate::{
    text::{curl, number::counted, time, url},
    ui::{
        badge::SeverityChip,
        chart::percent,
        code::CodeBlock,
        facts::{fact, short_id_fact},
        heading::Heading,
        list::table,
        load::load,
        note::{Tone, note},
        panel::Crumb,
        params,
        problem::ProblemNote,
        time::{Clock, Exact},
    },
    webhook::{view::WebhookRow, words as webhook_words},
};

/// `/t/{tenant}/webhooks/deliveries/{delivery}`
#[component]
pub(crate) fn DeliveryPage() -> impl IntoView {
    let (tenant, delivery) = (params::tenant(), params::delivery());
    load(
        move || (tenant(), delivery()),
        async |(tenant, delivery)| read_delivery(tenant?, delivery?).await,
        |page| view! { <DeliveryContent page /> }.into_any(),
    )
}

#[component]
fn DeliveryContent(page: DeliveryView) -> impl IntoView {
    use super::words as strings;
    let tenant = page.tenant;
    let refresh = page.row.refresh_ms();
    let inner = (url::deliveries(tenant), strings::TITLE.to_owned());
    view! {
        <Crumb href=url::webhooks(tenant) label=webhook_words::TITLE inner />
        {page.refused.clone().map(|problem| view! { <ProblemNote problem /> })}
        {page.retried.clone().map(|retried| view! { <RetryNotice tenant retried /> })}
        <div id="delivery" class="stack" data-refresh=refresh>
            <Head tenant row=page.row.clone() />
            <DeadNotice page=page.clone() />
            <div class="with-rail">
                <div class="stack">
                    <Attempts row=page.row.clone() />
                    <SentRequest page=page.clone() />
                </div>
                <aside class="rail">
                    <Facts page=page.clone() />
                    <Webhook tenant webhook=page.webhook.clone() />
                    <Signature page />
                </aside>
            </div>
        </div>
    }
}

/// The receiver and the status, with the retry button, or the reason why a retry is not possible.
#[component]
fn Head(tenant: TenantId, row: DeliveryRow) -> impl IntoView {
    use super::words as strings;
    let id = row.delivery.id;
    let retry = match row.no_retry() {
        Some(reason) => view! {
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
                    {strings::RETRY}
                </button>
            </div>
        }
        .into_any(),
        None => view! {
            <form method="post" action=RetryDeliveries::url() class="row push">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="ids[]" value=id.to_string() />
                <input type="hidden" name="back" value=url::delivery(tenant, id) />
                <span class="text-xs text-muted">{strings::RETRY_HELP}</span>
                <button class="primary">{strings::RETRY}</button>
            </form>
        }
        .into_any(),
    };
    let reload = row.is_pending().then(|| {
        view! {
            <p class="row" role="status">
                <span class="text-muted">{strings::PENDING_NOTE}</span>
                <a class="button" href=url::delivery(tenant, id) rel="external">
                    {strings::RELOAD}
                </a>
            </p>
        }
    });
    let title = strings::delivery_to(row.host());
    view! {
        <div class="page-head">
            <Heading title />
            <DeliveryBadge status=row.delivery.status />
            {retry}
        </div>
        {reload}
    }
}

/// The notice that all attempts failed.
#[component]
fn DeadNotice(page: DeliveryView) -> impl IntoView {
    use super::words as strings;
    let DeliveryView { tenant, row: DeliveryRow { delivery, .. }, is_sample, .. } = page;
    let alert = (!is_sample).then(|| {
        let href = url::alert(tenant, delivery.alert_id);
        view! {
            " "
            <a href=href>{strings::SHOW_ALERT}</a>
        }
    });
    let reason =
        delivery.failure_reason.map(|failure| strings::reason(failure, delivery.last_status_code));
    (delivery.status == DeliveryStatus::Dead).then(|| {
        let text = view! {
            <b>{strings::all_failed(delivery.attempt_count)}</b>
            " "
            {reason}
            {alert}
        };
        note(Tone::Deny, None, text)
    })
}

#[component]
fn Facts(page: DeliveryView) -> impl IntoView {
    use super::words as strings;
    let DeliveryView { tenant, row: DeliveryRow { delivery, .. }, is_sample, .. } = page;
    let time_row = |label: &'static str, at| fact(label, view! { <Exact at /> });
    let next = delivery.next_attempt_at.map(|at| time_row(strings::NEXT_TRY, at));
    let delivered = delivery.delivered_at.map(|at| time_row(strings::DELIVERED, at));
    let failure_row = delivery
        .failure_reason
        .map(|failure| fact(strings::HEAD[7], strings::reason(failure, delivery.last_status_code)));
    let alert = if is_sample {
        strings::TEST_DELIVERY.into_any()
    } else {
        let href = url::alert(tenant, delivery.alert_id);
        view! { <a href=href>{strings::SHOW_ALERT}</a> }.into_any()
    };
    view! {
        <section class="card stack">
            <h2>{strings::ONE}</h2>
            <dl>
                <dt>{strings::HEAD[3]}</dt>
                <dd class="font-mono">{delivery.event}</dd>
                {fact(strings::ALERT, alert)}
                <dt>{strings::HEAD[5]}</dt>
                <dd class="tabular-nums">
                    {strings::attempts(delivery.attempt_count, delivery.max_attempts)}
                </dd>
                {time_row(strings::QUEUED, delivery.created_at)}
                {next}
                {delivered}
                {failure_row}
                {short_id_fact(strings::ID, delivery.id.to_string())}
            </dl>
        </section>
    }
}

/// The webhook: its address, its filters, and its other deliveries.
#[component]
fn Webhook(tenant: TenantId, webhook: Option<WebhookRow>) -> impl IntoView {
    use super::words as strings;
    use webhook_words::HEAD;
    let content = match webhook {
        None => view! { <p class="text-muted">{strings::DELETED_WEBHOOK}</p> }.into_any(),
        Some(row) => {
            let types = if row.types.is_empty() {
                webhook_words::ALL_TYPES.into_any()
            } else {
                view! { <bdi class="font-mono breaks">{row.types.join(", ")}</bdi> }.into_any()
            };
            let dead = (row.dead > 0).then(|| {
                let href = url::deliveries_to(tenant, row.id, "dead");
                view! {
                    <p>
                        <a href=href>{strings::SHOW_DEAD}</a>
                        " "
                        <span class="tabular-nums text-muted">{counted(row.dead)}</span>
                    </p>
                }
            });
            view! {
                <dl>
                    {fact(strings::ADDRESS, view! { <bdi class="breaks">{row.url}</bdi> })}
                    {fact(HEAD[1], types)}
                    {fact(HEAD[2], view! { <SeverityChip severity=row.severity /> })}
                    {fact(HEAD[3], webhook_words::health(row.day))}
                </dl>
                <p>
                    <a href=url::deliveries_to(tenant, row.id, "")>{strings::ALL_OF_WEBHOOK}</a>
                </p>
                {dead}
            }
            .into_any()
        }
    };
    view! {
        <section class="card stack">
            <h2>{strings::WEBHOOK}</h2>
            {content}
        </section>
    }
}

#[component]
fn Attempts(row: DeliveryRow) -> impl IntoView {
    use super::words as strings;
    let attempts = row.timed_attempts();
    let number = (!attempts.is_empty()).then_some(attempts.len());
    let content = if attempts.is_empty() {
        view! { <p class="text-muted">{strings::NO_ATTEMPTS}</p> }.into_any()
    } else {
        let plot = plot(&attempts);
        let table = table(strings::ATTEMPTS, strings::ATTEMPTS_HEAD, attempts, |timed| {
            view! { <AttemptRow timed /> }
        });
        view! {
            {plot}
            {table}
        }
        .into_any()
    };
    view! {
        <section class="stack">
            <h2>{strings::ATTEMPTS} " " <span class="tabular-nums text-muted">{number}</span></h2>
            {content}
        </section>
    }
}

/// Renders a mark at the start of each attempt, and a bar as long as the attempt. One attempt has no plot.
fn plot(attempts: &[TimedAttempt]) -> Option<AnyView> {
    use super::words as strings;
    let ([first, .., last], end) = (attempts, attempts.iter().map(TimedAttempt::end_ms).max()?)
    else {
        return None;
    };
    let start = first.attempt.at.millis();
    let length = end - start;
    let part = |timed: &TimedAttempt| {
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
    let drawing = view! {
        <figure class="attempts-plot">
            <svg aria-hidden="true">{attempts.iter().map(part).collect_view()}</svg>
            <figcaption class="axis">
                <span>
                    <span class="sr-only">{strings::FIRST}</span>
                    <Clock at=first.attempt.at />
                </span>
                <span>
                    <span class="sr-only">{strings::LAST}</span>
                    <Clock at=last.attempt.at />
                </span>
            </figcaption>
        </figure>
    };
    Some(drawing.into_any())
}

#[component]
fn AttemptRow(timed: TimedAttempt) -> impl IntoView {
    use super::words::{self as strings, ATTEMPTS_HEAD};
    let TimedAttempt { attempt, waited_ms } = timed;
    let waited = waited_ms.map_or_else(|| strings::AT_ONCE.to_owned(), strings::waited);
    view! {
        <tr>
            <th scope="row" data-label=ATTEMPTS_HEAD[0] class="whitespace-nowrap tabular-nums">
                {strings::attempt(attempt.attempt)}
            </th>
            <td data-label=time::head(ATTEMPTS_HEAD[1])>
                <Exact at=attempt.at />
            </td>
            <td data-label=ATTEMPTS_HEAD[2] class="text-muted tabular-nums">
                {waited}
            </td>
            <td data-label=ATTEMPTS_HEAD[3] class="whitespace-nowrap tabular-nums">
                {strings::seconds(attempt.duration_ms)}
            </td>
            <td data-label=ATTEMPTS_HEAD[4]>{strings::attempt_result(&attempt)}</td>
        </tr>
    }
}

/// The request that the receiver gets.
#[component]
fn SentRequest(page: DeliveryView) -> impl IntoView {
    use super::words as strings;
    let headers = if page.headers.is_empty() {
        view! { <p class="text-muted">{strings::NO_HEADERS}</p> }.into_any()
    } else {
        view! { <CodeBlock text=page.head() label=strings::HEADERS /> }.into_any()
    };
    let command = page.row.url.as_ref().filter(|_| !page.headers.is_empty()).map(|url| {
        let text = curl::repeat(url, &page.headers, &page.body);
        view! {
            <details class="disclosure">
                <summary>{strings::AS_CURL}</summary>
                <CodeBlock text label=strings::AS_CURL />
            </details>
        }
    });
    view! {
        <section class="card stack">
            <h2>{strings::REQUEST}</h2>
            <p class="text-muted">{strings::REQUEST_HELP}</p>
            <h3>{strings::HEADERS}</h3>
            {headers}
            <h3>{strings::body(page.body.len())}</h3>
            <CodeBlock text=page.body label=strings::BODY />
            {command}
        </section>
    }
}

/// How the receiver verifies the signature.
#[component]
fn Signature(page: DeliveryView) -> impl IntoView {
    use super::words as strings;
    let command = strings::command(page.timestamp());
    view! {
        <section class="card stack">
            <h2>{strings::SIGNATURE}</h2>
            <ol class="steps-text">
                {strings::SIGNATURE_STEPS.map(|step| view! { <li>{step}</li> })}
            </ol>
            <details class="disclosure">
                <summary>{strings::COMMAND}</summary>
                <CodeBlock text=command label=strings::COMMAND />
            </details>
        </section>
    }
}
