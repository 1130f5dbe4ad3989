//! What a report came to, in a form that tests can compare and read.

use receipt::bundle::{Files, write_archive};
use verify::{Options, Report, Trust, verify};

/// Checks `files` as an archive.
pub(crate) fn check(files: &Files, trust: &Trust) -> Report {
    verify(&write_archive(files).unwrap(), trust, &Options::default())
}

/// One line for each claim that is not plainly verified: name, status, code, notes.
pub(crate) fn lines(report: &Report) -> Vec<String> {
    let line = |claim: &verify::ClaimReport| {
        let code = claim.code.map(|code| format!(" {code}")).unwrap_or_default();
        let notes: Vec<_> = claim.notes.iter().map(|note| note.as_str()).collect();
        let notes = if notes.is_empty() { String::new() } else { format!(" {}", notes.join(" ")) };
        let plain = code.is_empty() && notes.is_empty();
        (!plain).then(|| format!("{}: {}{code}{notes}", claim.name, claim.status.as_str()))
    };
    report.claims.iter().filter_map(line).collect()
}

/// The claims that failed or could not be decided, with their codes.
pub(crate) fn codes(report: &Report) -> Vec<String> {
    let code = |claim: &verify::ClaimReport| {
        let code = claim.code.filter(|code| code.status() > verify::Status::Verified)?;
        Some(format!("{} {code}", claim.name))
    };
    report.claims.iter().filter_map(code).collect()
}
