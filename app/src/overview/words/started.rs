//! The checklist of a tenant without decisions.

pub(crate) const TITLE: &str = "Getting started";
pub(crate) const DONE: &str = "Done";
pub(crate) const POLICY: (&str, &str) =
    ("Create a policy", "A policy defines the rules for one or more decision types.");
pub(crate) const ACTIVE: (&str, &str) = (
    "Ratify and activate a version",
    "A person who did not write the version ratifies it. It takes effect when it is activated.",
);
pub(crate) const KEY: (&str, &str) =
    ("Create an API key", "Each service records decisions with its own key.");
pub(crate) const DECISION: (&str, &str) = (
    "Record a decision",
    "Send the request below. GOVERN_KEY is one of your API keys. The charts appear with the first decision.",
);

/// Returns, for example, "1 of 4 done".
pub(crate) fn progress(done: usize, total: usize) -> String {
    format!("{done} of {total} done")
}
