//! Texts of `/trust`.

use crate::text::number::count;

pub(crate) const TITLE: &str = "Keys of this service";
pub(crate) const LEAD: &str = "What this service signs with, and has signed with. Compare these with a copy you got another way: a \
     page like this one could show any keys.";
pub(crate) const NONE: &str = "This service does not sign yet.";
pub(crate) const NONE_SAYS: &str =
    "Its receipts have no signature. Whoever runs it sets a signing key.";
pub(crate) const NO_REGISTRY: &str = "There is no trust registry yet. What these keys signed is verified by their fingerprints alone.";
pub(crate) const REGISTRY: &str = "Trust registry";
pub(crate) const VERSION: &str = "Version";
pub(crate) const ID: &str = "Registry id";
pub(crate) const ISSUED: &str = "Issued";
pub(crate) const EXPIRES: &str = "A newer one is due";
pub(crate) const DIGEST: &str = "Digest";
pub(crate) const ROOTS: &str = "Signed by";
pub(crate) const DOWNLOAD: &str = "Download the registry";
pub(crate) const KEY_SET: &str = "Download the key set";
pub(crate) const KEYS: &str = "Keys";
pub(crate) const KEYS_SAY: &str =
    "The id of a key is its fingerprint: the SHA-256 thumbprint of RFC 7638.";
pub(crate) const HEAD: [&str; 4] = ["Key id and fingerprint", "Signs", "State", "Counts (UTC)"];
pub(crate) const EVERYTHING: &str = "What this service signs";
pub(crate) const FINGERPRINT: &str = "Fingerprint";
pub(crate) const LOGS: &str = "Transparency logs";
pub(crate) const LOGS_SAY: &str = "Checkpoints are signed with these keys.";
pub(crate) const LOG_KEY: &str = "Key of the log";
pub(crate) const CHECK: &str = "Check a bundle with them";
pub(crate) const CHECK_SAYS: &str = "With the registry and the fingerprints of its roots, which you have from elsewhere, on your own \
     machine and without a network:";
pub(crate) const COMMAND: &str = "Command";
pub(crate) const IN_BROWSER: &str = "Or in this browser";
pub(crate) const ACTIVE: &str = "Active";
pub(crate) const RETIRED: &str = "Retired";
pub(crate) const REVOKED: &str = "Revoked";
pub(crate) const FROM: &str = "from";
pub(crate) const OTHERS_SINCE: &str = "Others may have had it since";
pub(crate) const UNTIL: &str = "until";

/// Returns, for example, "1 of 3 roots".
pub(crate) fn threshold(threshold: u32, roots: usize) -> String {
    format!("{threshold} of {}", count(roots, "root", "roots"))
}

/// Returns what a key with this purpose signs.
pub(crate) fn purpose(word: &str) -> &str {
    match word {
        "receipt" => "receipts",
        "chain_link" => "links of chains",
        "chain_seal" => "seals of chains",
        "bundle_manifest" => "bundles",
        "policy_approval" => "approvals of policies",
        "capability_grant" => "authoring grants",
        "registry_root" => "this registry",
        other => other,
    }
}

/// Returns a command such as `govern-verify --trust trust-registry.json --root-key … decision.tar`.
pub(crate) fn command(roots: &[&str]) -> String {
    let mut command = "govern-verify --trust trust-registry.json".to_owned();
    for root in roots {
        command.push_str(" --root-key ");
        command.push_str(root);
    }
    command + " decision.tar"
}
