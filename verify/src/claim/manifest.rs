//! Claim 9: the subject is correct, and no file was added, removed or changed.

use std::collections::BTreeSet;

use contract::{json::Value, verification::Claim};
use receipt::{
    bundle::{
        ClaimFiles, FileEntry, INFORMATIONAL, Manifest, claim_digest, claim_of, claims_digest, path,
    },
    dsse::Envelope,
    key::{ALGORITHM, PayloadType, PublicKey},
    object_reader::ParseFieldError,
};

use crate::{
    claim_check::ClaimCheck,
    code::Code,
    context::{VerificationContext, subject},
    keyring::SignatureCheck,
};

const SCHEMA_PREFIX: &str = "service-bundle-manifest/";

pub(crate) fn check(cx: &VerificationContext<'_>) -> ClaimCheck {
    let mut check = ClaimCheck::new(Claim::Manifest);
    check.add_checked("archive");
    let value = check.ok_or_failure(cx.bundle.json(path::MANIFEST), "the manifest cannot be read");
    let Some(value) = value else { return check };
    let manifest = match Manifest::read(&value) {
        Ok(manifest) => manifest,
        Err(ParseFieldError::Schema) => {
            let schema = value.get("schema").and_then(Value::as_str).unwrap_or_default();
            let is_later = schema.starts_with(SCHEMA_PREFIX);
            let code =
                if is_later { Code::ManifestVersionUnsupported } else { Code::SchemaMismatch };
            check.add_failure(code, "the manifest is of an unknown version");
            return check;
        }
        Err(error) => {
            check.add_failure(Code::ManifestMalformed, error.to_string());
            return check;
        }
    };
    check.mark_present();
    check_form(&mut check, &manifest);
    check_files(&mut check, cx, &manifest);
    check_digests(&mut check, &manifest);
    check_subject(&mut check, cx, &manifest);
    check_signature(&mut check, cx, &value, &manifest);
    check
}

/// Checks that exactly the ten claims are listed, each with the files of its directory, sorted and
/// without duplicates.
fn check_form(check: &mut ClaimCheck, manifest: &Manifest) {
    let names: BTreeSet<&str> = manifest.claims.keys().map(String::as_str).collect();
    check.require(
        names == BTreeSet::from(Claim::NAMES),
        Code::ManifestMalformed,
        "the manifest must list the ten claims",
    );
    for (name, claim) in &manifest.claims {
        let sorted = claim.files.is_sorted_by(|a, b| a.path < b.path);
        let is_own = claim
            .files
            .iter()
            .all(|file| claim_of(&file.path).is_some_and(|claim| claim.as_str() == name));
        let is_valid = sorted && is_own;
        check.require(
            is_valid,
            Code::ManifestMalformed,
            "the files of a claim are unsorted or belong to another claim",
        );
    }
    let is_known = |name: &String| INFORMATIONAL.contains(&name.as_str());
    let is_valid = manifest.informational.iter().all(is_known) && manifest.informational.len() <= 1;
    check.require(is_valid, Code::ManifestMalformed, "a file is wrongly listed as informational");
}

/// Checks that all listed files are present and unchanged, and that all present files are listed.
fn check_files(check: &mut ClaimCheck, cx: &VerificationContext<'_>, manifest: &Manifest) {
    check.add_checked("members");
    let files = &cx.bundle.files;
    let mut listed: BTreeSet<&str> = manifest.informational.iter().map(String::as_str).collect();
    for entry in manifest.claims.values().flat_map(|claim| &claim.files) {
        listed.insert(&entry.path);
        match files.get(&entry.path) {
            None => {
                check.add_failure(
                    Code::MemberMissing,
                    format!("`{}` is missing", truncated_path(entry)),
                );
            }
            Some(bytes) if FileEntry::new(&entry.path, bytes) != *entry => {
                check.add_failure(Code::DigestMismatch, format!("`{}` was changed", entry.path));
            }
            Some(_) => {}
        }
    }
    let manifest_files = [path::MANIFEST, path::MANIFEST_ENVELOPE];
    for name in
        files.names().filter(|name| !listed.contains(name) && !manifest_files.contains(name))
    {
        check.add_failure(Code::MemberUnlisted, format!("`{name}` is not listed"));
    }
}

/// Returns a path for messages. Paths in the manifest are unchecked input of any length.
fn truncated_path(entry: &FileEntry) -> String {
    entry.path.chars().take(100).collect()
}

fn check_digests(check: &mut ClaimCheck, manifest: &Manifest) {
    check.add_checked("digests");
    let claim_matches =
        |(name, claim): (&String, &ClaimFiles)| claim_digest(name, &claim.files) == claim.digest;
    let claims = manifest.claims.iter().map(|(name, claim)| (name.as_str(), claim.digest));
    let total_matches = claims_digest(claims) == manifest.manifest_digest;
    let matches = total_matches && manifest.claims.iter().all(claim_matches);
    check.require(matches, Code::DigestMismatch, "a digest does not match its list");
}

/// Checks that the subject of the manifest matches the files.
fn check_subject(check: &mut ClaimCheck, cx: &VerificationContext<'_>, manifest: &Manifest) {
    check.add_checked("subject");
    match subject(cx.bundle) {
        None => check.add_failure(Code::NotEvaluated, "the files do not determine a subject"),
        Some(subject) => {
            let matches = subject == manifest.subject;
            check.require(matches, Code::SubjectMismatch, "the files have another subject");
        }
    }
}

fn check_signature(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    value: &Value,
    manifest: &Manifest,
) {
    let envelope = match cx.bundle.json(path::MANIFEST_ENVELOPE) {
        Err(Code::FileMissing) => {
            return check.add_failure(Code::Unsigned, "the manifest is not signed");
        }
        Err(code) => return check.add_failure(code, "the envelope of the manifest cannot be read"),
        Ok(envelope) => Envelope::read(&envelope),
    };
    let (Ok(envelope), Some(kid)) = (envelope, manifest.kid.as_deref()) else {
        return check
            .add_failure(Code::ManifestSignatureInvalid, "the envelope is for another manifest");
    };
    check.add_checked("signature");
    if envelope.signatures.is_empty() {
        return check.add_failure(Code::Unsigned, "the signature of the manifest was removed");
    }
    let matches = envelope.payload.text == value.to_canonical()
        && envelope.signatures.len() == 1
        && manifest.alg.as_deref() == Some(ALGORITHM);
    check.require(matches, Code::ManifestSignatureInvalid, "the envelope is for another manifest");
    let signed = SignatureCheck {
        payload_type: PayloadType::BundleManifest,
        kid,
        tenant: manifest.subject.tenant_id(),
        at: None,
        witnessed_at: None,
        is_logged: false,
    };
    cx.keyring.check_signature(
        check,
        &signed,
        Code::ManifestSignatureInvalid,
        |key: &PublicKey| envelope.verify(PayloadType::BundleManifest, key).is_ok(),
    );
}
