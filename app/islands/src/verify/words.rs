//! Texts of `/verify`.

use crate::text::{messages::capitalize, number::counted};

pub const TITLE: &str = "Verify a decision";
pub const INTRO: &str = "Checks the bundle of a decision in this browser, with keys that you \
                               trust. Your file is not sent anywhere.";
pub const NO_SCRIPTS: &str = "Verification in the browser requires JavaScript, which is disabled. To verify on your own machine, offline:";
pub const SERVICE_CHECK: &str = "Checked by this service, not by you";
pub const SERVICE_CHECK_NOTE: &str = "The service that made this decision checked its bundle with the keys that it publishes. For independent assurance, verify the bundle yourself with keys from another source.";
pub const SERVICE_BUNDLE_MISSING: &str = "This service has no bundle for this ID.";
pub const COMMAND: &str = "govern-verify --trust trust.json decision.tar";
pub const DOWNLOAD_BUNDLE: &str = "Download the bundle of this decision";
pub const BUNDLE: &str = "Bundle";
pub const CHOOSE: &str = "Choose a bundle, or drop it on this page";
pub const CHOOSE_HINT: &str =
    "The archive or its JSON form, up to 20 MiB. It stays in this browser.";
pub const ID: &str = "Or a decision ID";
pub const FETCH: &str = "Fetch bundle";
pub const KEYS: &str = "Keys that you trust";
pub const PINS: &str = "Fingerprints, one per line";
pub const PINS_HINT: &str = "43 characters each, from a source other than the bundle. Write `policy_approval=` before one that signs approvals, and `registry_root=` before a root of a registry.";
pub const TRUST: &str = "Trust document";
pub const TRUST_HINT: &str = "Or a trust registry, together with the fingerprints of its roots.";
pub const REMOVE: &str = "Remove";
pub const REMEMBER: &str = "Remember on this device";
pub const USE_PUBLISHED: &str = "Use this service's keys";
pub const USE_PUBLISHED_HELP: &str =
    "Confirms that the bundle matches this service. Does not confirm the identity of the service.";
pub const PUBLISHED_USED: &str = "The keys of this service are in use.";
pub const NOT_INDEPENDENT: &str = "Keys not checked independently.";
pub const NOT_INDEPENDENT_NOTE: &str =
    "These keys came from this service. Compare its roots with a copy from an independent source.";
pub const FETCHING: &str = "Fetching from the service.";
pub const CHECKING: &str = "Checking.";
pub const CLAIMS: &str = "What is checked";
pub const CLAIMS_NOTE: &str =
    "Ten claims, checked one by one. A claim that cannot be checked is never reported as verified.";
pub const CHOOSE_ANOTHER: &str = "Choose another";
pub const FETCH_BY_ID: &str = "Fetch by ID";
pub const RESULT: &str = "Result";
pub const TEN_CLAIMS: &str = "Ten claims, checked one by one";
pub const FAILED: &str = "Failed:";
pub const DECISION_ID: &str = "Decision ID";
pub const CHAIN_ID: &str = "Chain ID";
pub const REPORT_HEAD: &str = "Report";
pub const NOTHING_CHECKED: &str = "Nothing was checked";
pub const CHECKED: &str = "Checked:";
pub const CLAIM_NOT_CHECKED: &str = "Not checked:";
pub const STATED_ONLY: &str = "Stated in the bundle, not verified";
pub const ESTABLISHED: &str = "What this establishes";
pub const NOTHING_ESTABLISHED: &str = "Nothing.";
pub const NOT_ESTABLISHED: &str = "What this does not establish";
pub const ABOUT: &str = "What was checked";
pub const FILE: &str = "File";
pub const DECISION: &str = "Decision";
pub const CHAIN: &str = "Chain";
pub const STEPS: &str = "Steps";
pub const HEAD: &str = "Last link";
pub const TENANT: &str = "Tenant";
pub const RECEIPT_DIGEST: &str = "Receipt digest";
pub const REGISTRY: &str = "Registry";
pub const KEYS_USED: &str = "Keys used";
pub const NO_KEYS_USED: &str = "None. The signers are unknown.";
pub const PINNED: &str = "Pinned key";
pub const LOG: &str = "Log";
pub const CHECKED_AT: &str = "Checked at";
pub const REPORT: &str = "Report (JSON)";
pub const COPY_REPORT: &str = "Copy report";
pub const DOWNLOAD_REPORT: &str = "Download report";
pub const PRINT: &str = "Print";

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
