//! Markup without behavior: pages use it, and server functions send it as HTML.

#[cfg(feature = "ssr")]
pub(crate) mod changes;
#[cfg(feature = "ssr")]
pub(crate) mod chart;
#[cfg(feature = "ssr")]
pub(crate) mod font;
pub(crate) mod icon;
pub(crate) mod inline_code;
pub(crate) mod note;
#[cfg(feature = "ssr")]
pub(crate) mod palette;
#[cfg(feature = "ssr")]
pub(crate) mod questions;
pub(crate) mod quote;
#[cfg(feature = "ssr")]
pub(crate) mod requested_changes;
#[cfg(feature = "ssr")]
pub(crate) mod stamp;
#[cfg(feature = "ssr")]
pub(crate) mod threads;
