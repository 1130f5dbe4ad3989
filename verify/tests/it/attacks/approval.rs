//! Who ratified what, and when.

use contract::json::Value;
use receipt::{
    Digest,
    approval::StoredApproval,
    bundle::{self, Files, path},
    dsse::Envelope,
    key::PayloadType,
    statement::SnapshotPolicy,
};
use verify::{Note, Overall, Report};

use super::{decision, plan};
use crate::{
    maker::{Plan, altered, approval, edit, instant, key, set, value},
    outcome::{check, codes},
};

/// The one approval of a bundle.
fn approval_file(files: &Files) -> String {
    files.names().find(|name| name.starts_with("approval/")).unwrap().to_owned()
}

#[test]
fn on_the_approval() {
    decision(&[
        (
            "missing",
            |f| drop(f.remove(&approval_file(f))),
            &["approval_lineage NO_APPROVAL_RECORD"],
        ),
        (
            "unsigned",
            |f| edit(f, &approval_file(f), "/signatures", Some(Value::Array(vec![]))),
            &["approval_lineage APPROVAL_SIGNATURE_INVALID"],
        ),
        (
            "no envelope",
            |f| set(f, &approval_file(f), "{}"),
            &["approval_lineage APPROVAL_MALFORMED"],
        ),
        (
            "another one",
            |f| {
                let other =
                    Plan { approval: |a| a.draft_revision = 2, ..Plan::default() }.make().decision;
                set(f, &approval_file(f), other.get(&approval_file(&other)).unwrap());
            },
            &["approval_lineage APPROVAL_DIGEST_MISMATCH"],
        ),
    ]);
    let of = |approval| Plan { approval, ..Plan::default() };
    plan(&[
        (
            "tenant",
            of(|a| a.tenant_id = uuid::Uuid::nil().into()),
            &["approval_lineage APPROVAL_SUBJECT_MISMATCH"],
        ),
        (
            "policy",
            of(|a| a.policy_id = uuid::Uuid::nil().into()),
            &["approval_lineage APPROVAL_SUBJECT_MISMATCH"],
        ),
        ("version", of(|a| a.version = 2), &["approval_lineage APPROVAL_SUBJECT_MISMATCH"]),
        (
            "rules",
            of(|a| a.rules_digest = Digest::of(b"")),
            &["approval_lineage APPROVAL_RULES_MISMATCH"],
        ),
        (
            "late",
            of(|a| a.ratified_at = instant("2026-05-01T12:00:00.001Z")),
            &["approval_lineage APPROVAL_AFTER_DECISION"],
        ),
        ("just in time", of(|a| a.ratified_at = instant("2026-05-01T12:00:00.000Z")), &[]),
        (
            "own work",
            of(|a| a.makers.push(a.ratifier.user_id)),
            &["approval_lineage RATIFIER_IS_AUTHOR"],
        ),
        (
            "own work, allowed",
            of(|a| {
                a.makers.push(a.ratifier.user_id);
                a.maker_checker = false;
            }),
            &[],
        ),
        (
            "lineage",
            of(|a| a.previous_approval_digest = Some(Digest::of(b""))),
            &["approval_lineage LINEAGE_UNRESOLVED"],
        ),
        ("unsigned", of(|a| a.kid = None), &["approval_lineage APPROVAL_SIGNATURE_INVALID"]),
        (
            "no digest",
            Plan { policies: |p| p[0].approval_digest = None, ..Plan::default() },
            &["approval_lineage NO_APPROVAL_RECORD"],
        ),
    ]);
}

/// The approvals of versions 1 to `N - 1`, each naming the one before.
fn earlier<const N: u32>() -> Vec<StoredApproval> {
    let mut line: Vec<StoredApproval> = Vec::new();
    for version in 1..N {
        let base = Plan::policy();
        let previous_approval_digest = line.last().map(|before| before.canonical().digest);
        line.push(StoredApproval { version, previous_approval_digest, ..approval(&base) });
    }
    line
}

/// A bundle whose policy has version `N`, with the approvals that `change` makes of the earlier ones.
fn with_lineage<const N: u32>(change: fn(&mut Vec<StoredApproval>)) -> Report {
    let plan = Plan {
        policies: |policies| policies[0].version = N,
        approval: |newest| {
            newest.version = N;
            newest.previous_approval_digest =
                earlier::<N>().last().map(|before| before.canonical().digest);
        },
        ..Plan::default()
    };
    let made = plan.make();
    let mut line = earlier::<N>();
    change(&mut line);
    let files = altered(&made.decision, |files| {
        for approval in line {
            let payload = approval.canonical();
            let name = path::approval(payload.digest);
            let envelope =
                Envelope::sign(PayloadType::PolicyApproval, payload, [&key("approver")]).unwrap();
            files.insert(name, bundle::file(&envelope.to_value())).unwrap();
        }
    });
    check(&files, &made.trust)
}

#[test]
fn on_the_lineage() {
    assert_eq!(with_lineage::<4>(|_| ()).overall, Overall::Verified);
    let report = with_lineage::<4>(|line| drop(line.remove(1)));
    assert_eq!(codes(&report), ["approval_lineage LINEAGE_UNRESOLVED"]);
    // 64 predecessors are followed; what comes before them is noted.
    assert_eq!(with_lineage::<65>(|_| ()).overall, Overall::Verified);
    let long = with_lineage::<66>(|_| ());
    let notes = &long.claim("approval_lineage").unwrap().notes;
    assert!(long.overall == Overall::Verified && notes.contains(&Note::LineageTruncated));
}

#[test]
fn earlier_approvals_are_earlier() {
    fn after_version_1(newest: &mut StoredApproval) {
        newest.previous_approval_digest = Some(earlier::<2>()[0].canonical().digest);
    }
    let same_version: fn(&mut StoredApproval) = after_version_1;
    let before: fn(&mut StoredApproval) = |newest| {
        after_version_1(newest);
        newest.version = 2;
        newest.ratified_at = instant("2026-01-31T00:00:00.000Z");
    };
    let two: fn(&mut Vec<SnapshotPolicy>) = |policies| policies[0].version = 2;
    for (approval, policies) in [(same_version, (|_| ()) as fn(&mut Vec<_>)), (before, two)] {
        let made = Plan { policies, approval, ..Plan::default() }.make();
        let first = earlier::<2>()[0].canonical();
        let name = path::approval(first.digest);
        let envelope = Envelope::sign(PayloadType::PolicyApproval, first, [&key("approver")]);
        let files = altered(&made.decision, |files| {
            files.insert(name, bundle::file(&envelope.unwrap().to_value())).unwrap();
        });
        assert_eq!(codes(&check(&files, &made.trust)), ["approval_lineage LINEAGE_ORDER"]);
    }
}

#[test]
fn further_signatures_are_noted() {
    let made = Plan::default().make();
    let files = altered(&made.decision, |files| {
        let name = approval_file(files);
        let text = std::str::from_utf8(files.get(&name).unwrap()).unwrap();
        let envelope = Envelope::read(&value(text)).unwrap();
        let payload = envelope.payload;
        let keys = [&key("approver"), &key("somebody")];
        let both = Envelope::sign(PayloadType::PolicyApproval, payload, keys).unwrap();
        set(files, &name, bundle::file(&both.to_value()));
    });
    let report = check(&files, &made.trust);
    assert_eq!(report.overall, Overall::Verified);
    let notes = &report.claim("approval_lineage").unwrap().notes;
    assert!(notes.contains(&Note::AdditionalSignatureUnchecked));
}
