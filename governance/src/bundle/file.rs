//! Inspection of the files of a bundle.

use contract::{json::Limits, verification::Claim};
use receipt::{
    bundle::{INFORMATIONAL, claim_of},
    dsse::Envelope,
};

use super::Bundle;
use crate::base::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleFile {
    pub name: String,
    /// The number of bytes.
    pub size: usize,
    /// The SHA-256 of the bytes as 64 hexadecimal digits.
    pub digest: String,
    /// The claim that it belongs to; `None` for informational files.
    pub claim: Option<Claim>,
}

impl Bundle {
    /// Returns all files in archive order.
    pub fn members(&self) -> Vec<BundleFile> {
        let file = |(name, bytes): (&str, &[u8])| BundleFile {
            name: name.to_owned(),
            size: bytes.len(),
            digest: Digest::compute(bytes).to_string(),
            claim: claim(name),
        };
        self.files.iter().map(file).collect()
    }

    /// Returns the text of a file; `None` if the file is missing or not UTF-8.
    pub fn text(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(self.files.get(name)?).ok()
    }

    /// Returns the signed payload of the envelope `name`. Does not verify its signature.
    pub fn payload(&self, name: &str) -> Option<String> {
        let envelope = name.ends_with(".dsse.json").then(|| self.files.get(name)).flatten()?;
        let envelope = Value::parse(envelope, &Limits::BUNDLE_FILE).ok()?;
        Some(Envelope::read(&envelope).ok()?.payload.text)
    }
}

/// Returns the claim of a file. A file outside of all directories belongs to the manifest or is
/// informational.
fn claim(name: &str) -> Option<Claim> {
    claim_of(name).or_else(|| (!INFORMATIONAL.contains(&name)).then_some(Claim::Manifest))
}
