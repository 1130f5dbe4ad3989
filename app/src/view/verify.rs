//! A check of a bundle: what was given, what is trusted, and what it came to.

use contract::time::Timestamp;
use verify::{BUNDLE_MAX, Code, Options, Report, Trust, TrustDocument, TrustUnusable, trust};

/// A file that the reader gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// What it is called.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// What a file is given as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What is checked.
    Bundle,
    /// What is trusted.
    Trust,
}

impl Role {
    /// The most bytes that are read: the verifier's own limit.
    pub const fn bytes_max(self) -> u32 {
        match self {
            Self::Bundle => BUNDLE_MAX,
            Self::Trust => trust::DOCUMENT_MAX,
        }
    }
}

/// Why nothing was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The file is longer than what it is given as can be.
    TooLong(String, Role),
    /// The browser could not read the file.
    Unreadable(String),
    /// The line is no fingerprint.
    NoFingerprint(String),
    /// What is to be trusted cannot be.
    Trust(TrustUnusable),
    /// The text is no decision's id.
    NoId(String),
    /// The service gives no bundle for this id.
    NoBundle(String),
    /// The service gave another answer, with this status.
    Answer(u16),
    /// The service could not be asked.
    Unreachable,
}

impl From<TrustUnusable> for Refused {
    fn from(why: TrustUnusable) -> Self {
        Self::Trust(why)
    }
}

/// What a check came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// What the file is called.
    pub name: String,
    /// How many bytes it has.
    pub size: usize,
    /// What the verifier found.
    pub report: Report,
    /// The same as `govern-verify --json` prints it, to the byte.
    pub text: String,
    /// How long it took, in milliseconds.
    pub took_ms: f64,
    /// When it was done, by the reader's clock.
    pub at: Option<Timestamp>,
}

impl Checked {
    /// Checks `bundle` with what `document` and `pins` say is trusted.
    ///
    /// # Errors
    /// Why what they say cannot be trusted.
    pub fn new(
        bundle: &Given,
        document: Option<&Given>,
        pins: &str,
        now_ms: impl Fn() -> f64,
    ) -> Result<Self, Refused> {
        let trust = trusted(document, pins)?;
        let start = now_ms();
        let report = verify::verify(&bundle.bytes, &trust, &Options::default());
        let took_ms = now_ms() - start;
        let text = report.to_line();
        let (name, size) = (bundle.name.clone(), bundle.bytes.len());
        Ok(Self { name, size, report, text, took_ms, at: None })
    }

    /// Whether the result rests on no key at all.
    pub fn is_unpinned(&self) -> bool {
        self.report.claim("trust_roots").is_some_and(|claim| claim.code == Some(Code::Unpinned))
    }
}

/// What stands before the fingerprint of a root of the registry.
const ROOT: &str = "registry_root=";

/// Letters of a fingerprint: 32 bytes in base64url. Source: RFC 7638, receipts, section 1.
const FINGERPRINT: usize = 43;

/// What is trusted: a trust document or a registry, and fingerprints, one a line. A line is what
/// `govern-verify` takes after `--pin`; after `registry_root=`, what it takes after `--root-key`.
///
/// # Errors
/// Why it cannot be trusted.
pub fn trusted(document: Option<&Given>, pins: &str) -> Result<Trust, Refused> {
    let mut trust = match document {
        Some(given) => TrustDocument::read(&given.bytes)?,
        None => TrustDocument::default(),
    };
    for line in pins.split_whitespace() {
        let refused = || Refused::NoFingerprint(line.to_owned());
        let kid = line.rsplit('=').next().unwrap_or_default();
        if !is_fingerprint(kid) {
            return Err(refused());
        }
        match line.strip_prefix(ROOT) {
            Some(kid) => trust.root_keys.push(kid.to_owned()),
            None => trust.pins.push(line.parse().map_err(|_| refused())?),
        }
    }
    Ok(Trust::new(trust)?)
}

fn is_fingerprint(text: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    text.len() == FINGERPRINT && text.bytes().all(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the format's worked example.
    const KID: &str = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

    fn pins(text: &str) -> Result<Vec<String>, Refused> {
        let bundle = Given { name: "none".to_owned(), bytes: Vec::new() };
        let checked = Checked::new(&bundle, None, text, || 0.0)?;
        Ok(checked.report.pins.into_iter().collect())
    }

    #[test]
    fn fingerprints_are_read_line_by_line() {
        assert_eq!(pins(""), Ok(vec![]));
        assert_eq!(pins(&format!("  {KID}\r\n\n")), Ok(vec![KID.to_owned()]));
        assert_eq!(pins(&format!("policy_approval={KID}")), Ok(vec![KID.to_owned()]));
        for line in ["a", &format!("{KID}A"), &format!("purpose={KID}"), &KID.replace('_', "/")] {
            let refused = Err(Refused::NoFingerprint(line.to_owned()));
            assert_eq!(pins(&format!("{KID}\n{line}")), refused);
        }
    }

    #[test]
    fn a_root_needs_its_registry() {
        let refused = Err(Refused::Trust(TrustUnusable::NoRegistry));
        assert_eq!(pins(&format!("registry_root={KID}")), refused);
    }

    #[test]
    fn what_is_no_trust_document_is_refused() {
        let document = Given { name: "trust.json".to_owned(), bytes: b"{}".to_vec() };
        let refused = trusted(Some(&document), "").map(|_| ());
        assert_eq!(refused, Err(Refused::Trust(TrustUnusable::Neither)));
    }

    #[test]
    fn the_report_is_that_of_the_command() {
        let bundle = Given { name: "none".to_owned(), bytes: Vec::new() };
        let checked = Checked::new(&bundle, None, "", || 0.0).unwrap();
        assert_eq!(checked.text, format!("{}\n", checked.report.to_value()));
        assert!(!checked.is_unpinned(), "a file that is no bundle is judged by nothing else");
    }
}
