//! A receipt for people: what it says, and what it is proved with.

use contract::{
    evaluation::Verdict,
    id::DecisionId,
    json::Value,
    receipt::{Receipt, ReceiptApproval, Redaction},
    rule::Severity,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::text::json;

/// A receipt as its page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReceiptPage {
    /// The decision.
    pub id: DecisionId,
    /// The verdict.
    pub verdict: Verdict,
    /// What was decided on: the form's title, or what kind of decision it is.
    pub subject: String,
    /// When it was recorded.
    pub recorded_at: Option<Timestamp>,
    /// The name and version of the policy that gave the verdict.
    pub policy: (String, u32),
    /// The approvals of the versions that were in force.
    pub ratified: Vec<Ratified>,
    /// The instant that dates were held against.
    pub decided_at: Timestamp,
    /// Since when it stands in the transparency log.
    pub logged_at: Option<Timestamp>,
    /// How many rules passed, were violated, and did not apply.
    pub counts: [u32; 3],
    /// The violations: rule, severity, reason.
    pub violations: Vec<(String, Severity, String)>,
    /// Whether values of the context were left out.
    pub redacted: bool,
    /// Names and digests, in the order of the page.
    pub digests: Vec<(Digest, String)>,
    /// The signature and the key it was made with; absent when unsigned.
    pub signature: Option<(String, String)>,
    /// Whether the receipt stands in the transparency log.
    pub anchored: bool,
    /// What was signed, as indented JSON.
    pub statement: String,
    /// Where the page is.
    pub page: String,
    /// The same in full.
    pub link: String,
    /// The link for a camera; absent when it is too long for one.
    pub code: Option<Code>,
    /// When the page was read.
    pub read_at: Timestamp,
    /// What the form says that the decision was submitted to.
    pub thanks: Option<String>,
}

/// Since when a receipt stands in the transparency log, as its anchor says.
pub fn logged_at(anchor: Option<&Value>) -> Option<Timestamp> {
    anchor?.get("anchored_at")?.as_str()?.parse().ok()
}

/// A version that was ratified before the decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ratified {
    /// The policy's name; its id where the receipt does not name it.
    pub policy: String,
    /// The version.
    pub version: u32,
    /// When it was ratified.
    pub at: Timestamp,
    /// Digest of the approval.
    pub digest: String,
}

/// A QR code, with its quiet zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// How many modules a side has.
    pub side: usize,
    /// The dark modules as an SVG path of that size.
    pub path: String,
}

/// The digests that a receipt holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Digest {
    /// Of context, snapshot and verdict.
    Integrity,
    /// Of the context.
    Context,
    /// Of the snapshot of the policies.
    Snapshot,
    /// Of the active rules as evaluated.
    Rules,
}

impl ReceiptPage {
    /// What `page` shows of `receipt` at `now`; the page is at `link`.
    pub fn new(
        receipt: &Receipt,
        page: String,
        link: String,
        code: Option<Code>,
        now: Timestamp,
    ) -> Self {
        let statement = receipt.statement.as_ref();
        let text = |name: &str| statement.and_then(|s| s.get(name)).and_then(Value::as_str);
        let result = &receipt.result;
        let mut violated: Vec<_> =
            result.violations.iter().map(|found| (found.policy_id, &found.rule_code)).collect();
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
                .map(|found| (found.rule_code.clone(), found.severity, found.reason.clone()))
                .collect(),
            redacted: receipt.redaction == Redaction::Values,
            digests: vec![
                (Digest::Integrity, result.integrity_hash.clone()),
                (Digest::Context, receipt.context_digest.clone()),
                (Digest::Snapshot, result.policy_snapshot_digest.clone().unwrap_or_default()),
                (Digest::Rules, result.evaluated_rules_hash.clone()),
            ],
            signature: receipt.signature.clone().zip(receipt.signature_kid.clone()),
            anchored: receipt.transparency_anchor.is_some(),
            statement: statement.map(json::indented).unwrap_or_default(),
            page,
            link,
            code,
            read_at: now,
            thanks: None,
        }
    }
}

fn ratified(receipt: &Receipt) -> Vec<Ratified> {
    let deciding = &receipt.policy;
    let approvals = receipt.approval.iter().flatten();
    let one = |approval: &ReceiptApproval| Ratified {
        policy: if approval.policy_id == deciding.id {
            deciding.name.clone()
        } else {
            approval.policy_id.to_string()
        },
        version: approval.version,
        at: approval.ratified_at,
        digest: approval.approval_digest.clone(),
    };
    approvals.map(one).collect()
}
