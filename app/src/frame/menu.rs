//! The menus of the frame.

use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    documentation,
    frame::{
        view::{Frame, Person, TenantMembership},
        words,
    },
    preference::{self, Preference},
    sign_in::LogOut,
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
            {preference::form(Preference::Theme)}
            {preference::form(Preference::Density)}
            <form method="post" action=LogOut::url()>
                <button>{words::SIGN_OUT}</button>
            </form>
        </div>
    }
}
