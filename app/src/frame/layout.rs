//! The frame of a tenant's pages.

mod chrome;

use leptos_router::components::Outlet;

use crate::prelude::*;

#[component]
pub(crate) fn TenantFrame() -> impl IntoView {
    view! {
        <a class="skip" href="#main">
            {messages::SKIP}
        </a>
        <div class="frame">
            {chrome::chrome()} <main id="main">
                <Outlet />
            </main>
        </div>
    }
}
