#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "ssr"),
    expect(
        dead_code,
        reason = "the browser needs no code of server-rendered pages; the server build finds unused code"
    )
)]
#![recursion_limit = "256"]

#[cfg(all(feature = "ssr", feature = "hydrate"))]
compile_error!("enable either `ssr` (server) or `hydrate` (browser), not both");

mod api;
mod codec;
mod lazy;
mod markup;
#[expect(unreachable_pub, reason = "the `component` macro generates `pub` items")]
mod page;
pub mod problem;
pub mod routes;
mod server_page;
#[cfg(feature = "ssr")]
mod shell;
pub mod text;
#[expect(unreachable_pub, reason = "the `component` macro generates `pub` items")]
mod ui;
pub mod view;

pub use routes::App;

/// A context of the pages of a development service. Without it, the gallery of components does not exist.
#[cfg(feature = "ssr")]
#[derive(Clone, Copy, Debug)]
pub struct Development;
#[cfg(feature = "ssr")]
pub use page::{api_reference, dev_mail, error as error_page, hosted_form::public as public_form};
#[cfg(feature = "ssr")]
pub use {api::SharedReads, shell::shell};
