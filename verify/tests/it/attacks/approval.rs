//! Attacks on approvals and their lineage.

use contract::{time::Timestamp, verification::Claim};
use receipt::{
    Digest,
    approval::PolicyApproval,
    bundle::{self, Files, path},
    dsse::Envelope,
    key::PayloadType,
    statement::SnapshotPolicy,
};
use verify::{Note, Overall, Report};

use super::{check_attack, check_plans};
use crate::{
    fixtures::{Plan, altered, approval, id, key, set, timestamp, value},
    outcome::{check, codes},
};

/// Returns the name of the only approval file of a bundle.
fn approval_file(files: &Files) -> String {
    files.names().find(|name| name.starts_with("approval/")).unwrap().to_owned()
}

#[test]
fn tampered_approval_fails_the_approval_lineage() {
    check_attack(
        |f| {
            let other =
                Plan { approval: |a| a.draft_revision = 2, ..Plan::default() }.build().decision;
            set(f, &approval_file(f), other.get(&approval_file(&other)).unwrap());
        },
        "approval_lineage APPROVAL_DIGEST_MISMATCH",
    );
    let with = |approval: fn(&mut PolicyApproval)| Plan { approval, ..Plan::default() };
    check_plans(
        "approval_lineage",
        [
            ("APPROVAL_SUBJECT_MISMATCH", with(|a| a.tenant_id = uuid::Uuid::nil().into())),
            ("APPROVAL_SUBJECT_MISMATCH", with(|a| a.policy_id = uuid::Uuid::nil().into())),
            ("APPROVAL_SUBJECT_MISMATCH", with(|a| a.version = 2)),
            ("APPROVAL_RULES_MISMATCH", with(|a| a.rules_digest = Digest::compute(b""))),
            ("APPROVAL_AFTER_DECISION", with(|a| a.ratified_at = decided_at().plus_millis(1))),
            ("", with(|a| a.ratified_at = decided_at())),
            ("RATIFIER_IS_AUTHOR", with(|a| a.makers.push(a.ratifier.user_id))),
            ("", with(author_ratifies_without_maker_checker)),
            (
                "LINEAGE_UNRESOLVED",
                with(|a| a.previous_approval_digest = Some(Digest::compute(b""))),
            ),
            ("APPROVAL_SIGNATURE_INVALID", with(|a| a.kid = None)),
            (
                "NO_APPROVAL_RECORD",
                Plan { policies: |p| p[0].approval_digest = None, ..Plan::default() },
            ),
        ],
    );
}

fn decided_at() -> Timestamp {
    timestamp("2026-05-01T12:00:00.000Z")
}

fn author_ratifies_without_maker_checker(approval: &mut PolicyApproval) {
    approval.makers.push(approval.ratifier.user_id);
    approval.maker_checker = false;
}

/// Returns the approvals of versions 1 to `N - 1`, each naming its predecessor.
fn earlier_approvals<const N: u32>() -> Vec<PolicyApproval> {
    let mut approvals: Vec<PolicyApproval> = Vec::new();
    for version in 1..N {
        let base = Plan::policy();
        let previous_approval_digest = approvals.last().map(|previous| previous.canonical().digest);
        approvals.push(PolicyApproval { version, previous_approval_digest, ..approval(&base) });
    }
    approvals
}

/// Returns the report for a bundle whose policy has version `N`, after `change` modified the
/// earlier approvals.
fn with_lineage<const N: u32>(change: fn(&mut Vec<PolicyApproval>)) -> Report {
    let plan = Plan {
        policies: |policies| policies[0].version = N,
        approval: |newest| {
            newest.version = N;
            newest.previous_approval_digest =
                earlier_approvals::<N>().last().map(|previous| previous.canonical().digest);
        },
        ..Plan::default()
    };
    let bundles = plan.build();
    let mut approvals = earlier_approvals::<N>();
    change(&mut approvals);
    let files = altered(&bundles.decision, |files| {
        for approval in &approvals {
            add_approval(files, approval);
        }
    });
    check(&files, &bundles.trust)
}

