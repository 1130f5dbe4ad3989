//! One delivery: its attempts, the request that is sent, and how the receiver verifies it.

use contract::{
    id::TenantId,
    webhook::{DeliveryAttempt, DeliveryStatus},
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::deliveries::RetryNotice;
use crate::{
    api::delivery::{RetryDeliveries, read_delivery},
    text::{messages, url},
    ui::{
        badge::DeliveryBadge,
        code::CodeBlock,
        facts::{fact, id_fact},
        heading::Heading,
        load::load,
        panel::Crumb,
        params,
        problem::ProblemNote,
        time::Exact,
    },
    view::delivery::{DeliveryPage as DeliveryView, DeliveryRow},
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
    use messages::deliveries as strings;
    let tenant = page.tenant;
    let attempts = page.row.delivery.attempts.clone().unwrap_or_default();
    let status = page.row.delivery.status;
    view! {
        <Crumb href=url::deliveries(tenant) label=strings::TITLE />
        <div class="page-head">
            <Heading title=strings::ONE />
            <DeliveryBadge status />
        </div>
        {page.refused.clone().map(|problem| view! { <ProblemNote problem /> })}
        {page.retried.clone().map(|retried| view! { <RetryNotice tenant retried /> })}
        <section class="card stack" aria-label=strings::ONE>
            <Facts tenant row=page.row.clone() is_sample=page.is_sample />
            <DeliveryActions tenant row=page.row.clone() />
        </section>
        <section class="card">
            <h2>{strings::ATTEMPTS}</h2>
            <Attempts attempts />
        </section>
        <SentRequest page />
    }
}

#[component]
fn Facts(tenant: TenantId, row: DeliveryRow, is_sample: bool) -> impl IntoView {
    use messages::deliveries as strings;
    let delivery = row.delivery;
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
        <dl class="facts">
            <dt>{strings::HEAD[2]}</dt>
            <dd>
                <bdi class="breaks">
                    {row.url.unwrap_or_else(|| strings::DELETED_WEBHOOK.to_owned())}
                </bdi>
            </dd>
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
            {id_fact(strings::ID, delivery.id.to_string())}
        </dl>
    }
}

/// The retry button, or the reason why a retry is not possible. A delivery with further attempts also has a
/// reload button.
#[component]
fn DeliveryActions(tenant: TenantId, row: DeliveryRow) -> impl IntoView {
    use messages::deliveries as strings;
    let id = row.delivery.id;
    let is_pending =
        matches!(row.delivery.status, DeliveryStatus::Pending | DeliveryStatus::Failed);
    let reload = (is_pending && row.url.is_some()).then(|| {
        view! {
            <p class="row">
                <a class="button" href=url::delivery(tenant, id) rel="external">
                    {strings::RELOAD}
                </a>
                <span class="text-xs text-muted">{strings::RELOAD_NOTE}</span>
            </p>
        }
    });
    let retry = match row.no_retry() {
        Some(reason) => view! {
            <div class="unavailable">
                <button
                    type="button"
                    class="button"
                    aria-disabled="true"
                    aria-describedby="why-no-retry"
                >
                    {strings::RETRY}
                </button>
                <span id="why-no-retry" class="text-xs text-muted">
                    {reason}
                </span>
            </div>
        }
        .into_any(),
        None => view! {
            <form method="post" action=RetryDeliveries::url() class="row">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="ids[]" value=id.to_string() />
                <input type="hidden" name="back" value=url::delivery(tenant, id) />
                <button>{strings::RETRY}</button>
                <span class="text-xs text-muted">{strings::RETRY_HELP}</span>
            </form>
        }
        .into_any(),
    };
    view! {
        {retry}
        {reload}
    }
}

#[component]
fn Attempts(attempts: Vec<DeliveryAttempt>) -> impl IntoView {
    if attempts.is_empty() {
        return view! { <p class="text-muted">{messages::deliveries::NO_ATTEMPTS}</p> }.into_any();
    }
    let item = |attempt: DeliveryAttempt| {
        view! {
            <li>
                <div class="row">
                    <span class="font-semibold tabular-nums">
                        {messages::deliveries::attempt(attempt.attempt)}
                    </span>
                    <Exact at=attempt.at />
                </div>
                <p>{messages::deliveries::attempt_result(&attempt)}</p>
            </li>
        }
    };
    view! { <ol class="timeline">{attempts.into_iter().map(item).collect_view()}</ol> }.into_any()
}

/// The request that the receiver gets, and how the receiver verifies its signature.
#[component]
fn SentRequest(page: DeliveryView) -> impl IntoView {
    use messages::deliveries as strings;
    let headers = if page.headers.is_empty() {
        view! { <p class="text-muted">{strings::NO_HEADERS}</p> }.into_any()
    } else {
        view! { <CodeBlock text=page.head() label=strings::HEADERS /> }.into_any()
    };
    let command = strings::command(page.timestamp());
    view! {
        <section class="card stack">
            <h2>{strings::REQUEST}</h2>
            <h3>{strings::HEADERS}</h3>
            {headers}
            <h3>{strings::BODY}</h3>
            <CodeBlock text=page.body label=strings::BODY />
        </section>
        <section class="card stack">
            <h2>{strings::SIGNATURE}</h2>
            <ol class="plain-list stack">
                {strings::SIGNATURE_STEPS.map(|step| view! { <li>{step}</li> })}
            </ol>
            <h3>{strings::COMMAND}</h3>
            <CodeBlock text=command label=strings::COMMAND />
        </section>
    }
}
