//! Assigning alerts to a member: the form, and the confirmation page for several alerts.

use contract::id::{TenantId, UserId};
use leptos::{prelude::*, server_fn::ServerFn};

use super::confirm::{FormStyle, confirmation, load_selection, target};
use crate::{
    alert::{act::AssignAlerts, view::SelectionPreview, words},
    ui::field::options,
};

/// `/t/{tenant}/alerts/assign`
#[component]
pub(crate) fn AssignPage() -> impl IntoView {
    load_selection(content)
}

fn content(tenant: TenantId, preview: SelectionPreview) -> AnyView {
    let label = words::assign(preview.rows.len());
    let form = assign_form(target(tenant, &preview), &preview.people, None, label, FormStyle::MAIN);
    confirmation(tenant, preview, words::assign, form)
}

/// Renders the form that assigns the alerts of `target`.
pub(super) fn assign_form(
    target: impl IntoView + 'static,
    people: &[(UserId, String)],
    assigned_to: Option<UserId>,
    label: String,
    style: FormStyle,
) -> AnyView {
    let current = assigned_to.map(|id| id.to_string()).unwrap_or_default();
    let people = people.iter().map(|(id, name)| (id.to_string(), name.clone()));
    let no_one = (String::new(), words::NO_ONE.to_owned());
    let choices = options(std::iter::once(no_one).chain(people), &current);
    view! {
        <form method="post" action=AssignAlerts::url() class="stack" data-once="">
            {target}
            <label class="field">
                <span>{words::ASSIGNEE}</span>
                <select name="assignee" data-key=style.has_keys.then_some("i")>
                    {choices}
                </select>
            </label>
            <div class="row">
                <button class=style.is_main.then_some("primary")>{label}</button>
            </div>
        </form>
    }
    .into_any()
}
