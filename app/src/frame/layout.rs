//! The frame of a tenant's pages. Only the server renders its content. The browser updates the marks of the
//! current page and the number of open alerts.

#[cfg(feature = "ssr")]
mod chrome;

use contract::id::TenantId;
use leptos::{prelude::*, wasm_bindgen::JsCast};
use leptos_router::{components::Outlet, hooks::use_url};
use web_sys::{HtmlElement, NodeList};

use crate::{
    text::{messages, url::address},
    ui::params,
};

#[component]
pub(crate) fn TenantFrame() -> impl IntoView {
    view! {
        <a class="skip" href="#main">
            {messages::SKIP}
        </a>
        <div class="frame">
            <Chrome />
            <main id="main">
                <Outlet />
            </main>
        </div>
    }
}

/// The content of the frame, which only the server renders and hydration leaves unchanged. If the frame is entered
/// by navigation within the console, the browser loads a new document.
#[component]
fn Chrome() -> impl IntoView {
    let is_hydrating =
        Owner::current_shared_context().is_some_and(|context| context.during_hydration());
    let (url, tenant) = (use_url(), params::tenant());
    Effect::new(move |rendered: Option<Option<TenantId>>| {
        let address = address(&url.read());
        let tenant = tenant().ok();
        let is_other = rendered.is_some_and(|rendered| rendered != tenant);
        if !is_hydrating || is_other {
            let _ = window().location().assign(&address);
        } else {
            mark_current(url.read_untracked().path());
        }
        tenant
    });
    #[cfg(feature = "ssr")]
    return view! { <div class="served">{chrome::chrome()}</div> };
    #[cfg(not(feature = "ssr"))]
    return view! { <div class="served"></div> };
}

/// Marks the links to the page `path` and to its parent pages, and closes the menu.
fn mark_current(path: &str) {
    for link in elements(".nav a, .tabbar a") {
        let href = link.get_attribute("href").unwrap_or_default();
        let below = path.strip_prefix(&href);
        // The overview is the parent path of all other pages.
        let is_current = below.is_some_and(|below| {
            below.is_empty() || (below.starts_with('/') && href.matches('/').count() > 2)
        });
        let _ = if is_current {
            link.set_attribute("aria-current", "page")
        } else {
            link.remove_attribute("aria-current")
        };
    }
    for menu in elements(".nav") {
        let _ = menu.hide_popover();
    }
}

/// Returns the elements of the document that match a selector.
fn elements(selector: &str) -> impl Iterator<Item = HtmlElement> + use<> {
    let found = document().query_selector_all(selector).ok();
    let indexes = 0..found.as_ref().map_or(0, NodeList::length);
    let nodes = indexes.filter_map(move |index| found.as_ref()?.item(index));
    nodes.filter_map(|node| node.dyn_into().ok())
}
