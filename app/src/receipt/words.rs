//! Texts about receipts that several pages share.

pub(crate) const LOG: &str = "Transparency log";
pub(crate) const NOT_ANCHORED: &str = "Not yet anchored";
pub(crate) const CHECK: &str = "Verify it yourself";
