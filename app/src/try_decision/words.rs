//! Texts of `/t/{tenant}/try`.

pub(crate) const TITLE: &str = "Try a decision";
#[cfg(feature = "ssr")]
pub(crate) const NAVIGATION: &str = "Try a decision";
pub(crate) const DRY_RUN: &str = "Dry run: unsigned, not recorded";
pub(crate) const CONTEXT: &str = "Context (JSON)";
pub(crate) const HINT: &str =
    "Required: decision_type and fields. Optional: evidence and metadata.";
pub(crate) const LIVE: &str = "Evaluated while you type.";
pub(crate) const EVALUATE: &str = "Evaluate";
pub(crate) const FROM: &str = "Start from a decision (ID)";
pub(crate) const LOAD: &str = "Load";
pub(crate) const LOADED_FROM: &str = "Loaded from decision";
pub(crate) const RESULT: &str = "Result";
pub(crate) const NO_CONTEXT: &str = "Enter a context or load one from a decision.";
pub(crate) const INVALID_CONTEXT: &str = "Invalid context";
pub(crate) const NO_POLICY: &str = "No active policy governs this decision type.";
pub(crate) const NO_POLICY_NEXT: &str = "Recording this decision would return 404.";
pub(crate) const CURL: &str = "The same call with curl";

/// Returns, for example, "Line 3, character 5".
pub(crate) fn position(
    line: Option<usize>,
    column: Option<usize>,
    pointer: Option<&str>,
) -> Vec<String> {
    let line = line.map(|line| format!("Line {line}"));
    let column = column.map(|column| format!("character {column}"));
    let words = [line, column].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let pointer = pointer.filter(|pointer| !pointer.is_empty()).map(str::to_owned);
    [Some(words).filter(|words| !words.is_empty()), pointer].into_iter().flatten().collect()
}
