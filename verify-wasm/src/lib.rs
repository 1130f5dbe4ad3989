#![doc = include_str!("../README.md")]

mod trust_input;

use verify::{Options, Trust, TrustError, verify};
use wasm_bindgen::prelude::wasm_bindgen;

/// Verifies `bundle`, in either form.
///
/// - `document`: a trust document or a trust registry.
/// - `lines`: one fingerprint per line, as for `--pin` of `govern-verify`; with the prefix
///   `registry_root=`, as for `--root-key`.
/// - `is_published`: whether the registry comes from the service itself. All its root keys are then
///   trusted, so the report shows that the bundle agrees with the service, but not the identity of
///   the service.
///
/// Returns the line printed by `govern-verify --json`. Without a bundle, only the trust input is
/// checked and no report is returned.
///
/// # Errors
/// Returns the code of the [`CheckError`], with its argument.
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen copies the values of the page")]
pub fn check(
    bundle: Option<Vec<u8>>,
    document: Option<Vec<u8>>,
    lines: &str,
    is_published: bool,
) -> Result<Option<String>, String> {
    let trust = trust_input::read(document.as_deref(), lines, is_published)?;
    bundle.map(|bundle| report(&bundle, &trust)).transpose().map_err(String::from)
}

/// Returns what the receipt of `bundle` states, as JSON, to show with the report. The values are not verified.
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen copies the values of the page")]
pub fn summary(bundle: Vec<u8>) -> Option<String> {
    Some(verify::summary(&bundle)?.to_canonical())
}

fn report(bundle: &[u8], trust: &Trust) -> Result<String, CheckError> {
    if !is_bundle(bundle) {
        return Err(CheckError::NoBundle);
    }
    Ok(verify(bundle, trust, &Options::default()).to_line())
}

/// Returns whether the bytes begin like one of the two forms. A file selected by mistake is not
/// reported as forged.
fn is_bundle(bytes: &[u8]) -> bool {
    let is_json = bytes.trim_ascii_start().first() == Some(&b'{');
    is_json || bytes.get(MAGIC_AT..).is_some_and(|rest| rest.starts_with(MAGIC))
}

/// The magic bytes in the first header of an archive and their offset. Source: POSIX, ustar
/// interchange format.
const MAGIC: &[u8] = b"ustar";
const MAGIC_AT: usize = 257;

/// The reason why nothing was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// `NO_BUNDLE`: the file is neither an archive nor JSON.
    NoBundle,
    /// `NO_FINGERPRINT`, a space and the line: the line is not a fingerprint.
    NoFingerprint(String),
    /// `NO_DOCUMENT`, `NO_ROOT_KEY`, `NO_REGISTRY`, `THRESHOLD` or `ROOT_KEYS`: the trust input
    /// cannot be used.
    Trust(TrustError),
}

impl From<CheckError> for String {
    fn from(error: CheckError) -> Self {
        let code = match error {
            CheckError::NoBundle => "NO_BUNDLE",
            CheckError::NoFingerprint(line) => return format!("NO_FINGERPRINT {line}"),
            CheckError::Trust(TrustError::Member(_) | TrustError::Neither) => "NO_DOCUMENT",
            CheckError::Trust(TrustError::NoRootKey) => "NO_ROOT_KEY",
            CheckError::Trust(TrustError::NoRegistry) => "NO_REGISTRY",
            CheckError::Trust(TrustError::Threshold) => "THRESHOLD",
            CheckError::Trust(TrustError::RootKeys) => "ROOT_KEYS",
        };
        code.to_owned()
    }
}

impl From<TrustError> for CheckError {
    fn from(error: TrustError) -> Self {
        Self::Trust(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_equals_the_output_of_the_command() {
        let report = verify(b"{", &Trust::default(), &Options::default());
        assert_eq!(check(Some(b"{".to_vec()), None, "", false), Ok(Some(report.to_line())));
        assert_eq!(check(None, None, "", false), Ok(None));
    }

    #[test]
    fn file_that_is_not_a_bundle_is_not_verified() {
        for bytes in [&b""[..], b"some text", b"PK\x03\x04", &[0; 512]] {
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
