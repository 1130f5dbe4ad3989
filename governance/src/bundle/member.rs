//! The members of a bundle, one by one, for whoever looks into it.

use contract::json::{Limits, Value};
use receipt::{
    bundle::{INFORMATIONAL, claim_of},
    digest::Digest,
    dsse::Envelope,
};

use super::Bundle;

/// A member of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// How many bytes it has.
    pub size: usize,
    /// SHA-256 of its bytes, as 64 hexadecimal digits.
    pub digest: String,
    /// The claim that it belongs to; absent for what decides nothing.
    pub claim: Option<&'static str>,
}

impl Bundle {
    /// All members, in the order of the archive.
    pub fn members(&self) -> Vec<Member> {
        let member = |(name, bytes): (&str, &[u8])| Member {
            name: name.to_owned(),
            size: bytes.len(),
            digest: Digest::of(bytes).to_string(),
            claim: claim(name),
        };
        self.files.iter().map(member).collect()
    }

    /// The text of a member.
    pub fn text(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(self.files.get(name)?).ok()
    }

    /// What is in the envelope `name`, as it was signed. Its signature is not looked at.
    pub fn payload(&self, name: &str) -> Option<String> {
        let envelope = name.ends_with(".dsse.json").then(|| self.files.get(name)).flatten()?;
        let envelope = Value::parse(envelope, &Limits::BUNDLE_MEMBER).ok()?;
        Some(Envelope::read(&envelope).ok()?.payload.text)
    }
}

/// The claim of a member. What stands in no directory is the manifest's, or decides nothing.
fn claim(name: &str) -> Option<&'static str> {
    claim_of(name).or_else(|| (!INFORMATIONAL.contains(&name)).then_some("manifest"))
}
