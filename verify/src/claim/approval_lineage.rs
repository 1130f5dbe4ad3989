//! Claim 8: each policy version was ratified before the decision by a permitted person.

mod record;

use std::{collections::BTreeMap, rc::Rc};

use contract::{id::TenantId, time::Timestamp, verification::Claim};
use receipt::{
    Digest,
    approval::{PolicyApproval, predecessors_max},
    bundle::path,
    statement::{self, SnapshotPolicy, read_snapshot},
};

use crate::{
    claim_check::ClaimCheck,
    code::{Code, Note},
    context::VerificationContext,
};

/// Parsed approvals by digest; `None` if missing or malformed.
type Approvals = BTreeMap<Digest, Option<Rc<PolicyApproval>>>;

pub(crate) fn check(cx: &VerificationContext<'_>) -> ClaimCheck {
    let mut check = ClaimCheck::new(Claim::ApprovalLineage);
    let mut approvals = Approvals::new();
    // If several receipts share a snapshot, approvals must precede the earliest decision.
    let mut snapshots: BTreeMap<String, (TenantId, Timestamp)> = BTreeMap::new();
    for receipt in &cx.bundle.receipts {
        let bound =
            check.ok_or_failure(receipt.bound(), "the approvals are not bound to a statement");
        let Some(bound) = bound else { continue };
        let statement = &bound.statement;
        let name = receipt.scope.snapshot(statement.policy_snapshot_digest);
        let earliest = snapshots.entry(name).or_insert((statement.tenant_id, statement.timestamp));
        earliest.1 = earliest.1.min(statement.timestamp);
    }
    for (name, (tenant, decided_at)) in snapshots {
        let snapshot = cx.bundle.json(&name).ok();
        match snapshot.as_ref().map(read_snapshot) {
            Some(Ok(policies)) if policies.is_empty() => {
                check.add_failure(Code::NoPolicies, "no policy was active");
            }
            Some(Ok(policies)) => {
                check.mark_present();
                let predecessors = predecessors_max(policies.len());
                for policy in &policies {
                    let newest =
                        check_approval(&mut check, cx, &mut approvals, policy, tenant, decided_at);
                    if let Some(newest) = newest {
                        check_lineage(&mut check, cx, &mut approvals, newest, predecessors);
                    }
                }
            }
            Some(Err(_)) | None => {
                check.add_failure(Code::NoSnapshot, "the snapshot cannot be read");
            }
        }
    }
    check
}

/// Checks the approval of a policy, and returns it unless it cannot be read.
fn check_approval(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    approvals: &mut Approvals,
    policy: &SnapshotPolicy,
    tenant: TenantId,
    decided_at: Timestamp,
) -> Option<Rc<PolicyApproval>> {
    let Some(digest) = policy.approval_digest else {
        let detail = format!("policy `{}` names no approval", policy.code);
        check.add_failure(Code::NoApprovalRecord, detail);
        return None;
    };
    let Some(approval) = resolve_approval(check, cx, approvals, digest) else {
        if cx.bundle.files.get(&path::approval(digest)).is_none() {
            let detail = format!("the approval of policy `{}` is missing", policy.code);
            check.add_failure(Code::NoApprovalRecord, detail);
        }
        return None;
    };
    let matches = approval.tenant_id == policy.owner_tenant_id.unwrap_or(tenant)
        && approval.policy_id == policy.policy_id
        && approval.policy_version_id == policy.policy_version_id
        && approval.policy_code == policy.code
        && approval.version == policy.version;
    check.require(matches, Code::ApprovalSubjectMismatch, "the approval is for another version");
    let rules_match = statement::rules(&policy.rules).digest == approval.rules_digest;
    check.require(rules_match, Code::ApprovalRulesMismatch, "the approved rules differ");
    let in_time = approval.ratified_at <= decided_at;
    check.require(in_time, Code::ApprovalAfterDecision, "the approval is later than the decision");
    Some(approval)
}

/// Checks up to `predecessors` previous approvals: version numbers decrease, and times do not increase.
fn check_lineage(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    approvals: &mut Approvals,
    first: Rc<PolicyApproval>,
    predecessors: usize,
) {
    check.add_checked("lineage");
    let mut later = first;
    for _ in 0..predecessors {
        let Some(digest) = later.previous_approval_digest else { return };
        let Some(earlier) = resolve_approval(check, cx, approvals, digest) else {
            if cx.bundle.files.get(&path::approval(digest)).is_none() {
                check.add_failure(Code::LineageUnresolved, "an earlier approval is missing");
            }
            return;
        };
        let same_policy =
            later.tenant_id == earlier.tenant_id && later.policy_id == earlier.policy_id;
        check.require(
            same_policy,
            Code::ApprovalSubjectMismatch,
            "an earlier approval is for another policy",
        );
        let in_order = earlier.version < later.version && earlier.ratified_at <= later.ratified_at;
        check.require(in_order, Code::LineageOrder, "earlier approvals are out of order");
        later = earlier;
    }
    if later.previous_approval_digest.is_some() {
        check.add_note(Note::LineageTruncated);
        check.add_not_checked("further_lineage");
    }
}

/// Returns the approval with this digest. Each approval is checked once.
fn resolve_approval(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    approvals: &mut Approvals,
    digest: Digest,
) -> Option<Rc<PolicyApproval>> {
    let load = || record::check(check, cx, digest).map(Rc::new);
    approvals.entry(digest).or_insert_with(load).clone()
}
