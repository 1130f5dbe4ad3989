//! Texts of `/t/{tenant}/chains`.

pub(crate) const TITLE: &str = "Chains";
pub(crate) const INTRO: &str = "A chain links decisions that belong together, such as the steps of one case. Sealing a chain closes it.";
pub(crate) const HEAD: [&str; 5] = ["Chain ID", "Status", "Steps", "Last step", "Last recorded"];
pub(crate) const STATUS: &str = "Status";
pub(crate) const STATUSES: [(&str, &str); 2] = [("open", "Open"), ("sealed", "Sealed")];
pub(crate) const EMPTY: &str = "No chains yet";
pub(crate) const EMPTY_NEXT: &str = "Record a decision with a chain ID of your choice. Later decisions with the same ID become the next steps of the chain. GOVERN_KEY is one of your API keys.";
pub(crate) const FIRST_REQUEST: &str = "First step of a chain";
pub(crate) const BAD_STATUS: &str = "Status: select a value from the list.";
pub(crate) const BAD_CHAIN: &str = "Chain ID: enter all 36 characters of the ID.";
