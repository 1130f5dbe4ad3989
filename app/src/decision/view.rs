//! Decisions: a row of the list, and the page of one decision.

pub mod counts;

use contract::{
    decision::DecisionRecord,
    evaluation::{Signature, Verdict, Violation},
    id::{DecisionId, PolicyId, SavedFilterId, TenantId},
    json::Value,
    replay::{Difference, Replay},
    rule::Severity,
    scope::{Right, Role},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

pub(crate) use islands::explanation as explain;

use self::{
    counts::DecisionCounts,
    explain::{Counts, PolicyExplanation, RuleBook},
};
use super::words;
use crate::{
    flash::RejectedForm,
    member::names::actor_name,
    outcome::view::OutcomeDetails,
    provenance::view::PolicyLine,
    receipt::view::logged_at,
    text::{json, query::DecisionQuery},
    ui::list_page::ListPage,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionRow {
    pub id: DecisionId,
    /// The time of recording.
    pub at: Timestamp,
    pub verdict: Verdict,
    pub decision_type: String,
    /// The policy that determined the verdict.
    pub policy: String,
    pub version: u32,
    /// The worst violation: its rule and severity.
    pub top: Option<(String, Severity)>,
    /// The number of further violations.
    pub more: usize,
    pub actor: Option<String>,
    /// The ID by which the filter finds the decisions of the actor.
    pub actor_id: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionRows {
    pub page: ListPage<DecisionRow>,
    /// The filters, with the start of their range.
    pub query: DecisionQuery,
    /// The error in the filters, if any.
    pub error: Option<String>,
    /// The counts of the list; absent if they do not describe it.
    pub counts: Option<DecisionCounts>,
    pub suggestions: Suggestions,
    pub saved: Vec<SavedFilter>,
    /// The filter that the user has just removed. The page offers to save it again.
    pub removed: Option<SavedFilter>,
    /// Why saving or removing a filter was rejected, on a page without scripts.
    pub rejected: Option<RejectedForm>,
    pub may_export: bool,
    /// The position of the list in the event stream, used to count newer events.
    pub mark: String,
}

/// The values that the filters suggest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestions {
    /// The policies to choose from, with their names.
    pub policies: Vec<(PolicyId, String)>,
    pub decision_types: Vec<String>,
    /// The codes of violated rules.
    pub rules: Vec<String>,
    pub actors: Vec<String>,
}

impl Suggestions {
    /// Creates the suggestions of the policies, with their names and decision types.
    pub fn new(policies: impl IntoIterator<Item = (PolicyId, String, Vec<String>)>) -> Self {
        let mut suggestions = Self::default();
        for (id, name, decision_types) in policies {
            suggestions.policies.push((id, name));
            suggestions.decision_types.extend(decision_types);
        }
        suggestions.policies.sort_by(|(_, a), (_, b)| a.cmp(b));
        suggestions.add_rows(&[]);
        suggestions
    }

    /// Adds the types, rules and actors of listed decisions.
    pub fn add_rows(&mut self, rows: &[DecisionRow]) {
        self.decision_types.extend(rows.iter().map(|row| row.decision_type.clone()));
        let tops = rows.iter().filter_map(|row| row.top.as_ref());
        self.rules.extend(tops.map(|(code, _)| code.clone()));
        self.actors.extend(rows.iter().filter_map(|row| row.actor_id.clone()));
        for values in [&mut self.decision_types, &mut self.rules, &mut self.actors] {
            values.sort_unstable();
            values.dedup();
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFilter {
    pub id: SavedFilterId,
    pub name: String,
    /// The filters as a query string.
    pub query: String,
}

impl DecisionRow {
    /// Creates the row of `record`; `top` is its worst violation.
    pub fn new(record: &DecisionRecord, top: Option<&Violation>) -> Self {
        Self {
            id: record.id,
            at: record.recorded_at,
            verdict: record.decision,
            top: top.map(|violation| (violation.rule_code.clone(), violation.severity)),
            more: record.result.violations.len().saturating_sub(1),
            actor: actor(record),
            actor_id: record.actor.as_ref().and_then(|actor| actor.id.clone()),
            decision_type: record.decision_type.clone(),
            policy: record.policy.name.clone(),
            version: record.policy.version,
        }
    }
}

/// Returns the name of the actor of a decision.
pub(crate) fn actor(record: &DecisionRecord) -> Option<String> {
    let named = record.actor.as_ref().and_then(actor_name);
    named.or_else(|| record.context.get("metadata")?.get("actor_id")?.as_str().map(str::to_owned))
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionPage {
    pub tenant: TenantId,
    pub id: DecisionId,
    pub verdict: Verdict,
    /// The policy that determined the verdict.
    pub policy: PolicyId,
    /// The verdict with every policy enforced, if shadow mode lowered it.
    pub original: Option<Verdict>,
    /// The reason for the verdict, as a sentence, and the counts of rule results, as a sentence.
    pub why: Vec<String>,
    pub counts: Counts,
    /// Every rule of every evaluated policy.
    pub policies: Vec<PolicyExplanation>,
    pub decision_type: String,
    pub recorded_at: Timestamp,
    /// The time that dates were compared with.
    pub evaluated_at: Timestamp,
    /// The evaluation time in milliseconds, as text.
    pub took: String,
    pub actor: Option<String>,
    /// The name of the API key that recorded it.
    pub key_name: Option<String>,
    /// The tenant whose policy determined the verdict, if it is an ancestor.
    pub inherited_from: Option<String>,
    /// The policies that the request selected, as text; absent if it selected all.
    pub narrowed_to: Option<String>,
    /// The context as indented JSON, without its evidence.
    pub context: String,
    /// The fields of the context; those of violated rules first.
    pub fields: Vec<InputField>,
    pub evidence: Vec<EvidenceItem>,
    /// The origin of the policies with violated rules, or of the policy that determined the verdict.
    pub history: Vec<PolicyLine>,
    /// IDs and digests, in the order of the page.
    pub proof: Proof,
    /// Its chain and the adjacent steps: label, text and address of each row.
    pub chain: Vec<(String, String, String)>,
    /// The record as indented JSON.
    pub raw: String,
    /// Whether the user can evaluate its context again.
    pub may_try: bool,
    pub can_record_outcome: bool,
    pub outcome: Option<OutcomeDetails>,
    pub replayed: Option<Replayed>,
}

/// A field of the context. Members of an object are separate fields with a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputField {
    pub path: String,
    /// The value as JSON, a text without quotes.
    pub value: String,
    /// Whether a violated rule checks the field.
    pub is_violated: bool,
    /// The value that a violated rule requires.
    pub expected: Option<String>,
}

/// An item of evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceItem {
    pub kind: String,
    pub reference: Option<String>,
    pub hash: Option<String>,
    /// The item as indented JSON.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replayed {
    /// The integrity hash of the record.
    pub recorded_hash: String,
    /// The integrity hash of the replay.
    pub replay_hash: String,
    /// The differences; empty if the two match.
    pub differences: Vec<Difference>,
}

impl From<Replay> for Replayed {
    fn from(replay: Replay) -> Self {
        Self {
            recorded_hash: replay.original.integrity_hash,
            replay_hash: replay.replay.integrity_hash,
            differences: replay.differences,
        }
    }
}

/// The IDs, digests and signature of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    pub correlation_id: String,
    pub idempotency_key: String,
    /// The stored snapshot of the policies.
    pub snapshot_id: String,
    pub snapshot_digest: String,
    /// Digest of the active rules as evaluated.
    pub rules_hash: String,
    /// Digest of context, snapshot and verdict.
    pub integrity_hash: String,
    /// Digest of the evidence manifest.
    pub evidence_digest: Option<String>,
    pub signature: Option<Signature>,
    /// The time of anchoring in the transparency log, as text.
    pub log: String,
    pub is_anchored: bool,
    /// The time of anchoring, if it is known.
    pub anchored_at: Option<Timestamp>,
}

impl DecisionPage {
    /// Creates the page of `record`. `book` contains rules by policy and code; rules that it does not contain
    /// are shown without their sentence. `raw` is the record as JSON, `role` the role of the user.
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
            policy: record.policy.id,
            original: result.original_decision.filter(|_| result.shadow_converted),
            why: explain::summary(&record.evaluated_policies, result, counts),
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
            fields: fields(context.get("fields"), &result.violations),
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
                is_anchored: result.transparency_anchor.is_some(),
                log: words::anchored_since(logged_at(result.transparency_anchor.as_ref())),
                anchored_at: logged_at(result.transparency_anchor.as_ref()),
            },
            history: Vec::new(),
            chain: Vec::new(),
            raw: json::indented(raw),
            may_try: role.has(Right::Operate),
            can_record_outcome: role.has(Right::Operate),
            outcome: None,
            replayed: None,
            decision_type: record.decision_type,
        }
    }
}

