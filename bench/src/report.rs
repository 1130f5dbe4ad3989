//! The tables of results: figures, baselines and targets.

use std::fmt::{self, Write as _};

use anyhow::{Context, Result};

/// The markers before and after the table in a document.
const MARKERS: [&str; 2] = ["<!-- bench: begin -->\n", "<!-- bench: end -->"];

/// A figure with its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Figure {
    PerSecond(f64),
    Micros(f64),
    Millis(f64),
    Mib(f64),
    Bytes(f64),
}

impl Figure {
    fn value(self) -> f64 {
        match self {
            Self::PerSecond(value)
            | Self::Micros(value)
            | Self::Millis(value)
            | Self::Mib(value)
            | Self::Bytes(value) => value,
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
            Self::Bytes(_) => " B",
        };
        write!(f, "{}{unit}", three_digits(self.value()))
    }
}

/// The target of a figure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    AtLeast(Figure),
    AtMost(Figure),
    /// At least this many times the baseline.
    TimesAtLeast(f64),
    /// At most this many times the baseline.
    TimesAtMost(f64),
}

#[derive(Clone, Debug)]
pub(crate) struct ReportRow {
    name: String,
    measured: Figure,
    baseline: Option<(String, Figure)>,
    goal: Option<Goal>,
}

impl ReportRow {
    pub(crate) fn new(name: impl Into<String>, measured: Figure) -> Self {
        Self { name: name.into(), measured, baseline: None, goal: None }
    }

    /// Creates rows with the processor times of the service and of the database, in microseconds
    /// per request.
    pub(crate) fn processor_times(name: &str, (service_us, database_us): (f64, f64)) -> [Self; 2] {
        [("service", service_us), ("database", database_us)].map(|(process, us)| {
            Self::new(format!("{name}: processor time of the {process}"), Figure::Micros(us))
        })
    }

    /// Adds a baseline that was measured in the same minute.
    pub(crate) fn with_baseline(mut self, name: impl Into<String>, figure: Figure) -> Self {
        self.baseline = Some((name.into(), figure));
        self
    }

    pub(crate) fn goal(mut self, goal: Goal) -> Self {
        self.goal = Some(goal);
        self
    }

    fn ratio(&self) -> Option<f64> {
        let ratio =
            self.baseline.as_ref().map(|(_, baseline)| self.measured.value() / baseline.value());
        ratio.filter(|ratio| ratio.is_finite())
    }

    /// Returns whether the target is met, if there is one.
    fn is_met(&self) -> Option<bool> {
        let ratio = self.ratio().unwrap_or(f64::NAN);
        self.goal.map(|goal| match goal {
            Goal::AtLeast(min) => self.measured.value() >= min.value(),
            Goal::AtMost(max) => self.measured.value() <= max.value(),
            Goal::TimesAtLeast(min) => ratio >= min,
            Goal::TimesAtMost(max) => ratio <= max,
        })
    }

    pub(crate) fn to_markdown(&self) -> String {
        let baseline = self.baseline.as_ref().map(|(name, figure)| format!("{figure} ({name})"));
        let ratio = self.ratio().map(|ratio| format!("{}×", three_digits(ratio)));
        let goal = self.goal.map(|goal| match goal {
            Goal::AtLeast(min) => format!("≥ {min}"),
            Goal::AtMost(max) => format!("≤ {max}"),
            Goal::TimesAtLeast(min) => format!("≥ {}×", three_digits(min)),
            Goal::TimesAtMost(max) => format!("≤ {}×", three_digits(max)),
        });
        let met = self.is_met().map(|met| if met { "met" } else { "**missed**" });
        format!(
            "| {} | {} | {} | {} | {} | {} |",
            self.name,
            self.measured,
            baseline.unwrap_or_default(),
            ratio.unwrap_or_default(),
            goal.unwrap_or_default(),
            met.unwrap_or_default(),
        )
    }
}

/// A row of the table of engines: times of the same rules, in microseconds.
#[derive(Clone, Debug)]
pub(crate) struct EngineRow {
    pub(crate) rules: usize,
    pub(crate) is_sparse: bool,
    pub(crate) own_us: f64,
    /// The name and the time of each other engine.
    pub(crate) others: Vec<(&'static str, f64)>,
    /// The time of the fastest other engine must be at least this many times the own one.
    pub(crate) target: f64,
}

impl EngineRow {
    /// Returns the head of a table with these columns.
    fn head(&self) -> String {
        let others: Vec<_> = self.others.iter().map(|(name, _)| *name).collect();
        let head = format!("| Rules | Gates | Govern | {} | Target | |", others.join(" | "));
        format!("{head}\n|{}", "---|".repeat(others.len() + 5))
    }

