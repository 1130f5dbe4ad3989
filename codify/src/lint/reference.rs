//! Detection of references to texts that are not among the clauses.

use std::collections::BTreeSet;

use contract::codification::Clause;

use super::{
    FindingDraft,
    token::{Token, Tokens},
};

/// The parts of a label in lower case: `section 12(3)` has `12` and `3`.
pub(super) type Label = Vec<String>;

/// A reference in a clause.
#[derive(Debug)]
struct Reference {
    index: usize,
    length: usize,
    label: Label,
    /// The confidence in percent.
    confidence: u32,
    /// Whether the reference is to another document, so that no clause can be its target.
    is_foreign: bool,
}

/// The maximum number of compared parts of a label, and of parts of a locator.
const PARTS_MAX: usize = 6;
const LOCATOR_PARTS_MAX: usize = 32;

/// The maximum number of references per clause.
const REFERENCES_MAX: usize = 200;

/// The labels of the clauses: every run of parts of every locator.
#[derive(Debug)]
pub(super) struct Locators(BTreeSet<Label>);

impl Locators {
    pub(super) fn new(clauses: &[Clause]) -> Self {
        let mut runs = BTreeSet::new();
        for clause in clauses {
            let mut parts = parts(&clause.locator);
            parts.truncate(LOCATOR_PARTS_MAX);
            for length in 1..=PARTS_MAX {
                runs.extend(parts.windows(length).map(<[String]>::to_vec));
            }
        }
        Self(runs)
    }

    /// Returns whether a clause has the label `label`.
    fn has(&self, label: &[String]) -> bool {
        label.get(..label.len().min(PARTS_MAX)).is_some_and(|label| self.0.contains(label))
    }
}

fn parts(text: &str) -> Label {
    let tokens = Tokens::new(text);
    let letters = |text: &str| text.chars().all(char::is_alphanumeric) || text.contains('.');
    let parts = tokens.iter().filter(|(_, token)| letters(&token.lower) && !token.is("."));
    parts.map(|(_, token)| token.lower.clone()).collect()
}

/// Returns the token ranges of the references: first index and exclusive end.
pub(super) fn spans(tokens: &Tokens) -> Vec<(usize, usize)> {
    let references = references(tokens).into_iter();
    references
        .map(|reference| (reference.index, reference.index.saturating_add(reference.length)))
        .collect()
}

/// Reports the references of a clause to texts that are not among the clauses.
pub(super) fn unresolved(tokens: &Tokens, locators: &Locators) -> Option<FindingDraft> {
    let is_unresolved =
        |reference: &Reference| reference.is_foreign || !locators.has(&reference.label);
    let unresolved: Vec<Reference> = references(tokens).into_iter().filter(is_unresolved).collect();
    let confidence = unresolved.iter().map(|reference| reference.confidence).max()?;
    let mut texts: Vec<String> = unresolved
        .iter()
        .filter(|reference| reference.confidence >= super::FLOOR)
        .map(|reference| format!("`{}`", tokens.source_text(reference.index, reference.length)))
        .collect();
    texts.dedup();
    let (verb, pronoun) = if texts.len() == 1 { ("is", "it") } else { ("are", "them") };
    let message = format!(
        "{} {verb} not among the clauses: the requirement is incomplete without {pronoun}",
        texts.join(", ")
    );
    Some(FindingDraft { confidence, message })
}

fn references(tokens: &Tokens) -> Vec<Reference> {
    let mut references: Vec<Reference> = Vec::new();
    let mut index = 0;
    while index < tokens.len() && references.len() < REFERENCES_MAX {
        let reference = code(tokens, index)
            .or_else(|| part(tokens, index))
            .or_else(|| unlabelled(tokens, index))
            .or_else(|| law(tokens, index))
            .or_else(|| delegated_rules(tokens, index));
        index =
            index.saturating_add(reference.as_ref().map_or(1, |reference| reference.length.max(1)));
        references.extend(reference);
    }
    references
}

