//! The table: what was measured, what it is compared with, and what was to be reached.

use std::fmt::{self, Write as _};

use anyhow::{Context, Result};

/// Where the table begins in a document, and where it ends.
const MARKS: [&str; 2] = ["<!-- bench: begin -->\n", "<!-- bench: end -->"];

/// A figure with its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Figure {
    /// How often in a second.
    PerSecond(f64),
    /// Microseconds.
    Micros(f64),
    /// Milliseconds.
    Millis(f64),
    /// Mebibytes.
    Mib(f64),
}

impl Figure {
    fn value(self) -> f64 {
        match self {
            Self::PerSecond(value)
            | Self::Micros(value)
            | Self::Millis(value)
            | Self::Mib(value) => value,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self {
            Self::PerSecond(_) => "/s",
            Self::Micros(_) => " µs",
            Self::Millis(_) => " ms",
            Self::Mib(_) => " MiB",
        };
        write!(f, "{}{unit}", three_digits(self.value()))
    }
}

/// What was to be reached.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// This value or a better, that is, a larger one.
    AtLeast(Figure),
    /// This value or a better, that is, a smaller one.
    AtMost(Figure),
    /// At least this many times what it is compared with.
    Times(f64),
    /// At most this many times what it is compared with.
    TimesAtMost(f64),
}

/// One line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    what: String,
    measured: Figure,
    beside: Option<(String, Figure)>,
    goal: Option<Goal>,
}

impl Line {
    /// What was measured, and what came out.
    pub(crate) fn new(what: impl Into<String>, measured: Figure) -> Self {
        Self { what: what.into(), measured, beside: None, goal: None }
    }

    /// The same beside something else of the same minute.
    pub(crate) fn beside(mut self, what: impl Into<String>, figure: Figure) -> Self {
        self.beside = Some((what.into(), figure));
        self
    }

    /// The same with what was to be reached.
    pub(crate) fn goal(mut self, goal: Goal) -> Self {
        self.goal = Some(goal);
        self
    }

    fn ratio(&self) -> Option<f64> {
        self.beside.as_ref().map(|(_, beside)| self.measured.value() / beside.value())
    }

    /// Whether the goal is met, if there is one.
    fn met(&self) -> Option<bool> {
        let ratio = self.ratio().unwrap_or(f64::NAN);
        self.goal.map(|goal| match goal {
            Goal::AtLeast(least) => self.measured.value() >= least.value(),
            Goal::AtMost(most) => self.measured.value() <= most.value(),
            Goal::Times(least) => ratio >= least,
            Goal::TimesAtMost(most) => ratio <= most,
        })
    }

    /// The line as a row of the table.
    pub(crate) fn row(&self) -> String {
        let beside = self.beside.as_ref().map(|(what, figure)| format!("{figure} ({what})"));
        let ratio = self.ratio().map(|ratio| format!("{}×", three_digits(ratio)));
        let goal = self.goal.map(|goal| match goal {
            Goal::AtLeast(least) => format!("≥ {least}"),
            Goal::AtMost(most) => format!("≤ {most}"),
            Goal::Times(least) => format!("≥ {}×", three_digits(least)),
            Goal::TimesAtMost(most) => format!("≤ {}×", three_digits(most)),
        });
        let met = self.met().map(|met| if met { "met" } else { "**missed**" });
        format!(
            "| {} | {} | {} | {} | {} | {} |",
            self.what,
            self.measured,
            beside.unwrap_or_default(),
            ratio.unwrap_or_default(),
            goal.unwrap_or_default(),
            met.unwrap_or_default(),
        )
    }
}

/// The whole table, in Markdown, below what is said of the machine.
pub(crate) fn table(machine: &str, lines: &[Line]) -> String {
    let mut text = format!("{machine}\n\n");
    text.push_str(
        "| What | Measured | Beside it | Ratio | Target | |\n|---|---|---|---|---|---|\n",
    );
    for line in lines {
        let _ = writeln!(text, "{}", line.row()); // a string takes any text
    }
    text
}

/// The document with `table` between its marks.
///
/// # Errors
/// When the document has no place for a table.
pub(crate) fn put(document: &str, table: &str) -> Result<String> {
    let [begin, end] = MARKS;
    let (before, rest) = document.split_once(begin).context("no place for a table")?;
    let (_, after) = rest.split_once(end).context("no end of the place for a table")?;
    Ok(format!("{before}{begin}\n{table}\n{end}{after}"))
}

/// A number with about three digits, and its thousands set apart.
fn three_digits(value: f64) -> String {
    let decimals = match value.abs() {
        value if value < 0.1 => 3,
        value if value < 10.0 => 2,
        value if value < 100.0 => 1,
        _ => 0,
    };
    let text = format!("{value:.decimals$}");
    match text.len() {
        4.. if decimals == 0 => {
            let (thousands, rest) = text.split_at(text.len() - 3);
            format!("{thousands},{rest}")
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_whether_its_target_is_met() {
        let line = Line::new("evaluate", Figure::PerSecond(45_123.4))
            .beside("echo", Figure::PerSecond(60_000.0))
            .goal(Goal::Times(0.6));
        assert_eq!(line.row(), "| evaluate | 45,123/s | 60,000/s (echo) | 0.75× | ≥ 0.60× | met |");
        let line = Line::new("list", Figure::Millis(20.5)).goal(Goal::AtMost(Figure::Millis(20.0)));
        assert_eq!(line.row(), "| list | 20.5 ms |  |  | ≤ 20.0 ms | **missed** |");
        assert_eq!(Line::new("log", Figure::Micros(0.012)).met(), None);
    }

    #[test]
    fn a_table_takes_the_place_of_the_one_before() {
        let document = "# Speed\n\n<!-- bench: begin -->\nold\n<!-- bench: end -->\nrest\n";
        let new = put(document, "new\n").expect("a place");
        assert_eq!(new, "# Speed\n\n<!-- bench: begin -->\n\nnew\n\n<!-- bench: end -->\nrest\n");
        assert_eq!(put(&new, "new\n").expect("a place"), new);
        assert!(put("# Speed\n", "new\n").is_err());
    }
}
