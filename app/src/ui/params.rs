//! The parameters of a page's address.

use std::str::FromStr;

use contract::id::TenantId;
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};

use crate::problem::Problem;

/// A function that reads a parameter of the current address. A missing or invalid parameter means an unknown
/// page.
pub(crate) trait Param<T>:
    Fn() -> Result<T, Problem> + Copy + Send + Sync + 'static
{
}

impl<T, F: Fn() -> Result<T, Problem> + Copy + Send + Sync + 'static> Param<T> for F {}

pub(crate) fn tenant() -> impl Param<TenantId> {
    param("tenant")
}

fn param<T: FromStr>(name: &'static str) -> impl Param<T> {
    let params = use_params_map();
    move || {
        let text = params.with(|params| params.get(name)).unwrap_or_default();
        text.parse().map_err(|_| super::problem::page_not_found())
    }
}

/// Returns a query parameter, or an empty string if it is absent.
pub(crate) fn query(name: &'static str) -> impl Fn() -> String + Copy + Send + Sync + 'static {
    let query = use_query_map();
    move || query.with(|query| query.get(name)).unwrap_or_default()
}

/// A function that returns the value of a query parameter, by its name.
type ReadParam<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Returns the query parameters as the filters of a list.
pub(crate) fn filters<Q>(
    read: fn(ReadParam<'_>) -> Q,
) -> impl Fn() -> Q + Copy + Send + Sync + 'static
where
    Q: 'static,
{
    let query = use_query_map();
    move || query.with(|query| read(&|name| query.get(name)))
}
