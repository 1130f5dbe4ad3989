//! The policy in force, and its approval.

use receipt::{
    Canonical, Digest,
    approval::{StoredApproval, StoredRatifier},
    statement::{self, SnapshotPolicy},
};

use super::{POLICY, Plan, TENANT, id, instant, key, value};

impl Plan {
    /// The policy, before a test changes it.
    pub(crate) fn policy() -> SnapshotPolicy {
        let rules = value(
            r#"[{"code":"R-1","rule_type":"threshold","severity":"high","condition":{"field":"amount","max":500}},
                {"code":"R-2","rule_type":"presence","severity":"low","condition":{"required_fields":["note"]},"when":{"field":"currency","equals":"USD"}},
                {"code":"R-3","rule_type":"presence","severity":"low","condition":{"required_fields":["old"]},"is_active":false}]"#,
        );
        SnapshotPolicy {
            policy_id: id(POLICY),
            policy_version_id: id(POLICY + 1),
            code: "LIMITS".into(),
            name: "Limits".into(),
            version: 1,
            shadow_mode: false,
            group: None,
            owner_tenant_id: None,
            approval_digest: None,
            rules: rules.as_array().unwrap().to_vec(),
        }
    }

    /// The policies in force, and the approval of the one there is.
    pub(super) fn snapshot(&self) -> (Vec<SnapshotPolicy>, Canonical) {
        let mut policies = vec![Self::policy()];
        let mut approval = approval(&policies[0]);
        approval.kid = Some(key(self.approver).kid().to_owned());
        (self.approval)(&mut approval);
        let approval = approval.canonical();
        policies[0].approval_digest = Some(approval.digest);
        (self.policies)(&mut policies);
        (policies, approval)
    }
}

/// The approval of version 1, before a test changes it.
pub(crate) fn approval(policy: &SnapshotPolicy) -> StoredApproval {
    StoredApproval {
        tenant_id: id(TENANT),
        policy_id: id(POLICY),
        policy_code: "LIMITS".into(),
        policy_version_id: id(POLICY + 1),
        version: 1,
        draft_revision: 1,
        rules_digest: statement::rules(&policy.rules).digest,
        previous_approval_digest: None,
        submission_id: None,
        accept_record_id: None,
        ratified_at: instant("2026-02-01T00:00:00.000Z"),
        ratifier: StoredRatifier {
            user_id: id(0xa1),
            role: "ratifier".into(),
            email_digest: Digest::of(b"a ratifier"),
            auth_method: "password".into(),
        },
        makers: vec![id(0xa2)],
        maker_checker: true,
        kid: Some(key("approver").kid().to_owned()),
    }
}
