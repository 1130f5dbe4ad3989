#![doc = include_str!("../README.md")]

mod trusted;

use verify::{Options, Trust, TrustUnusable, verify};
use wasm_bindgen::prelude::wasm_bindgen;

/// Checks `bundle`, in either form, with what is trusted: a trust document or a registry, and fingerprints,
/// one a line. A line is what `govern-verify` takes after `--pin`; after `registry_root=`, what it takes
/// after `--root-key`. A registry that `is_published` by the service itself counts with all of its own roots:
/// that shows that the bundle agrees with the service, and not that the service is who it says.
///
/// The report is the line that `govern-verify --json` prints. Without a bundle there is none, and only what
/// is trusted is looked at.
///
/// # Errors
/// Why nothing was checked, in a word: see [`Refused`].
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "what comes from the page is copied to here")]
pub fn check(
    bundle: Option<Vec<u8>>,
    document: Option<Vec<u8>>,
    lines: &str,
    is_published: bool,
) -> Result<Option<String>, String> {
    let trust = trusted::read(document.as_deref(), lines, is_published)?;
    bundle.map(|bundle| report(&bundle, &trust)).transpose().map_err(String::from)
}

fn report(bundle: &[u8], trust: &Trust) -> Result<String, Refused> {
    if !is_bundle(bundle) {
        return Err(Refused::NoBundle);
    }
    Ok(verify(bundle, trust, &Options::default()).to_line())
}

/// Whether the bytes begin as one of the two forms does. Whoever chose another file by mistake is not told
/// of a forgery.
fn is_bundle(bytes: &[u8]) -> bool {
    let is_json = bytes.trim_ascii_start().first() == Some(&b'{');
    is_json || bytes.get(MAGIC_AT..).is_some_and(|rest| rest.starts_with(MAGIC))
}

/// What stands in the first header of an archive, and where. Source: POSIX, ustar interchange format.
const MAGIC: &[u8] = b"ustar";
const MAGIC_AT: usize = 257;

/// Why nothing was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// `NO_BUNDLE`: the file is neither an archive nor JSON.
    NoBundle,
    /// `NO_FINGERPRINT`, a blank and the line: that is none.
    NoFingerprint(String),
    /// `NO_DOCUMENT`, `NO_ROOT_KEY`, `NO_REGISTRY`, `THRESHOLD` or `ROOT_KEYS`: what is trusted cannot be
    /// used.
    Trust(TrustUnusable),
}

impl From<Refused> for String {
    fn from(refused: Refused) -> Self {
        let word = match refused {
            Refused::NoBundle => "NO_BUNDLE",
            Refused::NoFingerprint(line) => return format!("NO_FINGERPRINT {line}"),
            Refused::Trust(TrustUnusable::Member(_) | TrustUnusable::Neither) => "NO_DOCUMENT",
            Refused::Trust(TrustUnusable::NoRootKey) => "NO_ROOT_KEY",
            Refused::Trust(TrustUnusable::NoRegistry) => "NO_REGISTRY",
            Refused::Trust(TrustUnusable::Threshold) => "THRESHOLD",
            Refused::Trust(TrustUnusable::RootKeys) => "ROOT_KEYS",
        };
        word.to_owned()
    }
}

impl From<TrustUnusable> for Refused {
    fn from(why: TrustUnusable) -> Self {
        Self::Trust(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_that_of_the_command() {
        let report = verify(b"{", &Trust::default(), &Options::default());
        assert_eq!(check(Some(b"{".to_vec()), None, "", false), Ok(Some(report.to_line())));
        assert_eq!(check(None, None, "", false), Ok(None));
    }

    #[test]
    fn what_is_no_bundle_is_not_judged() {
        for bytes in [&b""[..], b"some letter", b"PK\x03\x04", &[0; 512]] {
            assert_eq!(check(Some(bytes.to_vec()), None, "", false), Err("NO_BUNDLE".to_owned()));
        }
        let mut header = vec![0; 512];
        header[MAGIC_AT..][..MAGIC.len()].copy_from_slice(MAGIC);
        for bytes in [b" {}".to_vec(), header] {
            let report = check(Some(bytes), None, "", false).unwrap().unwrap();
            assert!(report.contains("ARCHIVE_MALFORMED"), "{report}");
        }
    }
}
