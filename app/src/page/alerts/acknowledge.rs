//! Acknowledging several alerts: exactly how many, what follows, and one press.

use contract::id::{AlertId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_router::hooks::use_query_map;

use crate::{
    api::alert::{AcknowledgeAlerts, ask_alerts},
    page::params,
    text::{url, words},
    ui::{heading::Heading, load::load},
    view::alert::{AlertQuery, Asked, Chosen},
};

/// `/t/{tenant}/alerts/acknowledge`
#[component]
pub(crate) fn AcknowledgePage() -> impl IntoView {
    let (tenant, query) = (params::tenant(), use_query_map());
    let chosen = move || {
        query.with(|query| Chosen {
            ids: query.get_all("ids[]").unwrap_or_default(),
            all: query.get("all").unwrap_or_default(),
            query: AlertQuery::read(|name| query.get(name)),
        })
    };
    let asked = Resource::new(
        move || (tenant(), chosen()),
        async |(tenant, chosen)| {
            let tenant = tenant?;
            let back = chosen.query.address(&url::alerts(tenant), &[]);
            Ok((tenant, back, ask_alerts(tenant, chosen).await?))
        },
    );
    view! {
        {load(asked, |(tenant, back, asked)| view! { <Sheet tenant back asked/> }.into_any())}
    }
}

#[component]
fn Sheet(tenant: TenantId, back: String, asked: Asked) -> impl IntoView {
    use words::acknowledge as say;
    let number = asked.ids.len();
    let (title, act) = if number == 0 {
        let why = asked.fault.unwrap_or_else(|| say::NOTHING_OPEN_SAYS.to_owned());
        (say::NOTHING_OPEN.to_owned(), view! { <p>{why}</p> }.into_any())
    } else {
        let form = view! { <Form tenant back=back.clone() ids=asked.ids/> };
        (say::acknowledge(number), form.into_any())
    };
    let before = (asked.before > 0).then(|| view! { <p>{say::before(asked.before)}</p> });
    let more = (asked.more > 0).then(|| view! { <p>{say::more(asked.more)}</p> });
    let counts = (number > 0).then(|| view! { <Counts counts=asked.counts/> });
    view! {
        <div class="card sheet roomy stack">
            <Heading title/>
            {before}
            {more}
            {counts}
            {act}
            <p>
                <a href=back>{words::alerts::BACK}</a>
            </p>
        </div>
    }
}

/// The form holds the alerts themselves, so that no other one is acknowledged by it.
#[component]
fn Form(tenant: TenantId, back: String, ids: Vec<AlertId>) -> impl IntoView {
    use words::acknowledge as say;
    let number = ids.len();
    let ids = ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    view! {
        <form
            method="post"
            action=AcknowledgeAlerts::url()
            class="stack"
            data-main=""
            data-once=""
        >
            <input type="hidden" name="tenant" value=tenant.to_string()/>
            <input type="hidden" name="ids[]" value=ids/>
            <input type="hidden" name="back" value=back/>
            <p>{words::alerts::FINAL}</p>
            <p>{say::NOT_AMONG}</p>
            <div class="row">
                <button class="primary">{say::acknowledge(number)}</button>
                <kbd aria-hidden="true">"Ctrl+Enter"</kbd>
            </div>
        </form>
    }
}

/// How many alerts stand under each rule.
#[component]
fn Counts(counts: Vec<(String, usize)>) -> impl IntoView {
    use words::acknowledge::COUNTED_HEAD as HEAD;
    let row = |(rule, number): (String, usize)| {
        view! {
            <tr>
                <th scope="row" data-label=HEAD[0]>
                    <bdi class="font-mono">{rule}</bdi>
                </th>
                <td data-label=HEAD[1] class="tabular-nums">
                    {words::alerts::alerts(number)}
                </td>
            </tr>
        }
    };
    view! {
        <table class="list inset">
            <caption class="sr-only">{words::alerts::TITLE}</caption>
            <thead>
                <tr>{HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            <tbody>{counts.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}
