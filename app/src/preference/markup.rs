//! The form of a preference.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{act::Prefer, view::Preference};

/// A plain form with one button for each value of a preference.
#[component]
pub(crate) fn PreferenceForm(name: Preference) -> impl IntoView {
    let button = move |value: &'static str| {
        view! {
            <button name="value" value=value data-value=value>
                {name.value_label(value)}
            </button>
        }
    };
    let label = name.label();
    view! {
        <form method="post" action=Prefer::url() class="preference" data-preference=name.as_str()>
            <input type="hidden" name="name" value=name.as_str() />
            <fieldset>
                <legend class="text-xs text-muted">{label}</legend>
                <div class="segments">
                    {name.values().iter().copied().map(button).collect_view()}
                </div>
            </fieldset>
        </form>
    }
}