/// Returns a citation of a code: "12 CFR 1026.19", "15 U.S.C. 1681".
fn code(tokens: &Tokens, index: usize) -> Option<Reference> {
    if !tokens.get(index)?.is_numeral() {
        return None;
    }
    let names = "cfr part|cfr|u . s . c .|usc|u . s . code|f . r .|fed . reg .";
    let name_length = tokens.first_phrase(index.saturating_add(1), names)?;
    let start = index.saturating_add(name_length).saturating_add(1);
    let (label, length) = label(tokens, start);
    let length = start.saturating_sub(index).saturating_add(length);
    Some(Reference { index, length, label, confidence: 90, is_foreign: false })
}

const PARTS: &str = "\
    section sections paragraph paragraphs subparagraph subparagraphs subsection subsections \
    clause clauses subclause article articles annex appendix schedule part parts subpart \
    chapter subchapter title regulation rule table figure form exhibit division §";

/// Returns a reference to a part: "Section 12(3)", "§ 164.412", "Annex II", "paragraph (b)(1) of this
/// section".
fn part(tokens: &Tokens, index: usize) -> Option<Reference> {
    let token = tokens.get(index)?;
    if !token.is_any(PARTS) {
        return None;
    }
    let mut start = index.saturating_add(1);
    while token.is("§") && tokens.get(start)?.is("§") {
        start = start.saturating_add(1);
    }
    let (label, consumed) = label(tokens, start);
    if consumed == 0 {
        return None;
    }
    let mut length = start.saturating_sub(index).saturating_add(consumed);
    let end = index.saturating_add(length);
    let is_foreign = is_of_another(tokens, end);
    if tokens.begins(end, "of this") {
        length = length.saturating_add(3);
    }
    let follows_preposition =
        tokens.near_before(index, 4, "under in by with see to pursuant defined described");
    let confidence = if follows_preposition { 95 } else { 85 };
    Some(Reference { index, length, label, confidence, is_foreign })
}

/// Returns whether a name of another document starts at `index`: "of the Truth in Lending Act", but not "of
/// this section".
fn is_of_another(tokens: &Tokens, index: usize) -> bool {
    let is_name_at = |offset| tokens.after(index, offset).is_some_and(Token::is_name);
    tokens.get(index).is_some_and(|token| token.is("of"))
        && (is_name_at(1)
            || tokens.after(index, 1).is_some_and(|token| token.is("the")) && is_name_at(2))
}

/// Returns the parts of a label and its length in tokens: `12(3)(a)`, `(b)(1)`, `II`, `9.406-2`,
/// `240.13d-101`.
fn label(tokens: &Tokens, start: usize) -> (Label, usize) {
    let mut label = Label::new();
    let mut consumed = 0_usize;
    if let Some(first) = tokens.get(start) {
        let short = first.text.chars().count() <= 4;
        let is_roman = first.text.chars().all(|character| "IVXLC".contains(character)) && short;
        let is_letter = first.is_name() && first.text.chars().count() == 1;
        if first.is_numeral() || is_roman || is_letter {
            label.push(first.lower.clone());
            consumed = 1;
        }
    }
    loop {
        let position = start.saturating_add(consumed);
        let enumerator = tokens.after(position, 1).filter(|token| token.text.chars().count() <= 5);
        let is_bracketed = tokens.get(position).is_some_and(|token| token.is("("))
            && tokens.after(position, 2).is_some_and(|token| token.is(")"));
        let is_dashed = consumed > 0
            && tokens.get(position).is_some_and(|token| token.is("-"))
            && enumerator.is_some_and(Token::is_numeral);
        let Some(enumerator) = enumerator.filter(|_| is_bracketed || is_dashed) else { break };
        // In "Section 5 (the duty)", the brackets contain no label.
        if is_bracketed && !is_enumerator(&enumerator.lower) {
            break;
        }
        label.push(enumerator.lower.clone());
        consumed = consumed.saturating_add(if is_bracketed { 3 } else { 2 });
    }
    (label, consumed)
}

/// Returns whether the text in brackets is a part of a label: `3`, `a`, `ii`.
fn is_enumerator(enumerator: &str) -> bool {
    enumerator.chars().all(|character| character.is_ascii_digit())
        || enumerator.chars().count() == 1
        || enumerator.chars().all(|character| "ivx".contains(character))
        || enumerator.chars().count() == 2
            && enumerator.chars().all(|character| character.is_ascii_lowercase())
}

