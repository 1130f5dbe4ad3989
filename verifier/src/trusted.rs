//! What a reader trusts, as the page takes it.

use verify::{Trust, TrustDocument, is_fingerprint};

use crate::Refused;

/// What stands before the fingerprint of a root of the registry.
const ROOT: &str = "registry_root=";

/// A trust document or a registry, and fingerprints, one a line.
///
/// # Errors
/// Why it cannot be trusted.
pub(crate) fn read(
    document: Option<&[u8]>,
    lines: &str,
    is_published: bool,
) -> Result<Trust, Refused> {
    let mut trust = match document {
        Some(text) => TrustDocument::read(text)?,
        None => TrustDocument::default(),
    };
    for line in lines.split_whitespace() {
        let refused = || Refused::NoFingerprint(line.to_owned());
        match line.strip_prefix(ROOT) {
            Some(kid) if is_fingerprint(kid) => trust.root_keys.push(kid.to_owned()),
            Some(_) => return Err(refused()),
            None => trust.pins.push(line.parse().map_err(|_| refused())?),
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

    /// Source: the format's worked example.
    const KID: &str = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

    fn pins(lines: &str) -> Result<Value, String> {
        let report = check(Some(b"{".to_vec()), None, lines, false)?.unwrap();
        let report: Value = serde_json::from_str(&report).unwrap();
        Ok(report["trust"]["pins"].clone())
    }

    #[test]
    fn fingerprints_are_read_line_by_line() {
        assert_eq!(pins(""), Ok(json!([])));
        assert_eq!(pins(&format!("  {KID}\r\n\n")), Ok(json!([KID])));
        assert_eq!(pins(&format!("policy_approval={KID}")), Ok(json!([KID])));
        for line in ["a", &format!("{KID}A"), &format!("purpose={KID}"), &KID.replace('_', "/")] {
            let refused = Err(format!("NO_FINGERPRINT {line}"));
            assert_eq!(pins(&format!("{KID}\n{line}")), refused);
        }
    }

    #[test]
    fn a_root_needs_its_registry() {
        assert_eq!(pins(&format!("registry_root={KID}")), Err("NO_REGISTRY".to_owned()));
    }

    #[test]
    fn what_is_no_trust_document_is_refused_before_there_is_a_bundle() {
        assert_eq!(check(None, Some(b"{}".to_vec()), "", false), Err("NO_DOCUMENT".to_owned()));
    }
}
