//! Webhook deliveries: their status, and retries.

use contract::id::{DeliveryId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{RedriveDeliveries, RetryDeliveries, list_deliveries},
    markup::DeliveryBadge,
    view::{DeliveriesPage as DeliveryList, DeliveryQuery, DeliveryRow, Retried},
    words,
};
use crate::{
    alert::words as alert_words,
    flash::RejectedForm,
    problem::Problem,
    text::{errors::describe as describe_error, messages, query::ListQuery as _, time, url},
    ui::{
        empty::Empty,
        field::{TextField, options},
        filter_menu::{self, ChoiceMenu, FilterBar, choices, label_of},
        heading::Heading,
        icon::{Icon, icon},
        inline_code::quoted,
        list::{Paged, table},
        live::{LiveSubject, NewItemsPill},
        load::load,
        panel::Crumb,
        params,
        problem::ProblemNote,
        time::Second,
    },
    webhook::words as webhook_words,
};

/// `/t/{tenant}/webhooks/deliveries`
#[component]
pub(crate) fn DeliveriesPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(DeliveryQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let page = list_deliveries(tenant?, query.clone()).await?;
            Ok((query, page))
        },
        |(query, page)| view! { <DeliveriesContent query page /> }.into_any(),
    )
}

#[component]
fn DeliveriesContent(query: DeliveryQuery, page: DeliveryList) -> impl IntoView {
    use super::words as strings;
    let tenant = page.tenant;
    let path = url::deliveries(tenant);
    let webhooks: Vec<(String, String)> =
        page.webhooks.into_iter().map(|(id, url)| (id.to_string(), url)).collect();
    let count = messages::shown(page.rows.items.len(), "delivery", "deliveries");
    let rows = |rows| view! { <List tenant query=query.clone() rows /> }.into_any();
    let none = || view! { <Empty title=strings::EMPTY text=strings::EMPTY_NEXT /> }.into_any();
    let list = Paged { page: page.rows, error: page.error, query: &query, path: &path, count };
    let list = list.render(rows, none);
    let (first_page, is_part) = (query.address(&path, ""), query.has_filters());
    let problem = page.refused.as_ref().map(|rejected| rejected.problem.clone());
    view! {
        <Crumb href=url::webhooks(tenant) label=webhook_words::TITLE />
        <div class="page-head">
            <Heading title=strings::TITLE />
            <NewItemsPill subject=LiveSubject::Deliveries mark=page.mark href=first_page is_part />
        </div>
        {problem.map(|problem| view! { <ProblemNote problem /> })}
        {page.retried.map(|retried| view! { <RetryNotice tenant retried /> })}
        <Filters path query=query.clone() webhooks=webhooks.clone() />
        <Redrive tenant query webhooks rejected=page.refused />
        {list}
    }
}

/// The result of a retry: the number of restarted deliveries, and each rejected one with its reason.
#[component]
pub(crate) fn RetryNotice(tenant: TenantId, retried: Retried) -> impl IntoView {
    let rejections = (!retried.refused.is_empty()).then(|| {
        let item = |(id, problem): (DeliveryId, Problem)| {
            let text = describe_error(&problem).text;
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
            <p>{words::NOT_RETRIED}</p>
            <ul class="plain-list">{retried.refused.into_iter().map(item).collect_view()}</ul>
        }
    });
    let (class, drawing) = match rejections {
        Some(_) => ("note warn", Icon::Warn),
        None => ("note allow", Icon::Allow),
    };
    view! {
        <div class=class role="status">
            {icon(drawing)}
            <div>
                <p class="font-semibold">{words::retried(retried.count)}</p>
                {rejections}
            </div>
        </div>
    }
}

/// `webhooks` are the IDs and URLs of the webhooks that can be selected.
#[component]
fn Filters(path: String, query: DeliveryQuery, webhooks: Vec<(String, String)>) -> impl IntoView {
    use super::words as strings;
    let active = filter_menu::active(&query, &path, |name, value| match name {
        "status" => (strings::STATUS, label_of(&strings::STATUSES, value)),
        // A deleted webhook is shown by its ID.
        _ => (strings::WEBHOOK, label_of(&webhooks, value)),
    });
    let statuses = choices(&query, &path, "status", &strings::STATUSES);
    let webhooks = (!webhooks.is_empty()).then(|| choices(&query, &path, "webhook", &webhooks));
    view! {
        <FilterBar path active>
            <ChoiceMenu label=strings::STATUS choices=statuses />
            {webhooks.map(|choices| view! { <ChoiceMenu label=strings::WEBHOOK choices /> })}
        </FilterBar>
    }
}

