//! Claim 9: the bundle is about what it says, and no member was added, taken out or changed.

use std::collections::BTreeSet;

use contract::json::Value;
use receipt::{
    bundle::{
        CLAIMS, ClaimFiles, FileEntry, INFORMATIONAL, Manifest, claim_digest, claim_of,
        claims_digest, path,
    },
    dsse::Envelope,
    fields::Malformed,
    key::{ALGORITHM, PayloadType, PublicKey},
};

use super::Claim;
use crate::{
    check::Check,
    code::Code,
    judge::{World, subject},
    ring::Signed,
};

const FAMILY: &str = "service-bundle-manifest/";

pub(crate) fn check(world: &World<'_>) -> Check {
    let mut check = Check::new(Claim::Manifest);
    check.checked("archive");
    let value = match world.bundle.json(path::MANIFEST) {
        Ok(value) => value,
        Err(code) => {
            check.found(code, "the manifest cannot be read");
            return check;
        }
    };
    let manifest = match Manifest::read(&value) {
        Ok(manifest) => manifest,
        Err(Malformed::Schema) => {
            let schema = value.get("schema").and_then(Value::as_str).unwrap_or_default();
            let later = schema.starts_with(FAMILY);
            let code = if later { Code::ManifestVersionUnsupported } else { Code::SchemaMismatch };
            check.found(code, "the manifest is of an unknown version");
            return check;
        }
        Err(fault) => {
            check.found(Code::ManifestMalformed, fault.to_string());
            return check;
        }
    };
    check.holds();
    form(&mut check, &manifest);
    members(&mut check, world, &manifest);
    digests(&mut check, &manifest);
    about(&mut check, world, &manifest);
    signature(&mut check, world, &value, &manifest);
    check
}

/// All ten claims are there, each with the members of its directory, sorted, each member once.
fn form(check: &mut Check, manifest: &Manifest) {
    let names: BTreeSet<&str> = manifest.claims.keys().map(String::as_str).collect();
    let expected: BTreeSet<&str> = CLAIMS.iter().map(|(name, _)| *name).collect();
    check.require(names == expected, Code::ManifestMalformed, "the claims are not the ten");
    for (name, claim) in &manifest.claims {
        let sorted = claim.files.is_sorted_by(|a, b| a.path < b.path);
        let own = claim.files.iter().all(|file| claim_of(&file.path) == Some(name));
        let fits = sorted && own;
        check.require(fits, Code::ManifestMalformed, "a claim lists members that are not its own");
    }
    let known = |name: &String| INFORMATIONAL.contains(&name.as_str());
    let informational =
        manifest.informational.iter().all(known) && manifest.informational.len() <= 1;
    check.require(informational, Code::ManifestMalformed, "a member is informational that decides");
}

/// What is listed is there as it was, and what is there is listed.
fn members(check: &mut Check, world: &World<'_>, manifest: &Manifest) {
    check.checked("members");
    let files = &world.bundle.files;
    let mut listed: BTreeSet<&str> = manifest.informational.iter().map(String::as_str).collect();
    for entry in manifest.claims.values().flat_map(|claim| &claim.files) {
        listed.insert(&entry.path);
        match files.get(&entry.path) {
            None => check.found(Code::MemberMissing, format!("`{}` is missing", plain(entry))),
            Some(bytes) if FileEntry::of(&entry.path, bytes) != *entry => {
                check.found(Code::DigestMismatch, format!("`{}` was changed", entry.path));
            }
            Some(_) => {}
        }
    }
    let own = [path::MANIFEST, path::MANIFEST_ENVELOPE];
    for name in files.names().filter(|name| !listed.contains(name) && !own.contains(name)) {
        check.found(Code::MemberUnlisted, format!("`{name}` is not listed"));
    }
}

/// A path of the manifest may be anything, and of any length.
fn plain(entry: &FileEntry) -> String {
    entry.path.chars().take(100).collect()
}

fn digests(check: &mut Check, manifest: &Manifest) {
    check.checked("digests");
    let good =
        |(name, claim): (&String, &ClaimFiles)| claim_digest(name, &claim.files) == claim.digest;
    let claims = manifest.claims.iter().map(|(name, claim)| (name.as_str(), claim.digest));
    let whole = claims_digest(claims) == manifest.manifest_digest;
    let good = whole && manifest.claims.iter().all(good);
    check.require(good, Code::DigestMismatch, "a digest is not that of its list");
}

/// The subject is what the members are about.
fn about(check: &mut Check, world: &World<'_>, manifest: &Manifest) {
    check.checked("subject");
    match subject(world.bundle) {
        None => check.found(Code::NotEvaluated, "the members do not say what they are about"),
        Some(subject) => {
            let same = subject == manifest.subject;
            check.require(same, Code::SubjectMismatch, "the members are about something else");
        }
    }
}

fn signature(check: &mut Check, world: &World<'_>, value: &Value, manifest: &Manifest) {
    let found = match world.bundle.json(path::MANIFEST_ENVELOPE) {
        Err(Code::FileMissing) => {
            return check.found(Code::Unsigned, "the manifest is not signed");
        }
        Err(code) => return check.found(code, "the envelope of the manifest cannot be read"),
        Ok(envelope) => Envelope::read(&envelope),
    };
    let (Ok(envelope), Some(kid)) = (found, manifest.kid.as_deref()) else {
        return check.found(Code::ManifestSignatureInvalid, "the envelope is not of this manifest");
    };
    check.checked("signature");
    if envelope.signatures.is_empty() {
        return check.found(Code::Unsigned, "the signature of the manifest was taken off");
    }
    let same = envelope.payload.text == value.to_canonical()
        && envelope.signatures.len() == 1
        && manifest.alg.as_deref() == Some(ALGORITHM);
    check.require(same, Code::ManifestSignatureInvalid, "the envelope is not of this manifest");
    let signed = Signed {
        payload_type: PayloadType::BundleManifest,
        kid,
        tenant: manifest.subject.tenant_id(),
        at: None,
        witnessed: None,
        is_logged: false,
    };
    world.ring.judge(check, &signed, Code::ManifestSignatureInvalid, |key: &PublicKey| {
        envelope.verify(PayloadType::BundleManifest, key).is_ok()
    });
}
