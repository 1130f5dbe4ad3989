//! One decision and its explanation.

#[cfg(feature = "ssr")]
mod after;
#[cfg(feature = "ssr")]
mod facts;
#[cfg(feature = "ssr")]
mod page;
pub(super) mod rules;
#[cfg(feature = "ssr")]
mod why;

#[cfg(feature = "ssr")]
pub(crate) use self::page::DecisionPage;
