//! Texts of `/trust`.

use crate::text::number::count;

pub(crate) const TITLE: &str = "Signing keys";
pub(crate) const INTRO: &str =
    "Current and previous signing keys. Compare them with a copy from an independent source.";
pub(crate) const NOT_CONFIGURED: &str = "Signing is not configured.";
pub(crate) const NOT_CONFIGURED_NOTE: &str =
    "Receipts are unsigned. The operator can configure a signing key.";
pub(crate) const NO_REGISTRY: &str = "There is no trust registry yet. Signatures of these keys are verified by their fingerprints alone.";
pub(crate) const REGISTRY: &str = "Trust registry";
pub(crate) const VERSION: &str = "Version";
pub(crate) const ID: &str = "Registry ID";
pub(crate) const ISSUED: &str = "Issued";
pub(crate) const EXPIRES: &str = "Refresh by";
pub(crate) const DIGEST: &str = "Digest";
pub(crate) const ROOTS: &str = "Signed by";
pub(crate) const ROOT_KEYS: &str = "Root keys";
pub(crate) const ROOT_KEY: &str = "Root key";
pub(crate) const DOWNLOAD: &str = "Download the registry";
pub(crate) const KEY_SET: &str = "Download the key set";
pub(crate) const KEYS: &str = "Keys";
pub(crate) const KEYS_HELP: &str =
    "The ID of a key is its fingerprint: the SHA-256 thumbprint of RFC 7638.";
pub(crate) const HEAD: [&str; 4] = ["Key ID and fingerprint", "Purpose", "Status", "Valid (UTC)"];
pub(crate) const EVERYTHING: &str = "Everything this service signs";
pub(crate) const FINGERPRINT: &str = "Fingerprint";
pub(crate) const LOGS: &str = "Transparency logs";
pub(crate) const LOGS_HELP: &str = "Checkpoints are signed with these keys.";
pub(crate) const LOG_LINK: &str = "Open the transparency log";
pub(crate) const LOG_KEY: &str = "Key of the log";
pub(crate) const CHECK: &str = "Verify a bundle with these keys";
pub(crate) const CHECK_HELP: &str = "Use the registry, and the fingerprints of its roots from an independent source, on your own machine and offline:";
pub(crate) const COMMAND: &str = "Command";
pub(crate) const IN_BROWSER: &str = "Or in this browser";
pub(crate) const ACTIVE: &str = "Active";
pub(crate) const RETIRED: &str = "Retired";
pub(crate) const REVOKED: &str = "Revoked";
pub(crate) const FROM: &str = "from";
pub(crate) const COMPROMISED_SINCE: &str = "Compromised since";
pub(crate) const UNTIL: &str = "until";

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
        "capability_grant" => "authoring capabilities",
        "registry_root" => "this registry",
        other => other,
    }
}

/// Returns a command such as `govern-verify --trust trust-registry.json --root-key … decision.tar`.
pub(crate) fn command(roots: &[String]) -> String {
    let mut command = "govern-verify --trust trust-registry.json".to_owned();
    for root in roots {
        command.push_str(" --root-key ");
        command.push_str(root);
    }
    command + " decision.tar"
}
