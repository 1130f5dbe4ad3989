#![doc = include_str!("../README.md")]
#![expect(
    clippy::unused_async,
    reason = "a server function is async even when it waits for nothing"
)]
#![expect(unreachable_pub, reason = "the `component` macro generates `pub` items")]
#![recursion_limit = "256"]

mod account;
mod analytics;
mod cli_login;
mod frame;
mod gallery;
mod help;
mod home;
mod inbox;
mod invitation;
pub(crate) mod missing;
mod navigation;
mod overview;
mod preference;
mod routes;
mod search;
mod shell;

use std::sync::LazyLock;

use kit::console::Console;
use leptos_axum::{AxumRouteListing, generate_route_list};

/// The console, for the service.
pub const CONSOLE: Console =
    Console { pages: || PAGES.clone(), shell: shell::shell, export: decisions::export::request };

/// The routes of all pages. They are generated once per process: while the framework generates them, no page of the
/// process reads its data, and a page that is rendered at that time would wait forever.
static PAGES: LazyLock<Vec<AxumRouteListing>> = LazyLock::new(|| generate_route_list(routes::App));
