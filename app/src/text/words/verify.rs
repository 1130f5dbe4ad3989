//! `/verify`

use verify::{ClaimReport, Note, Overall, Status, TrustUnusable};

use crate::{
    text::number::{count, milliseconds, whole},
    view::verify::{Checked, Refused, Role},
};

pub(crate) const TITLE: &str = "Verify a decision";
pub(crate) const LEAD: &str = "Checks the bundle of a decision in this browser, with keys that you \
                               trust. Your file is not sent anywhere.";
pub(crate) const NO_SCRIPTS: &str = "The check runs in the browser and needs scripts, which are off here. The same check on your \
     own machine, without a network:";
pub(crate) const COMMAND: &str = "govern-verify --trust trust.json decision.tar";
pub(crate) const TAKE_BUNDLE: &str = "Download the bundle of this decision";
pub(crate) const BUNDLE: &str = "Bundle";
pub(crate) const CHOOSE: &str = "Choose a bundle, or drop it on this page";
pub(crate) const CHOOSE_HINT: &str = "The archive or its JSON form. It stays in this browser.";
pub(crate) const ID: &str = "Or a decision id";
pub(crate) const FETCH: &str = "Fetch its bundle";
pub(crate) const KEYS: &str = "Keys that you trust";
pub(crate) const PINS: &str = "Fingerprints, one a line";
pub(crate) const PINS_HINT: &str = "43 letters each, which you have from elsewhere than the bundle. With policy_approval= in front, \
     one counts for approvals; with registry_root=, for the roots of a registry.";
pub(crate) const TRUST: &str = "Trust document";
pub(crate) const TRUST_HINT: &str =
    "Or a trust registry, together with the fingerprints of its roots.";
pub(crate) const FORGET: &str = "Forget the trust document";
pub(crate) const READING: &str = "Reading the file.";
pub(crate) const FETCHING: &str = "Fetching the bundle.";
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

/// A claim's name, which the verifier gives: "Chain proofs".
pub(crate) fn claim(name: &str) -> String {
    capital(&name.replace('_', " "))
}

/// How a claim stands.
pub(crate) const fn status(status: Status) -> &'static str {
    match status {
        Status::Verified => "Verified",
        Status::Failed => "Failed",
        Status::NotApplicable => "Not applicable",
        Status::Indeterminate => "Could not check",
    }
}

/// What all claims come to.
pub(crate) const fn overall(overall: Overall) -> &'static str {
    match overall {
        Overall::Verified => "Verified",
        Overall::Failed => "Failed",
        Overall::Incomplete => "Incomplete",
    }
}

/// What that means, and what to do about it.
pub(crate) fn meaning(checked: &Checked) -> &'static str {
    match checked.report.overall {
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

/// "8 of 10 verified, 1 not applicable, 1 could not be checked."
pub(crate) fn counts(claims: &[ClaimReport]) -> String {
    let of = |status| claims.iter().filter(|claim| claim.status == status).count();
    let rest = [
        (of(Status::Failed), "failed"),
        (of(Status::NotApplicable), "not applicable"),
        (of(Status::Indeterminate), "could not be checked"),
    ];
    let parts = rest.into_iter().filter(|(number, _)| *number > 0);
    let parts = parts.map(|(number, word)| format!("{number} {word}"));
    let first = format!("{} of {} verified", of(Status::Verified), claims.len());
    [first].into_iter().chain(parts).collect::<Vec<_>>().join(", ") + "."
}

/// What a claim came to, in a sentence.
pub(crate) fn said(claim: &ClaimReport) -> String {
    if claim.status == Status::Verified {
        return sentence(claim.meaning());
    }
    if claim.detail.is_empty() {
        return "Nothing was found that could be checked.".to_owned();
    }
    sentence(&claim.detail)
}

/// Words of the report, which join theirs by underscores: "strict reader, canonical bytes".
pub(crate) fn listed(words: &[&str]) -> String {
    words.iter().map(|word| word.replace('_', " ")).collect::<Vec<_>>().join(", ")
}

/// What else there is to know about a claim.
pub(crate) const fn note(note: Note) -> &'static str {
    match note {
        Note::AdditionalSignatureUnchecked => "A further signature on an approval was not checked.",
        Note::ChainOpen => "The chain is open: later steps can still be added.",
        Note::ExternalAnchorNotChecked => "The proof of another log was not checked.",
        Note::KeyRetired => "The key was retired since.",
        Note::KeyRevokedLater => "The key was revoked later; a witness saw this before.",
        Note::LineageTruncated => "Older approvals were not followed.",
        Note::PinnedKeysOnly => "Only the pinned keys count; no registry was trusted.",
        Note::ReceiptV1NotBoundToId => "A receipt of version 1 is not bound to its id.",
        Note::RegistryOlder => "The bundle's registry is older than the one that you trust.",
        Note::RegistryStale => "The registry has expired.",
        Note::SealAnchorPending => "The seal is not in the log yet.",
        Note::StepGap => "Numbers of steps are left out.",
        Note::StepOrder => "Steps were recorded out of order.",
        Note::ValuesRedacted => "Values are left out of this receipt.",
        Note::Witnessed => "Witnesses saw this state of the log.",
    }
}

