//! Deliveries to webhooks: what became of each, and trying them again.

use contract::id::{DeliveryId, SubscriptionId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_router::hooks::use_query_map;

use super::params;
use crate::{
    api::delivery::{RedriveDeliveries, RetryDeliveries, list_deliveries},
    problem::Problem,
    text::{refusal::say as say_refused, time, url, words},
    ui::{
        badge::DeliveryBadge,
        empty::{Empty, NothingMatches},
        field::{SelectField, TextField},
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        problem::ProblemNote,
        quoted::quoted,
        time::Second,
    },
    view::{
        delivery::{DeliveriesPage as Shown, DeliveryQuery, DeliveryRow, Retried},
        kept::Kept,
    },
};

/// `/t/{tenant}/webhooks/deliveries`
#[component]
pub(crate) fn DeliveriesPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = use_query_map();
    let query = move || DeliveryQuery::read(|name| query.with(|query| query.get(name)));
    let page = Resource::new(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let page = list_deliveries(tenant?, query.clone()).await?;
            Ok((query, page))
        },
    );
    view! { {load(page, |(query, page)| view! { <Log query page/> }.into_any())} }
}

/// Webhooks to choose from.
type Webhooks = StoredValue<Vec<(SubscriptionId, String)>>;

#[component]
fn Log(query: DeliveryQuery, page: Shown) -> impl IntoView {
    use words::deliveries as say;
    let tenant = page.tenant;
    let path = url::deliveries(tenant);
    let webhooks = StoredValue::new(page.webhooks);
    let older = page.rows.next_cursor.as_deref().map(|cursor| {
        let href = query.address(&path, &[("cursor", cursor)]);
        view! { <a class="button" href=href>{words::OLDER}</a> }
    });
    let list = if let Some(fault) = page.fault {
        view! {
            <div class="note warn" role="alert">
                {icon(Icon::Warn)}
                <p>{fault}</p>
            </div>
        }
        .into_any()
    } else if !page.rows.items.is_empty() {
        view! { <List tenant query=query.clone() rows=page.rows.items/> }.into_any()
    } else if query.filters() {
        view! { <NothingMatches clear=path.clone()/> }.into_any()
    } else {
        view! { <Empty title=say::EMPTY text=say::EMPTY_NEXT/> }.into_any()
    };
    let problem = page.refused.as_ref().map(|kept| kept.problem.clone());
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::webhooks(tenant)>{words::webhooks::TITLE}</a>
        </nav>
        <Heading title=say::TITLE/>
        {problem.map(|problem| view! { <ProblemNote problem/> })}
        {page.retried.map(|retried| view! { <CameTo tenant retried/> })}
        <Filters path query=query.clone() webhooks/>
        <Redrive tenant query webhooks refused=page.refused/>
        {list}
        {older}
    }
}

/// What a retry came to: how many are tried again, and which ones are not, with the reason.
#[component]
pub(super) fn CameTo(tenant: TenantId, retried: Retried) -> impl IntoView {
    let refused = (!retried.refused.is_empty()).then(|| {
        let line = |(id, problem): (DeliveryId, Problem)| {
            let text = say_refused(&problem).text;
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
            <p>{words::deliveries::REFUSED}</p>
            <ul class="plain-list">{retried.refused.into_iter().map(line).collect_view()}</ul>
        }
    });
    let (class, drawing) = match refused {
        Some(_) => ("note warn", Icon::Warn),
        None => ("note allow", Icon::Allow),
    };
    view! {
        <div class=class role="status">
            {icon(drawing)}
            <div>
                <p class="font-semibold">{words::deliveries::again(retried.again)}</p>
                {refused}
            </div>
        </div>
    }
}

/// The filters of the list: a plain form whose fields stand in the address.
#[component]
fn Filters(path: String, query: DeliveryQuery, webhooks: Webhooks) -> impl IntoView {
    use words::deliveries as say;
    let clear = query.filters().then(|| view! { <a href=path.clone()>{words::CLEAR_FILTERS}</a> });
    view! {
        <form method="get" action=path class="filters" aria-label=words::FILTER>
            <SelectField
                label=say::STATUS
                name="status"
                choices=say::STATUSES.to_vec()
                value=query.status
            />
            <WebhookField webhooks value=query.webhook/>
            <button>{words::FILTER}</button>
            {clear}
        </form>
    }
}

