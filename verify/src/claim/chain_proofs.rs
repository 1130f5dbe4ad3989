//! Claim 3: the receipts have their positions in a gap-free chain, as signed and sealed.

mod links;
mod seal;

use std::collections::{BTreeMap, BTreeSet};

use contract::{id::DecisionId, verification::Claim};
use receipt::{
    bundle::path,
    chain::{ChainProof, ParsedLink, read_links},
};

use crate::{
    bundle::{
        Kind,
        receipt::{BoundStatement, BundledReceipt},
    },
    claim_check::ClaimCheck,
    code::Code,
    context::VerificationContext,
};

/// The links of the bundle by decision.
type ByDecision<'a> = BTreeMap<DecisionId, &'a ParsedLink<'a>>;

pub(crate) fn check(cx: &VerificationContext<'_>) -> ClaimCheck {
    let mut check = ClaimCheck::new(Claim::ChainProofs);
    let mut bound = Vec::new();
    for receipt in &cx.bundle.receipts {
        let statement = receipt.bound();
        let statement =
            check.ok_or_failure(statement, "the chain position is not bound to a statement");
        bound.extend(statement.map(|statement| (receipt, statement)));
    }
    let chained = bound.iter().filter(|(_, bound)| bound.statement.chain.is_some()).count();
    if chained == 0 && cx.bundle.kind == Kind::Decision {
        if !bound.is_empty() {
            let has_chain_files = cx.bundle.files.names().any(|name| name.starts_with("chain/"));
            check.require(!has_chain_files, Code::LinkMismatch, "the receipt names no chain");
            check.add_failure(Code::NoChain, "the decision is not in a chain");
        }
        return check;
    }
    let file = check.ok_or_failure(cx.bundle.json(path::LINKS), "the links cannot be read");
    let Some(file) = file else { return check };
    match read_links(&file) {
        Ok(links) => check_chain(&mut check, cx, &bound, &links),
        Err(error) => check.add_parse_failure(error, Code::LinkMismatch),
    }
    check
}

fn check_chain(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    bound: &[(&BundledReceipt, BoundStatement<'_>)],
    links: &[ParsedLink<'_>],
) {
    check.mark_present();
    let proof = load_proof(check, cx);
    check.add_checked("links");
    if proof.is_some() {
        check.add_not_checked("other_links");
        let is_single = links.len() == 1;
        check.require(is_single, Code::LinkMismatch, "a chain proof requires exactly one link");
    } else {
        links::check_continuity(check, links);
        links::check_steps(check, links);
        check.add_checked("steps");
    }
    links::check_single_chain(check, links);
    let by_decision: ByDecision<'_> =
        links.iter().map(|link| (link.link.decision_id, link)).collect();
    let mut bundled = BTreeSet::new();
    for (receipt, bound) in bound {
        bundled.insert(bound.statement.decision_id);
        match by_decision.get(&bound.statement.decision_id) {
            None => check.add_failure(Code::LinkGap, "a receipt has no link"),
            Some(link) => {
                check_receipt(check, receipt, bound, link);
                check_parent(check, bound, link, &by_decision, proof.is_some());
                links::check_signature(check, cx, link, Some((receipt.scope, bound)));
            }
        }
    }
    for link in links.iter().filter(|link| !bundled.contains(&link.link.decision_id)) {
        let is_required = cx.bundle.kind == Kind::Chain;
        check.require(!is_required, Code::ReceiptMissing, "a link has no receipt");
        links::check_signature(check, cx, link, None);
    }
    check.add_checked("link_signatures");
    seal::check(check, cx, links, proof.as_ref());
}

/// Loads the proof that replaces the other links of a long chain.
fn load_proof(check: &mut ClaimCheck, cx: &VerificationContext<'_>) -> Option<ChainProof> {
    cx.bundle.files.get(path::CHAIN_PROOF)?;
    let value = cx.bundle.json(path::CHAIN_PROOF);
    let value = check.ok_or_failure(value, "the chain proof cannot be read")?;
    let proof = check.parsed_or_failure(ChainProof::read(&value), Code::LinkMismatch)?;
    // A shorter chain is bundled completely, so that no link can be omitted.
    let is_allowed = proof.size > ChainProof::LINKS_MAX && cx.bundle.kind == Kind::Decision;
    check.require(is_allowed, Code::LinkGap, "the other links of a short chain are missing");
    is_allowed.then_some(proof)
}

/// Checks that the link belongs to this receipt and matches the link in the receipt.
fn check_receipt(
    check: &mut ClaimCheck,
    receipt: &BundledReceipt,
    bound: &BoundStatement<'_>,
    link: &ParsedLink<'_>,
) {
    let statement = &bound.statement;
    let chain = statement.chain;
    let matches = chain
        .is_some_and(|chain| chain.chain_id == link.link.chain_id && chain.step == link.link.step)
        && statement.tenant_id == link.link.tenant_id
        && bound.digest == link.link.receipt_digest;
    check.require(matches, Code::LinkMismatch, "a link belongs to another receipt");
    let is_at_step = match receipt.scope {
        path::BundleScope::Decision => true,
        path::BundleScope::Step(step) => chain.is_some_and(|chain| chain.step == step),
    };
    check.require(is_at_step, Code::LinkMismatch, "a receipt is at another step");
    let view = match &receipt.view {
        Ok(view) => view.get("chain"),
        Err(code) => return check.add_failure(*code, "the receipt cannot be read"),
    };
    let Some(view) = view else {
        return check.add_failure(Code::LinkMismatch, "the receipt shows no chain");
    };
    let shows = |name: &str, expected: Option<&str>| {
        view.get(name).map(|value| value.as_str().unwrap_or_default()) == expected
    };
    let hash = link.canonical.digest.to_string();
    let matches = shows("chain_integrity_hash", Some(&hash))
        && shows("chain_signature", link.signature)
        && shows("chain_signature_kid", link.kid)
        && shows("chain_signature_algorithm", link.kid.map(|_| receipt::key::ALGORITHM));
    check.require(matches, Code::LinkMismatch, "the receipt shows another link");
}

/// Checks that the parent is a decision at an earlier position.
fn check_parent(
    check: &mut ClaimCheck,
    bound: &BoundStatement<'_>,
    link: &ParsedLink<'_>,
    by_decision: &ByDecision<'_>,
    has_proof: bool,
) {
    let Some(parent) = bound.statement.chain.and_then(|chain| chain.parent_decision_id) else {
        return;
    };
    if has_proof {
        return check.add_not_checked("parent");
    }
    let parent_link = by_decision.get(&parent);
    let is_earlier = parent_link.is_some_and(|parent| parent.link.position < link.link.position);
    check.require(
        is_earlier,
        Code::ParentNotInChain,
        "the parent is not an earlier decision of the chain",
    );
}
