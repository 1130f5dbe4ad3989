//! Texts of `/t/{tenant}/decisions/{decision}/bundle`.

use contract::{id::DecisionId, text::isolated};

use crate::text::number::whole;

pub(crate) const TITLE: &str = "Bundle";
pub(crate) const INTRO: &str = "Everything needed to verify this decision offline. This page lists the contents; it does not verify them.";
pub(crate) const DOWNLOAD: &str = "Download the bundle";
pub(crate) const AS_JSON: &str = "As JSON";
pub(crate) const CHECK: &str = "Verify it yourself";
pub(crate) const CHECK_HELP: &str = "Verify the bundle on your own machine with this command, or in your browser. Use a trust document that you obtained separately (`govern trust show --trust-document`).";
pub(crate) const COMMAND: &str = "Command";
pub(crate) const IN_BROWSER: &str = "Verify in the browser";
pub(crate) const CLAIMS: &str = "Claims to verify";
pub(crate) const CLAIMS_NOTE: &str = "Ten claims, in the order of the verification report. They have not been verified on this page.";
pub(crate) const CLAIM_HEAD: [&str; 3] = ["Claim", "What is checked", "Files"];
pub(crate) const FILES: &str = "Files";
pub(crate) const FILE_HEAD: [&str; 4] = ["File", "Description", "Bytes", "SHA-256"];
pub(crate) const UNKNOWN_FILE: &str = "The bundle has no file of this name.";
pub(crate) const CONTENTS: &str = "Contents";
pub(crate) const ENVELOPE: &str = "Envelope content";
pub(crate) const EXACT_BYTES: &str = "Exact bytes";
pub(crate) const TRUNCATED: &str = "Preview truncated. Download the bundle for the full file.";
pub(crate) const CLOSE: &str = "Close the file";
pub(crate) const FILE_DIGEST: &str = "SHA-256";

pub(crate) fn title(decision_type: &str) -> String {
    format!("{TITLE}: {}", isolated(decision_type))
}

pub(crate) fn command(archive: &str, id: DecisionId) -> String {
    format!("curl -o {id}.tar {archive}\ngovern-verify --trust trust.json --explain {id}.tar")
}

pub(crate) fn size(bytes: usize) -> String {
    whole(i64::try_from(bytes).unwrap_or(i64::MAX))
}

pub(crate) fn files(number: usize) -> String {
    match number {
        0 => "none".to_owned(),
        number => size(number),
    }
}

/// Returns what a verifier checks for a claim.
pub(crate) fn claim(name: &str) -> &'static str {
    match name {
        "receipt" => {
            "The signature over the receipt, and that the receipt matches the signed statement"
        }
        "policy_snapshot" => "The policies and rules that were active",
        "chain_proofs" => "The position in a chain, its links and its seal",
        "transparency_proof" => "That the receipt is in the transparency log",
        "trust_roots" => "That the keys are in the trust registry, from the version that you trust",
        "canonicalisation" => "That every file is in canonical form",
        "evidence" => "That the evidence is the evidence of the decision",
        "approval_lineage" => {
            "Who ratified the versions and when, and that the author did not ratify"
        }
        "manifest" => "That no file was added, changed or removed",
        "evaluation" => "That the rules give this verdict for this context, by re-evaluation",
        _ => "",
    }
}

/// Returns the description of a bundle file, by its name.
pub(crate) fn file(name: &str) -> &'static str {
    match name {
        "manifest.json" => "List of all files and their digests",
        "manifest.dsse.json" => "The same list, signed",
        "receipt/receipt.json" => "Public receipt",
        "receipt/statement.json" => "Signed statement about the decision",
        "receipt/receipt.dsse.json" => "The statement with its signature",
        "receipt/integrity.json" => "Input of the integrity hash",
        "policy/snapshot.json" => "Active policies, with all their rules",
        "policy/evaluated_rules.json" => "Rules as evaluated",
        "chain/links.json" => "Links of the chain",
        "chain/seal.dsse.json" | "chain/seal.json" => "Seal of the chain",
        "chain/proof.json" => "Proof that the seal includes the link",
        "transparency/entry.json" => "Entry in the transparency log",
        "transparency/anchor.json" => "Position of the entry, with its proof",
        "transparency/proof.tlog-proof" => "The same proof as text",
        "transparency/final.tlog-proof" => "Proof that the entry is in the frozen log",
        "transparency/seal/entry.json" => "Entry of the seal in the transparency log",
        "transparency/seal/anchor.json" => "Position of the seal's entry, with its proof",
        "transparency/seal/proof.tlog-proof" => "The same proof of the seal as text",
        "transparency/seal/final.tlog-proof" => "Proof that the seal is in the frozen log",
        "trust/registry.dsse.json" => "Trust registry, newest version",
        "canonicalisation/profile.json" => "Byte formats of the files",
        "evidence/manifest.json" => "Digests of the evidence",
        "evaluation/context.json" => "Decision context",
        "trusted_keys.json" => "Keys, for information only",
        _ if name.starts_with("trust/history/") => "Earlier version of the trust registry",
        _ if name.starts_with("approval/") => "Approval of a version, signed",
        _ if name.starts_with("evidence/data/") => "Evidence",
        _ => "Another file",
    }
}
