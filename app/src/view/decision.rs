//! Decisions: a row of the log, and one explained.

pub mod explain;

use contract::{
    decision::DecisionRecord,
    evaluation::{Signature, Verdict},
    id::{DecisionId, PolicyId, SavedFilterId, TenantId},
    json::Value,
    page::Page,
    replay::{Difference, Replay},
    rule::Severity,
    scope::{Right, Role},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use self::explain::{Counts, Explained, RuleBook};
use super::{kept::Kept, outcome::Told, people::acted, receipt::logged_at};
use crate::text::{json, words};

/// A row of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionRow {
    /// The decision.
    pub id: DecisionId,
    /// When it was recorded.
    pub at: Timestamp,
    /// The verdict.
    pub verdict: Verdict,
    /// What kind of decision it is.
    pub decision_type: String,
    /// The policy that gave the verdict.
    pub policy: String,
    /// Its version.
    pub version: u32,
    /// The worst violation that counts: its rule and severity.
    pub top: Option<(String, Severity)>,
    /// How many violations there are besides.
    pub more: usize,
    /// Who acted.
    pub actor: Option<String>,
}

/// One page of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionRows {
    /// The rows.
    pub page: Page<DecisionRow>,
    /// What is wrong with the filters, if anything.
    pub fault: Option<String>,
    /// The policies to choose from, by name.
    pub policies: Vec<(PolicyId, String)>,
    /// The filters that the person keeps, by name.
    pub saved: Vec<SavedFilter>,
    /// Why a filter was not kept or removed, on a page without scripts.
    pub kept: Option<Kept>,
    /// Whether the person may take decisions out as a file.
    pub may_export: bool,
    /// The moment of the list.
    pub mark: String,
}

/// A filter that the person keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFilter {
    /// The filter.
    pub id: SavedFilterId,
    /// What the person calls it.
    pub name: String,
    /// The filters, as they stand in the address after the question mark.
    pub query: String,
}

impl From<DecisionRecord> for DecisionRow {
    fn from(record: DecisionRecord) -> Self {
        let violations = &record.result.violations;
        // Of equally bad violations the first in rule order is the one to show.
        let top = violations.iter().rev().max_by_key(|found| (!found.is_shadow, found.severity));
        Self {
            id: record.id,
            at: record.recorded_at,
            verdict: record.decision,
            top: top.map(|found| (found.rule_code.clone(), found.severity)),
            more: violations.len().saturating_sub(1),
            actor: actor(&record),
            decision_type: record.decision_type,
            policy: record.policy.name,
            version: record.policy.version,
        }
    }
}

/// The name to show for whoever acted.
fn actor(record: &DecisionRecord) -> Option<String> {
    let named = record.actor.as_ref().and_then(acted);
    named.or_else(|| record.context.get("metadata")?.get("actor_id")?.as_str().map(str::to_owned))
}

/// One decision explained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionPage {
    /// Its tenant.
    pub tenant: TenantId,
    /// The decision.
    pub id: DecisionId,
    /// The verdict.
    pub verdict: Verdict,
    /// What it would be with every policy enforced, when shadow mode made it milder.
    pub original: Option<Verdict>,
    /// The verdict and why, in one sentence, and how many rules fared how.
    pub why: Vec<String>,
    /// How many rules fared how.
    pub counts: Counts,
    /// Every rule of every evaluated policy.
    pub policies: Vec<Explained>,
    /// What kind of decision it is.
    pub decision_type: String,
    /// When it was recorded.
    pub recorded_at: Timestamp,
    /// The instant that dates were held against.
    pub evaluated_at: Timestamp,
    /// Milliseconds that the evaluation took, in words.
    pub took: String,
    /// Who acted.
    pub actor: Option<String>,
    /// The key that recorded it.
    pub key_name: Option<String>,
    /// The tenant whose policy gave the verdict, when it is another one.
    pub inherited_from: Option<String>,
    /// The tenant's own policies that the request asked for, in words, when it did not ask for all.
    pub narrowed_to: Option<String>,
    /// The context as indented JSON, without its evidence.
    pub context: String,
    /// Each evidence item as indented JSON, under its kind.
    pub evidence: Vec<(String, String)>,
    /// Ids and digests, in the order of the page.
    pub proof: Proof,
    /// Its chain and what stands beside it there: what each is, its name and its address.
    pub chain: Vec<(String, String, String)>,
    /// The whole record as indented JSON.
    pub raw: String,
    /// Whether the person may try its context again.
    pub may_try: bool,
    /// Whether the person may tell its outcome.
    pub may_tell: bool,
    /// What happened after it.
    pub told: Option<Told>,
    /// Its replay, when one was asked for.
    pub replayed: Option<Replayed>,
}

