//! The report as people read it.

use std::fmt;

use super::{ClaimReport, Report};

/// A report as text; with `explain`, what was looked at and why it came out so.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The report.
    pub report: &'a Report,
    /// Whether to say more.
    pub explain: bool,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        writeln!(f, "{}", report.overall.as_str())?;
        for claim in &report.claims {
            self.claim(f, claim)?;
        }
        list(f, "Established", report.established())?;
        list(f, "Not established", report.not_established())
    }
}

impl Shown<'_> {
    fn claim(&self, f: &mut fmt::Formatter<'_>, claim: &ClaimReport) -> fmt::Result {
        write!(f, "  {:<19} {}", claim.name, claim.status.as_str())?;
        if let Some(code) = claim.code {
            write!(f, " {code}")?;
        }
        let notes: Vec<_> = claim.notes.iter().map(|note| note.as_str()).collect();
        if !notes.is_empty() {
            write!(f, " ({})", notes.join(", "))?;
        }
        writeln!(f)?;
        if !self.explain {
            return Ok(());
        }
        for (word, rest) in [
            ("detail", plain(&claim.detail)),
            ("checked", claim.checked.join(", ")),
            ("not checked", claim.not_checked.join(", ")),
        ] {
            if !rest.is_empty() {
                writeln!(f, "    {word}: {rest}")?;
            }
        }
        Ok(())
    }
}

/// A detail may name a member; nothing in it may move the cursor of a terminal.
fn plain(detail: &str) -> String {
    detail.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn list(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    sentences: impl IntoIterator<Item = impl fmt::Display>,
) -> fmt::Result {
    writeln!(f, "{title}:")?;
    for sentence in sentences {
        writeln!(f, "  - {sentence}")?;
    }
    Ok(())
}
