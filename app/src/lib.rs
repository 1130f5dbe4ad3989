#![doc = include_str!("../README.md")]
#![recursion_limit = "256"]

#[cfg(all(feature = "ssr", feature = "hydrate"))]
compile_error!("`ssr` is the server's half and `hydrate` the browser's: choose one");

mod api;
mod lazy;
#[expect(unreachable_pub, reason = "the macro of components writes `pub`")]
mod page;
pub mod problem;
pub mod routes;
mod served;
#[cfg(feature = "ssr")]
mod shell;
pub mod text;
#[expect(unreachable_pub, reason = "the macro of components writes `pub`")]
mod ui;
pub mod view;

pub use routes::App;
#[cfg(feature = "ssr")]
pub use shell::shell;
