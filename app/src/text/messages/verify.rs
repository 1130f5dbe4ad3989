//! Texts of `/verify`.

use contract::verification;

use crate::{
    text::number::{count, counted, milliseconds},
    view::verify::{CheckError, Checked, Claim, Overall, SECONDS_MAX, Status, TrustError},
};

pub(crate) const TITLE: &str = "Verify a decision";
pub(crate) const LEAD: &str = "Checks the bundle of a decision in this browser, with keys that you \
                               trust. Your file is not sent anywhere.";
pub(crate) const NO_SCRIPTS: &str = "The check runs in the browser and needs scripts, which are off here. The same check on your \
     own machine, without a network:";
pub(crate) const OWN: &str = "Checked by this service, not by you";
pub(crate) const OWN_SAYS: &str = "The service that made this decision checked its bundle with the keys that it publishes. Only a check of \
     your own, with keys from elsewhere, shows that it tells the truth.";
pub(crate) const OWN_MISSING: &str = "This service gives no bundle for this id.";
pub(crate) const COMMAND: &str = "govern-verify --trust trust.json decision.tar";
pub(crate) const TAKE_BUNDLE: &str = "Download the bundle of this decision";
pub(crate) const BUNDLE: &str = "Bundle";
pub(crate) const CHOOSE: &str = "Choose a bundle, or drop it on this page";
pub(crate) const CHOOSE_HINT: &str =
    "The archive or its JSON form, up to 20 MiB. It stays in this browser.";
pub(crate) const ID: &str = "Or a decision id";
pub(crate) const FETCH: &str = "Fetch its bundle";
pub(crate) const KEYS: &str = "Keys that you trust";
pub(crate) const PINS: &str = "Fingerprints, one a line";
pub(crate) const PINS_HINT: &str = "43 letters each, which you have from elsewhere than the bundle. Write `policy_approval=` before one \
     that signs approvals, and `registry_root=` before a root of a registry.";
pub(crate) const TRUST: &str = "Trust document";
pub(crate) const TRUST_HINT: &str =
    "Or a trust registry, together with the fingerprints of its roots.";
pub(crate) const FORGET: &str = "Forget it";
pub(crate) const KEEP: &str = "Keep them on this device";
pub(crate) const USE_PUBLISHED: &str = "Use the keys that this service publishes";
pub(crate) const USE_PUBLISHED_SAYS: &str =
    "Shows that the bundle agrees with this service, and not that the service is who it says.";
pub(crate) const PUBLISHED_USED: &str = "The keys of this service are in use.";
pub(crate) const NOT_INDEPENDENT: &str = "Keys not checked independently.";
pub(crate) const NOT_INDEPENDENT_SAYS: &str = "They came from this service, which could give any keys. Compare its roots with a copy that you \
     have from elsewhere.";
pub(crate) const FETCHING: &str = "Asking the service.";
pub(crate) const CHECKING: &str = "Checking.";
pub(crate) const CLAIMS: &str = "What is checked";
pub(crate) const CLAIMS_SAY: &str =
    "Ten claims, each for itself. What cannot be checked is never called verified.";
pub(crate) const RESULT: &str = "Result";
pub(crate) const NOT_CHECKED: &str = "Nothing was checked";
pub(crate) const LOOKED_AT: &str = "Looked at:";
pub(crate) const NOT_LOOKED_AT: &str = "Not looked at:";
pub(crate) const ESTABLISHED: &str = "What this establishes";
pub(crate) const NOTHING: &str = "Nothing.";
pub(crate) const NOT_ESTABLISHED: &str = "What it does not";
pub(crate) const ABOUT: &str = "What was checked";
pub(crate) const FILE: &str = "File";
pub(crate) const DECISION: &str = "Decision";
pub(crate) const CHAIN: &str = "Chain";
pub(crate) const STEPS: &str = "Steps";
pub(crate) const HEAD: &str = "Last link";
pub(crate) const TENANT: &str = "Tenant";
pub(crate) const RECEIPT_DIGEST: &str = "Receipt digest";
pub(crate) const REGISTRY: &str = "Registry";
pub(crate) const PINNED: &str = "Pinned key";
pub(crate) const LOG: &str = "Log";
pub(crate) const CHECKED_AT: &str = "Checked at";
pub(crate) const REPORT: &str = "Report (JSON)";
pub(crate) const COPY_REPORT: &str = "Copy report";
pub(crate) const DOWNLOAD_REPORT: &str = "Download report";
pub(crate) const PRINT: &str = "Print";

