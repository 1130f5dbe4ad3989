//! The seal: it counts these links, ends with the last of them, and is signed.

use contract::json::{Limits, Value};
use receipt::{
    bundle::path,
    chain::{self, ChainProof, Seal, WrittenLink},
    dsse::Envelope,
    key::{ALGORITHM, PayloadType, PublicKey},
};

use crate::{
    check::Check,
    code::{Code, Note},
    judge::World,
    ring::Signed,
};

pub(super) fn check(
    check: &mut Check,
    world: &World<'_>,
    links: &[WrittenLink<'_>],
    proof: Option<&ChainProof>,
) {
    let files = &world.bundle.files;
    let signed = files.get(path::SEAL_ENVELOPE).is_some();
    let unsigned = files.get(path::SEAL).is_some();
    check.require(!(signed && unsigned), Code::SealMismatch, "there are two seals");
    if !signed && !unsigned {
        // Only a seal says how long the chain is, and under which root the link must be.
        check.require(proof.is_none(), Code::SealMismatch, "a chain proof needs a seal");
        return check.note(Note::ChainOpen);
    }
    check.checked("seal");
    if signed {
        envelope(check, world, links, proof);
    } else {
        check.found(Code::Unsigned, "the seal is not signed");
        match world.bundle.json(path::SEAL) {
            Ok(seal) => read(check, &seal, links, proof).map_or((), drop),
            Err(code) => check.found(code, "the seal cannot be read"),
        }
    }
}

fn envelope(
    check: &mut Check,
    world: &World<'_>,
    links: &[WrittenLink<'_>],
    proof: Option<&ChainProof>,
) {
    let value = match world.bundle.json(path::SEAL_ENVELOPE) {
        Ok(value) => value,
        Err(code) => return check.found(code, "the seal cannot be read"),
    };
    let Ok(envelope) = Envelope::read(&value) else {
        return check.found(Code::FileUnreadable, "the seal is no envelope");
    };
    let Ok(payload) = Value::parse(envelope.payload.text.as_bytes(), &Limits::BUNDLE_MEMBER) else {
        return check.found(Code::FileUnreadable, "the seal cannot be read");
    };
    let Some(seal) = read(check, &payload, links, proof) else { return };
    let Some(kid) = &seal.kid else {
        return check.found(Code::SealSignatureInvalid, "the seal names no key");
    };
    let is_ours = payload.get("alg").and_then(Value::as_str) == Some(ALGORITHM);
    check.require(is_ours, Code::SealSignatureInvalid, "the algorithm is another one");
    if envelope.signatures.is_empty() {
        return check.found(Code::Unsigned, "the signature of the seal was taken off");
    }
    let one = envelope.signatures.len() == 1;
    check.require(one, Code::SealSignatureInvalid, "a seal has one signature");
    let signed = Signed {
        payload_type: PayloadType::ChainSeal,
        kid,
        tenant: seal.tenant_id,
        at: Some(seal.sealed_at),
        witnessed: world.seen.seal,
        is_logged: false,
    };
    world.ring.judge(check, &signed, Code::SealSignatureInvalid, |key: &PublicKey| {
        envelope.verify(PayloadType::ChainSeal, key).is_ok()
    });
}

/// Reads a seal and compares it with the links.
fn read(
    check: &mut Check,
    value: &Value,
    links: &[WrittenLink<'_>],
    proof: Option<&ChainProof>,
) -> Option<Seal> {
    let seal = match Seal::read(value) {
        Ok(seal) => seal,
        Err(fault) => {
            check.malformed(fault, Code::SealMismatch);
            return None;
        }
    };
    let last = links.last()?;
    let same_chain = seal.chain_id == last.link.chain_id && seal.tenant_id == last.link.tenant_id;
    check.require(same_chain, Code::SealMismatch, "the seal is of another chain");
    let fits = if let Some(proof) = proof {
        proof.size == u64::from(seal.step_count)
            && proof.index.checked_add(1) == Some(u64::from(last.link.position))
            && proof.verify(last.canonical.digest, seal.merkle_root).is_ok()
    } else {
        let tree = chain::tree(links.iter().map(|link| link.canonical.digest));
        usize::try_from(seal.step_count) == Ok(links.len())
            && seal.head == last.canonical.digest
            && chain::merkle_root(&tree) == Ok(seal.merkle_root)
    };
    check.require(fits, Code::SealMismatch, "the seal is of other links");
    Some(seal)
}
