//! The menus of the frame.

use accounts::sign_in::LogOut;
use documents::documentation;
use page_kit::prelude::*;

use crate::{
    frame::view::{Frame, TenantMembership},
    preference::{self, Preference},
};

const TENANTS: &str = "Your tenants";
pub(super) const YOUR_MENU: &str = "Your menu";

/// Renders the menu of the user's tenants. It works without scripts.
pub(super) fn tenant_menu(frame: &Frame) -> AnyView {
    let (tenant, name, role) = (frame.tenant, frame.tenant_name.clone(), frame.role);
    let own = TenantMembership { tenant, name, role };
    let entry = |membership: TenantMembership| {
        let is_current = membership.tenant == tenant;
        let href = membership.start();
        view! {
            <a href=href rel="external" aria-current=is_current.then_some("true")>
                <bdi>{membership.name}</bdi>
                <span class="count">{messages::role(membership.role)}</span>
            </a>
        }
    };
    let entries = std::iter::once(own).chain(frame.others.clone()).map(entry).collect_view();
    any_view! {
        <div id="tenants" popover="auto" class="pop" aria-label=TENANTS>
            <p class="pop-note">{TENANTS}</p>
            {entries}
        </div>
    }
}

/// Renders the user's menu: the account, preferences of this browser, and the sign-out button. It works without scripts.
pub(super) fn person_menu(email: String) -> AnyView {
    any_view! {
        <div id="person" popover="auto" class="pop" aria-label=YOUR_MENU>
            <p class="pop-note">
                <bdi>{email}</bdi>
            </p>
            <a href=url::ACCOUNT>"Your account"</a>
            {documentation::link()}
            {preference::form(Preference::Theme)}
            {preference::form(Preference::Density)}
            <form method="post" action=LogOut::url()>
                <button>"Sign out"</button>
            </form>
        </div>
    }
}
