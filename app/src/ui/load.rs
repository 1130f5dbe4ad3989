//! Loads pages: shows a skeleton while the content is fetched, then the page or the error.

use std::{future::Future, pin::Pin};

use leptos::prelude::*;
use leptos_router::{hooks::use_url, location::Url};
use serde::{Serialize, de::DeserializeOwned};

use super::problem::ProblemPage;
#[cfg(feature = "ssr")]
use crate::request::pending;
use crate::{
    problem::Problem,
    text::{messages, url::address},
};

/// Leaves the browser module and its data out of the document.
#[cfg(feature = "ssr")]
pub(crate) fn render_only() {
    if let Some(context) = Owner::current_shared_context() {
        context.set_is_hydrating(false);
    }
}

/// Fetches the content of a page for each value of `source`, and shows it with `show`, or the error. The first
/// visit is complete HTML. Later, the previous page stays while the new one loads; after a short delay, a
/// skeleton replaces it.
///
/// Content reloaded at the same address reuses its elements, including typed text and open parts. A different
/// address gets new elements, so that text typed for one item does not appear for another.
pub(crate) fn load<S, T, F>(
    source: impl Fn() -> S + Send + Sync + 'static,
    fetch: impl Fn(S) -> F + Send + Sync + 'static,
    show: impl Fn(T) -> AnyView + Copy + Send + Sync + 'static,
) -> AnyView
where
    S: Clone + PartialEq + Send + Sync + 'static,
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
    F: Future<Output = Result<T, Problem>> + Send + 'static,
{
    #[cfg(feature = "ssr")]
    let fetch = move |source| pending::of_request(fetch(source));
    let fetched = Resource::new(source, fetch);
    let slot = PageSlot::new();
    wait(Box::new(move || {
        Box::pin(async move {
            slot.show(match fetched.await {
                Ok(page) => show(page),
                Err(problem) => view! { <ProblemPage problem /> }.into_any(),
            })
        })
    }))
}

type PendingPage = Pin<Box<dyn Future<Output = AnyView> + Send>>;

/// Shows a pending page. Separate from [`load`], so that its code is compiled once and not once per page.
fn wait(page: Box<dyn Fn() -> PendingPage + Send + Sync>) -> AnyView {
    let page = move || Suspend::new(page());
    view! { <Transition fallback=Skeleton>{page}</Transition> }.into_any()
}

/// The slot of a page. It alternates the view type when the address changes, which creates new elements.
#[derive(Clone, Copy)]
struct PageSlot {
    url: ReadSignal<Url>,
    /// The address of the last page, and whether its view is wrapped.
    last: StoredValue<(String, bool)>,
}

impl PageSlot {
    fn new() -> Self {
        Self { url: use_url(), last: StoredValue::new((String::new(), true)) }
    }

    /// Returns the view of a page. A view of the same type would reuse the elements of the previous view.
    fn show(self, page: AnyView) -> AnyView {
        let address = self.url.try_with_untracked(address).unwrap_or_default();
        let is_wrapped = self.last.try_update_value(|(last, is_wrapped)| {
            if *last != address {
                (*last, *is_wrapped) = (address, !*is_wrapped);
            }
            *is_wrapped
        });
        if is_wrapped == Some(true) { (page,).into_any() } else { page }
    }
}

/// Placeholder lines for a page.
#[component]
fn Skeleton() -> impl IntoView {
    view! {
        <div class="skeleton" role="status">
            <span class="sr-only">{messages::LOADING}</span>
            {(0..8).map(|_| view! { <div class="line"></div> }).collect_view()}
        </div>
    }
}