fn add_approval(files: &mut Files, approval: &PolicyApproval) {
    let payload = approval.canonical();
    let name = path::approval(payload.digest);
    let envelope =
        Envelope::sign(PayloadType::PolicyApproval, payload, [&key("approver")]).unwrap();
    files.insert(name, bundle::file(&envelope.to_value())).unwrap();
}

#[test]
fn missing_predecessor_is_reported_and_long_lineage_is_truncated() {
    assert_eq!(with_lineage::<4>(|_| ()).overall, Overall::Verified);
    let report = with_lineage::<4>(|approvals| drop(approvals.remove(1)));
    assert_eq!(codes(&report), ["approval_lineage LINEAGE_UNRESOLVED"]);
    // At most 64 predecessors are checked; a longer lineage is noted.
    assert_eq!(with_lineage::<65>(|_| ()).overall, Overall::Verified);
    let long = with_lineage::<66>(|_| ());
    let notes = &long.claim(Claim::ApprovalLineage).unwrap().notes;
    assert!(long.overall == Overall::Verified && notes.contains(&Note::LineageTruncated));
}

#[test]
fn predecessors_are_followed_as_far_as_a_bundle_of_many_policies_contains_them() {
    fn a_hundred(policies: &mut Vec<SnapshotPolicy>) {
        policies[0].version = 30;
        for number in 1..100 {
            let mut other = policies[0].clone();
            other.policy_id = id(0x1000 + number);
            other.code = format!("Z{number:02}");
            other.approval_digest = None;
            other.rules.clear();
            policies.push(other);
        }
    }
    let plan = Plan {
        policies: a_hundred,
        approval: |newest| {
            newest.version = 30;
            newest.previous_approval_digest =
                earlier_approvals::<30>().last().map(|previous| previous.canonical().digest);
        },
        ..Plan::default()
    };
    let bundles = plan.build();
    for contained in [25, 24] {
        let files = altered(&bundles.decision, |files| {
            for approval in earlier_approvals::<30>().into_iter().rev().take(contained) {
                add_approval(files, &approval);
            }
        });
        let report = check(&files, &bundles.trust);
        let notes = &report.claim(Claim::ApprovalLineage).unwrap().notes;
        assert_eq!(notes.contains(&Note::LineageTruncated), contained == 25, "{contained}");
    }
}

#[test]
fn previous_approvals_must_be_earlier_in_version_and_time() {
    fn after_version_1(newest: &mut PolicyApproval) {
        newest.previous_approval_digest = Some(earlier_approvals::<2>()[0].canonical().digest);
    }
    let same_version: fn(&mut PolicyApproval) = after_version_1;
    let earlier_time: fn(&mut PolicyApproval) = |newest| {
        after_version_1(newest);
        newest.version = 2;
        newest.ratified_at = timestamp("2026-01-31T00:00:00.000Z");
    };
    let version_2: fn(&mut Vec<SnapshotPolicy>) = |policies| policies[0].version = 2;
    for (approval, policies) in
        [(same_version, (|_| ()) as fn(&mut Vec<_>)), (earlier_time, version_2)]
    {
        let bundles = Plan { policies, approval, ..Plan::default() }.build();
        let files = altered(&bundles.decision, |files| {
            add_approval(files, &earlier_approvals::<2>()[0]);
        });
        assert_eq!(codes(&check(&files, &bundles.trust)), ["approval_lineage LINEAGE_ORDER"]);
    }
}

#[test]
fn additional_approval_signatures_are_noted() {
    let bundles = Plan::default().build();
    let files = altered(&bundles.decision, |files| {
        let name = approval_file(files);
        let text = std::str::from_utf8(files.get(&name).unwrap()).unwrap();
        let envelope = Envelope::read(&value(text)).unwrap();
        let payload = envelope.payload;
        let keys = [&key("approver"), &key("second approver")];
        let both = Envelope::sign(PayloadType::PolicyApproval, payload, keys).unwrap();
        set(files, &name, bundle::file(&both.to_value()));
    });
    let report = check(&files, &bundles.trust);
    assert_eq!(report.overall, Overall::Verified);
    let notes = &report.claim(Claim::ApprovalLineage).unwrap().notes;
    assert!(notes.contains(&Note::AdditionalSignatureUnchecked));
}
