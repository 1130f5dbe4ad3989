//! Texts of `/t/{tenant}/try`.

pub const TITLE: &str = "Try a decision";
pub const DRY_RUN: &str = "Dry run: unsigned, not recorded";
pub const EVALUATE: &str = "Evaluate";
pub const FROM: &str = "Start from a decision (ID)";
pub const LOAD: &str = "Load";
pub const LOADED_FROM: &str = "Loaded from decision";
pub const RESULT: &str = "Result";
pub const INVALID_CONTEXT: &str = "Invalid context";
pub const NO_POLICY: &str = "No active policy governs this decision type.";
pub const CURL: &str = "The same call with curl";

/// Returns, for example, "Line 3, character 5".
pub fn position(line: Option<usize>, column: Option<usize>, pointer: Option<&str>) -> Vec<String> {
    let line = line.map(|line| format!("Line {line}"));
    let column = column.map(|column| format!("character {column}"));
    let words = [line, column].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let pointer = pointer.filter(|pointer| !pointer.is_empty()).map(str::to_owned);
    [Some(words).filter(|words| !words.is_empty()), pointer].into_iter().flatten().collect()
}
