//! Claim 3: the receipts stand at their places in a chain without gaps, as it was signed and sealed.

mod links;
mod seal;

use std::collections::{BTreeMap, BTreeSet};

use contract::id::DecisionId;
use receipt::{
    bundle::path,
    chain::{ChainProof, WrittenLink, read_links},
};

use super::Claim;
use crate::{
    bundle::Kind,
    case::{Bound, Case},
    check::Check,
    code::Code,
    judge::World,
};

/// The links that are there, by decision.
type ByDecision<'a> = BTreeMap<DecisionId, &'a WrittenLink<'a>>;

pub(crate) fn check(world: &World<'_>) -> Check {
    let mut check = Check::new(Claim::ChainProofs);
    let mut bound = Vec::new();
    for case in &world.bundle.cases {
        match case.bound() {
            Ok(statement) => bound.push((case, statement)),
            Err(code) => check.found(code, "the place in a chain is bound by no statement"),
        }
    }
    let chained = bound.iter().filter(|(_, bound)| bound.statement.chain.is_some()).count();
    if chained == 0 && world.bundle.kind == Kind::Decision {
        if !bound.is_empty() {
            let shown = world.bundle.files.names().any(|name| name.starts_with("chain/"));
            check.require(!shown, Code::LinkMismatch, "the receipt knows of no chain");
            check.found(Code::NoChain, "the decision is in no chain");
        }
        return check;
    }
    let file = match world.bundle.json(path::LINKS) {
        Ok(file) => file,
        Err(code) => {
            check.found(code, "the links cannot be read");
            return check;
        }
    };
    match read_links(&file) {
        Ok(links) => chain(&mut check, world, &bound, &links),
        Err(fault) => check.malformed(fault, Code::LinkMismatch),
    }
    check
}

fn chain(
    check: &mut Check,
    world: &World<'_>,
    bound: &[(&Case, Bound<'_>)],
    links: &[WrittenLink<'_>],
) {
    check.holds();
    let proof = proof(check, world);
    check.checked("links");
    if proof.is_some() {
        check.not_checked("other_links");
        let one = links.len() == 1;
        check.require(one, Code::LinkMismatch, "beside a proof there is the one own link");
    } else {
        links::in_line(check, links);
        links::steps(check, links);
        check.checked("steps");
    }
    links::one_chain(check, links);
    let by_decision: ByDecision<'_> =
        links.iter().map(|link| (link.link.decision_id, link)).collect();
    let mut own = BTreeSet::new();
    for (case, bound) in bound {
        own.insert(bound.statement.decision_id);
        match by_decision.get(&bound.statement.decision_id) {
            None => check.found(Code::LinkGap, "a receipt has no link"),
            Some(link) => {
                receipt(check, case, bound, link);
                parent(check, bound, link, &by_decision, proof.is_some());
                links::signature(check, world, link, Some((case.place, bound)));
            }
        }
    }
    for link in links.iter().filter(|link| !own.contains(&link.link.decision_id)) {
        let missing = world.bundle.kind == Kind::Chain;
        check.require(!missing, Code::ReceiptMissing, "a link has no receipt");
        links::signature(check, world, link, None);
    }
    check.checked("link_signatures");
    seal::check(check, world, links, proof.as_ref());
}

/// The proof that stands for the other links of a long chain.
fn proof(check: &mut Check, world: &World<'_>) -> Option<ChainProof> {
    world.bundle.files.get(path::CHAIN_PROOF)?;
    let value = match world.bundle.json(path::CHAIN_PROOF) {
        Ok(value) => value,
        Err(code) => {
            check.found(code, "the chain proof cannot be read");
            return None;
        }
    };
    let proof = match ChainProof::read(&value) {
        Ok(proof) => proof,
        Err(fault) => {
            check.malformed(fault, Code::LinkMismatch);
            return None;
        }
    };
    // A shorter chain goes whole into a bundle, so that no link of it can be left out.
    let long = proof.size > ChainProof::LINKS_MAX && world.bundle.kind == Kind::Decision;
    check.require(long, Code::LinkGap, "the other links of a short chain are missing");
    long.then_some(proof)
}

/// The link is of this receipt, and is the one that the receipt shows.
fn receipt(check: &mut Check, case: &Case, bound: &Bound<'_>, link: &WrittenLink<'_>) {
    let statement = &bound.statement;
    let chain = statement.chain;
    let fits = chain
        .is_some_and(|chain| chain.chain_id == link.link.chain_id && chain.step == link.link.step)
        && statement.tenant_id == link.link.tenant_id
        && bound.digest == link.link.receipt_digest;
    check.require(fits, Code::LinkMismatch, "a link is of another receipt");
    let in_place = match case.place {
        path::Place::Decision => true,
        path::Place::Step(step) => chain.is_some_and(|chain| chain.step == step),
    };
    check.require(in_place, Code::LinkMismatch, "a receipt lies at another step");
    let view = match &case.view {
        Ok(view) => view.get("chain"),
        Err(code) => return check.found(*code, "the receipt cannot be read"),
    };
    let Some(view) = view else {
        return check.found(Code::LinkMismatch, "the receipt shows no chain");
    };
    let shows = |name: &str, meant: Option<&str>| {
        view.get(name).map(|shown| shown.as_str().unwrap_or_default()) == meant
    };
    let hash = link.canonical.digest.to_string();
    let same = shows("chain_integrity_hash", Some(&hash))
        && shows("chain_signature", link.signature)
        && shows("chain_signature_kid", link.kid)
        && shows("chain_signature_algorithm", link.kid.map(|_| receipt::key::ALGORITHM));
    check.require(same, Code::LinkMismatch, "the receipt shows another link");
}

/// A parent is a decision at an earlier position.
fn parent(
    check: &mut Check,
    bound: &Bound<'_>,
    link: &WrittenLink<'_>,
    by_decision: &ByDecision<'_>,
    proven: bool,
) {
    let Some(parent) = bound.statement.chain.and_then(|chain| chain.parent_decision_id) else {
        return;
    };
    if proven {
        return check.not_checked("parent");
    }
    let earlier = by_decision.get(&parent);
    let earlier = earlier.is_some_and(|parent| parent.link.position < link.link.position);
    check.require(
        earlier,
        Code::ParentNotInChain,
        "the parent is no earlier decision of the chain",
    );
}
