//! The filters of the audit log: a plain form whose fields become query parameters.

use leptos::prelude::*;

use crate::{text::messages, ui::field::TextField, view::audit::AuditQuery};

#[component]
pub(super) fn Filters(path: String, query: AuditQuery) -> impl IntoView {
    use messages::audit as strings;
    let clear =
        query.filters().then(|| view! { <a href=path.clone()>{messages::CLEAR_FILTERS}</a> });
    view! {
        <form method="get" action=path class="filters" aria-label=messages::FILTER>
            <TextField label=strings::ACTION name="action" value=query.action />
            <TextField label=strings::EMAIL name="email" value=query.email />
            <TextField label=strings::ACTOR name="actor" value=query.actor />
            <TextField label=strings::KIND name="kind" value=query.kind />
            <TextField label=strings::OBJECT name="object" value=query.object />
            <TextField
                label=messages::decisions::FROM
                name="from"
                kind="datetime-local"
                value=query.from
            />
            <TextField
                label=messages::decisions::TO
                name="to"
                kind="datetime-local"
                value=query.to
            />
            <button>{messages::FILTER}</button>
            {clear}
        </form>
    }
}
