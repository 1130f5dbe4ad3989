//! Output of the commands: JSON of the service, or text for people with colors on a terminal.

use std::io::Write as _;

use anstyle::{AnsiColor, Style};
use contract::evaluation::Verdict;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GREEN: Style = AnsiColor::Green.on_default();
pub(crate) const RED: Style = AnsiColor::Red.on_default();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Prints a line on standard output. Styles are removed if it is not a terminal or `NO_COLOR` is set.
pub(crate) fn print(line: &str) {
    // A closed pipe is not an error.
    let _ = writeln!(anstream::stdout(), "{}", line.trim_end_matches('\n'));
}

/// Prints bytes on standard output, unchanged.
pub(crate) fn print_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Prints a message for people on standard error.
pub(crate) fn note(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// Returns the text in a style.
pub(crate) fn styled(text: impl std::fmt::Display, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// Returns a verdict in its color.
pub(crate) fn verdict(verdict: Verdict) -> String {
    let color = match verdict {
        Verdict::Allow => GREEN,
        Verdict::Alert | Verdict::Review => YELLOW,
        Verdict::Deny => RED,
    };
    styled(verdict, color.bold())
}

/// Returns names and values as aligned lines. Empty values are omitted.
pub(crate) fn table(rows: &[(&str, String)]) -> String {
    let rows = rows.iter().filter(|(_, value)| !value.is_empty());
    let width = rows.clone().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let line = |(name, value): &(&str, String)| {
        let padding = " ".repeat(width - name.chars().count());
        format!("{}{padding}  {value}", styled(name, DIM))
    };
    rows.map(line).collect::<Vec<_>>().join("\n")
}
