//! Checks of the chain seal: its links, its head and its signature.

use contract::json::{Limits, Value};
use receipt::{
    bundle::path,
    chain::{self, ChainProof, ChainSeal, ParsedLink},
    dsse::Envelope,
    key::{ALGORITHM, PayloadType, PublicKey},
};

use crate::{
    claim_check::ClaimCheck,
    code::{Code, Note},
    context::VerificationContext,
    keyring::SignatureCheck,
};

pub(super) fn check(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    links: &[ParsedLink<'_>],
    proof: Option<&ChainProof>,
) {
    let files = &cx.bundle.files;
    let is_signed = files.get(path::SEAL_ENVELOPE).is_some();
    let is_unsigned = files.get(path::SEAL).is_some();
    check.require(!(is_signed && is_unsigned), Code::SealMismatch, "there are two seals");
    if !is_signed && !is_unsigned {
        // Only a seal contains the Merkle root and the number of links that a chain proof is checked against.
        check.require(proof.is_none(), Code::SealMismatch, "a chain proof requires a seal");
        return check.add_note(Note::ChainOpen);
    }
    check.add_checked("seal");
    if is_signed {
        check_envelope(check, cx, links, proof);
    } else {
        check.add_failure(Code::Unsigned, "the seal is not signed");
        match cx.bundle.json(path::SEAL) {
            Ok(seal) => check_seal(check, &seal, links, proof).map_or((), drop),
            Err(code) => check.add_failure(code, "the seal cannot be read"),
        }
    }
}

fn check_envelope(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    links: &[ParsedLink<'_>],
    proof: Option<&ChainProof>,
) {
    let value = cx.bundle.json(path::SEAL_ENVELOPE);
    let Some(value) = check.ok_or_failure(value, "the seal cannot be read") else { return };
    let Ok(envelope) = Envelope::read(&value) else {
        return check.add_failure(Code::FileUnreadable, "the seal is not an envelope");
    };
    let Ok(payload) = Value::parse(envelope.payload.text.as_bytes(), &Limits::BUNDLE_FILE) else {
        return check.add_failure(Code::FileUnreadable, "the seal cannot be read");
    };
    let Some(seal) = check_seal(check, &payload, links, proof) else { return };
    let Some(kid) = &seal.kid else {
        return check.add_failure(Code::SealSignatureInvalid, "the seal contains no key ID");
    };
    let alg_matches = payload.get("alg").and_then(Value::as_str) == Some(ALGORITHM);
    check.require(alg_matches, Code::SealSignatureInvalid, "the algorithm is not supported");
    if envelope.signatures.is_empty() {
        return check.add_failure(Code::Unsigned, "the signature of the seal was removed");
    }
    let has_one = envelope.signatures.len() == 1;
    check.require(has_one, Code::SealSignatureInvalid, "a seal must have exactly one signature");
    let signed = SignatureCheck {
        payload_type: PayloadType::ChainSeal,
        kid,
        tenant: seal.tenant_id,
        at: Some(seal.sealed_at),
        witnessed_at: cx.log_evidence.seal_witnessed_at,
        is_logged: false,
    };
    cx.keyring.check_signature(check, &signed, Code::SealSignatureInvalid, |key: &PublicKey| {
        envelope.verify(PayloadType::ChainSeal, key).is_ok()
    });
}

/// Parses a seal and compares it with the links.
fn check_seal(
    check: &mut ClaimCheck,
    value: &Value,
    links: &[ParsedLink<'_>],
    proof: Option<&ChainProof>,
) -> Option<ChainSeal> {
    let seal = check.parsed_or_failure(ChainSeal::read(value), Code::SealMismatch)?;
    let last = links.last()?;
    let same_chain = seal.chain_id == last.link.chain_id && seal.tenant_id == last.link.tenant_id;
    check.require(same_chain, Code::SealMismatch, "the seal belongs to another chain");
    let matches = if let Some(proof) = proof {
        proof.size == u64::from(seal.step_count)
            && proof.index.checked_add(1) == Some(u64::from(last.link.position))
            && proof.verify(last.canonical.digest, seal.merkle_root).is_ok()
    } else {
        let tree = chain::tree(links.iter().map(|link| link.canonical.digest));
        usize::try_from(seal.step_count) == Ok(links.len())
            && seal.head == last.canonical.digest
            && chain::merkle_root(&tree) == Ok(seal.merkle_root)
    };
    check.require(matches, Code::SealMismatch, "the seal does not match the links");
    Some(seal)
}
