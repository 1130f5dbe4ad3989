//! Texts of `/t/{tenant}`.

#[cfg(feature = "ssr")]
pub(crate) mod chart;

pub(crate) const TITLE: &str = "Overview";
pub(crate) const EMPTY_NEXT: &str =
    "Once a policy is active, this records the first one. GOVERN_KEY is an API key of yours.";
pub(crate) const FIRST_REQUEST: &str = "First request";
