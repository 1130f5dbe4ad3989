//! Claim 8: each policy version was ratified, before the decision, by somebody who might.

mod record;

use std::{collections::BTreeMap, rc::Rc};

use contract::{id::TenantId, time::Timestamp};
use receipt::{
    Digest,
    bundle::path,
    fields::Malformed,
    statement::{self, SnapshotPolicy, read_snapshot},
};

use self::record::Record;
use super::Claim;
use crate::{
    check::Check,
    code::{Code, Note},
    judge::World,
};

/// How many predecessors are followed.
const LINEAGE_MAX: usize = 64;

/// Approvals by digest, each read once. `None`: there is none, or it is no approval.
type Records = BTreeMap<Digest, Option<Rc<Record>>>;

pub(crate) fn check(world: &World<'_>) -> Check {
    let mut check = Check::new(Claim::ApprovalLineage);
    let mut records = Records::new();
    // Of a snapshot that several receipts share, the earliest decision asks for most.
    let mut asked: BTreeMap<String, (TenantId, Timestamp)> = BTreeMap::new();
    for case in &world.bundle.cases {
        match case.bound() {
            Ok(bound) => {
                let statement = &bound.statement;
                let name = case.place.snapshot(statement.policy_snapshot_digest);
                let earliest =
                    asked.entry(name).or_insert((statement.tenant_id, statement.timestamp));
                earliest.1 = earliest.1.min(statement.timestamp);
            }
            Err(code) => check.found(code, "the approvals are bound by no statement"),
        }
    }
    for (name, (tenant, before)) in asked {
        let snapshot = world.bundle.json(&name).ok();
        match snapshot.as_ref().map(read_snapshot) {
            Some(Ok(policies)) if policies.is_empty() => {
                check.found(Code::NoPolicies, "no policy was in force");
            }
            Some(Ok(policies)) => {
                check.holds();
                for policy in &policies {
                    approved(&mut check, world, &mut records, policy, tenant, before);
                }
            }
            Some(Err(_)) | None => check.found(Code::NoSnapshot, "the snapshot cannot be read"),
        }
    }
    check
}

fn approved(
    check: &mut Check,
    world: &World<'_>,
    records: &mut Records,
    policy: &SnapshotPolicy,
    tenant: TenantId,
    before: Timestamp,
) {
    let Some(digest) = policy.approval_digest else {
        let detail = format!("policy `{}` names no approval", policy.code);
        return check.found(Code::NoApprovalRecord, detail);
    };
    let Some(record) = take(check, world, records, digest) else {
        if world.bundle.files.get(&path::approval(digest)).is_none() {
            let detail = format!("the approval of policy `{}` is missing", policy.code);
            check.found(Code::NoApprovalRecord, detail);
        }
        return;
    };
    let approval = &record.approval;
    let same = approval.tenant_id == policy.owner_tenant_id.unwrap_or(tenant)
        && approval.policy_id == policy.policy_id
        && approval.policy_version_id == policy.policy_version_id
        && approval.policy_code == policy.code
        && approval.version == policy.version;
    check.require(same, Code::ApprovalSubjectMismatch, "the approval is of another version");
    let rules = statement::rules(&policy.rules).digest == approval.rules_digest;
    check.require(rules, Code::ApprovalRulesMismatch, "other rules were approved");
    let in_time = approval.ratified_at <= before;
    check.require(in_time, Code::ApprovalAfterDecision, "the approval came after the decision");
    lineage(check, world, records, record);
}

/// Follows the approvals of earlier versions: versions fall, times do not rise.
fn lineage(check: &mut Check, world: &World<'_>, records: &mut Records, first: Rc<Record>) {
    check.checked("lineage");
    let mut later = first;
    for _ in 0..LINEAGE_MAX {
        let Some(digest) = later.approval.previous_approval_digest else { return };
        let Some(earlier) = take(check, world, records, digest) else {
            if world.bundle.files.get(&path::approval(digest)).is_none() {
                check.found(Code::LineageUnresolved, "an earlier approval is missing");
            }
            return;
        };
        let (new, old) = (&later.approval, &earlier.approval);
        let same = new.tenant_id == old.tenant_id && new.policy_id == old.policy_id;
        check.require(
            same,
            Code::ApprovalSubjectMismatch,
            "an earlier approval is of another policy",
        );
        let in_order = old.version < new.version && old.ratified_at <= new.ratified_at;
        check.require(in_order, Code::LineageOrder, "earlier approvals are out of order");
        later = earlier;
    }
    if later.approval.previous_approval_digest.is_some() {
        check.note(Note::LineageTruncated);
        check.not_checked("further_lineage");
    }
}

/// The approval with this digest, judged when it is met first.
fn take(
    check: &mut Check,
    world: &World<'_>,
    records: &mut Records,
    digest: Digest,
) -> Option<Rc<Record>> {
    let judge = || record::judge(check, world, digest).map(Rc::new);
    records.entry(digest).or_insert_with(judge).clone()
}

/// The code of an approval that cannot be read.
fn unread(check: &mut Check, fault: Malformed) {
    check.malformed(fault, Code::ApprovalMalformed);
}