    pub(crate) fn to_markdown(&self) -> String {
        let gates = if self.is_sparse { "sparse" } else { "dense" };
        let mut text = format!("| {} | {gates} | {} |", self.rules, Figure::Micros(self.own_us));
        let mut is_met = true;
        for (_, us) in &self.others {
            let ratio = us / self.own_us;
            is_met &= ratio >= self.target;
            let _ = write!(text, " {}, {}× |", Figure::Micros(*us), three_digits(ratio));
        }
        let met = if is_met { "met" } else { "**missed**" };
        format!("{text} ≥ {}× | {met} |", three_digits(self.target))
    }
}

/// Returns both tables in Markdown, after the description of the machine.
pub(crate) fn tables(machine: &str, rows: &[ReportRow], engines: &[EngineRow]) -> String {
    let mut text = format!("{machine}\n");
    if !rows.is_empty() {
        text.push_str(
            "\n| Benchmark | Measured | Baseline | Ratio | Target | |\n|---|---|---|---|---|---|\n",
        );
    }
    for row in rows {
        let _ = writeln!(text, "{}", row.to_markdown()); // writing to a string cannot fail
    }
    if let Some(first) = engines.first() {
        let _ = writeln!(
            text,
            "\n**Engines**: the time of an evaluation, and its ratio to the time of Govern.\n\n{}",
            first.head()
        );
    }
    for row in engines {
        let _ = writeln!(text, "{}", row.to_markdown());
    }
    text
}

/// Returns the document with the tables between its markers, which must exist.
pub(crate) fn replace_tables(document: &str, tables: &str) -> Result<String> {
    let [begin, end] = MARKERS;
    let (before, rest) = document.split_once(begin).context("the document has no begin marker")?;
    let (_, after) = rest.split_once(end).context("the document has no end marker")?;
    Ok(format!("{before}{begin}\n{tables}\n{end}{after}"))
}

/// Formats a number with about three digits and a thousands separator.
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
    fn row_shows_whether_its_target_is_met() {
        let row = ReportRow::new("evaluate", Figure::PerSecond(45_123.4))
            .with_baseline("echo", Figure::PerSecond(60_000.0))
            .goal(Goal::TimesAtLeast(0.6));
        assert_eq!(
            row.to_markdown(),
            "| evaluate | 45,123/s | 60,000/s (echo) | 0.75× | ≥ 0.60× | met |"
        );
        let row =
            ReportRow::new("list", Figure::Millis(20.5)).goal(Goal::AtMost(Figure::Millis(20.0)));
        assert_eq!(row.to_markdown(), "| list | 20.5 ms |  |  | ≤ 20.0 ms | **missed** |");
        assert_eq!(ReportRow::new("log", Figure::Micros(0.012)).is_met(), None);
    }

    #[test]
    fn every_engine_must_meet_the_target() {
        let others = vec![("a", 20.0), ("b", 9.0)];
        let row = EngineRow { rules: 1_000, is_sparse: true, own_us: 1.0, others, target: 10.0 };
        assert_eq!(
            row.to_markdown(),
            "| 1000 | sparse | 1.00 µs | 20.0 µs, 20.0× | 9.00 µs, 9.00× | ≥ 10.0× | **missed** |"
        );
        assert_eq!(
            row.head(),
            "| Rules | Gates | Govern | a | b | Target | |\n|---|---|---|---|---|---|---|"
        );
    }

    #[test]
    fn new_table_replaces_the_previous_one() {
        let document = "# Speed\n\n<!-- bench: begin -->\nold\n<!-- bench: end -->\nrest\n";
        let new = replace_tables(document, "new\n").expect("markers");
        assert_eq!(new, "# Speed\n\n<!-- bench: begin -->\n\nnew\n\n<!-- bench: end -->\nrest\n");
        assert_eq!(replace_tables(&new, "new\n").expect("markers"), new);
        assert!(replace_tables("# Speed\n", "new\n").is_err());
    }
}
