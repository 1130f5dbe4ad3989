//! Texts of `/t/{tenant}/decisions/{decision}/bundle`.

use contract::id::DecisionId;

use crate::text::number::whole;

pub(crate) const TITLE: &str = "Bundle";
pub(crate) const LEAD: &str = "Everything that is needed to check this decision offline, without trusting this service. This page shows what the bundle holds; it checks nothing.";
pub(crate) const DOWNLOAD: &str = "Download the bundle";
pub(crate) const AS_JSON: &str = "As JSON";
pub(crate) const CHECK: &str = "Check it yourself";
pub(crate) const CHECK_SAYS: &str = "Whether any of it holds, a verifier says on your own machine: by this command, with a trust document that reached you another way (`govern trust show --trust-document` makes it), or in your browser.";
pub(crate) const COMMAND: &str = "Command";
pub(crate) const IN_BROWSER: &str = "Check in the browser";
pub(crate) const CLAIMS: &str = "What a verifier will look at";
pub(crate) const CLAIMS_SAY: &str =
    "Ten claims, in the order of the verifier's report. None of them was looked at here.";
pub(crate) const CLAIM_HEAD: [&str; 3] = ["Claim", "What is looked at", "Files"];
pub(crate) const FILES: &str = "Files";
pub(crate) const FILE_HEAD: [&str; 4] = ["File", "What it is", "Bytes", "SHA-256"];
pub(crate) const NO_SUCH: &str = "The bundle has no file of this name.";
pub(crate) const READABLE: &str = "Contents";
pub(crate) const SIGNED: &str = "What the envelope holds";
pub(crate) const EXACT: &str = "The bytes as they are hashed";
pub(crate) const CUT: &str = "The file goes on; the archive has all of it.";
pub(crate) const CLOSE: &str = "Close the file";
pub(crate) const FILE_DIGEST: &str = "SHA-256";

/// Returns, for example, "Bundle of a loan decision".
pub(crate) fn title(decision_type: &str) -> String {
    format!("{TITLE}: {decision_type}")
}

/// Returns the command that verifies the archive.
pub(crate) fn command(archive: &str, id: DecisionId) -> String {
    format!("curl -o {id}.tar {archive}\ngovern-verify --trust trust.json --explain {id}.tar")
}

/// Returns, for example, "1,204".
pub(crate) fn size(bytes: usize) -> String {
    whole(i64::try_from(bytes).unwrap_or(i64::MAX))
}

/// Returns, for example, "3 files" or "none".
pub(crate) fn files(number: usize) -> String {
    match number {
        0 => "none".to_owned(),
        number => whole(i64::try_from(number).unwrap_or(i64::MAX)),
    }
}

/// Returns what a verifier checks for a claim.
pub(crate) fn claim(name: &str) -> &'static str {
    match name {
        "receipt" => "The signature over the receipt, and that what is shown is what was signed",
        "policy_snapshot" => "That these are the policies and rules that were in force",
        "chain_proofs" => "The place in a chain, its links and its seal",
        "transparency_proof" => "That the receipt stands in the public log",
        "trust_roots" => {
            "That the keys are those of the registry, from the version that you trust on"
        }
        "canonicalisation" => "That every file is in the one form that is hashed",
        "evidence" => "That the evidence is what the decision was made on",
        "approval_lineage" => "Who ratified the versions, when, and that it was not their maker",
        "manifest" => "That no file was added, changed or left out",
        "evaluation" => "That the rules give this verdict for this context, by evaluating again",
        _ => "",
    }
}

/// Returns the description of a bundle file, by its name.
pub(crate) fn file(name: &str) -> &'static str {
    match name {
        "manifest.json" => "List of all files and their digests",
        "manifest.dsse.json" => "The same list, signed",
        "receipt/receipt.json" => "Receipt as everybody reads it",
        "receipt/statement.json" => "What was signed about the decision",
        "receipt/receipt.dsse.json" => "The statement with its signature",
        "receipt/integrity.json" => "What the integrity hash is made of",
        "policy/snapshot.json" => "Policies that were in force, with all their rules",
        "policy/evaluated_rules.json" => "The rules as they decide",
        "chain/links.json" => "Links of the chain",
        "chain/seal.dsse.json" | "chain/seal.json" => "Seal of the chain",
        "chain/proof.json" => "Proof that the link stands under the seal",
        "transparency/entry.json" => "Entry in the public log",
        "transparency/anchor.json" => "Where the entry stands, and proof of it",
        "transparency/proof.tlog-proof" => "The same proof as a text",
        "transparency/final.tlog-proof" => "Proof that the entry is in the frozen log",
        "transparency/seal/entry.json" => "Entry of the seal in the public log",
        "transparency/seal/anchor.json" => "Place of the seal's entry, and proof of it",
        "transparency/seal/proof.tlog-proof" => "The same proof of the seal as a text",
        "transparency/seal/final.tlog-proof" => "Proof that the seal is in the frozen log",
        "trust/registry.dsse.json" => "Trust registry, newest version",
        "canonicalisation/profile.json" => "Forms that bytes are written in",
        "evidence/manifest.json" => "Digests of the evidence",
        "evaluation/context.json" => "Context that was decided on",
        "trusted_keys.json" => "Keys, for reading only: decides nothing",
        _ if name.starts_with("trust/history/") => "Earlier version of the trust registry",
        _ if name.starts_with("approval/") => "Approval of a version, signed",
        _ if name.starts_with("evidence/data/") => "Evidence",
        _ => "Another file",
    }
}
