//! The frame of a tenant's pages.

mod chrome;

use leptos_router::components::Outlet;
use page_kit::prelude::*;

pub(crate) fn tenant_frame() -> AnyView {
    any_view! {
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