/// "decision.tar, 56,320 bytes, checked in 4.10 ms"
pub(crate) fn file(checked: &Checked) -> String {
    let size = count(checked.size, "byte", "bytes");
    format!(", {size}, checked in {} ms", milliseconds(checked.took_ms))
}

/// "version 2"
pub(crate) fn version(number: u32) -> String {
    format!("version {number}")
}

/// "govern.example/log/1, 5 entries"
pub(crate) fn log(origin: &str, size: u64) -> String {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    format!("{origin}, {} entries", whole(size))
}

/// Why nothing was checked, and what to do.
pub(crate) fn refused(refused: &Refused) -> String {
    match refused {
        Refused::TooLong(name, role) => {
            let what = match role {
                Role::Bundle => "a bundle",
                Role::Trust => "a trust document",
            };
            let most = whole(i64::from(role.bytes_max()));
            format!("`{name}` is longer than {what} can be: {most} bytes.")
        }
        Refused::Unreadable(name) => format!("`{name}` cannot be read. Choose it again."),
        Refused::NoFingerprint(line) => {
            format!(
                "`{line}` is no fingerprint: 43 letters, and a purpose before them if you like."
            )
        }
        Refused::Trust(why) => unusable(why).to_owned(),
        Refused::NoId(text) => format!("`{text}` is no decision id."),
        Refused::NoBundle(id) => format!(
            "There is no bundle of {id} here. If you were given its bundle as a file, choose that."
        ),
        Refused::Answer(status) => {
            format!("The service gave no bundle (status {status}). Try again in a moment.")
        }
        Refused::Unreachable => {
            "The service cannot be reached. A bundle that you have as a file is checked without it."
                .to_owned()
        }
    }
}

const fn unusable(why: &TrustUnusable) -> &'static str {
    match why {
        TrustUnusable::Member(_) | TrustUnusable::Neither => {
            "The file is neither a trust document nor a trust registry that can be read."
        }
        TrustUnusable::NoRootKey => {
            "A registry counts only with the fingerprint of a root: add a line registry_root= and \
             the fingerprint."
        }
        TrustUnusable::NoRegistry => {
            "The fingerprint of a root counts only with its registry: choose it as trust document."
        }
        TrustUnusable::Threshold => "Too few of its own root keys signed the registry.",
        TrustUnusable::RootKeys => "Too few of the root keys that you trust signed the registry.",
    }
}

/// A sentence of the verifier. A name at its beginning keeps its letters.
fn sentence(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    let is_word = first.bytes().all(|byte| byte.is_ascii_lowercase());
    let stop = if text.ends_with('.') { "" } else { "." };
    if is_word { capital(text) + stop } else { text.to_owned() + stop }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next();
    first.into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use verify::{Options, Trust};

    use super::*;

    #[test]
    fn a_sentence_begins_large_and_a_name_does_not() {
        assert_eq!(sentence("no key is pinned"), "No key is pinned.");
        assert_eq!(sentence("receipt/receipt.json is missing"), "receipt/receipt.json is missing.");
        assert_eq!(sentence("`alg` is malformed."), "`alg` is malformed.");
        assert_eq!(claim("chain_proofs"), "Chain proofs");
    }

    #[test]
    fn claims_are_counted_by_how_they_stand() {
        let report = verify::verify(b"", &Trust::default(), &Options::default());
        assert_eq!(counts(&report.claims), "0 of 10 verified, 1 failed, 9 could not be checked.");
    }
}
