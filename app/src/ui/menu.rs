//! The menus of the frame, and the forms of preferences.

use leptos::{prelude::*, server_fn::ServerFn};

use crate::preference::{act::Prefer, view::Preference};
use crate::{
    documentation,
    frame::{
        view::{Frame, Person, TenantMembership},
        words,
    },
    sign_in::act::LogOut,
    text::{messages, url},
};

/// The menu of the user's tenants. It works without scripts.
#[component]
pub(crate) fn TenantMenu(frame: Frame) -> impl IntoView {
    let own = TenantMembership { tenant: frame.tenant, name: frame.tenant_name, role: frame.role };
    let entry = move |membership: TenantMembership| {
        let is_current = membership.tenant == frame.tenant;
        let href = membership.start();
        view! {
            <a href=href rel="external" aria-current=is_current.then_some("true")>
                <bdi>{membership.name}</bdi>
                <span class="count">{messages::role(membership.role)}</span>
            </a>
        }
    };
    let entries = std::iter::once(own).chain(frame.others).map(entry).collect_view();
    view! {
        <div id="tenants" popover="auto" class="pop" aria-label=words::TENANTS>
            <p class="pop-note">{words::TENANTS}</p>
            {entries}
        </div>
    }
}

/// The user's menu: the account, preferences of this browser, and the sign-out button. It works without
/// scripts.
#[component]
pub(crate) fn PersonMenu(person: Person) -> impl IntoView {
    view! {
        <div id="person" popover="auto" class="pop" aria-label=words::YOUR_MENU>
            <p class="pop-note">
                <bdi>{person.email}</bdi>
            </p>
            <a href=url::ACCOUNT>{words::ACCOUNT}</a>
            {documentation::link()}
            <PreferenceForm name=Preference::Theme />
            <PreferenceForm name=Preference::Density />
            <form method="post" action=LogOut::url()>
                <button>{words::SIGN_OUT}</button>
            </form>
        </div>
    }
}

/// Returns the initials of the first and the last word of a name.
pub(crate) fn initials(name: &str) -> String {
    let mut words = name.split_whitespace();
    let first = words.next();
    let last = words.next_back();
    let letter = |word: &str| word.chars().find(|c| c.is_alphanumeric());
    let initials = [first, last].into_iter().flatten().filter_map(letter);
    initials.flat_map(char::to_uppercase).collect()
}

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
