//! Loads pages.

use std::future::Future;

use leptos::prelude::*;

use super::problem::ProblemPage;
use crate::{problem::Problem, request::pending};

/// Reads the content of a page for `source`, and shows it with `show`, or the error.
pub(crate) fn load<S, T, F>(
    source: impl FnOnce() -> S,
    fetch: impl FnOnce(S) -> F,
    show: impl FnOnce(T) -> AnyView + Send + 'static,
) -> AnyView
where
    T: Send + 'static,
    F: Future<Output = Result<T, Problem>> + Send + 'static,
{
    let fetched = pending::of_request(fetch(source()));
    Suspend::new(async move {
        match fetched.await {
            Ok(page) => show(page),
            Err(problem) => view! { <ProblemPage problem /> }.into_any(),
        }
    })
    .into_any()
}
