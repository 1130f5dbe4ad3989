//! Texts of `/help`.

pub(crate) const TITLE: &str = "Help";
pub(crate) const GUIDES: &str = "Documentation";
pub(crate) const GUIDES_NOTE: &str = "How to work with Govern, step by step, for each role.";
/// The most used pages of the documentation.
pub(crate) const GUIDE_LINKS: [(&str, &str); 4] = [
    ("/docs/start", "Start page"),
    ("/docs/concepts", "Concepts"),
    ("/docs/errors", "Error codes"),
    ("/docs", "API reference"),
];
pub(crate) const VERDICTS: &str = "Verdicts";
pub(crate) const SEVERITIES: &str = "Severities";
pub(crate) const TYPES: &str = "Rule types";
pub(crate) const TERMS: &str = "Glossary";
pub(crate) const KEYS: &str = "Keyboard shortcuts";
pub(crate) const KEYS_HELP: &str = "Single-key shortcuts are disabled while you type in a field.";
pub(crate) const PROOF: &str = "Proof";
pub(crate) const PROOF_NOTE: &str = "Every decision has a signed receipt. Anyone with the bundle can verify it in the browser, without an account and with keys they trust.";
pub(crate) const LOG: &str = "Transparency log";
pub(crate) const TRUST: &str = "Signing keys";
pub(crate) const APPEARANCE: &str = "Appearance";
