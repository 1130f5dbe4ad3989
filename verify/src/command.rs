//! The arguments of `govern-verify`, and what they come to.

use std::{
    fs::File,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Parser;
use contract::{
    id::TenantId,
    json::{Limits, Value},
    time::Timestamp,
};
use receipt::{jwks, log::Vkey};
use verify::{
    BUNDLE_MAX, Options, Report, Trust, TrustDocument, TrustUnusable,
    report::Shown,
    trust::{DOCUMENT_MAX, Pin},
    verify,
};

/// Checks a verification bundle offline.
///
/// Nothing is believed but what is pinned here; no network connection is ever opened.
/// Exit codes: 0 verified, 1 failed, 2 usage or unusable file, 3 incomplete.
#[derive(Debug, Parser)]
#[command(name = "govern-verify", version)]
pub(crate) struct Command {
    /// A trust document, or the envelope of a trust registry (which needs --root-key)
    #[arg(long, value_name = "FILE")]
    trust: Option<PathBuf>,
    // A fingerprint may begin with a hyphen.
    /// A key of the registry's root
    #[arg(long, value_name = "KID", allow_hyphen_values = true)]
    root_key: Vec<String>,
    /// How many of the pinned root keys must have signed [default: more than half]
    #[arg(long, value_name = "N")]
    root_threshold: Option<u32>,
    /// A key to trust, for one purpose or for receipts, links, seals and manifests
    #[arg(long, value_name = "[PURPOSE=]KID", allow_hyphen_values = true)]
    pin: Vec<Pin>,
    /// A key set with the bytes of pinned keys
    #[arg(long, value_name = "FILE")]
    jwks: Option<PathBuf>,
    /// A log to trust
    #[arg(long, value_name = "VKEY")]
    log_key: Vec<Vkey>,
    /// A witness to trust
    #[arg(long, value_name = "VKEY")]
    witness: Vec<Vkey>,
    /// How many witnesses must have cosigned
    #[arg(long, value_name = "N")]
    quorum: Option<u32>,
    /// The tenant that the decision must be of
    #[arg(long, value_name = "UUID")]
    tenant: Option<TenantId>,
    /// The present moment, to say whether the registry is current
    #[arg(long, value_name = "INSTANT", value_parser = instant)]
    now: Option<Timestamp>,
    /// Accept that context and evidence data are withheld, and no other undecided check
    #[arg(long)]
    allow_withheld: bool,
    /// Say what was checked, what was not, and why it came out so
    #[arg(long)]
    explain: bool,
    /// Print the canonical report
    #[arg(long)]
    json: bool,
    /// The bundle, as an archive or in its JSON form
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
}

/// Why nothing could be checked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("`{path}` cannot be read: {error}")]
    File { path: String, error: std::io::Error },
    #[error("`{0}` is too long")]
    TooLong(String),
    #[error("`{0}` is not a key set: {1}")]
    Jwks(String, String),
    #[error(transparent)]
    Trust(#[from] TrustUnusable),
}

impl Command {
    /// Reads the files and checks the bundle.
    pub(crate) fn run(&self) -> Result<Report, Error> {
        let trust = Trust::new(self.trust()?)?;
        let bundle = read(&self.bundle, BUNDLE_MAX)?;
        let options =
            Options { tenant: self.tenant, now: self.now, allow_withheld: self.allow_withheld };
        Ok(verify(&bundle, &trust, &options))
    }

    /// What is trusted: the document, and what the arguments add to it.
    fn trust(&self) -> Result<TrustDocument, Error> {
        let mut document = match &self.trust {
            Some(path) => TrustDocument::read(&read(path, DOCUMENT_MAX)?)?,
            None => TrustDocument::default(),
        };
        document.root_keys.extend(self.root_key.iter().cloned());
        document.root_threshold = self.root_threshold.or(document.root_threshold);
        document.pins.extend(self.pin.iter().cloned());
        document.logs.extend(self.log_key.iter().cloned());
        document.witnesses.extend(self.witness.iter().cloned());
        document.witness_quorum = self.quorum.or(document.witness_quorum);
        if let Some(path) = &self.jwks {
            let refused = |error: &dyn ToString| Error::Jwks(shown(path), error.to_string());
            let text = read(path, DOCUMENT_MAX)?;
            let set =
                Value::parse(&text, &Limits::BUNDLE_MEMBER).map_err(|error| refused(&error))?;
            document.keys.extend(jwks::read(&set).map_err(|error| refused(&error))?);
        }
        Ok(document)
    }

    /// Prints a report, and gives the exit code that goes with it.
    pub(crate) fn print(&self, report: &Report) -> ExitCode {
        let text = if self.json {
            report.to_line()
        } else {
            Shown { report, explain: self.explain }.to_string()
        };
        // Whoever closes the pipe has read enough; the verdict is in the exit code too.
        let _ = std::io::stdout().write_all(text.as_bytes());
        ExitCode::from(report.overall.exit_code())
    }
}

/// Reads a file of at most `most` bytes.
fn read(path: &Path, most: u32) -> Result<Vec<u8>, Error> {
    let failed = |error| Error::File { path: shown(path), error };
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(u64::from(most).saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    if length > most { Err(Error::TooLong(shown(path))) } else { Ok(bytes) }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn instant(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "not an RFC 3339 instant".to_owned())
}
