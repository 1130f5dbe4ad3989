//! One delivery: its attempts, what is sent, and how the receiver checks it.

use contract::{
    id::TenantId,
    webhook::{DeliveryAttempt, DeliveryStatus},
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{deliveries::CameTo, params};
use crate::{
    api::delivery::{RetryDeliveries, read_delivery},
    text::{url, words},
    ui::{
        badge::DeliveryBadge,
        code::{CodeBlock, Id},
        heading::Heading,
        load::load,
        problem::ProblemNote,
        time::Exact,
    },
    view::delivery::{DeliveryPage as Shown, DeliveryRow},
};

/// `/t/{tenant}/webhooks/deliveries/{delivery}`
#[component]
pub(crate) fn DeliveryPage() -> impl IntoView {
    let (tenant, delivery) = (params::tenant(), params::delivery());
    let page = Resource::new(
        move || (tenant(), delivery()),
        async |(tenant, delivery)| read_delivery(tenant?, delivery?).await,
    );
    view! { {load(page, |page| view! { <Sheet page/> }.into_any())} }
}

#[component]
fn Sheet(page: Shown) -> impl IntoView {
    use words::deliveries as say;
    let tenant = page.tenant;
    let attempts = page.row.delivery.attempts.clone().unwrap_or_default();
    let status = page.row.delivery.status;
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::deliveries(tenant)>{say::TITLE}</a>
        </nav>
        <div class="page-head">
            <Heading title=say::ONE/>
            <DeliveryBadge status/>
        </div>
        {page.refused.clone().map(|problem| view! { <ProblemNote problem/> })}
        {page.retried.clone().map(|retried| view! { <CameTo tenant retried/> })}
        <section class="card stack" aria-label=say::ONE>
            <Facts tenant row=page.row.clone() is_sample=page.is_sample/>
            <Act tenant row=page.row.clone()/>
        </section>
        <section class="card">
            <h2>{say::ATTEMPTS}</h2>
            <Attempts attempts/>
        </section>
        <Sent page/>
    }
}

#[component]
fn Facts(tenant: TenantId, row: DeliveryRow, is_sample: bool) -> impl IntoView {
    use words::deliveries as say;
    let delivery = row.delivery;
    let instant = |label: &'static str, at| {
        view! {
            <dt>{label}</dt>
            <dd>
                <Exact at/>
            </dd>
        }
    };
    let next = delivery.next_attempt_at.map(|at| instant(say::NEXT_TRY, at));
    let delivered = delivery.delivered_at.map(|at| instant(say::DELIVERED, at));
    let why = delivery.failure_reason.map(|failure| {
        view! {
            <dt>{say::HEAD[7]}</dt>
            <dd>{say::reason(failure, delivery.last_status_code)}</dd>
        }
    });
    let alert = if is_sample {
        say::SAMPLE.into_any()
    } else {
        let href = url::alert(tenant, delivery.alert_id);
        view! { <a href=href>{say::SHOW_ALERT}</a> }.into_any()
    };
    view! {
        <dl class="facts">
            <dt>{say::HEAD[2]}</dt>
            <dd>
                <bdi class="breaks">{row.url.unwrap_or_else(|| say::GONE.to_owned())}</bdi>
            </dd>
            <dt>{say::HEAD[3]}</dt>
            <dd class="font-mono">{delivery.event}</dd>
            <dt>{say::ALERT}</dt>
            <dd>{alert}</dd>
            <dt>{say::HEAD[5]}</dt>
            <dd class="tabular-nums">
                {say::attempts(delivery.attempt_count, delivery.max_attempts)}
            </dd>
            {instant(say::QUEUED, delivery.created_at)}
            {next}
            {delivered}
            {why}
            <dt>{say::ID}</dt>
            <dd>
                <Id id=delivery.id.to_string() what=say::ID/>
            </dd>
        </dl>
    }
}

/// The retry, or why there is none now. What is still under way is worth another look.
#[component]
fn Act(tenant: TenantId, row: DeliveryRow) -> impl IntoView {
    use words::deliveries as say;
    let id = row.delivery.id;
    let is_coming = matches!(row.delivery.status, DeliveryStatus::Pending | DeliveryStatus::Failed);
    let reload = (is_coming && row.url.is_some()).then(|| {
        view! {
            <p class="row">
                <a class="button" href=url::delivery(tenant, id) rel="external">
                    {say::RELOAD}
                </a>
                <span class="text-xs text-muted">{say::RELOAD_SAYS}</span>
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
                    {say::RETRY}
                </button>
                <span id="why-no-retry" class="text-xs text-muted">
                    {reason}
                </span>
            </div>
        }
        .into_any(),
        None => view! {
            <form method="post" action=RetryDeliveries::url() class="row">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="ids[]" value=id.to_string()/>
                <input type="hidden" name="back" value=url::delivery(tenant, id)/>
                <button>{say::RETRY}</button>
                <span class="text-xs text-muted">{say::RETRY_SAYS}</span>
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
        return view! { <p class="text-muted">{words::deliveries::NO_ATTEMPTS}</p> }.into_any();
    }
    let line = |attempt: DeliveryAttempt| {
        view! {
            <li>
                <div class="row">
                    <span class="font-semibold tabular-nums">
                        {words::deliveries::attempt(attempt.attempt)}
                    </span>
                    <Exact at=attempt.at/>
                </div>
                <p>{words::deliveries::outcome(&attempt)}</p>
            </li>
        }
    };
    view! { <ol class="timeline">{attempts.into_iter().map(line).collect_view()}</ol> }.into_any()
}

/// What the receiver gets, and how it knows that we sent it.
#[component]
fn Sent(page: Shown) -> impl IntoView {
    use words::deliveries as say;
    let headers = if page.headers.is_empty() {
        view! { <p class="text-muted">{say::NO_HEADERS}</p> }.into_any()
    } else {
        view! { <CodeBlock text=page.head() label=say::HEADERS/> }.into_any()
    };
    let command = say::command(page.timestamp());
    view! {
        <section class="card stack">
            <h2>{say::SENT}</h2>
            <h3>{say::HEADERS}</h3>
            {headers}
            <h3>{say::BODY}</h3>
            <CodeBlock text=page.body label=say::BODY/>
        </section>
        <section class="card stack">
            <h2>{say::SIGNATURE}</h2>
            <ol class="plain-list stack">{say::RECIPE.map(|step| view! { <li>{step}</li> })}</ol>
            <h3>{say::COMMAND}</h3>
            <CodeBlock text=command label=say::COMMAND/>
        </section>
    }
}
