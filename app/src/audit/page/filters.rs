//! The filters of the audit log: the active ones as chips, and a menu with fields for each topic.

use leptos::prelude::*;

use crate::{
    audit::{view::AuditQuery, words},
    decision::list_words as decision_list_words,
    text::{query::ListQuery as _, time},
    ui::{
        field::TextField,
        filter_menu::{FieldMenu, FilterBar, active, others},
    },
};

/// A menu: its label, and the labels and names of its fields.
type Menu = (&'static str, &'static [(&'static str, &'static str)]);

const MENUS: [Menu; 4] = [
    (words::ACTION_NAME, &[(words::ACTION, "action")]),
    (words::ACTOR_NAME, &[(words::EMAIL, "email"), (words::ACTOR, "actor")]),
    (words::OBJECT_NAME, &[(words::KIND, "kind"), (words::OBJECT, "object")]),
    (
        decision_list_words::RANGE,
        &[(decision_list_words::FROM, "from"), (decision_list_words::TO, "to")],
    ),
];

/// Renders the active filters, and the menus.
pub(super) fn filters(path: String, query: &AuditQuery) -> impl IntoView + use<> {
    let active = active(query, &path, |name, value| {
        let time = ["from", "to"].contains(&name).then(|| value.parse().map(time::minute).ok());
        (words::filter_name(name), time.flatten())
    });
    let menus = MENUS.map(|menu| fields(&path, query, menu));
    view! {
        <FilterBar path active>
            {menus}
        </FilterBar>
    }
}

/// Renders a menu.
fn fields(path: &str, query: &AuditQuery, (label, fields): Menu) -> AnyView {
    let names: Vec<_> = fields.iter().map(|(_, name)| *name).collect();
    let filters = query.filters();
    let field = |(label, name): &(&'static str, &'static str)| {
        let (label, name) = (*label, *name);
        let value =
            filters.iter().find(|(filter, _)| *filter == name).map_or("", |(_, value)| value);
        let (kind, value) = match name {
            "from" | "to" => ("datetime-local", time::field(value)),
            _ => ("text", value.to_owned()),
        };
        view! { <TextField label name kind value /> }
    };
    let fields = fields.iter().map(field).collect_view();
    view! {
        <FieldMenu label path=path.to_owned() others=others(query, &names)>
            {fields}
        </FieldMenu>
    }
    .into_any()
}