/// Formats the name of a claim, for example "Chain proofs".
pub(crate) fn claim(name: &str) -> String {
    capitalize(&name.replace('_', " "))
}

/// Returns the display name of a claim status.
pub(crate) const fn status(status: Status) -> &'static str {
    match status {
        Status::Verified => "Verified",
        Status::Failed => "Failed",
        Status::NotApplicable => "Not applicable",
        Status::Indeterminate => "Could not check",
    }
}

/// Returns the display name of the overall result.
pub(crate) const fn overall(overall: Overall) -> &'static str {
    match overall {
        Overall::Verified => "Verified",
        Overall::Failed => "Failed",
        Overall::Incomplete => "Incomplete",
    }
}

/// Returns the meaning of the result, and the next step.
pub(crate) fn meaning(checked: &Checked) -> &'static str {
    match checked.report.overall {
        Overall::Verified if checked.is_published => {
            "All that this bundle holds was checked with the keys that this service publishes."
        }
        Overall::Verified => "All that this bundle holds was checked with the keys that you trust.",
        Overall::Failed => {
            "Something is not as it was signed, or not as its format asks. Do not rely on this bundle."
        }
        Overall::Incomplete if checked.is_unpinned() => {
            "You pinned no key, so nothing says whose signatures these are: give a fingerprint or a \
             trust document that you have from elsewhere."
        }
        Overall::Incomplete => "Nothing was found wrong, but not everything could be checked.",
    }
}

/// Returns, for example, "8 of 10 verified, 1 not applicable, 1 could not be checked."
pub(crate) fn counts(claims: &[Claim]) -> String {
    let count_of = |status| claims.iter().filter(|claim| claim.status == status).count();
    let rest = [
        (count_of(Status::Failed), "failed"),
        (count_of(Status::NotApplicable), "not applicable"),
        (count_of(Status::Indeterminate), "could not be checked"),
    ];
    let parts = rest.into_iter().filter(|(number, _)| *number > 0);
    let parts = parts.map(|(number, word)| format!("{number} {word}"));
    let first = format!("{} of {} verified", count_of(Status::Verified), claims.len());
    [first].into_iter().chain(parts).collect::<Vec<_>>().join(", ") + "."
}

/// Returns the result of a claim as a sentence.
pub(crate) fn said(claim: &Claim) -> String {
    if claim.status == Status::Verified {
        return sentence(verification::meaning(&claim.name));
    }
    if claim.detail.is_empty() {
        return "Nothing was found that could be checked.".to_owned();
    }
    sentence(&claim.detail)
}

/// Formats names of the report, for example "strict reader, canonical bytes". The report joins words by
/// underscores.
pub(crate) fn listed(words: &[String]) -> String {
    let name = |word: &String| match word.as_str() {
        "re_evaluation" => "the rules evaluated again".to_owned(),
        "integrity_preimage" => "what the integrity hash is made of".to_owned(),
        other => other.replace('_', " "),
    };
    words.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Returns the sentence for a note of the report.
pub(crate) fn note(word: &str) -> &'static str {
    match word {
        "ADDITIONAL_SIGNATURE_UNCHECKED" => "A further signature on an approval was not checked.",
        "CHAIN_OPEN" => "The chain is open: later steps can still be added.",
        "EXTERNAL_ANCHOR_NOT_CHECKED" => "The proof of another log was not checked.",
        "KEY_RETIRED" => "The key was retired since.",
        "KEY_REVOKED_LATER" => "The key was revoked later; a witness saw this before.",
        "LINEAGE_TRUNCATED" => "Older approvals were not followed.",
        "PINNED_KEYS_ONLY" => "Only the pinned keys count; no registry was trusted.",
        "RECEIPT_V1_NOT_BOUND_TO_ID" => "A receipt of version 1 is not bound to its id.",
        "REGISTRY_OLDER" => "The bundle's registry is older than the one that you trust.",
        "REGISTRY_STALE" => "The registry has expired.",
        "SEAL_ANCHOR_PENDING" => "The seal is not in the log yet.",
        "STEP_GAP" => "Numbers of steps are left out.",
        "STEP_ORDER" => "Steps were recorded out of order.",
        "VALUES_REDACTED" => "Values are left out of this receipt.",
        "WITNESSED" => "Witnesses saw this state of the log.",
        _ => "",
    }
}

