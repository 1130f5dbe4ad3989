//! Confirmation page for acknowledging several alerts.

use contract::id::{AlertId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_router::hooks::use_query_map;

use crate::{
    api::alert::{AcknowledgeAlerts, preview_acknowledgement},
    text::{messages, url},
    ui::{load::load, panel::Panel, params},
    view::alert::{AcknowledgePreview, AlertQuery, Selection},
};

/// `/t/{tenant}/alerts/acknowledge`
#[component]
pub(crate) fn AcknowledgePage() -> impl IntoView {
    let (tenant, query) = (params::tenant(), use_query_map());
    let selection = move || {
        query.with(|query| Selection {
            ids: query.get_all("ids[]").unwrap_or_default(),
            all: query.get("all").unwrap_or_default(),
            query: AlertQuery::read(&|name| query.get(name)),
        })
    };
    load(
        move || (tenant(), selection()),
        async |(tenant, selection)| {
            let tenant = tenant?;
            let back = selection.query.address(&url::alerts(tenant), &[]);
            Ok((tenant, back, preview_acknowledgement(tenant, selection).await?))
        },
        |(tenant, back, preview)| view! { <AcknowledgeContent tenant back preview /> }.into_any(),
    )
}

#[component]
fn AcknowledgeContent(
    tenant: TenantId,
    back: String,
    preview: AcknowledgePreview,
) -> impl IntoView {
    use messages::acknowledge as strings;
    let number = preview.ids.len();
    let (title, content) = if number == 0 {
        let reason = preview.fault.unwrap_or_else(|| strings::NOTHING_OPEN_NOTE.to_owned());
        (strings::NOTHING_OPEN.to_owned(), view! { <p>{reason}</p> }.into_any())
    } else {
        let form = view! { <Form tenant back=back.clone() ids=preview.ids /> };
        (strings::acknowledge(number), form.into_any())
    };
    let before = (preview.before > 0)
        .then(|| view! { <p>{strings::already_acknowledged(preview.before)}</p> });
    let more = (preview.more > 0).then(|| view! { <p>{strings::more(preview.more)}</p> });
    let counts = (number > 0).then(|| view! { <Counts counts=preview.counts /> });
    view! {
        <Panel title problem=None back=back back_label=messages::alerts::BACK>
            {before}
            {more}
            {counts}
            {content}
        </Panel>
    }
}

/// The form of the action. It lists the alerts by ID, so that it acknowledges only these.
#[component]
fn Form(tenant: TenantId, back: String, ids: Vec<AlertId>) -> impl IntoView {
    use messages::acknowledge as strings;
    let number = ids.len();
    let ids = ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    view! {
        <form method="post" action=AcknowledgeAlerts::url() class="stack" data-main="" data-once="">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="ids[]" value=ids />
            <input type="hidden" name="back" value=back />
            <p>{messages::alerts::FINAL}</p>
            <p>{strings::SCOPE_NOTE}</p>
            <div class="row">
                <button class="primary">{strings::acknowledge(number)}</button>
                <kbd aria-hidden="true">"Ctrl+Enter"</kbd>
            </div>
        </form>
    }
}

/// The number of alerts per rule.
#[component]
fn Counts(counts: Vec<(String, usize)>) -> impl IntoView {
    use messages::acknowledge::COUNTED_HEAD as HEAD;
    let row = |(rule, number): (String, usize)| {
        view! {
            <tr>
                <th scope="row" data-label=HEAD[0]>
                    <bdi class="font-mono">{rule}</bdi>
                </th>
                <td data-label=HEAD[1] class="tabular-nums">
                    {messages::alerts::alerts(number)}
                </td>
            </tr>
        }
    };
    view! {
        <table class="list inset">
            <caption class="sr-only">{messages::alerts::TITLE}</caption>
            <thead>
                <tr>{HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            <tbody>{counts.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}