/// A choice among the webhooks. One that was deleted stays chosen, by its id.
#[component]
fn WebhookField(webhooks: Webhooks, value: String) -> impl IntoView {
    let mut choices = vec![(String::new(), words::deliveries::ANY.to_owned())];
    choices.extend(webhooks.get_value().into_iter().map(|(id, url)| (id.to_string(), url)));
    if choices.iter().all(|(choice, _)| *choice != value) {
        choices.push((value.clone(), value.clone()));
    }
    let option = move |(choice, word): (String, String)| {
        let selected = choice == value;
        view! { <option value=choice selected=selected>{word}</option> }
    };
    view! {
        <label class="field">
            <span>{words::deliveries::WEBHOOK}</span>
            <select name="webhook">{choices.into_iter().map(option).collect_view()}</select>
        </label>
    }
}

/// The form that tries all dead ones again, to one webhook or to all.
#[component]
fn Redrive(
    tenant: TenantId,
    query: DeliveryQuery,
    webhooks: Webhooks,
    refused: Option<Kept>,
) -> impl IntoView {
    use words::deliveries as say;
    let since = refused.map(|kept| kept.text).unwrap_or_default();
    let open = !since.is_empty();
    let back = query.address(&url::deliveries(tenant), &[]);
    view! {
        <details class="card disclosure" open=open>
            <summary>{say::REDRIVE}</summary>
            <form method="post" action=RedriveDeliveries::url() class="filters">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="back" value=back/>
                <TextField label=say::SINCE name="since" kind="datetime-local" value=since/>
                <WebhookField webhooks value=query.webhook/>
                <button>{say::REDRIVE}</button>
            </form>
        </details>
    }
}

/// The deliveries in one form: what is ticked is tried again together.
#[component]
fn List(tenant: TenantId, query: DeliveryQuery, rows: Vec<DeliveryRow>) -> impl IntoView {
    let path = url::deliveries(tenant);
    let back = query.address(&path, &[]);
    let is_selected = !query.select.is_empty();
    let (word, select) = if is_selected {
        (words::alerts::SELECT_NONE, "")
    } else {
        (words::alerts::SELECT_PAGE, "page")
    };
    let href = query.address(&path, &[("select", select)]);
    let row = move |row| view! { <Row tenant row is_selected/> };
    view! {
        <form method="post" action=RetryDeliveries::url() class="stack">
            <input type="hidden" name="tenant" value=tenant.to_string()/>
            <input type="hidden" name="back" value=back/>
            <p class="row">
                <a class="button" href=href data-key="X" data-noscroll="">
                    {word}
                </a>
                <button>{words::deliveries::RETRY_SELECTED}</button>
            </p>
            <table class="list">
                <caption class="sr-only">{words::deliveries::TITLE}</caption>
                <thead>
                    <tr>
                        {words::deliveries::HEAD.map(|head| view! { <th scope="col">{head}</th> })}
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
            </table>
        </form>
    }
}

#[component]
fn Row(tenant: TenantId, row: DeliveryRow, is_selected: bool) -> impl IntoView {
    use words::deliveries::{GONE, HEAD, attempts, reason, select};
    let may_retry = row.no_retry().is_none();
    let (delivery, url) = (row.delivery, row.url.unwrap_or_else(|| GONE.to_owned()));
    let tick = may_retry.then(|| {
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
    let next = delivery.next_attempt_at.map(|at| view! { <Second at/> });
    let why = delivery.failure_reason.map(|failure| reason(failure, delivery.last_status_code));
    view! {
        <tr data-row="" tabindex="-1">
            <td data-label=HEAD[0]>{tick}</td>
            <th scope="row" data-label=HEAD[1]>
                <a href=url::delivery(tenant, delivery.id)>
                    <Second at=delivery.created_at/>
                </a>
            </th>
            <td data-label=HEAD[2]>
                <bdi class="breaks">{url}</bdi>
            </td>
            <td data-label=HEAD[3] class="font-mono">
                {delivery.event}
            </td>
            <td data-label=HEAD[4]>
                <DeliveryBadge status=delivery.status/>
            </td>
            <td data-label=HEAD[5] class="tabular-nums">
                {attempts(delivery.attempt_count, delivery.max_attempts)}
            </td>
            <td data-label=HEAD[6]>{next}</td>
            <td data-label=HEAD[7]>{why}</td>
        </tr>
    }
}
