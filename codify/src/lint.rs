//! What a reader of clauses and rules should know; the built-in answerer.

mod modality;
mod number;
mod quantity;
mod reference;
mod rule;
mod vague;
mod word;

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    codification::{
        Clause, ClauseLint, Codification, Disposition, Evidence, Finding, FindingCode, LINT_SCHEMA,
        Lint, LintStatus,
    },
    json::Value,
    rule::Severity,
};

use self::{modality::Modality, rule::Facts, word::Words};
use crate::codifier::mapped;

/// The name of the built-in answerer.
pub const BUILTIN: &str = "builtin";

/// Its questions. Another number means other findings on the same clauses.
pub const QUESTIONS: &str = "builtin/1";

/// The confidence, in percent, under which findings are dropped.
pub const FLOOR: u32 = 60;

/// The answer of the built-in answerer, which took `elapsed_ms` milliseconds.
pub fn builtin(block: &Codification, rules: &[Value], elapsed_ms: u32) -> Lint {
    Lint {
        schema: LINT_SCHEMA.to_owned(),
        status: LintStatus::Ran,
        answerer: BUILTIN.to_owned(),
        questions_version: Some(QUESTIONS.to_owned()),
        floor: FLOOR,
        clauses: clauses(block, rules),
        reason: None,
        model: None,
        elapsed_ms,
    }
}

/// What the built-in answerer finds in each clause, in the order of the clauses.
pub fn clauses(block: &Codification, rules: &[Value]) -> Vec<ClauseLint> {
    let facts: Vec<Facts<'_>> = rules.iter().filter_map(Facts::of).collect();
    let words: Vec<Words> = block.clauses.iter().map(|clause| Words::of(&clause.text)).collect();
    let beside = Beside {
        locators: reference::Locators::of(&block.clauses),
        defined: vague::defined(&words),
    };
    let fates = fates(block, &facts);
    let nothing = Fate::default();
    let linted = |(clause, words): (&Clause, &Words)| {
        lint(clause, words, fates.get(&*clause.unit_id).unwrap_or(&nothing), &beside)
    };
    block.clauses.iter().zip(&words).map(linted).collect()
}

/// What became of each clause, by unit id.
fn fates<'f>(block: &'f Codification, facts: &'f [Facts<'f>]) -> BTreeMap<&'f str, Fate<'f>> {
    let by_code: BTreeMap<&str, &Facts<'_>> = facts.iter().map(|rule| (rule.code, rule)).collect();
    let mut fates: BTreeMap<&str, Fate<'_>> = BTreeMap::new();
    for entry in &block.ledger {
        let fate = fates.entry(&entry.unit_id).or_default();
        fate.dispositions.insert(entry.disposition);
        fate.rules.extend(mapped(entry).and_then(|code| by_code.get(code)));
    }
    fates
}

/// What the clauses say of each other.
struct Beside {
    /// Where they stand.
    locators: reference::Locators,
    /// The words that one of them defines.
    defined: BTreeSet<String>,
}

/// What became of one clause.
#[derive(Default)]
struct Fate<'f> {
    /// What the ledger says of it.
    dispositions: BTreeSet<Disposition>,
    /// The rules that it became.
    rules: Vec<&'f Facts<'f>>,
}

impl Fate<'_> {
    fn is_mapped(&self) -> bool {
        self.dispositions.contains(&Disposition::Mapped)
    }

    /// The author says that it asks for nothing.
    fn asks_nothing(&self) -> bool {
        self.dispositions.iter().eq([&Disposition::NonNormative])
    }
}

fn lint(clause: &Clause, words: &Words, fate: &Fate<'_>, beside: &Beside) -> ClauseLint {
    let modality = Modality::of(words);
    let mut findings = Vec::new();
    let mut add = |code: FindingCode, found: Option<Found>| {
        findings.extend(found.filter(|found| found.confidence >= FLOOR).map(|found| Finding {
            code: code.as_str().to_owned(),
            message: found.message,
            evidence: Evidence { confidence: f64::from(found.confidence) / 100.0 },
        }));
    };
    add(FindingCode::GuidanceAsObligation, hardened(&modality, fate));
    add(FindingCode::ObligationAsGuidance, softened(&modality, fate));
    add(FindingCode::ObligationUnmapped, unmapped(&modality, fate));
    if fate.is_mapped() {
        add(FindingCode::NumberNotInRule, quantity::missing(words, &fate.rules));
    }
    if !fate.asks_nothing() {
        add(FindingCode::VagueTerm, vague::found(words, &beside.defined));
    }
    let reference = reference::unresolved(words, &beside.locators);
    let needs_context = reference.as_ref().is_some_and(|found| found.confidence >= FLOOR);
    add(FindingCode::UndefinedReference, reference);
    ClauseLint { unit_id: clause.unit_id.clone(), findings, needs_context }
}

/// A finding before its code.
struct Found {
    /// In percent.
    confidence: u32,
    message: String,
}

/// Guidance that became a rule that denies.
fn hardened(modality: &Modality, fate: &Fate<'_>) -> Option<Found> {
    let guidance = modality.guidance.as_ref()?;
    let rule = fate.rules.iter().find(|rule| rule.is_active && rule.severity >= Severity::High)?;
    // Beside an obligation, a permission says how far it goes; then the rule is about the obligation.
    let confidence = match &modality.obligation {
        Some(obligation) if obligation.confidence >= FLOOR => 40,
        _ => guidance.confidence,
    };
    let message = format!(
        "`{}` leaves a choice, but a violation of `{}` denies: its severity is {}",
        guidance.words, rule.code, rule.severity
    );
    Some(Found { confidence, message })
}

/// An obligation none of whose rules does more than tell.
fn softened(modality: &Modality, fate: &Fate<'_>) -> Option<Found> {
    let obligation = modality.obligation.as_ref()?;
    let first = fate.rules.first()?;
    if fate.rules.iter().any(|rule| rule.is_active && rule.severity > Severity::Low) {
        return None;
    }
    let why =
        if first.is_active { "changes no verdict: its severity is low" } else { "is not active" };
    let message = format!("`{}` obliges, but `{}` {why}", obligation.words, first.code);
    Some(Found { confidence: obligation.confidence, message })
}

/// An obligation that became no rule.
fn unmapped(modality: &Modality, fate: &Fate<'_>) -> Option<Found> {
    let obligation = modality.obligation.as_ref()?;
    let disposition = fate.dispositions.first().filter(|_| !fate.is_mapped())?;
    let message = format!(
        "`{}` obliges, but the ledger calls the clause {}, so no rule holds it",
        obligation.words,
        disposition.as_str().replace('_', "-"),
    );
    Some(Found { confidence: obligation.confidence, message })
}
