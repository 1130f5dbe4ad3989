//! A page while it is fetched, when it is there, and when it is refused.

use std::{future::Future, pin::Pin};

use leptos::prelude::*;
use leptos_router::{hooks::use_url, location::Url};

use super::problem::ProblemPage;
use crate::{
    problem::Problem,
    text::{url::address, words},
};

/// What a page waits for.
pub(crate) type Loading<T> = Resource<Result<T, Problem>>;

/// Shows what was fetched by `show`, or why it was refused. The first visit is complete HTML; later
/// the old page stays until the new one is there, and after a moment lines stand in for it.
///
/// A page that is read again keeps its elements, with what was typed and opened there. Another address
/// has elements of its own: what was typed for one rule is not what another holds.
pub(crate) fn load<T>(
    fetched: Loading<T>,
    show: impl Fn(T) -> AnyView + Copy + Send + Sync + 'static,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
{
    let leaf = Leaf::new();
    wait(Box::new(move || {
        Box::pin(async move {
            leaf.hold(match fetched.await {
                Ok(page) => show(page),
                Err(problem) => view! { <ProblemPage problem/> }.into_any(),
            })
        })
    }))
}

/// A page that is still to come.
type Coming = Pin<Box<dyn Future<Output = AnyView> + Send>>;

/// Apart from [`load`], so that its code is there once and not once a page.
fn wait(page: Box<dyn Fn() -> Coming + Send + Sync>) -> AnyView {
    let page = move || Suspend::new(page());
    view! { <Transition fallback=Skeleton>{page}</Transition> }.into_any()
}

/// Where pages of an address stand: the next address's are on the other side.
#[derive(Clone, Copy)]
struct Leaf {
    url: ReadSignal<Url>,
    /// The address of the last page, and whether it stands on the back.
    last: StoredValue<(String, bool)>,
}

impl Leaf {
    fn new() -> Self {
        Self { url: use_url(), last: StoredValue::new((String::new(), true)) }
    }

    /// A view of one type replaces one of another, and takes over the elements of one of its own.
    fn hold(self, page: AnyView) -> AnyView {
        let address = self.url.try_with_untracked(address).unwrap_or_default();
        let is_back = self.last.try_update_value(|(last, is_back)| {
            if *last != address {
                (*last, *is_back) = (address, !*is_back);
            }
            *is_back
        });
        if is_back == Some(true) { (page,).into_any() } else { page }
    }
}

/// Lines that stand in for a page.
#[component]
fn Skeleton() -> impl IntoView {
    view! {
        <div class="skeleton" role="status">
            <span class="sr-only">{words::LOADING}</span>
            {(0..8).map(|_| view! { <div class="line"></div> }).collect_view()}
        </div>
    }
}