/// Returns, for example, "decision.tar, 56,320 bytes, checked in 4.10 ms".
pub(crate) fn file(checked: &Checked) -> String {
    let size = count(checked.bytes as usize, "byte", "bytes");
    format!(", {size}, checked in {} ms", milliseconds(checked.took_ms))
}

/// Returns, for example, "version 2".
pub(crate) fn version(number: u32) -> String {
    format!("version {number}")
}

/// Returns, for example, "govern.example/log/1, 5 entries".
pub(crate) fn log(origin: &str, size: u64) -> String {
    format!("{origin}, {} entries", counted(size))
}

/// Returns why nothing was verified, and the next step.
pub(crate) fn refused(refused: &CheckError) -> String {
    match refused {
        CheckError::TooLong(name) => format!(
            "`{name}` is over 20 MiB, which is all that this page reads. `govern-verify` takes longer \
             bundles."
        ),
        CheckError::Unreadable => "A file cannot be read any more. Choose it again.".to_owned(),
        CheckError::NotABundle(name) => format!(
            "`{name}` is no bundle: neither an archive nor JSON. Choose the file that the service gave \
             as bundle of the decision."
        ),
        CheckError::NoFingerprint(line) => format!(
            "`{line}` is no fingerprint: 43 letters, and a purpose before them if you like."
        ),
        CheckError::Trust(why) => unusable(*why).to_owned(),
        CheckError::NoId(text) => format!("`{text}` is no decision id."),
        CheckError::NoBundle(id) => format!(
            "There is no bundle of {id} here. If you were given its bundle as a file, choose that."
        ),
        CheckError::NoRegistry => {
            "This service publishes no registry of keys. Give keys that you have from elsewhere."
                .to_owned()
        }
        CheckError::Answer(status) => {
            format!("The service gave another answer (status {status}). Try again in a moment.")
        }
        CheckError::Unreachable => {
            "The service cannot be reached. A bundle that you have as a file is checked without it."
                .to_owned()
        }
        CheckError::TookTooLong => format!(
            "The check took more than {SECONDS_MAX} seconds and was stopped. `govern-verify` takes as \
             long as it needs."
        ),
        CheckError::Ended => {
            "The verifier came to an end without an answer. Check this bundle with `govern-verify`."
                .to_owned()
        }
        CheckError::NoVerifier => {
            "The verifier could not be fetched. Load this page again when the service can be reached."
                .to_owned()
        }
    }
}

const fn unusable(why: TrustError) -> &'static str {
    match why {
        TrustError::Neither => {
            "The file is neither a trust document nor a trust registry that can be read."
        }
        TrustError::NoRootKey => {
            "A registry counts only with the fingerprint of a root: add a line with `registry_root=` \
             and the fingerprint."
        }
        TrustError::NoRegistry => {
            "The fingerprint of a root counts only with its registry: choose it as trust document."
        }
        TrustError::Threshold => "Too few of its own root keys signed the registry.",
        TrustError::RootKeys => "Too few of the root keys that you trust signed the registry.",
    }
}

/// Formats a sentence of the verifier. A name at its beginning keeps its letters.
fn sentence(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    let is_word = first.bytes().all(|byte| byte.is_ascii_lowercase());
    let stop = if text.ends_with('.') { "" } else { "." };
    if is_word { capitalize(text) + stop } else { text.to_owned() + stop }
}

fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next();
    first.into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use verify::{Note, Options, Trust};

    use super::*;
    use crate::view::verify::Report;

    #[test]
    fn sentences_are_capitalized_and_names_are_not() {
        assert_eq!(sentence("no key is pinned"), "No key is pinned.");
        assert_eq!(sentence("receipt/receipt.json is missing"), "receipt/receipt.json is missing.");
        assert_eq!(sentence("`alg` is malformed."), "`alg` is malformed.");
        assert_eq!(claim("chain_proofs"), "Chain proofs");
    }

    #[test]
    fn claims_are_counted_by_status() {
        let report = verify::verify(b"", &Trust::default(), &Options::default()).to_line();
        let report: Report = serde_json::from_str(&report).unwrap();
        assert_eq!(counts(&report.claims), "0 of 10 verified, 1 failed, 9 could not be checked.");
    }

    #[test]
    fn every_note_has_a_sentence() {
        for known in Note::ALL {
            assert!(note(known.as_str()).ends_with('.'), "{known:?}");
        }
    }
}
