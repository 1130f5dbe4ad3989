//! Texts of `/verify`.

use crate::text::{messages::capitalize, number::counted};

pub const TITLE: &str = "Verify a decision";
pub const INTRO: &str = "Checks the bundle of a decision in this browser, with keys that you \
                               trust. Your file is not sent anywhere.";
pub const NO_SCRIPTS: &str = "Verification in the browser requires JavaScript, which is disabled. To verify on your own machine, offline:";
pub const COMMAND: &str = "govern-verify --trust trust.json decision.tar";
pub const DOWNLOAD_BUNDLE: &str = "Download the bundle of this decision";
pub const ID: &str = "Or a decision ID";
pub const REMOVE: &str = "Remove";
pub const RESULT: &str = "Result";
pub const TEN_CLAIMS: &str = "Ten claims, checked one by one";
pub const FAILED: &str = "Failed:";
pub const ABOUT: &str = "What was checked";
pub const REGISTRY: &str = "Registry";
pub const REPORT: &str = "Report (JSON)";

/// Formats the name of a claim, for example "Chain proofs".
pub fn claim(name: &str) -> String {
    capitalize(&name.replace('_', " "))
}

/// Formats names of the report, for example "strict reader, canonical bytes". The report joins words by
/// underscores.
pub fn check_names(words: &[String]) -> String {
    let name = |word: &String| match word.as_str() {
        "re_evaluation" => "re-evaluation of the rules".to_owned(),
        "integrity_preimage" => "input of the integrity hash".to_owned(),
        other => other.replace('_', " "),
    };
    words.iter().map(name).collect::<Vec<_>>().join(", ")
}

pub fn note(word: &str) -> &'static str {
    match word {
        "ADDITIONAL_SIGNATURE_UNCHECKED" => "A further signature on an approval was not checked.",
        "CHAIN_OPEN" => "The chain is open: later steps can still be added.",
        "EXTERNAL_ANCHOR_NOT_CHECKED" => "The proof of another log was not checked.",
        "KEY_RETIRED" => "The key has been retired since.",
        "KEY_REVOKED_LATER" => "The key was revoked later; a witness saw this before.",
        "LINEAGE_TRUNCATED" => "Older approvals were not followed.",
        "PINNED_KEYS_ONLY" => "Only the pinned keys count; no registry was trusted.",
        "RECEIPT_V1_NOT_BOUND_TO_ID" => "A receipt of version 1 is not bound to its ID.",
        "REGISTRY_OLDER" => "The bundle's registry is older than the one that you trust.",
        "REGISTRY_STALE" => "The registry has expired.",
        "SEAL_ANCHOR_PENDING" => "The seal is not anchored yet.",
        "STEP_GAP" => "Some step numbers are unused.",
        "STEP_ORDER" => "Steps were recorded out of order.",
        "VALUES_REDACTED" => "Values are redacted in this receipt.",
        "WITNESSED" => "Witnesses saw this state of the log.",
        _ => "",
    }
}

pub fn version(number: u32) -> String {
    format!("version {number}")
}

pub fn log(origin: &str, size: u64) -> String {
    format!("{origin}, {} entries", counted(size))
}

/// Formats a sentence of the verifier. A name at the beginning is not capitalized.
pub fn sentence(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    let is_word = first.bytes().all(|byte| byte.is_ascii_lowercase());
    let stop = if text.ends_with('.') { "" } else { "." };
    if is_word { capitalize(text) + stop } else { text.to_owned() + stop }
}

#[cfg(test)]
mod tests {
    use verify::Note;

    use super::*;

    #[test]
    fn sentences_are_capitalized_and_names_are_not() {
        assert_eq!(sentence("no key is pinned"), "No key is pinned.");
        assert_eq!(sentence("receipt/receipt.json is missing"), "receipt/receipt.json is missing.");
        assert_eq!(sentence("`alg` is malformed."), "`alg` is malformed.");
        assert_eq!(claim("chain_proofs"), "Chain proofs");
    }

    #[test]
    fn every_note_has_a_sentence() {
        for known in Note::ALL {
            assert!(note(known.as_str()).ends_with('.'), "{known:?}");
        }
    }
}
