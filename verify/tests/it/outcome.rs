//! Reports in a compact form for assertions.

use receipt::bundle::{Files, write_archive};
use verify::{Options, Report, Trust, verify};

/// Verifies `files` as an archive.
pub(crate) fn check(files: &Files, trust: &Trust) -> Report {
    verify(&write_archive(files).unwrap(), trust, &Options::default())
}

/// Returns one line per claim that is not verified or has notes: name, status, code, notes.
pub(crate) fn lines(report: &Report) -> Vec<String> {
    let line = |claim: &verify::ClaimReport| {
        let code = claim.code.map(|code| format!(" {code}")).unwrap_or_default();
        let notes: Vec<_> = claim.notes.iter().map(|note| note.as_str()).collect();
        let notes = if notes.is_empty() { String::new() } else { format!(" {}", notes.join(" ")) };
        let is_plain = code.is_empty() && notes.is_empty();
        (!is_plain).then(|| format!("{}: {}{code}{notes}", claim.name, claim.status.as_str()))
    };
    report.claims.iter().filter_map(line).collect()
}

/// Returns the claims that are failed or indeterminate, with their codes.
pub(crate) fn codes(report: &Report) -> Vec<String> {
    let code = |claim: &verify::ClaimReport| {
        let code = claim.code.filter(|code| code.status() > verify::Status::Verified)?;
        Some(format!("{} {code}", claim.name))
    };
    report.claims.iter().filter_map(code).collect()
}
