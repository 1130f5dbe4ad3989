//! The command line of `govern-verify`, which is also `govern verify`. It reads files and writes a report.

use std::{
    fs::File,
    io::{ErrorKind, Read as _, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Parser;
use contract::{
    error::Problem,
    id::TenantId,
    json::{Limits, Value},
    time::Timestamp,
};
use receipt::{jwks, transparency_log::Vkey};

use crate::{
    BUNDLE_MAX, Options, Report, Trust, TrustDocument, TrustError,
    report::{ReportDisplay, without_controls},
    trust::{DOCUMENT_MAX, Pin},
    verify,
};

/// Verifies a bundle offline.
///
/// Only the keys pinned here are trusted, and no network connection is ever opened.
/// Exit codes: 0 verified, 1 failed, 2 usage error or unreadable file, 3 incomplete.
#[derive(Debug, Parser)]
#[command(name = "govern-verify", version)]
pub struct Command {
    /// Trust document, or envelope of a trust registry (requires --root-key)
    #[arg(long, value_name = "FILE")]
    trust: Option<PathBuf>,
    // A fingerprint may start with a hyphen.
    /// Fingerprint of a root key of the trust registry
    #[arg(long, value_name = "KID", allow_hyphen_values = true)]
    root_key: Vec<String>,
    /// Number of pinned root keys that must have signed [default: more than half]
    #[arg(long, value_name = "N")]
    root_threshold: Option<u32>,
    /// Fingerprint of a trusted key, for PURPOSE or for receipts, links, seals and manifests
    #[arg(long, value_name = "[PURPOSE=]KID", allow_hyphen_values = true)]
    pin: Vec<Pin>,
    /// Key set (JWKS) with the pinned keys
    #[arg(long, value_name = "FILE")]
    jwks: Option<PathBuf>,
    /// Verifier key of a trusted transparency log
    #[arg(long, value_name = "VKEY")]
    log_key: Vec<Vkey>,
    /// Verifier key of a trusted witness
    #[arg(long, value_name = "VKEY")]
    witness: Vec<Vkey>,
    /// Number of witnesses that must have cosigned
    #[arg(long, value_name = "N")]
    quorum: Option<u32>,
    /// Tenant that the decision must belong to
    #[arg(long, value_name = "UUID")]
    tenant: Option<TenantId>,
    /// Current time, to report whether the registry is current
    #[arg(long, value_name = "TIMESTAMP", value_parser = parse_timestamp)]
    now: Option<Timestamp>,
    /// Accept withheld context and evidence data, but no other incomplete check
    #[arg(long)]
    allow_withheld: bool,
    /// Explain what was checked, what was not checked, and the reason for each result
    #[arg(long)]
    explain: bool,
    /// Print the report as canonical JSON
    #[arg(long)]
    json: bool,
    /// Bundle, as an archive or in its JSON form
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
}

/// The reason why the bundle was not checked.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("`{path}` cannot be read: {error}")]
    File { path: String, error: std::io::Error },
    #[error("`{0}` is too large")]
    TooLarge(String),
    #[error("`{0}` is not a key set: {1}")]
    Jwks(String, String),
    #[error("`{0}`: {1}")]
    TrustFile(String, TrustError),
    #[error(transparent)]
    Trust(#[from] TrustError),
}

impl Command {
    /// Checks the bundle, prints the report or the error, and returns the exit code.
    #[expect(clippy::print_stderr, reason = "commands report errors on standard error")]
    pub fn execute(&self) -> ExitCode {
        match self.run() {
            Ok(report) => self.print(&report),
            Err(error) => {
                let message = error.to_string();
                if self.json {
                    let code = "INVALID_INPUT".to_owned();
                    eprintln!("{}", Problem { code, message, details: None }.to_line());
                } else {
                    eprintln!("govern-verify: {}", without_controls(&message));
                }
                ExitCode::from(2)
            }
        }
    }

    /// Reads the files and checks the bundle.
    fn run(&self) -> Result<Report, Error> {
        let trust = Trust::new(self.trust()?)?;
        let bundle = read(&self.bundle, BUNDLE_MAX)?;
        let options =
            Options { tenant: self.tenant, now: self.now, allow_withheld: self.allow_withheld };
        Ok(verify(&bundle, &trust, &options))
    }

    /// Returns the trust document, extended by the arguments.
    fn trust(&self) -> Result<TrustDocument, Error> {
        let mut document = match &self.trust {
            Some(path) => TrustDocument::read(&read(path, DOCUMENT_MAX)?)
                .map_err(|error| Error::TrustFile(display_path(path), error))?,
            None => TrustDocument::default(),
        };
        document.root_keys.extend(self.root_key.iter().cloned());
        document.root_threshold = self.root_threshold.or(document.root_threshold);
        document.pins.extend(self.pin.iter().cloned());
        document.logs.extend(self.log_key.iter().cloned());
        document.witnesses.extend(self.witness.iter().cloned());
        document.witness_quorum = self.quorum.or(document.witness_quorum);
        if let Some(path) = &self.jwks {
            let jwks_error =
                |error: &dyn ToString| Error::Jwks(display_path(path), error.to_string());
            let text = read(path, DOCUMENT_MAX)?;
            let set =
                Value::parse(&text, &Limits::BUNDLE_FILE).map_err(|error| jwks_error(&error))?;
            document.keys.extend(jwks::read(&set).map_err(|error| jwks_error(&error))?);
        }
        Ok(document)
    }

    /// Prints a report and returns its exit code.
    #[expect(clippy::print_stderr, reason = "commands report errors on standard error")]
    fn print(&self, report: &Report) -> ExitCode {
        let text = if self.json {
            report.to_line()
        } else {
            ReportDisplay { report, explain: self.explain }.to_string()
        };
        let mut out = std::io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        match written {
            // A closed pipe is not an error; the exit code also gives the result.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                eprintln!("govern-verify: standard output cannot be written: {error}");
                ExitCode::from(2)
            }
            _ => ExitCode::from(report.overall.exit_code()),
        }
    }
}

/// Reads a file of at most `max_bytes` bytes.
fn read(path: &Path, max_bytes: u32) -> Result<Vec<u8>, Error> {
    let failed = |error| Error::File { path: display_path(path), error };
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(u64::from(max_bytes).saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    if length > max_bytes { Err(Error::TooLarge(display_path(path))) } else { Ok(bytes) }
}

fn display_path(path: &Path) -> String {
    path.display().to_string()
}

fn parse_timestamp(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "not an RFC 3339 timestamp".to_owned())
}
