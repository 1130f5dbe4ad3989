//! Whether clauses, ledger and rules fit, and the rules with their sources.

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    codification::{
        Clause, Codification, CodificationRecord, Counts, Disposition, LedgerEntry, LedgerLine,
        Lint, RECORD_SCHEMA, Refusal, RefusalKind,
    },
    json::{Object, Value},
};

/// Rules that fit their clauses.
#[derive(Clone, Debug, PartialEq)]
pub struct Codified {
    /// The rules in authored order, each with the `source_ref` of the first clause that became it.
    pub rules: Vec<Value>,
    counts: Counts,
}

impl Codified {
    /// What is kept of the block, with what the lint said of it.
    pub fn record(&self, block: Codification, lint: Lint) -> CodificationRecord {
        let kept = |entry: LedgerEntry| LedgerLine {
            unit_id: entry.unit_id,
            disposition: entry.disposition,
            note: entry.note,
        };
        CodificationRecord {
            schema: RECORD_SCHEMA.to_owned(),
            source: block.source,
            clauses: block.clauses,
            ledger: block.ledger.into_iter().map(kept).collect(),
            counts: self.counts,
            refusals: Vec::new(),
            lint,
        }
    }
}

/// Holds `rules`, as they were authored and read, against `block`.
///
/// # Errors
/// All that does not fit, clauses first, then ledger, then rules, each in authored order.
pub fn codify(block: &Codification, rules: &[Value]) -> Result<Codified, Vec<Refusal>> {
    let codes: BTreeSet<&str> = rules.iter().filter_map(code).collect();
    let mut refusals = Vec::new();
    refuse_clauses(block, &mut refusals);
    refuse_ledger(block, &codes, &mut refusals);
    let sources = sources(block);
    for code in rules.iter().filter_map(code).filter(|code| !sources.contains_key(code)) {
        let message = format!("no ledger entry maps a clause to the rule `{code}`");
        refusals.push(refusal(RefusalKind::UnmappedRule, None, Some(code), message));
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    Ok(Codified {
        rules: rules.iter().map(|rule| sourced(rule, &sources, block)).collect(),
        counts: counts(block),
    })
}

fn code(rule: &Value) -> Option<&str> {
    rule.get("code").and_then(Value::as_str)
}

fn refuse_clauses(block: &Codification, refusals: &mut Vec<Refusal>) {
    let entered: BTreeSet<&str> = block.ledger.iter().map(|entry| &*entry.unit_id).collect();
    let mut seen = BTreeSet::new();
    for clause in &block.clauses {
        let unit = &*clause.unit_id;
        if !seen.insert(unit) {
            let message = format!("an earlier clause has the unit id `{unit}` already");
            refusals.push(refusal(RefusalKind::DuplicateUnit, Some(unit), None, message));
        }
        if clause.text.trim().is_empty() {
            let message = format!("the clause `{unit}` has no words");
            refusals.push(refusal(RefusalKind::EmptyClause, Some(unit), None, message));
        }
        if !entered.contains(unit) {
            let message = format!("the ledger has no entry for the clause `{unit}`");
            refusals.push(refusal(RefusalKind::UnknownClause, Some(unit), None, message));
        }
    }
}

fn refuse_ledger(block: &Codification, codes: &BTreeSet<&str>, refusals: &mut Vec<Refusal>) {
    let units: BTreeSet<&str> = block.clauses.iter().map(|clause| &*clause.unit_id).collect();
    for entry in &block.ledger {
        let (unit, rule) = (&*entry.unit_id, entry.rule_code.as_deref());
        if !units.contains(unit) {
            let message = format!("the ledger names the clause `{unit}`, which is not declared");
            refusals.push(refusal(RefusalKind::UnknownClause, Some(unit), rule, message));
        }
        if let Some(code) = mapped(entry).filter(|code| !codes.contains(code)) {
            let message =
                format!("the clause `{unit}` is mapped to `{code}`, which is no rule here");
            refusals.push(refusal(RefusalKind::UnknownRule, Some(unit), rule, message));
        }
    }
}

/// The rule that an entry maps its clause to.
pub(crate) fn mapped(entry: &LedgerEntry) -> Option<&str> {
    entry.rule_code.as_deref().filter(|_| entry.disposition == Disposition::Mapped)
}

/// By rule code, the first clause that was mapped to it.
fn sources(block: &Codification) -> BTreeMap<&str, &Clause> {
    let clauses: BTreeMap<&str, &Clause> =
        block.clauses.iter().map(|clause| (&*clause.unit_id, clause)).collect();
    let mut sources = BTreeMap::new();
    for entry in &block.ledger {
        if let (Some(code), Some(clause)) = (mapped(entry), clauses.get(&*entry.unit_id)) {
            sources.entry(code).or_insert(*clause);
        }
    }
    sources
}

/// The rule with the source of its clause, whatever source its author gave.
fn sourced(rule: &Value, sources: &BTreeMap<&str, &Clause>, block: &Codification) -> Value {
    let clause = code(rule).and_then(|code| sources.get(code));
    let (Some(members), Some(clause)) = (rule.as_object(), clause) else { return rule.clone() };
    let mut source = Object::from([
        ("document", Value::from(block.source.document.as_str())),
        ("section", Value::from(clause.locator.as_str())),
    ]);
    if let Some(url) = &block.source.url {
        source.insert("url", url.as_str());
    }
    let mut members = members.clone();
    members.insert("source_ref", source);
    members.into()
}

/// A clause counts once under each disposition that the ledger gives it.
fn counts(block: &Codification) -> Counts {
    let with = |disposition| {
        let entries = block.ledger.iter().filter(|entry| entry.disposition == disposition);
        number(entries.map(|entry| &entry.unit_id).collect::<BTreeSet<_>>().len())
    };
    Counts {
        clauses: number(block.clauses.len()),
        mapped: with(Disposition::Mapped),
        ambiguous: with(Disposition::Ambiguous),
        unsupported: with(Disposition::Unsupported),
        non_normative: with(Disposition::NonNormative),
        refused: with(Disposition::Refused),
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn refusal(
    kind: RefusalKind,
    unit_id: Option<&str>,
    rule_code: Option<&str>,
    message: String,
) -> Refusal {
    Refusal {
        unit_id: unit_id.map(str::to_owned),
        rule_code: rule_code.map(str::to_owned),
        kind,
        message,
    }
}
