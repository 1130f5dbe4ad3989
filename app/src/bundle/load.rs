//! Data of the bundle page.

use contract::{
    id::{DecisionId, TenantId},
    json::{Limits, Value},
};
use governance::{
    Cx,
    bundle::{self, Bundle, BundleFile},
    deciding::{decision, decision::provenance},
};
use islands::explanation::{self as explain, RuleBook};

use super::view::{BundlePage, FileLine, OpenFile};
use crate::{
    member::names::Names,
    outcome::OutcomeDetails,
    problem::Problem,
    provenance::{
        load::policy_line,
        view::{DecisionStep, ProvenanceView, Signed},
    },
    request::{directory, into_problem},
    text::{json, url},
};

/// The number of bytes of a file that the page shows. The archive contains the complete file.
const SHOWN_MAX: usize = 200_000;

pub(crate) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: DecisionId,
    open: &str,
) -> Result<BundlePage, Problem> {
    // A bundle is public for callers who know its ID. This page requires permission to read the decision.
    let provenance = into_problem(decision::provenance(cx, id).await)?;
    let bundle = into_problem(bundle::of_decision(cx, id).await)?;
    let names = &directory(cx).await?.names;
    let service = crate::request::governance();
    Ok(BundlePage {
        tenant,
        id,
        decision_type: provenance.decision.decision_type.clone(),
        files: bundle.members().into_iter().map(file_line).collect(),
        open: open_file(&bundle, open),
        archive: service.link(&url::archive(id)),
        lineage: provenance_view(provenance, names),
    })
}

fn file_line(file: BundleFile) -> FileLine {
    let BundleFile { name, size, digest, claim } = file;
    FileLine { name, size, digest, claim: claim.map(|claim| claim.to_string()) }
}

fn open_file(bundle: &Bundle, name: &str) -> Option<OpenFile> {
    let text = bundle.text(name)?;
    let readable = indented(text);
    let signed = bundle.payload(name).map(|payload| indented(&payload).unwrap_or(payload));
    let is_cut = text.len() > SHOWN_MAX;
    Some(OpenFile {
        name: name.to_owned(),
        exact: readable.is_some().then(|| truncate(text)),
        readable: truncate(&readable.unwrap_or_else(|| text.to_owned())),
        signed: signed.map(|signed| truncate(&signed)),
        is_cut,
    })
}

/// Formats a JSON text over several lines; returns `None` if it is not JSON.
fn indented(text: &str) -> Option<String> {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE).ok().map(|value| json::indented(&value))
}

/// Returns the part of a text that the page shows.
fn truncate(text: &str) -> String {
    text.get(..text.floor_char_boundary(SHOWN_MAX)).unwrap_or_default().to_owned()
}

fn provenance_view(provenance: provenance::Provenance, names: &Names) -> ProvenanceView {
    let provenance::Provenance { decision, policies } = provenance;
    let explained =
        explain::policies(&decision.evaluated_policies, &decision.result, &RuleBook::new());
    let signed = match (&decision.result.signature, decision.result.receipt_schema_version) {
        (None, _) => Signed::Not,
        (Some(_), 2) => Signed::Statement,
        (Some(_), _) => Signed::HashAlone,
    };
    let anchor = decision.result.transparency_anchor.as_ref();
    let log_index = anchor.and_then(|anchor| anchor.get("log_index")?.to_canonical().parse().ok());
    ProvenanceView {
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
        outcome: decision.outcome.map(|outcome| OutcomeDetails::new(outcome, names)),
    }
}