/// A decision made again of what was stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replayed {
    /// The integrity hash of the record.
    pub recorded_hash: String,
    /// The integrity hash of the replay.
    pub replayed_hash: String,
    /// Where they differ; empty when they match.
    pub differences: Vec<Difference>,
}

impl From<Replay> for Replayed {
    fn from(replay: Replay) -> Self {
        Self {
            recorded_hash: replay.original.integrity_hash,
            replayed_hash: replay.replay.integrity_hash,
            differences: replay.differences,
        }
    }
}

/// What a decision is proved with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// The request's name across systems.
    pub correlation_id: String,
    /// The caller's name for the request.
    pub idempotency_key: String,
    /// The stored snapshot of the policies.
    pub snapshot_id: String,
    /// Its digest.
    pub snapshot_digest: String,
    /// Digest of the active rules as evaluated.
    pub rules_hash: String,
    /// Digest of context, snapshot and verdict.
    pub integrity_hash: String,
    /// Digest of the evidence manifest.
    pub evidence_digest: Option<String>,
    /// The signature over the receipt.
    pub signature: Option<Signature>,
    /// Since when the receipt stands in the transparency log, in words.
    pub log: String,
}

impl DecisionPage {
    /// The page of `record`. `book` knows the rules by their policy and code; rules that it does
    /// not know are shown without their sentence. `raw` is the record as JSON, `role` the reader's.
    pub fn new(record: DecisionRecord, book: &RuleBook, raw: &Value, role: Role) -> Self {
        let policies = explain::policies(&record.evaluated_policies, &record.result, book);
        let counts = Counts::of(&policies);
        let result = &record.result;
        let mut context = record.context.clone();
        let evidence = match &mut context {
            Value::Object(members) => members.remove("evidence"),
            _ => None,
        };
        Self {
            tenant: record.tenant_id,
            id: record.id,
            verdict: record.decision,
            original: result.original_decision.filter(|_| result.shadow_converted),
            why: explain::why(&record.evaluated_policies, result, counts),
            counts,
            policies,
            recorded_at: record.recorded_at,
            evaluated_at: result.timestamp,
            took: format!("{:.3} ms", result.evaluation_time_ms),
            actor: actor(&record),
            key_name: record.api_key_name.clone(),
            inherited_from: (record.governance_source.level > 0)
                .then(|| record.governance_source.tenant_name.clone()),
            narrowed_to: narrowed_to(&record),
            context: json::indented(&context),
            evidence: items(evidence.as_ref()),
            proof: Proof {
                correlation_id: record.correlation_id.clone(),
                idempotency_key: record.idempotency_key.clone(),
                snapshot_id: record.policy_snapshot_id.to_string(),
                snapshot_digest: result.policy_snapshot_digest.clone().unwrap_or_default(),
                rules_hash: result.evaluated_rules_hash.clone(),
                integrity_hash: result.integrity_hash.clone(),
                evidence_digest: result.evidence_manifest_digest.clone(),
                signature: result.signature.clone(),
                log: words::decision::log(logged_at(result.transparency_anchor.as_ref())),
            },
            chain: Vec::new(),
            raw: json::indented(raw),
            may_try: role.may(Right::Operate),
            may_tell: role.may(Right::Operate),
            told: None,
            replayed: None,
            decision_type: record.decision_type,
        }
    }
}

/// The narrowing of the request in words: the group by its code, policies by their names.
fn narrowed_to(record: &DecisionRecord) -> Option<String> {
    let narrowing = record.result.narrowing.as_ref()?;
    let name = |id: &PolicyId| {
        let mut evaluated = record.evaluated_policies.iter();
        let found = evaluated.find(|policy| policy.policy_id == *id);
        found.map_or_else(|| id.to_string(), |policy| policy.policy_name.clone())
    };
    let names = narrowing.policy_ids.as_ref().map(|ids| ids.iter().map(name).collect::<Vec<_>>());
    Some(words::decision::narrowed_to(narrowing.policy_group_code.as_deref(), names.as_deref()))
}

fn items(evidence: Option<&Value>) -> Vec<(String, String)> {
    let items = evidence.and_then(Value::as_array).unwrap_or_default().iter();
    let kind = |item: &Value| item.get("kind").and_then(Value::as_str).unwrap_or("–").to_owned();
    items.map(|item| (kind(item), json::indented(item))).collect()
}
