//! The reasons why a bundle was not verified.

/// The time limit of one verification in seconds. Source: console, part 5.5.
pub const SECONDS_MAX: u32 = 10;

/// The reason why nothing was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The file is longer than [`super::BYTES_MAX`]. Contains its name.
    TooLong(String),
    Unreadable,
    /// The file is not a bundle. Contains its name.
    NotABundle(String),
    /// The line is not a fingerprint. Contains the line.
    NoFingerprint(String),
    Trust(TrustError),
    /// The text is not a decision ID. Contains the text.
    NoId(String),
    /// The service has no bundle for this ID.
    NoBundle(String),
    /// The service has not published a trust registry.
    NoRegistry,
    /// The service returned an unexpected status.
    Answer(u16),
    Unreachable,
    /// The verification took longer than [`SECONDS_MAX`].
    TookTooLong,
    /// The verifier stopped without a result.
    Ended,
    /// The verifier could not be loaded.
    NoVerifier,
}

/// The reason why the trust input is unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustError {
    /// It is neither a trust document nor a trust registry.
    Neither,
    /// A registry without a root key.
    NoRootKey,
    /// A root key without a registry.
    NoRegistry,
    /// The registry has too few signatures of its own root keys.
    Threshold,
    /// The registry has too few signatures of trusted root keys.
    RootKeys,
}

impl TrustError {
    /// Returns the reason as a sentence.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Neither => {
                "The file is neither a trust document nor a trust registry that can be read."
            }
            Self::NoRootKey => {
                "A registry is trusted only with the fingerprint of a root. Add a line with `registry_root=` and the fingerprint."
            }
            Self::NoRegistry => {
                "The fingerprint of a root requires its registry. Choose the registry as the trust document."
            }
            Self::Threshold => "Too few of its own root keys signed the registry.",
            Self::RootKeys => "Too few of the root keys that you trust signed the registry.",
        }
    }
}

impl CheckError {
    /// Parses the error message of the verifier; `name` is the name of the bundle file.
    pub fn of(message: &str, name: &str) -> Self {
        let (code, rest) = message.split_once(' ').unwrap_or((message, ""));
        match code {
            "UNREADABLE" => Self::Unreadable,
            "NO_BUNDLE" => Self::NotABundle(name.to_owned()),
            "NO_FINGERPRINT" => Self::NoFingerprint(rest.to_owned()),
            "NO_DOCUMENT" => Self::Trust(TrustError::Neither),
            "NO_ROOT_KEY" => Self::Trust(TrustError::NoRootKey),
            "NO_REGISTRY" => Self::Trust(TrustError::NoRegistry),
            "THRESHOLD" => Self::Trust(TrustError::Threshold),
            "ROOT_KEYS" => Self::Trust(TrustError::RootKeys),
            _ => Self::Ended,
        }
    }

    /// Returns why nothing was verified, and the next step.
    pub fn text(&self) -> String {
        match self {
            Self::TooLong(name) => format!(
                "`{name}` is over 20 MiB, the limit of this page. Use `govern-verify` for larger bundles."
            ),
            Self::Unreadable => "A file can no longer be read. Choose it again.".to_owned(),
            Self::NotABundle(name) => format!(
                "`{name}` is not a bundle: it is neither an archive nor JSON. Choose the bundle that you downloaded from the service."
            ),
            Self::NoFingerprint(line) => format!(
                "`{line}` is not a fingerprint. A fingerprint has 43 characters; a purpose before it is optional."
            ),
            Self::Trust(why) => why.text().to_owned(),
            Self::NoId(text) => format!("`{text}` is not a valid decision ID."),
            Self::NoBundle(id) => format!(
                "No bundle of {id} was found. If you have its bundle as a file, choose the file."
            ),
            Self::NoRegistry => {
                "This service publishes no trust registry. Use keys from another source.".to_owned()
            }
            Self::Answer(status) => {
                format!("The service responded with status {status}. Try again shortly.")
            }
            Self::Unreachable => {
                "The service cannot be reached. A bundle file can be checked without it.".to_owned()
            }
            Self::TookTooLong => format!(
                "The check took more than {SECONDS_MAX} seconds and was stopped. `govern-verify` has no time limit."
            ),
            Self::Ended => {
                "The verifier stopped unexpectedly. Verify this bundle with `govern-verify`."
                    .to_owned()
            }
            Self::NoVerifier => {
                "The verifier could not be loaded. Reload this page when the service is available."
                    .to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_errors_are_parsed_from_their_code() {
        assert_eq!(
            CheckError::of("NO_FINGERPRINT a=b", ""),
            CheckError::NoFingerprint("a=b".to_owned())
        );
        assert_eq!(
            CheckError::of("NO_BUNDLE", "a.pdf"),
            CheckError::NotABundle("a.pdf".to_owned())
        );
        assert_eq!(CheckError::of("THRESHOLD", ""), CheckError::Trust(TrustError::Threshold));
    }
}
