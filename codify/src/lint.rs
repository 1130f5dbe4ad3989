//! The built-in lint: compares clauses with their rules and reports findings.

mod modality;
mod number;
mod quantity;
mod reference;
mod rule;
mod token;
mod vague;

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    codification::{
        Clause, ClauseLint, Codification, Disposition, Finding, FindingCode, FindingEvidence,
        LINT_SCHEMA, Lint, LintStatus,
    },
    json::Value,
    rule::Severity,
};

use self::{modality::Modality, rule::RuleSummary, token::Tokens};
use crate::codifier::mapped_rule;

/// The name of the built-in lint provider.
pub const BUILTIN: &str = "builtin";

/// The version of the built-in checks. A different version can report different findings for the same
/// clauses.
pub const QUESTIONS_VERSION: &str = "builtin/1";

/// The confidence threshold in percent. Findings below it are dropped.
pub const FLOOR: u32 = 60;

/// Returns the result of the built-in lint. `elapsed_ms` is its duration in milliseconds.
pub fn builtin(block: &Codification, rules: &[Value], elapsed_ms: u32) -> Lint {
    Lint {
        schema: LINT_SCHEMA.to_owned(),
        status: LintStatus::Ran,
        answerer: BUILTIN.to_owned(),
        questions_version: Some(QUESTIONS_VERSION.to_owned()),
        floor: FLOOR,
        clauses: clauses(block, rules),
        reason: None,
        model: None,
        elapsed_ms,
    }
}

/// Returns the findings of the built-in lint for each clause, in the order of the clauses.
pub fn clauses(block: &Codification, rules: &[Value]) -> Vec<ClauseLint> {
    let summaries: Vec<RuleSummary<'_>> = rules.iter().filter_map(RuleSummary::from_rule).collect();
    let tokens: Vec<Tokens> =
        block.clauses.iter().map(|clause| Tokens::new(&clause.text)).collect();
    let document = DocumentContext {
        locators: reference::Locators::new(&block.clauses),
        defined: vague::defined_terms(&tokens),
    };
    let mappings = clause_mappings(block, &summaries);
    let unmapped = ClauseMapping::default();
    let lint_clause = |(clause, tokens): (&Clause, &Tokens)| {
        lint(clause, tokens, mappings.get(&*clause.unit_id).unwrap_or(&unmapped), &document)
    };
    block.clauses.iter().zip(&tokens).map(lint_clause).collect()
}

fn clause_mappings<'f>(
    block: &'f Codification,
    summaries: &'f [RuleSummary<'f>],
) -> BTreeMap<&'f str, ClauseMapping<'f>> {
    let by_code: BTreeMap<&str, &RuleSummary<'_>> =
        summaries.iter().map(|rule| (rule.code, rule)).collect();
    let mut mappings: BTreeMap<&str, ClauseMapping<'_>> = BTreeMap::new();
    for entry in &block.ledger {
        let mapping = mappings.entry(&entry.unit_id).or_default();
        mapping.dispositions.insert(entry.disposition);
        mapping.rules.extend(mapped_rule(entry).and_then(|code| by_code.get(code)));
    }
    mappings
}

/// Facts about all clauses of the document.
struct DocumentContext {
    locators: reference::Locators,
    /// The terms that a clause defines, in lower case.
    defined: BTreeSet<String>,
}

/// The rules and dispositions of one clause.
#[derive(Default)]
struct ClauseMapping<'f> {
    dispositions: BTreeSet<Disposition>,
    rules: Vec<&'f RuleSummary<'f>>,
}

impl ClauseMapping<'_> {
    fn is_mapped(&self) -> bool {
        self.dispositions.contains(&Disposition::Mapped)
    }

    /// Returns whether the ledger marks the clause as non-normative only.
    fn is_non_normative(&self) -> bool {
        self.dispositions.iter().eq([&Disposition::NonNormative])
    }
}

fn lint(
    clause: &Clause,
    tokens: &Tokens,
    mapping: &ClauseMapping<'_>,
    document: &DocumentContext,
) -> ClauseLint {
    let modality = Modality::new(tokens);
    let mut findings = Vec::new();
    let mut add = |code: FindingCode, draft: Option<FindingDraft>| {
        findings.extend(draft.filter(|draft| draft.confidence >= FLOOR).map(|draft| Finding {
            code: code.as_str().to_owned(),
            message: draft.message,
            evidence: FindingEvidence { confidence: f64::from(draft.confidence) / 100.0 },
        }));
    };
    add(FindingCode::GuidanceAsObligation, guidance_as_obligation(&modality, mapping));
    add(FindingCode::ObligationAsGuidance, obligation_as_guidance(&modality, mapping));
    add(FindingCode::ObligationUnmapped, obligation_unmapped(&modality, mapping));
    if mapping.is_mapped() {
        add(FindingCode::NumberNotInRule, quantity::missing_from_rules(tokens, &mapping.rules));
    }
    if !mapping.is_non_normative() {
        add(FindingCode::VagueTerm, vague::find_vague_terms(tokens, &document.defined));
    }
    let reference = reference::unresolved(tokens, &document.locators);
    let needs_context = reference.as_ref().is_some_and(|draft| draft.confidence >= FLOOR);
    add(FindingCode::UndefinedReference, reference);
    ClauseLint { unit_id: clause.unit_id.clone(), findings, needs_context }
}

/// A finding without its code.
struct FindingDraft {
    /// The confidence in percent.
    confidence: u32,
    message: String,
}

/// Reports a clause that is guidance but maps to a denying rule.
fn guidance_as_obligation(
    modality: &Modality,
    mapping: &ClauseMapping<'_>,
) -> Option<FindingDraft> {
    let guidance = modality.guidance.as_ref()?;
    let rule =
        mapping.rules.iter().find(|rule| rule.is_active && rule.severity >= Severity::High)?;
    // In a clause with an obligation, a permission limits the obligation, and the rule enforces the
    // obligation.
    let confidence = match &modality.obligation {
        Some(obligation) if obligation.confidence >= FLOOR => 40,
        _ => guidance.confidence,
    };
    let message = format!(
        "`{}` is guidance, but a violation of `{}` denies: its severity is {}",
        guidance.text, rule.code, rule.severity
    );
    Some(FindingDraft { confidence, message })
}

/// Reports an obligation whose rules do not affect the verdict.
fn obligation_as_guidance(
    modality: &Modality,
    mapping: &ClauseMapping<'_>,
) -> Option<FindingDraft> {
    let obligation = modality.obligation.as_ref()?;
    let first = mapping.rules.first()?;
    if mapping.rules.iter().any(|rule| rule.is_active && rule.severity > Severity::Low) {
        return None;
    }
    let why = if first.is_active {
        "does not affect the verdict: its severity is low"
    } else {
        "is not active"
    };
    let message = format!("`{}` states an obligation, but `{}` {why}", obligation.text, first.code);
    Some(FindingDraft { confidence: obligation.confidence, message })
}

/// Reports an obligation that is not mapped to a rule.
fn obligation_unmapped(modality: &Modality, mapping: &ClauseMapping<'_>) -> Option<FindingDraft> {
    let obligation = modality.obligation.as_ref()?;
    let disposition = mapping.dispositions.first().filter(|_| !mapping.is_mapped())?;
    let message = format!(
        "`{}` states an obligation, but the ledger marks the clause as {}, so no rule covers it",
        obligation.text,
        disposition.as_str().replace('_', "-"),
    );
    Some(FindingDraft { confidence: obligation.confidence, message })
}