/// Returns a label without a preceding keyword: "(see 9.104-3(a))", "the causes in 9.406-2".
fn unlabelled(tokens: &Tokens, index: usize) -> Option<Reference> {
    let token = tokens.get(index)?;
    let keywords = "see in under by with at far and of";
    let (label, length) = label(tokens, index);
    let is_label = token.is_numeral() && token.text.contains('.') && label.len() > 1;
    let follows_keyword = tokens.before(index, 1).is_some_and(|token| token.is_any(keywords));
    (is_label && follows_keyword).then_some(Reference {
        index,
        length,
        label,
        confidence: 85,
        is_foreign: false,
    })
}

/// Returns a law that is cited by name: "the Truth in Lending Act".
fn law(tokens: &Tokens, index: usize) -> Option<Reference> {
    if !tokens.get(index)?.is_name()
        || tokens.before(index, 1).is_some_and(|token| token.is("this"))
    {
        return None;
    }
    let joins = "of in and the for on to ' -";
    let last = (1..=10)
        .take_while(|offset| {
            tokens.after(index, *offset).is_some_and(|token| token.is_name() || token.is_any(joins))
        })
        .find(|offset| {
            tokens.after(index, *offset).is_some_and(|token| {
                ["Act", "Directive", "Convention", "Regulations"].contains(&&*token.text)
            })
        })?;
    let length = last.saturating_add(1);
    Some(Reference { index, length, label: Label::new(), confidence: 70, is_foreign: true })
}

const DELEGATED: &str = "\
    as may be prescribed by|as prescribed by|regulations prescribed|regulations issued|\
    regulations promulgated|regulations adopted|regulations of the|by regulations|by regulation|\
    rules prescribed|within the meaning of|as defined in|as defined by|has the meaning given|\
    have the meaning given";

/// Returns a reference to rules that another authority sets: "regulations of the Bureau".
fn delegated_rules(tokens: &Tokens, index: usize) -> Option<Reference> {
    let length = tokens.first_phrase(index, DELEGATED)?;
    // If a label follows, the label is the reference.
    let has_label = (0..4).any(|offset| {
        let position = index.saturating_add(length).saturating_add(offset);
        part(tokens, position).is_some() || code(tokens, position).is_some()
    });
    // "As defined in this part" refers to the document itself.
    let is_own = (0..3).any(|offset| {
        tokens.after(index, length.saturating_add(offset)).is_some_and(|token| token.is("this"))
    });
    (!has_label && !is_own).then_some(Reference {
        index,
        length,
        label: Label::new(),
        confidence: 70,
        is_foreign: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn display(text: &str) -> Vec<String> {
        let tokens = Tokens::new(text);
        references(&tokens)
            .iter()
            .map(|reference| tokens.source_text(reference.index, reference.length))
            .collect()
    }

    #[test]
    fn references_in_legal_notation_are_found() {
        for (text, references) in [
            ("under section 12(3) and Annex II", &["section 12(3)", "Annex II"][..]),
            ("paragraph (b)(1) of this section", &["paragraph (b)(1) of this section"]),
            ("see § 164.412 or 9.406-2", &["§ 164.412"]),
            ("for the causes in 9.406-2", &["9.406-2"]),
            ("12 CFR 1026.19(e) and 15 U.S.C. 1681", &["12 CFR 1026.19(e)", "15 U.S.C. 1681"]),
            ("the Truth in Lending Act", &["Truth in Lending Act"]),
            ("this section, this Act, part of the plan", &[]),
            ("in regulations of the Bureau", &["regulations of the"]),
            ("an increase of 1.5 percent in part", &[]),
        ] {
            assert_eq!(display(text), references, "{text}");
        }
    }

    #[test]
    fn references_to_other_clauses_are_resolved() {
        let clause = |locator: &str, text: &str| Clause {
            unit_id: locator.to_owned(),
            locator: locator.to_owned(),
            text: text.to_owned(),
        };
        let all = [
            clause("section 12(3)", "As paragraph (a) of section 13 says."),
            clause("section 13(a)", "Under section 5 of the Clayton Act."),
        ];
        let locators = Locators::new(&all);
        let message = |clause: &Clause| {
            unresolved(&Tokens::new(&clause.text), &locators).map(|reference| reference.message)
        };
        assert_eq!(message(&all[0]), None);
        assert!(message(&all[1]).unwrap().contains("`section 5`"));
    }
}