/// The form that redrives the dead deliveries of one webhook, or of all.
#[component]
fn Redrive(
    tenant: TenantId,
    query: DeliveryQuery,
    webhooks: Vec<(String, String)>,
    rejected: Option<RejectedForm>,
) -> impl IntoView {
    use super::words as strings;
    let since = rejected.map(|rejected| rejected.text).unwrap_or_default();
    let open = !since.is_empty();
    let back = query.own_address(&url::deliveries(tenant), "");
    let mut choices = vec![(String::new(), strings::ANY.to_owned())];
    choices.extend(webhooks);
    if choices.iter().all(|(choice, _)| *choice != query.webhook) {
        // A deleted webhook stays selected, shown by its ID.
        choices.push((query.webhook.clone(), query.webhook.clone()));
    }
    view! {
        <details class="card disclosure" open=open>
            <summary>{strings::REDRIVE}</summary>
            <form method="post" action=RedriveDeliveries::url() class="filters">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="back" value=back />
                <TextField label=strings::SINCE name="since" kind="datetime-local" value=since />
                <label class="field">
                    <span>{strings::WEBHOOK}</span>
                    <select name="webhook">{options(choices, &query.webhook)}</select>
                </label>
                <button>{strings::REDRIVE}</button>
            </form>
        </details>
    }
}

/// The deliveries, in one form that retries the selected ones.
#[component]
fn List(tenant: TenantId, query: DeliveryQuery, rows: Vec<DeliveryRow>) -> impl IntoView {
    let path = url::deliveries(tenant);
    let back = query.own_address(&path, "");
    let is_selected = !query.select.is_empty();
    let (label, select) = if is_selected {
        (alert_words::SELECT_NONE, "")
    } else {
        (alert_words::SELECT_PAGE, "page")
    };
    let href = query.own_address(&path, select);
    let row = move |row| view! { <Row tenant row is_selected /> };
    view! {
        <form method="post" action=RetryDeliveries::url() class="stack">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="back" value=back />
            <p class="row">
                <a class="button" href=href data-key="X" data-noscroll="">
                    {label}
                </a>
                <button>{words::RETRY_SELECTED}</button>
            </p>
            {table(words::TITLE, words::HEAD, rows, row)}
        </form>
    }
}

#[component]
fn Row(tenant: TenantId, row: DeliveryRow, is_selected: bool) -> impl IntoView {
    use super::words::{DELETED_WEBHOOK, HEAD, attempts, reason, select};
    let refresh = row.refresh_ms();
    let may_retry = row.no_retry().is_none();
    let (delivery, url) = (row.delivery, row.url.unwrap_or_else(|| DELETED_WEBHOOK.to_owned()));
    let checkbox = may_retry.then(|| {
        let label = select(&time::second(delivery.created_at), &url);
        view! {
            <input
                type="checkbox"
                name="ids[]"
                value=delivery.id.to_string()
                checked=is_selected
                aria-label=label
                data-key="x"
            />
        }
    });
    let next = delivery.next_attempt_at.map(|at| view! { <Second at /> });
    let reason_text =
        delivery.failure_reason.map(|failure| reason(failure, delivery.last_status_code));
    view! {
        <tr id=delivery.id.to_string() data-row="" data-refresh=refresh tabindex="-1">
            <td data-label=HEAD[0]>{checkbox}</td>
            <th scope="row" data-label=time::head(HEAD[1])>
                <a href=url::delivery(tenant, delivery.id)>
                    <Second at=delivery.created_at />
                </a>
            </th>
            <td data-label=HEAD[2]>
                <bdi class="breaks">{url}</bdi>
            </td>
            <td data-label=HEAD[3] class="font-mono">
                {delivery.event}
            </td>
            <td data-label=HEAD[4]>
                <DeliveryBadge status=delivery.status />
            </td>
            <td data-label=HEAD[5] class="tabular-nums">
                {attempts(delivery.attempt_count, delivery.max_attempts)}
            </td>
            <td data-label=time::head(HEAD[6])>{next}</td>
            <td data-label=HEAD[7]>{reason_text}</td>
        </tr>
    }
}
