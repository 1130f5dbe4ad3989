//! Texts of `/t/{tenant}`.

#[cfg(feature = "ssr")]
pub(crate) mod chart;
#[cfg(feature = "ssr")]
pub(crate) mod figure;
#[cfg(feature = "ssr")]
pub(crate) mod started;

pub(crate) const TITLE: &str = "Overview";
#[cfg(feature = "ssr")]
pub(crate) const EMPTY_NEXT: &str = "Once a policy is active, this request records the first decision. GOVERN_KEY is one of your API keys.";
#[cfg(feature = "ssr")]
pub(crate) const FIRST_REQUEST: &str = "First request";
