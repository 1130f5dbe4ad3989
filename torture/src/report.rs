//! The table: one row for each scenario.

use std::{fmt::Write as _, time::Duration};

/// The maximum number of findings that are printed for a scenario.
const PRINTED_MAX: usize = 20;

/// The head of the table.
pub(crate) const HEAD: &str = "\
| Scenario | Done | Acknowledged | Unknown (stored) | 503 | Findings | Ready after | Verdict |
|---|---|---|---|---|---|---|---|";

/// The result of a scenario.
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// What was done, with the numbers that were measured.
    pub(crate) done: String,
    pub(crate) acknowledged: usize,
    /// Keys without an acknowledgment.
    pub(crate) unknown: usize,
    /// Those of them whose decision was stored.
    pub(crate) stored_unknown: usize,
    /// Responses with status 503.
    pub(crate) refused: usize,
    /// The longest time from a restart or the end of an outage until the service was ready.
    pub(crate) ready: Option<Duration>,
    /// Violated guarantees.
    pub(crate) findings: Vec<String>,
}

impl Row {
    /// Returns the row of a scenario that cannot run on this machine.
    pub(crate) fn skipped(reason: impl Into<String>) -> Self {
        Self { done: format!("skipped: {}", reason.into()), ..Self::default() }
    }

    /// Returns whether every guarantee holds.
    pub(crate) fn is_passed(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns the row and the findings below it.
    pub(crate) fn to_markdown(&self, name: &str) -> String {
        let ready =
            self.ready.map_or("–".to_owned(), |ready| format!("{:.1} s", ready.as_secs_f64()));
        let verdict = match (self.done.starts_with("skipped: "), self.is_passed()) {
            (true, _) => "skipped",
            (false, true) => "passed",
            (false, false) => "**failed**",
        };
        let mut text = format!(
            "| {name} | {} | {} | {} ({}) | {} | {} | {ready} | {verdict} |",
            self.done,
            self.acknowledged,
            self.unknown,
            self.stored_unknown,
            self.refused,
            self.findings.len(),
        );
        for finding in self.findings.iter().take(PRINTED_MAX) {
            let _ = write!(text, "\n    {finding}"); // writing to a string cannot fail
        }
        text
    }
}
