//! The server function that a page waits for while the server renders it.

use std::{
    future::{Future, poll_fn},
    task::Poll,
};

use governance::Governance;
use http::request::Parts;
use leptos::prelude::{Owner, provide_context, use_context};
use leptos_axum::ResponseOptions;

use super::shared_reads::SharedReads;
use crate::{cookie::CookieRule, problem::Problem};

/// Returns the future that calls a server function for the current request, and ends with an error when the
/// request is abandoned.
///
/// The framework polls this future in a task of its own, which outlives the request if the client closes the
/// connection. The contexts of the request are dropped with it, so the owner of the task gets copies. Without
/// them, a server function would panic when it reads the request after it has waited for the database.
pub fn of_request<T>(
    call: impl Future<Output = Result<T, Problem>>,
) -> impl Future<Output = Result<T, Problem>> {
    copy_context::<Parts>();
    copy_context::<ResponseOptions>();
    copy_context::<Governance>();
    copy_context::<SharedReads>();
    copy_context::<CookieRule>();
    let request = root().map(|root| root.downgrade());
    let mut call = Box::pin(call);
    poll_fn(move |cx| {
        if request.as_ref().is_some_and(|request| request.upgrade().is_none()) {
            return Poll::Ready(Err(Problem::default()));
        }
        call.as_mut().poll(cx)
    })
}

/// Provides a context of an ancestor to the current owner.
fn copy_context<T: Clone + Send + Sync + 'static>() {
    if let Some(context) = use_context::<T>() {
        provide_context(context);
    }
}

/// Returns the owner of the current request, which lives until its response ends.
fn root() -> Option<Owner> {
    let mut owner = Owner::current()?;
    while let Some(parent) = owner.parent() {
        owner = parent;
    }
    Some(owner)
}
