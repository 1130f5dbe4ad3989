//! The codifier: checks that clauses, ledger and rules match, and adds sources to the rules.

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    codification::{
        Clause, Codification, CodificationError, CodificationRecord, Counts, Disposition,
        LedgerEntry, Lint, RECORD_SCHEMA, RefusalKind, StoredLedgerEntry,
    },
    json::{Object, Value},
};

/// Rules that match their clauses.
#[derive(Clone, Debug, PartialEq)]
pub struct CodifiedRules {
    /// The rules in authored order, each with the `source_ref` of the first clause that is mapped to it.
    pub rules: Vec<Value>,
    counts: Counts,
}

impl CodifiedRules {
    /// Returns the codification record of `block` with the lint `lint`.
    pub fn record(&self, block: Codification, lint: Lint) -> CodificationRecord {
        let to_stored = |entry: LedgerEntry| StoredLedgerEntry {
            unit_id: entry.unit_id,
            disposition: entry.disposition,
            note: entry.note,
        };
        CodificationRecord {
            schema: RECORD_SCHEMA.to_owned(),
            source: block.source,
            clauses: block.clauses,
            ledger: block.ledger.into_iter().map(to_stored).collect(),
            counts: self.counts,
            refusals: Vec::new(),
            lint,
        }
    }
}

/// Checks that `rules`, as authored, match `block`, and adds their sources.
///
/// # Errors
/// Returns all errors: clauses first, then ledger, then rules, each in authored order.
pub fn codify(
    block: &Codification,
    rules: &[Value],
) -> Result<CodifiedRules, Vec<CodificationError>> {
    let codes: BTreeSet<&str> = rules.iter().filter_map(code).collect();
    let mut errors = Vec::new();
    check_clauses(block, &mut errors);
    check_ledger(block, &codes, &mut errors);
    let sources = sources(block);
    for code in rules.iter().filter_map(code).filter(|code| !sources.contains_key(code)) {
        let message = format!("no ledger entry maps a clause to the rule `{code}`");
        errors.push(error(RefusalKind::UnmappedRule, None, Some(code), message));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(CodifiedRules {
        rules: rules.iter().map(|rule| with_source_ref(rule, &sources, block)).collect(),
        counts: counts(block),
    })
}

fn code(rule: &Value) -> Option<&str> {
    rule.get("code").and_then(Value::as_str)
}

fn check_clauses(block: &Codification, errors: &mut Vec<CodificationError>) {
    let ledger_units: BTreeSet<&str> = block.ledger.iter().map(|entry| &*entry.unit_id).collect();
    let mut seen = BTreeSet::new();
    for clause in &block.clauses {
        let unit = &*clause.unit_id;
        if !seen.insert(unit) {
            let message = format!("an earlier clause already has the unit id `{unit}`");
            errors.push(error(RefusalKind::DuplicateUnit, Some(unit), None, message));
        }
        if clause.text.trim().is_empty() {
            let message = format!("the clause `{unit}` has no text");
            errors.push(error(RefusalKind::EmptyClause, Some(unit), None, message));
        }
        if !ledger_units.contains(unit) {
            let message = format!("the ledger has no entry for the clause `{unit}`");
            errors.push(error(RefusalKind::UnknownClause, Some(unit), None, message));
        }
    }
}

fn check_ledger(block: &Codification, codes: &BTreeSet<&str>, errors: &mut Vec<CodificationError>) {
    let units: BTreeSet<&str> = block.clauses.iter().map(|clause| &*clause.unit_id).collect();
    for entry in &block.ledger {
        let (unit, rule) = (&*entry.unit_id, entry.rule_code.as_deref());
        if !units.contains(unit) {
            let message = format!("the ledger names the clause `{unit}`, which does not exist");
            errors.push(error(RefusalKind::UnknownClause, Some(unit), rule, message));
        }
        if let Some(code) = mapped_rule(entry).filter(|code| !codes.contains(code)) {
            let message = format!(
                "the clause `{unit}` is mapped to `{code}`, which is not a rule of this version"
            );
            errors.push(error(RefusalKind::UnknownRule, Some(unit), rule, message));
        }
    }
}

/// Returns the code of the rule that an entry maps its clause to.
pub(crate) fn mapped_rule(entry: &LedgerEntry) -> Option<&str> {
    entry.rule_code.as_deref().filter(|_| entry.disposition == Disposition::Mapped)
}

/// Returns the first clause that is mapped to each rule code.
fn sources(block: &Codification) -> BTreeMap<&str, &Clause> {
    let clauses: BTreeMap<&str, &Clause> =
        block.clauses.iter().map(|clause| (&*clause.unit_id, clause)).collect();
    let mut sources = BTreeMap::new();
    for entry in &block.ledger {
        if let (Some(code), Some(clause)) = (mapped_rule(entry), clauses.get(&*entry.unit_id)) {
            sources.entry(code).or_insert(*clause);
        }
    }
    sources
}

/// Returns the rule with the source of its clause, which replaces any authored source.
fn with_source_ref(rule: &Value, sources: &BTreeMap<&str, &Clause>, block: &Codification) -> Value {
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

/// Counts the clauses. A clause counts once for each of its dispositions.
fn counts(block: &Codification) -> Counts {
    let count = |disposition| {
        let entries = block.ledger.iter().filter(|entry| entry.disposition == disposition);
        number(entries.map(|entry| &entry.unit_id).collect::<BTreeSet<_>>().len())
    };
    Counts {
        clauses: number(block.clauses.len()),
        mapped: count(Disposition::Mapped),
        ambiguous: count(Disposition::Ambiguous),
        unsupported: count(Disposition::Unsupported),
        non_normative: count(Disposition::NonNormative),
        refused: count(Disposition::Refused),
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn error(
    kind: RefusalKind,
    unit_id: Option<&str>,
    rule_code: Option<&str>,
    message: String,
) -> CodificationError {
    CodificationError {
        unit_id: unit_id.map(str::to_owned),
        rule_code: rule_code.map(str::to_owned),
        kind,
        message,
    }
}
