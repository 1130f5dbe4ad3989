//! The filters of the audit log.

use leptos::prelude::*;

use crate::{
    audit::view::AuditQuery,
    decision::list_words as decision_list_words,
    text::time,
    ui::{field::TextField, list::FilterForm},
};

#[component]
pub(super) fn Filters(path: String, query: AuditQuery) -> impl IntoView {
    use crate::audit::words as strings;
    let is_filtered = query.has_filters();
    view! {
        <FilterForm path is_filtered>
            <TextField label=strings::ACTION name="action" value=query.action />
            <TextField label=strings::EMAIL name="email" value=query.email />
            <TextField label=strings::ACTOR name="actor" value=query.actor />
            <TextField label=strings::KIND name="kind" value=query.kind />
            <TextField label=strings::OBJECT name="object" value=query.object />
            <TextField
                label=decision_list_words::FROM
                name="from"
                kind="datetime-local"
                value=time::field(&query.from)
            />
            <TextField
                label=decision_list_words::TO
                name="to"
                kind="datetime-local"
                value=time::field(&query.to)
            />
        </FilterForm>
    }
}
