//! References to texts that the clauses do not contain.

use std::collections::BTreeSet;

use contract::codification::Clause;

use super::{Found, word::Words};

/// The parts of a label, in lower case: `section 12(3)` is `12`, `3`.
pub(super) type Label = Vec<String>;

/// A reference in a clause.
#[derive(Debug)]
struct Reference {
    place: usize,
    length: usize,
    label: Label,
    /// In percent.
    confidence: u32,
    /// It names another document, which no clause of this one can be.
    is_foreign: bool,
}

/// How many parts of a label are compared, and how many of a locator.
const PARTS_MAX: usize = 6;
const LOCATOR_PARTS_MAX: usize = 32;

/// How many references of one clause are looked for.
const REFERENCES_MAX: usize = 200;

/// The labels of all that the clauses stand under: every run of parts of every locator.
#[derive(Debug)]
pub(super) struct Locators(BTreeSet<Label>);

impl Locators {
    pub(super) fn of(clauses: &[Clause]) -> Self {
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

    /// Whether a clause stands under `label`.
    fn has(&self, label: &[String]) -> bool {
        label.get(..label.len().min(PARTS_MAX)).is_some_and(|label| self.0.contains(label))
    }
}

fn parts(text: &str) -> Label {
    let words = Words::of(text);
    let letters = |text: &str| text.chars().all(char::is_alphanumeric) || text.contains('.');
    let kept = words.iter().filter(|(_, word)| letters(&word.lower) && !word.is("."));
    kept.map(|(_, word)| word.lower.clone()).collect()
}

/// Where references stand: first word, and the one behind the last.
pub(super) fn spans(words: &Words) -> Vec<(usize, usize)> {
    let references = references(words).into_iter();
    references.map(|found| (found.place, found.place.saturating_add(found.length))).collect()
}

/// The references of a clause to texts that are not among the clauses.
pub(super) fn unresolved(words: &Words, locators: &Locators) -> Option<Found> {
    let is_open = |found: &Reference| found.is_foreign || !locators.has(&found.label);
    let open: Vec<Reference> = references(words).into_iter().filter(is_open).collect();
    let confidence = open.iter().map(|found| found.confidence).max()?;
    let mut shown: Vec<String> = open
        .iter()
        .filter(|found| found.confidence >= super::FLOOR)
        .map(|found| format!("`{}`", words.shown(found.place, found.length)))
        .collect();
    shown.dedup();
    let verb = if shown.len() == 1 { "is" } else { "are" };
    let message = format!(
        "{} {verb} not among the clauses: what is asked for cannot be read from them alone",
        shown.join(", ")
    );
    Some(Found { confidence, message })
}

fn references(words: &Words) -> Vec<Reference> {
    let mut found: Vec<Reference> = Vec::new();
    let mut place = 0;
    while place < words.len() && found.len() < REFERENCES_MAX {
        let reference = code(words, place)
            .or_else(|| part(words, place))
            .or_else(|| bare(words, place))
            .or_else(|| law(words, place))
            .or_else(|| delegated(words, place));
        place = place.saturating_add(reference.as_ref().map_or(1, |found| found.length.max(1)));
        found.extend(reference);
    }
    found
}

/// "12 CFR 1026.19", "15 U.S.C. 1681".
fn code(words: &Words, place: usize) -> Option<Reference> {
    if !words.get(place)?.is_numeral() {
        return None;
    }
    let names = ["cfr part", "cfr", "u . s . c .", "usc", "u . s . code", "f . r .", "fed . reg ."];
    let name = words.any(place.saturating_add(1), &names)?;
    let start = place.saturating_add(name.split(' ').count()).saturating_add(1);
    let (label, length) = label(words, start);
    let length = start.saturating_sub(place).saturating_add(length);
    Some(Reference { place, length, label, confidence: 90, is_foreign: false })
}

const PARTS: &[&str] = &[
    "section",
    "sections",
    "paragraph",
    "paragraphs",
    "subparagraph",
    "subparagraphs",
    "subsection",
    "subsections",
    "clause",
    "clauses",
    "subclause",
    "article",
    "articles",
    "annex",
    "appendix",
    "schedule",
    "part",
    "parts",
    "subpart",
    "chapter",
    "subchapter",
    "title",
    "regulation",
    "rule",
    "table",
    "figure",
    "form",
    "exhibit",
    "division",
    "§",
];

/// "Section 12(3)", "§ 164.412", "Annex II", "paragraph (b)(1) of this section".
fn part(words: &Words, place: usize) -> Option<Reference> {
    let word = words.get(place)?;
    if !word.is_any(PARTS) {
        return None;
    }
    let mut start = place.saturating_add(1);
    while word.is("§") && words.get(start)?.is("§") {
        start = start.saturating_add(1);
    }
    let (label, taken) = label(words, start);
    if taken == 0 {
        return None;
    }
    let mut length = start.saturating_sub(place).saturating_add(taken);
    let behind = place.saturating_add(length);
    let is_foreign = is_of_another(words, behind);
    if words.begins(behind, "of this") {
        length = length.saturating_add(3);
    }
    let leads = words.near_before(
        place,
        4,
        &["under", "in", "by", "with", "see", "to", "pursuant", "defined", "described"],
    );
    let confidence = if leads { 95 } else { 85 };
    Some(Reference { place, length, label, confidence, is_foreign })
}

/// Whether "of the Truth in Lending Act", and not "of this section", begins at `place`.
fn is_of_another(words: &Words, place: usize) -> bool {
    let named = |on| words.after(place, on).is_some_and(super::word::Word::is_name);
    words.get(place).is_some_and(|word| word.is_any(&["of", ","]))
        && (named(1) || words.after(place, 1).is_some_and(|word| word.is("the")) && named(2))
        && words.get(place).is_some_and(|word| word.is("of"))
}

/// `12(3)(a)`, `(b)(1)`, `II`, `9.406-2`, `240.13d-101`: its parts, and how many words it takes.
fn label(words: &Words, start: usize) -> (Label, usize) {
    let mut label = Label::new();
    let mut taken = 0_usize;
    if let Some(first) = words.get(start) {
        let short = first.text.chars().count() <= 4;
        let is_roman = first.text.chars().all(|sign| "IVXLC".contains(sign)) && short;
        let is_letter = first.is_name() && first.text.chars().count() == 1;
        if first.is_numeral() || is_roman || is_letter {
            label.push(first.lower.clone());
            taken = 1;
        }
    }
    loop {
        let at = start.saturating_add(taken);
        let inner = words.after(at, 1).filter(|word| word.text.chars().count() <= 5);
        let is_bracketed = words.get(at).is_some_and(|word| word.is("("))
            && words.after(at, 2).is_some_and(|word| word.is(")"));
        let is_dashed = taken > 0
            && words.get(at).is_some_and(|word| word.is("-"))
            && inner.is_some_and(super::word::Word::is_numeral);
        let Some(inner) = inner.filter(|_| is_bracketed || is_dashed) else { break };
        // "Section 5 (the duty)" has no letter in its brackets.
        if is_bracketed && !is_enumerator(&inner.lower) {
            break;
        }
        label.push(inner.lower.clone());
        taken = taken.saturating_add(if is_bracketed { 3 } else { 2 });
    }
    (label, taken)
}

/// `3`, `a`, `ii`: what stands in the brackets of a label.
fn is_enumerator(inner: &str) -> bool {
    inner.chars().all(|sign| sign.is_ascii_digit())
        || inner.chars().count() == 1
        || inner.chars().all(|sign| "ivx".contains(sign))
        || inner.chars().count() == 2 && inner.chars().all(|sign| sign.is_ascii_lowercase())
}

/// "(see 9.104-3(a))", "the causes in 9.406-2": a label without a word before it.
fn bare(words: &Words, place: usize) -> Option<Reference> {
    let word = words.get(place)?;
    let leads = ["see", "in", "under", "by", "with", "at", "far", "and", "of"];
    let (label, length) = label(words, place);
    let is_label = word.is_numeral() && word.text.contains('.') && label.len() > 1;
    let led = words.before(place, 1).is_some_and(|word| word.is_any(&leads));
    (is_label && led).then_some(Reference {
        place,
        length,
        label,
        confidence: 85,
        is_foreign: false,
    })
}

/// "The Truth in Lending Act": a law by its name.
fn law(words: &Words, place: usize) -> Option<Reference> {
    if !words.get(place)?.is_name() || words.before(place, 1).is_some_and(|word| word.is("this")) {
        return None;
    }
    let joins = ["of", "in", "and", "the", "for", "on", "to", "'", "-"];
    let last = (1..=10)
        .take_while(|on| {
            words.after(place, *on).is_some_and(|word| word.is_name() || word.is_any(&joins))
        })
        .find(|on| {
            words.after(place, *on).is_some_and(|word| {
                ["Act", "Directive", "Convention", "Regulations"].contains(&&*word.text)
            })
        })?;
    let length = last.saturating_add(1);
    Some(Reference { place, length, label: Label::new(), confidence: 70, is_foreign: true })
}

const DELEGATED: &[&str] = &[
    "as may be prescribed by",
    "as prescribed by",
    "regulations prescribed",
    "regulations issued",
    "regulations promulgated",
    "regulations adopted",
    "regulations of the",
    "by regulations",
    "by regulation",
    "rules prescribed",
    "within the meaning of",
    "as defined in",
    "as defined by",
    "has the meaning given",
    "have the meaning given",
];

/// What somebody else lays down elsewhere: "regulations of the Bureau".
fn delegated(words: &Words, place: usize) -> Option<Reference> {
    let length = words.any(place, DELEGATED)?.split(' ').count();
    // With a label behind it, the label is the reference.
    let labelled = (0..4).any(|on| {
        let at = place.saturating_add(length).saturating_add(on);
        part(words, at).is_some() || code(words, at).is_some()
    });
    // "As defined in this part": the reader knows which.
    let own = (0..3).any(|on| {
        words.after(place, length.saturating_add(on)).is_some_and(|word| word.is("this"))
    });
    (!labelled && !own).then_some(Reference {
        place,
        length,
        label: Label::new(),
        confidence: 70,
        is_foreign: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let words = Words::of(text);
        references(&words).iter().map(|found| words.shown(found.place, found.length)).collect()
    }

    #[test]
    fn references_are_found_as_lawyers_write_them() {
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
            assert_eq!(shown(text), references, "{text}");
        }
    }

    #[test]
    fn a_reference_to_another_clause_is_resolved() {
        let clause = |locator: &str, text: &str| Clause {
            unit_id: locator.to_owned(),
            locator: locator.to_owned(),
            text: text.to_owned(),
        };
        let all = [
            clause("section 12(3)", "As paragraph (a) of section 13 says."),
            clause("section 13(a)", "Under section 5 of the Clayton Act."),
        ];
        let locators = Locators::of(&all);
        let open = |clause: &Clause| {
            unresolved(&Words::of(&clause.text), &locators).map(|found| found.message)
        };
        assert_eq!(open(&all[0]), None);
        assert!(open(&all[1]).unwrap().contains("`section 5`"));
    }
}
