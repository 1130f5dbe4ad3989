//! The trust input of the page: pinned fingerprints and trust documents.

use verify::{Trust, TrustDocument, is_fingerprint};

use crate::CheckError;

/// The prefix of a line with a root key fingerprint.
const ROOT_PREFIX: &str = "registry_root=";

/// Parses a trust document or registry and one fingerprint per line.
///
/// # Errors
/// Returns the reason why the input cannot be used.
pub(crate) fn read(
    document: Option<&[u8]>,
    lines: &str,
    is_published: bool,
) -> Result<Trust, CheckError> {
    let mut trust = match document {
        Some(text) => TrustDocument::read(text)?,
        None => TrustDocument::default(),
    };
    for line in lines.split_whitespace() {
        let not_a_fingerprint = || CheckError::NoFingerprint(line.to_owned());
        match line.strip_prefix(ROOT_PREFIX) {
            Some(kid) if is_fingerprint(kid) => trust.root_keys.push(kid.to_owned()),
            Some(_) => return Err(not_a_fingerprint()),
            None => trust.pins.push(line.parse().map_err(|_| not_a_fingerprint())?),
        }
    }
    if is_published && let Some(registry) = &trust.registry {
        trust.root_keys.extend(registry.registry.root_keys.iter().cloned());
    }
    Ok(Trust::new(trust)?)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::check;

    /// Source: the worked example of the format.
    const KID: &str = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

    fn pins(lines: &str) -> Result<Value, String> {
        let report = check(Some(b"{".to_vec()), None, lines, false)?.unwrap();
        let report: Value = serde_json::from_str(&report).unwrap();
        Ok(report["trust"]["pins"].clone())
    }

    #[test]
    fn each_line_is_a_fingerprint() {
        assert_eq!(pins(""), Ok(json!([])));
        assert_eq!(pins(&format!("  {KID}\r\n\n")), Ok(json!([KID])));
        assert_eq!(pins(&format!("policy_approval={KID}")), Ok(json!([KID])));
        for line in ["a", &format!("{KID}A"), &format!("purpose={KID}"), &KID.replace('_', "/")] {
            let expected = Err(format!("NO_FINGERPRINT {line}"));
            assert_eq!(pins(&format!("{KID}\n{line}")), expected);
        }
    }

    #[test]
    fn root_fingerprint_without_registry_is_rejected() {
        assert_eq!(pins(&format!("registry_root={KID}")), Err("NO_REGISTRY".to_owned()));
    }

    #[test]
    fn malformed_trust_document_is_rejected_without_a_bundle() {
        assert_eq!(check(None, Some(b"{}".to_vec()), "", false), Err("NO_DOCUMENT".to_owned()));
    }
}
