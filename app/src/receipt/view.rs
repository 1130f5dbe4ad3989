//! A public receipt: its content and its proof.

use contract::{
    evaluation::Verdict,
    id::DecisionId,
    json::Value,
    receipt::{Receipt, ReceiptApproval, Redaction},
    rule::Severity,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::text::{json, qr_code::QrCode};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReceiptPage {
    pub id: DecisionId,
    pub verdict: Verdict,
    /// The subject of the decision: its type.
    pub subject: String,
    pub recorded_at: Option<Timestamp>,
    /// The name and version of the policy that gave the verdict.
    pub policy: (String, u32),
    /// The approvals of the versions that were active.
    pub ratified: Vec<Ratified>,
    /// The time that dates were compared with.
    pub decided_at: Timestamp,
    /// The time of anchoring in the transparency log.
    pub logged_at: Option<Timestamp>,
    /// The number of passed, violated and not applicable rules.
    pub counts: [u32; 3],
    /// The violations: rule, severity, reason.
    pub violations: Vec<(String, Severity, String)>,
    /// Whether values of the context are redacted.
    pub redacted: bool,
    /// The digest of the statement, by which the log refers to the receipt. Absent in version 1.
    pub receipt_digest: Option<String>,
    /// The digests with their kinds, in the order of the page.
    pub digests: Vec<(Digest, String)>,
    /// The signature and its key ID; absent if the receipt is not signed.
    pub signature: Option<(String, String)>,
    /// The index of the entry in the transparency log and the number of entries; absent while pending.
    pub anchor: Option<(String, Option<String>)>,
    /// The chain, the step in it, and the hash of the link.
    pub chain: Option<(String, u32, String)>,
    /// The signed statement, as indented JSON.
    pub statement: String,
    /// The path of the page.
    pub page: String,
    /// The full address of the page.
    pub link: String,
    /// The QR code of the link; absent if the link is too long.
    pub code: Option<QrCode>,
    /// The time of the request.
    pub read_at: Timestamp,
}

/// Returns the time of anchoring from a transparency anchor.
pub fn logged_at(anchor: Option<&Value>) -> Option<Timestamp> {
    anchor?.get("anchored_at")?.as_str()?.parse().ok()
}

/// Returns the index of the entry and the number of entries from a transparency anchor.
fn anchor(anchor: Option<&Value>) -> Option<(String, Option<String>)> {
    let anchor = anchor.filter(|anchor| **anchor != Value::Null)?;
    let size = anchor.get("inclusion_proof").and_then(|proof| proof.get("tree_size"));
    Some((anchor.get("log_index")?.to_canonical(), size.map(Value::to_canonical)))
}

/// A version that was ratified before the decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ratified {
    /// The policy's name, or its ID if the receipt does not contain the name.
    pub policy: String,
    pub version: u32,
    pub at: Timestamp,
    /// Digest of the approval.
    pub digest: String,
}

/// The kinds of digests in a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Digest {
    /// The digest of context, snapshot and verdict.
    Integrity,
    Context,
    Snapshot,
    /// The digest of the active rules as evaluated.
    Rules,
}

impl ReceiptPage {
    /// Creates the page `page` of `receipt` at `now`; `link` is its full address.
    pub fn new(
        receipt: &Receipt,
        receipt_digest: Option<String>,
        page: String,
        link: String,
        code: Option<QrCode>,
        now: Timestamp,
    ) -> Self {
        let statement = receipt.statement.as_ref();
        let text = |name: &str| statement.and_then(|s| s.get(name)).and_then(Value::as_str);
        let result = &receipt.result;
        let mut violated: Vec<_> = result
            .violations
            .iter()
            .map(|violation| (violation.policy_id, &violation.rule_code))
            .collect();
        violated.sort_unstable();
        violated.dedup();
        let violated = u32::try_from(violated.len()).unwrap_or(u32::MAX);
        Self {
            id: receipt.decision_id,
            verdict: result.decision,
            subject: text("decision_type").unwrap_or_default().to_owned(),
            recorded_at: text("recorded_at").and_then(|at| at.parse().ok()),
            policy: (receipt.policy.name.clone(), receipt.policy.version),
            ratified: ratified(receipt),
            decided_at: result.timestamp,
            logged_at: logged_at(receipt.transparency_anchor.as_ref()),
            counts: [result.rules_evaluated.saturating_sub(violated), violated, result.rules_na],
            violations: result
                .violations
                .iter()
                .map(|violation| {
                    (violation.rule_code.clone(), violation.severity, violation.reason.clone())
                })
                .collect(),
            redacted: receipt.redaction == Redaction::Values,
            receipt_digest,
            digests: vec![
                (Digest::Integrity, result.integrity_hash.clone()),
                (Digest::Context, receipt.context_digest.clone()),
                (Digest::Snapshot, result.policy_snapshot_digest.clone().unwrap_or_default()),
                (Digest::Rules, result.evaluated_rules_hash.clone()),
            ],
            signature: receipt.signature.clone().zip(receipt.signature_kid.clone()),
            anchor: anchor(receipt.transparency_anchor.as_ref()),
            chain: receipt.chain.as_ref().map(|link| {
                (link.chain_id.to_string(), link.chain_step, link.chain_integrity_hash.clone())
            }),
            statement: statement.map(json::indented).unwrap_or_default(),
            page,
            link,
            code,
            read_at: now,
        }
    }
}

impl ReceiptPage {
    /// Returns the digest that the stamp is drawn from.
    pub fn seal_digest(&self) -> &str {
        self.digests.first().map(|(_, digest)| digest.as_str()).unwrap_or_default()
    }
}

fn ratified(receipt: &Receipt) -> Vec<Ratified> {
    let policy = &receipt.policy;
    let approvals = receipt.approval.iter().flatten();
    let to_ratified = |approval: &ReceiptApproval| Ratified {
        policy: if approval.policy_id == policy.id {
            policy.name.clone()
        } else {
            approval.policy_id.to_string()
        },
        version: approval.version,
        at: approval.ratified_at,
        digest: approval.approval_digest.clone(),
    };
    approvals.map(to_ratified).collect()
}
