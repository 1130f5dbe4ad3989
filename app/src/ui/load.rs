//! A page while it is fetched, when it is there, and when it is refused.

use std::{future::Future, pin::Pin};

use leptos::prelude::*;

use super::problem::ProblemPage;
use crate::{problem::Problem, text::words};

/// What a page waits for.
pub(crate) type Loading<T> = Resource<Result<T, Problem>>;

/// Shows what was fetched by `show`, or why it was refused. The first visit is complete HTML; later
/// the old page stays until the new one is there, and after a moment lines stand in for it.
pub(crate) fn load<T>(
    fetched: Loading<T>,
    show: impl Fn(T) -> AnyView + Copy + Send + Sync + 'static,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
{
    wait(Box::new(move || {
        Box::pin(async move {
            match fetched.await {
                Ok(page) => show(page),
                Err(problem) => view! { <ProblemPage problem/> }.into_any(),
            }
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