impl DecisionPage {
    /// Returns the policies with violated rules.
    pub fn violated_policies(&self) -> impl Iterator<Item = PolicyId> + '_ {
        let is_violated = |policy: &&PolicyExplanation| {
            policy.rules.iter().any(explain::RuleExplanation::is_violated)
        };
        self.policies.iter().filter(is_violated).map(|policy| policy.policy)
    }
}

/// Returns the narrowing of the request as text: the code of the group and the names of the policies.
fn narrowed_to(record: &DecisionRecord) -> Option<String> {
    let narrowing = record.result.narrowing.as_ref()?;
    let name = |id: &PolicyId| {
        let mut evaluated = record.evaluated_policies.iter();
        let policy = evaluated.find(|policy| policy.policy_id == *id);
        policy.map_or_else(|| id.to_string(), |policy| policy.policy_name.clone())
    };
    let names = narrowing.policy_ids.as_ref().map(|ids| ids.iter().map(name).collect::<Vec<_>>());
    Some(words::narrowed_to(narrowing.policy_group_code.as_deref(), names.as_deref()))
}

fn items(evidence: Option<&Value>) -> Vec<EvidenceItem> {
    let items = evidence.and_then(Value::as_array).unwrap_or_default().iter();
    let item = |item: &Value| {
        let text = |name| item.get(name).and_then(Value::as_str).map(str::to_owned);
        EvidenceItem {
            kind: text("kind").unwrap_or_else(|| "–".to_owned()),
            reference: text("ref"),
            hash: text("hash"),
            text: json::indented(item),
        }
    };
    items.map(item).collect()
}

