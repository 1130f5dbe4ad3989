//! Pages. The view of an address is an async function that reads what it shows and returns the view.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use contract::id::TenantId;
use governance::Cx;
use kit::problem::Problem;
use leptos::prelude::*;
use leptos_router::{
    ChooseView,
    hooks::{use_params_map, use_query_map},
};

use crate::{
    request,
    ui::problem::{page_not_found, problem_page},
};

/// The view of a page, or the error that the error page shows.
pub type PageResult = Result<AnyView, Problem>;

type PendingView = Pin<Box<dyn Future<Output = PageResult> + Send>>;

/// A page of the router. All pages have this one type, so that the code of the router is compiled once and not once
/// per page.
#[derive(Clone)]
pub struct Page(Arc<dyn Fn() -> AnyView + Send + Sync>);

impl Page {
    pub fn new<F>(page: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = PageResult> + Send + 'static,
    {
        Self(Arc::new(move || view(Box::pin(page()))))
    }

    /// A page whose document loads the module of the islands.
    pub fn with_islands<F>(page: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = PageResult> + Send + 'static,
    {
        Self(Arc::new(move || {
            Module::load();
            view(Box::pin(page()))
        }))
    }
}

impl ChooseView for Page {
    async fn choose(self) -> AnyView {
        (self.0)()
    }

    async fn preload(&self) {}
}

/// Whether the document loads the module of the islands. Every request has its own in its context.
#[derive(Clone, Debug, Default)]
pub struct Module(Arc<AtomicBool>);

impl Module {
    /// Loads the module with the current document. A page calls it before it reads its data.
    fn load() {
        if let Some(Self(is_loaded)) = use_context() {
            is_loaded.store(true, Ordering::Relaxed);
        }
    }

    pub fn is_loaded(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page").finish_non_exhaustive()
    }
}

/// Renders a page when its view is ready, or the error.
fn view(page: PendingView) -> AnyView {
    Suspend::new(async move { or_problem(page.await) }).into_any()
}

/// Returns the view, or that of the error. Pages with a frame of their own show errors in it.
pub fn or_problem(result: PageResult) -> AnyView {
    result.unwrap_or_else(problem_page)
}

/// Returns the tenant of the page and the context of the signed-in user in it.
pub async fn member() -> Result<(TenantId, Cx), Problem> {
    let tenant = param("tenant")?;
    Ok((tenant, request::human(tenant).await?))
}

/// Returns a part of the path.
///
/// # Errors
/// A part that cannot be parsed means an unknown page.
pub fn param<T: FromStr>(name: &str) -> Result<T, Problem> {
    let text = use_params_map().with_untracked(|params| params.get(name)).unwrap_or_default();
    text.parse().map_err(|_| page_not_found())
}

/// Returns a query parameter without surrounding spaces, or an empty string if it is absent.
pub fn query(name: &str) -> String {
    let value = use_query_map().with_untracked(|query| query.get(name)).unwrap_or_default();
    value.trim().to_owned()
}
