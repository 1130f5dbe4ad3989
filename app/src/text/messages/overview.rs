//! Texts of `/t/{tenant}`.

#[cfg(feature = "ssr")]
pub(crate) mod chart;

pub(crate) const TITLE: &str = "Overview";
pub(crate) const EMPTY_NEXT: &str = "Once a policy is active, this request records the first decision. GOVERN_KEY is one of your API keys.";
pub(crate) const FIRST_REQUEST: &str = "First request";
