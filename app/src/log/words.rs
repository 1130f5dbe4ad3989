//! Texts of `/log`.

use crate::text::number::counted;

pub(crate) const TITLE: &str = "Transparency log";
pub(crate) const INTRO: &str = "An append-only log of the digests of receipts, chain seals, approvals, registry versions and audit checkpoints. Save a checkpoint to prove later that no entry before it was changed or removed.";
pub(crate) const DISABLED: &str = "The transparency log is disabled.";
pub(crate) const DISABLED_NOTE: &str =
    "No signing key is configured, so nothing is logged. The operator can configure a signing key.";
pub(crate) const NO_LONGER: &str = "The transparency log is disabled. No signing key is configured, so no entries are added. Existing entries remain readable.";
pub(crate) const NOT_STARTED: &str = "No checkpoint yet.";
pub(crate) const NOT_STARTED_NOTE: &str = "The first checkpoint is signed when the log starts.";
pub(crate) const HALTED: &str = "The log is halted.";
pub(crate) const HALTED_NOTE: &str = "Decisions are still recorded and signed. Their anchors remain pending until the log continues.";
pub(crate) const CHECKPOINT: &str = "Current checkpoint";
pub(crate) const ORIGIN: &str = "Log";
pub(crate) const SIZE: &str = "Entries";
pub(crate) const ROOT: &str = "Root";
pub(crate) const SIGNED: &str = "Signed";
pub(crate) const COSIGNATURES: &str = "Cosignatures";
pub(crate) const NO_COSIGNATURES: &str = "None. No witness cosigned this checkpoint.";
pub(crate) const REKOR: &str = "Rekor";
pub(crate) const NO_REKOR: &str = "No checkpoint was submitted to Rekor.";
pub(crate) const REKOR_PROOF: &str = "Proof (JSON)";
pub(crate) const KEY: &str = "Key of the log";
pub(crate) const NOTE: &str = "Signed note";
pub(crate) const NOTE_LINK: &str = "Open the signed note";
pub(crate) const LOOK_UP_TITLE: &str = "Look up a digest";
pub(crate) const LOOK_UP_HELP: &str = "Finds the entry of a digest, such as the digest of a receipt, and its inclusion proof. Entries contain no other data.";
pub(crate) const DIGEST: &str = "Digest (64 hexadecimal characters)";
pub(crate) const LOOK_UP: &str = "Look up";
pub(crate) const BAD_DIGEST: &str =
    "Enter a digest of 64 characters, each of which is 0 to 9 or a to f.";
pub(crate) const NOT_FOUND: &str = "The log has no entry for this digest.";
pub(crate) const NOT_FOUND_NOTE: &str =
    "A digest that was recorded just now is usually logged within a second.";
pub(crate) const NOT_FOUND_HALTED: &str =
    "Digests that were recorded after the log was halted are logged when it continues.";
pub(crate) const INDEX: &str = "Entry";
pub(crate) const LEAF: &str = "Leaf hash";
pub(crate) const ANCHORED: &str = "Anchored";
pub(crate) const UNDER: &str = "Under the checkpoint of";
pub(crate) const PROOF: &str = "Inclusion proof";
pub(crate) const PROOF_HELP: &str =
    "C2SP tlog-proof: the index, the hashes from the leaf to the root, and the signed checkpoint.";
pub(crate) const FINAL_PROOF: &str = "Inclusion proof under the final checkpoint";
pub(crate) const EARLIER: &str = "Earlier logs";
pub(crate) const EARLIER_HELP: &str = "These logs are frozen. Their entries remain provable.";
pub(crate) const EARLIER_HEAD: [&str; 4] = ["Log", "Entries", "Active (UTC)", "Final checkpoint"];
pub(crate) const SHOW: &str = "Show";
pub(crate) const FROM: &str = "from";
pub(crate) const UNTIL: &str = "until";
pub(crate) const KEYS: &str = "Signing keys";

/// Returns the reason why the log is halted, as a sentence.
pub(crate) fn halt_reason(code: &str) -> &'static str {
    match code {
        "LOG_ROLLBACK_DETECTED" => {
            "The database is older than the last signed checkpoint, or differs from it. Signing would create a second history."
        }
        "LOG_KEY_CHANGED" => "This service does not have the key with which the log was started.",
        _ => "The log accepts no entries.",
    }
}

/// Returns what the digest of an entry identifies.
pub(crate) fn kind(kind: &str) -> &str {
    match kind {
        "receipt" => "Receipt",
        "chain_seal" => "Chain seal",
        "policy_approval" => "Policy approval",
        "trust_registry" => "Trust registry version",
        "audit_checkpoint" => "Audit log checkpoint",
        other => other,
    }
}

/// Returns, for example, "84,112 entries".
pub(crate) fn entries(number: u64) -> String {
    let noun = if number == 1 { "entry" } else { "entries" };
    format!("{} {noun}", counted(number))
}

/// Returns the checkpoint that Rekor recorded, for example "Checkpoint of 84,112 entries, as entry 17".
pub(crate) fn rekor(size: u64, index: Option<&str>) -> String {
    let entry = index.map(|index| format!(", as entry {index}")).unwrap_or_default();
    format!("Checkpoint of {}{entry}", entries(size))
}