/// Returns the fields of the context. Fields of violated rules come first.
fn fields(fields: Option<&Value>, violations: &[Violation]) -> Vec<InputField> {
    let mut rows = Vec::new();
    if let Some(members) = fields.and_then(Value::as_object) {
        for (name, value) in members {
            add_field(name, value, violations, &mut rows);
        }
    }
    rows.sort_by_key(|row| !row.is_violated);
    rows
}

fn add_field(path: &str, value: &Value, violations: &[Violation], rows: &mut Vec<InputField>) {
    if let Some(members) = value.as_object().filter(|members| !members.is_empty()) {
        for (name, value) in members {
            add_field(&format!("{path}.{name}"), value, violations, rows);
        }
        return;
    }
    let mut of_field =
        violations.iter().filter(|violation| violation.field.as_deref() == Some(path));
    let first = of_field.next();
    rows.push(InputField {
        path: path.to_owned(),
        value: explain::plain(value),
        is_violated: first.is_some(),
        expected: first.and_then(|violation| violation.expected_value.as_ref()).map(explain::plain),
    });
}

#[cfg(test)]
mod tests {
    use contract::json::Limits;

    use super::*;

    #[test]
    fn nested_fields_have_a_path() {
        let text = br#"{"a": {"b": "x", "c": [1, 2]}, "d": {}, "e": 1.5}"#;
        let value = Value::parse(text, &Limits::REQUEST).unwrap();
        let rows = fields(Some(&value), &[]);
        let rows: Vec<_> = rows.iter().map(|row| (&*row.path, &*row.value)).collect();
        assert_eq!(rows, [("a.b", "x"), ("a.c", "[1,2]"), ("d", "{}"), ("e", "1.5")]);
    }
}
