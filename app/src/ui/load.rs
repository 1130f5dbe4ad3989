//! A page while it is fetched, when it is there, and when it is refused.

use std::{future::Future, pin::Pin};

use leptos::{either::Either, prelude::*};
use leptos_router::{hooks::use_location, location::Location};

use super::problem::ProblemPage;
use crate::{problem::Problem, text::words};

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
            let page = match fetched.await {
                Ok(page) => show(page),
                Err(problem) => view! { <ProblemPage problem/> }.into_any(),
            };
            leaf.hold(page)
        })
    }))
}

/// A page that is still to come.
type Coming = Pin<Box<dyn Future<Output = Side> + Send>>;

/// A page on one side of a leaf. Turning to the other side makes all elements anew; on the same side those
/// that are there are changed.
type Side = Either<AnyView, AnyView>;

/// What turns whenever the address has changed since the last page.
#[derive(Clone, Copy)]
struct Leaf {
    location: StoredValue<Location>,
    /// The address of the last page, and whether it stands on the left.
    last: StoredValue<(Option<String>, bool)>,
}

impl Leaf {
    fn new() -> Self {
        Self {
            location: StoredValue::new(use_location()),
            last: StoredValue::new((None, false)),
        }
    }

    fn hold(self, page: AnyView) -> Side {
        let address = self.location.try_with_value(|location| {
            location.pathname.get_untracked() + "?" + &location.search.get_untracked()
        });
        let is_left = self.last.try_update_value(|(last, is_left)| {
            if *last != address {
                (*last, *is_left) = (address, !*is_left);
            }
            *is_left
        });
        if is_left.unwrap_or(true) { Either::Left(page) } else { Either::Right(page) }
    }
}

/// Apart from [`load`], so that its code is there once and not once a page.
fn wait(page: Box<dyn Fn() -> Coming + Send + Sync>) -> AnyView {
    let page = move || Suspend::new(page());
    view! { <Transition fallback=Skeleton>{page}</Transition> }.into_any()
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
