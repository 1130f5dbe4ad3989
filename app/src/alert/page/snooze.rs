//! Snoozing alerts: the form, and the confirmation page for several alerts.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use super::confirm::{FormStyle, confirmation, load_selection, target};
use crate::{
    alert::{act::SnoozeAlerts, view::SelectionPreview, words},
    ui::field::{TextField, options},
};

/// `/t/{tenant}/alerts/snooze`
#[component]
pub(crate) fn SnoozePage() -> impl IntoView {
    load_selection(content)
}

fn content(tenant: TenantId, preview: SelectionPreview) -> AnyView {
    let label = words::snooze(preview.rows.len());
    let date = preview.form.date.clone();
    let form = snooze_form(target(tenant, &preview), date, label, FormStyle::MAIN);
    confirmation(tenant, preview, words::snooze, form)
}

/// Renders the form that snoozes the alerts of `target`. `date` is the entered date of a rejected attempt.
pub(super) fn snooze_form(
    target: impl IntoView + 'static,
    date: String,
    label: String,
    style: FormStyle,
) -> AnyView {
    use crate::alert::words as strings;
    view! {
        <form method="post" action=SnoozeAlerts::url() class="stack" data-once="">
            {target}
            <label class="field">
                <span>{strings::SNOOZE_FOR}</span>
                <select name="until" data-key=style.has_keys.then_some("h")>
                    {options(strings::SNOOZE_TIMES, "")}
                </select>
            </label>
            <TextField label=strings::SNOOZE_DATE name="date" kind="datetime-local" value=date />
            <div class="row">
                <button class=style.is_main.then_some("primary")>{label}</button>
            </div>
        </form>
    }
    .into_any()
}
