//! Texts of `/t/{tenant}/policies/{policy}/versions/{version}/compare`.

use crate::text::number::count;

pub(crate) const FROM: &str = "From";
pub(crate) const TO: &str = "To";
pub(crate) const LAYOUT: &str = "Layout";
pub(crate) const SAME_RULES: &str = "These versions have the same rules.";
pub(crate) const ONLY_VERSION: &str = "No other version to compare with. All rules are new.";
pub(crate) const OPEN_VERSION: &str = "Open version";
pub(crate) const COMPARED_WITH: &str = "compared with";
pub(crate) const THE_ACTIVE: &str = ", the active version";
pub(crate) const REVIEWED_BY: &str = "accepted by";
pub(crate) const RETURNED_BY: &str = "changes requested by";
pub(crate) const PROPERTY: &str = "Property";
pub(crate) const CHANGE: &str = "Change";
pub(crate) const NOT_SET: &str = "Not set";
pub(crate) const ACTIVE_BY_DEFAULT: &str = "yes (default)";
pub(crate) const SOURCE_DOCUMENT: &str = "Source document";
pub(crate) const SOURCE_SECTION: &str = "Source section";
pub(crate) const SOURCE_URL: &str = "Source URL";

pub(crate) fn title(against: Option<u32>, version: u32) -> String {
    match against {
        Some(against) => format!("Compare v{against} and v{version}"),
        None => format!("Compare v{version}"),
    }
}

/// Returns the numbers of differences, for example "2 changed, 1 moved".
pub(crate) fn summary(counts: [(usize, &str); 4]) -> String {
    let present = counts.into_iter().filter(|(number, _)| *number > 0);
    present.map(|(number, kind)| format!("{number} {kind}")).collect::<Vec<_>>().join(", ")
}

pub(crate) fn same(rules: usize) -> String {
    format!("The same in both: {}", count(rules, "rule", "rules"))
}

pub(crate) fn moved((from, to): (u32, u32)) -> String {
    format!("position {from} to {to}")
}

pub(crate) fn changed_properties(code: &str) -> String {
    format!("Changed properties of {code}")
}
