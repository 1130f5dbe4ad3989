//! What the page of a bundle is made of.

use std::collections::BTreeMap;

use contract::{
    id::{DecisionId, TenantId},
    json::{Limits, Value},
};
use governance::{
    Cx, bundle,
    bundle::{Bundle, Member},
    decision,
    decision::lineage,
    member,
};

use super::answer;
use crate::{
    problem::Problem,
    text::{json, url},
    view::{
        bundle::{BundlePage, FileLine, OpenFile},
        clause::Clauses,
        decision::explain::{self, Explained, RuleBook},
        lineage::{DecisionStep, Lineage, Origin, PolicyLine, Ratified, Ratifier, Signed},
        outcome::Told,
    },
};

/// How much of a file is shown, in bytes; the archive has all of it.
const SHOWN_MAX: usize = 200_000;

/// Ids of people and keys, and their names.
type Names = BTreeMap<String, String>;

/// The bundle of a decision of the tenant.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: DecisionId,
    open: &str,
) -> Result<BundlePage, Problem> {
    // Anybody may have a bundle by its id; this page is for those who may read the decision.
    let found = answer(decision::lineage(cx, id).await)?;
    let bundle = answer(bundle::of_decision(cx, id).await)?;
    let names = answer(member::names(cx).await)?;
    let service = super::governance();
    Ok(BundlePage {
        tenant,
        id,
        decision_type: found.decision.decision_type.clone(),
        files: bundle.members().into_iter().map(line).collect(),
        open: opened(&bundle, open),
        archive: service.link(&url::archive(id)),
        lineage: drawn(found, &names),
    })
}

fn line(member: Member) -> FileLine {
    let Member { name, size, digest, claim } = member;
    FileLine { name, size, digest, claim: claim.map(str::to_owned) }
}

fn opened(bundle: &Bundle, name: &str) -> Option<OpenFile> {
    let text = bundle.text(name)?;
    let readable = indented(text);
    let signed = bundle.payload(name).map(|payload| indented(&payload).unwrap_or(payload));
    let is_cut = text.len() > SHOWN_MAX;
    Some(OpenFile {
        name: name.to_owned(),
        exact: readable.is_some().then(|| shown(text)),
        readable: shown(&readable.unwrap_or_else(|| text.to_owned())),
        signed: signed.map(|signed| shown(&signed)),
        is_cut,
    })
}

/// A JSON text over several lines.
fn indented(text: &str) -> Option<String> {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_MEMBER).ok().map(|value| json::indented(&value))
}

/// As much of a text as is shown.
fn shown(text: &str) -> String {
    text.get(..text.floor_char_boundary(SHOWN_MAX)).unwrap_or_default().to_owned()
}

fn drawn(found: lineage::Lineage, names: &Names) -> Lineage {
    let lineage::Lineage { decision, policies } = found;
    let explained =
        explain::policies(&decision.evaluated_policies, &decision.result, &RuleBook::new());
    let signed = match (&decision.result.signature, decision.result.receipt_schema_version) {
        (None, _) => Signed::Not,
        (Some(_), 2) => Signed::Statement,
        (Some(_), _) => Signed::HashAlone,
    };
    let anchor = decision.result.transparency_anchor.as_ref();
    let log_index = anchor.and_then(|anchor| anchor.get("log_index")?.to_canonical().parse().ok());
    Lineage {
        policies: policies
            .into_iter()
            .map(|policy| policy_line(policy, &explained, names))
            .collect(),
        decision: DecisionStep {
            verdict: decision.decision,
            at: decision.recorded_at,
            signed,
            log_index,
        },
        outcome: decision.outcome.map(|outcome| Told::new(outcome, names)),
    }
}

fn policy_line(
    policy: lineage::PolicyLineage,
    explained: &[Explained],
    names: &Names,
) -> PolicyLine {
    let clauses = policy.codification.clone().map(|record| Clauses::of(record, &policy.rules));
    let none = Explained {
        policy: policy.policy_id,
        name: String::new(),
        version: policy.version,
        shadow: false,
        rules: Vec::new(),
    };
    let fared = explained.iter().find(|one| one.policy == policy.policy_id).unwrap_or(&none);
    let origin = match (&clauses, policy.handed_down_by) {
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
        shadow: fared.shadow,
        origin,
        rules: PolicyLine::rules(&policy.rules, clauses.as_ref(), fared),
        ratified: ratified(policy.approval, policy.approval_digest, names),
        name: policy.name,
    }
}

fn ratified(
    approval: Option<lineage::Approval>,
    digest: Option<String>,
    names: &Names,
) -> Ratified {
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
