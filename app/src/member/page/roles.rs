//! The rights of each role.

use contract::scope::{Right, Role};
use leptos::prelude::*;

use crate::{
    member::words as strings,
    text::messages,
    ui::icon::{Icon, icon},
};

/// A table with a row per right and a column per role.
#[component]
pub(super) fn RoleTable() -> impl IntoView {
    let cell = |role: Role, right: Right| {
        let content = if role.has(right) {
            view! {
                {icon(Icon::Tick)}
                <span class="sr-only">{strings::YES}</span>
            }
            .into_any()
        } else {
            view! { <span class="text-muted">{strings::NO}</span> }.into_any()
        };
        view! { <td data-label=messages::role(role)>{content}</td> }
    };
    let row = |right: Right| {
        view! {
            <tr>
                <th scope="row" data-label=strings::RIGHT>
                    {strings::right(right)}
                </th>
                {Role::ALL.map(|role| cell(role, right))}
            </tr>
        }
    };
    view! {
        <table class="list roles">
            <caption class="sr-only">{strings::ROLES_TAB}</caption>
            <thead>
                <tr>
                    <th scope="col">{strings::RIGHT}</th>
                    {Role::ALL.map(|role| view! { <th scope="col">{messages::role(role)}</th> })}
                </tr>
            </thead>
            <tbody>{Right::OF_ROLES.map(row)}</tbody>
        </table>
        <p class="text-muted">{strings::RIGHTS_HELP}</p>
    }
}
