#![doc = include_str!("../README.md")]

pub mod codec;
#[cfg(feature = "ssr")]
pub mod console;
#[cfg(feature = "ssr")]
pub mod cookie;
#[cfg(feature = "ssr")]
pub mod flash;
pub mod problem;
#[cfg(feature = "ssr")]
pub mod request;
pub mod text;
pub mod ui;

/// Renders as `view!` does, and returns an [`AnyView`](leptos::prelude::AnyView), the type of the functions that render a
/// part of a page: a type of its own for each part would be compiled again wherever it is used.
#[macro_export]
macro_rules! any_view {
    ($($view:tt)*) => {
        ::leptos::prelude::IntoAny::into_any(::leptos::prelude::view! { $($view)* })
    };
}
