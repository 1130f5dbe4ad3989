//! The provenance of the policies of a decision.

use governance::deciding::decision::provenance::{Approval, PolicyProvenance};
use islands::explanation::PolicyExplanation;

use super::view::{Origin, PolicyLine, Ratified, Ratifier};
use crate::{clause::view::Clauses, member::names::Names};

/// Combines a policy of the snapshot with the results of its rules. `names` are the names of users.
pub(crate) fn policy_line(
    policy: PolicyProvenance,
    explained: &[PolicyExplanation],
    names: &Names,
) -> PolicyLine {
    let clauses = policy.codification.clone().map(|record| Clauses::of(record, &policy.rules));
    let none = PolicyExplanation {
        policy: policy.policy_id,
        name: String::new(),
        version: policy.version,
        shadow: false,
        rules: Vec::new(),
    };
    let explanation = explained.iter().find(|one| one.policy == policy.policy_id).unwrap_or(&none);
    let origin = match (&clauses, policy.inherited_from) {
        (_, Some(_)) => Origin::Above,
        (None, None) => Origin::Author,
        (Some(clauses), None) => Origin::Clauses {
            document: clauses.document.clone(),
            without_rule: clauses.without_rule().len(),
        },
    };
    PolicyLine {
        policy: policy.policy_id,
        version: policy.version,
        shadow: explanation.shadow,
        origin,
        rules: PolicyLine::rules(&policy.rules, clauses.as_ref(), explanation),
        ratified: ratified(policy.approval, policy.approval_digest, names),
        activated_at: policy.activated_at,
        name: policy.name,
    }
}

fn ratified(approval: Option<Approval>, digest: Option<String>, names: &Names) -> Ratified {
    let Some(digest) = digest else { return Ratified::Unrecorded };
    let Some(approval) = approval else { return Ratified::Gone };
    let id = approval.ratifier.to_string();
    Ratified::By(Ratifier {
        name: names.get(&id).cloned().unwrap_or(id),
        role: approval.role,
        at: approval.ratified_at,
        digest,
        signed: approval.kid.is_some(),
        is_maker: approval.is_by_maker,
    })
}
