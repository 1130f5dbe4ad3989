//! The filters of the log: a plain form whose fields stand in the address.

use leptos::prelude::*;

use crate::{text::words, ui::field::TextField, view::audit::AuditQuery};

#[component]
pub(super) fn Filters(path: String, query: AuditQuery) -> impl IntoView {
    use words::audit as say;
    let clear = query.filters().then(|| view! { <a href=path.clone()>{words::CLEAR_FILTERS}</a> });
    view! {
        <form method="get" action=path class="filters" aria-label=words::FILTER>
            <TextField label=say::ACTION name="action" value=query.action/>
            <TextField label=say::EMAIL name="email" value=query.email/>
            <TextField label=say::ACTOR name="actor" value=query.actor/>
            <TextField label=say::KIND name="kind" value=query.kind/>
            <TextField label=say::OBJECT name="object" value=query.object/>
            <TextField
                label=words::decisions::FROM
                name="from"
                kind="datetime-local"
                value=query.from
            />
            <TextField label=words::decisions::TO name="to" kind="datetime-local" value=query.to/>
            <button>{words::FILTER}</button>
            {clear}
        </form>
    }
}
