//! Proofs, verified offline with the keys that were pinned before the first fault: receipts, anchors,
//! chains and bundles.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Context as _, Result};
use harness::Request;
use receipt::key::{PayloadType, PublicKey};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use verify::{Options, Overall};

use super::Auditor;
use crate::ledger::{Ledger, Record};

/// The number of bundles that are verified after a run, spread over its decisions.
const BUNDLES: usize = 25;

/// The number of times that the auditor waits up to five seconds for missing anchors.
const ANCHOR_ROUNDS: usize = 12;

#[derive(Debug, Deserialize)]
struct Receipt<'a> {
    decision_id: String,
    #[serde(borrow)]
    statement: &'a RawValue,
    signature: String,
    signature_kid: String,
    transparency_anchor: Option<Anchor>,
}

#[derive(Debug, Deserialize)]
struct Anchor {
    log_index: u64,
}

/// Checks the proofs of all decisions of a run.
pub(super) async fn check(
    auditor: &Auditor<'_>,
    ledger: &Ledger,
    records: &BTreeMap<String, Record>,
) -> Result<Vec<String>> {
    let mut findings = receipts(auditor, records).await?;
    findings.extend(chains(auditor, ledger, records).await?);
    findings.extend(bundles(auditor, ledger, records).await?);
    Ok(findings)
}

/// Verifies the receipt of each decision, and that each has its own entry in the transparency log.
async fn receipts(
    auditor: &Auditor<'_>,
    records: &BTreeMap<String, Record>,
) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    let mut indexes = BTreeSet::new();
    let mut pending: Vec<&str> = records.values().map(|record| record.id.as_str()).collect();
    for round in 0..=ANCHOR_ROUNDS {
        let wait = if round == 0 { "" } else { "?wait_for=anchor" };
        let requests = pending.iter().map(|id| {
            let path = format!("/v1/receipts/{id}{wait}");
            ((*id).to_owned(), Request::new("GET", &path, "", None))
        });
        let mut unanchored = BTreeSet::new();
        for (id, response) in auditor.send_all(requests.collect()).await? {
            if response.status() != 200 {
                findings.push(format!("{id}: its receipt is read with {}", response.status()));
                continue;
            }
            match receipt(&id, &response.decoded_body()?, &auditor.world.keys)? {
                Ok(Some(index)) if indexes.insert(index) => {}
                Ok(Some(index)) => findings.push(format!("{id}: log entry {index} is shared")),
                Ok(None) => drop(unanchored.insert(id)),
                Err(finding) => findings.push(finding),
            }
        }
        pending.retain(|id| unanchored.contains(*id));
    }
    findings.extend(pending.iter().map(|id| format!("{id}: not in the transparency log")));
    Ok(findings)
}

/// Verifies a receipt with the pinned keys. Returns the index of its log entry, or a finding.
fn receipt(id: &str, body: &[u8], keys: &[PublicKey]) -> Result<Result<Option<u64>, String>> {
    let receipt: Receipt<'_> = serde_json::from_slice(body)?;
    let statement: Value = serde_json::from_str(receipt.statement.get())?;
    let key = keys.iter().find(|key| key.kid() == receipt.signature_kid);
    let is_signed = key.is_some_and(|key| {
        key.verify(PayloadType::Receipt, receipt.statement.get(), &receipt.signature).is_ok()
    });
    if !is_signed || receipt.decision_id != id || statement["decision_id"] != id {
        return Ok(Err(format!("{id}: its receipt does not verify: {statement}")));
    }
    Ok(Ok(receipt.transparency_anchor.map(|anchor| anchor.log_index)))
}

#[derive(Debug, Deserialize)]
struct Chain {
    valid: bool,
    problems: Vec<Value>,
    items: Vec<Link>,
}

#[derive(Debug, Deserialize)]
struct Link {
    decision_id: String,
}

/// Verifies every chain of the run: it is valid, and it has exactly the decisions that were sent to it.
async fn chains(
    auditor: &Auditor<'_>,
    ledger: &Ledger,
    records: &BTreeMap<String, Record>,
) -> Result<Vec<String>> {
    let mut members: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for (key, record) in records {
        if let Some(chain) = &ledger.sent[key].chain {
            members.entry(chain).or_default().insert(&record.id);
        }
    }
    let requests = members.keys().map(|chain| {
        ((*chain).to_owned(), Request::new("GET", &format!("/v1/chains/{chain}/verify"), "", None))
    });
    let mut findings = Vec::new();
    for (id, response) in auditor.send_all(requests.collect()).await? {
        let chain: Chain = response.json(200)?;
        let links: BTreeSet<&str> =
            chain.items.iter().map(|link| link.decision_id.as_str()).collect();
        if !chain.valid || !chain.problems.is_empty() {
            findings.push(format!("chain {id} does not verify: {:?}", chain.problems));
        }
        if links != members[id.as_str()] || links.len() != chain.items.len() {
            findings.push(format!("chain {id} has other links than the decisions sent to it"));
        }
    }
    Ok(findings)
}

/// Verifies bundles of decisions and of chains offline.
async fn bundles(
    auditor: &Auditor<'_>,
    ledger: &Ledger,
    records: &BTreeMap<String, Record>,
) -> Result<Vec<String>> {
    let step = records.len().div_ceil(BUNDLES).max(1);
    let decisions = records.values().step_by(step).map(|record| {
        let path = format!("/v1/receipts/{}/bundle", record.id);
        (path.clone(), Request::new("GET", &path, "", None))
    });
    let chains: BTreeSet<&String> =
        records.keys().filter_map(|key| ledger.sent[key].chain.as_ref()).collect();
    let chains = chains.into_iter().take(1).map(|chain| {
        let path = format!("/v1/chains/{chain}/bundle");
        (path.clone(), Request::new("GET", &path, "", None))
    });
    let options = Options {
        tenant: Some(auditor.world.tenant.id.parse().ok().context("the ID of the tenant")?),
        ..Options::default()
    };
    let mut findings = Vec::new();
    for (path, response) in auditor.send_all(decisions.chain(chains).collect()).await? {
        if response.status() != 200 {
            findings.push(format!("{path}: status {}", response.status()));
            continue;
        }
        let report = verify::verify(&response.decoded_body()?, &auditor.world.trust, &options);
        if report.overall != Overall::Verified {
            findings.push(format!("{path}: {}", report.to_line()));
        }
    }
    Ok(findings)
}
