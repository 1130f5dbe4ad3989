//! The report as text.

use std::fmt;

use super::{ClaimReport, Report};

/// Displays a report as text. With `explain`, the text includes what was checked and the reasons.
#[derive(Clone, Copy, Debug)]
pub struct ReportDisplay<'a> {
    /// The report.
    pub report: &'a Report,
    /// Whether to include details.
    pub explain: bool,
}

impl fmt::Display for ReportDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        writeln!(f, "{}", report.overall.as_str())?;
        for claim in &report.claims {
            self.claim(f, claim)?;
        }
        write_list(f, "Established", report.established())?;
        write_list(f, "Not established", report.not_established())
    }
}

impl ReportDisplay<'_> {
    fn claim(&self, f: &mut fmt::Formatter<'_>, claim: &ClaimReport) -> fmt::Result {
        write!(f, "  {:<19} {}", claim.name.as_str(), claim.status.as_str())?;
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
        for (label, text) in [
            ("detail", without_controls(&claim.detail)),
            ("checked", claim.checked.join(", ")),
            ("not checked", claim.not_checked.join(", ")),
        ] {
            if !text.is_empty() {
                writeln!(f, "    {label}: {text}")?;
            }
        }
        Ok(())
    }
}

/// Replaces characters that control the terminal or change the direction of text. The name of a file or of an entry must
/// not control how a report is displayed.
pub(crate) fn without_controls(detail: &str) -> String {
    let is_control = |character: char| {
        character.is_control()
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    detail.chars().map(|c| if is_control(c) { '\u{fffd}' } else { c }).collect()
}

fn write_list(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    sentences: impl IntoIterator<Item = impl fmt::Display>,
) -> fmt::Result {
    writeln!(f, "{title}:")?;
    for sentence in sentences {
        writeln!(f, "  - {}", without_controls(&sentence.to_string()))?;
    }
    Ok(())
}
