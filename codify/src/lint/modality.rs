//! Detection of obligations and guidance in a clause.

use super::token::{Token, Tokens};

/// A phrase that expresses an obligation or guidance.
#[derive(Clone, Debug)]
pub(super) struct Marker {
    pub(super) text: String,
    /// The confidence in percent.
    pub(super) confidence: u32,
}

/// The marker with the highest confidence of each kind in a clause.
#[derive(Clone, Debug, Default)]
pub(super) struct Modality {
    pub(super) obligation: Option<Marker>,
    pub(super) guidance: Option<Marker>,
}

/// The effect of a marker, with its confidence in percent.
enum Effect {
    Obligation(u32),
    Guidance(u32),
}
use Effect::{Guidance, Obligation};

impl Modality {
    pub(super) fn new(tokens: &Tokens) -> Self {
        let mut modality = Self::default();
        for (index, _) in tokens.iter() {
            if let Some((length, effect)) =
                marker(tokens, index).filter(|_| !is_mentioned(tokens, index))
            {
                let (slot, confidence) = match effect {
                    Obligation(confidence) => (&mut modality.obligation, confidence),
                    Guidance(confidence) => (&mut modality.guidance, confidence),
                };
                if slot.as_ref().is_none_or(|current| current.confidence < confidence) {
                    *slot = Some(Marker { text: tokens.source_text(index, length), confidence });
                }
            }
        }
        modality
    }
}

/// Returns whether the clause only mentions the word: it is in quotation marks or is explained.
fn is_mentioned(tokens: &Tokens, index: usize) -> bool {
    if tokens.after(index, 1).is_some_and(|token| token.is_any("means denotes")) {
        return true;
    }
    let marks = (1..=12).filter_map(|back| tokens.before(index, back));
    marks.map(|token| &*token.text).find(|text| ["“", "”"].contains(text)) == Some("“")
}

/// Returns the length in tokens and the effect of the marker that starts at `index`.
fn marker(tokens: &Tokens, index: usize) -> Option<(usize, Effect)> {
    let token = tokens.get(index)?;
    match &*token.lower {
        "shall" | "must" => Some(shall_or_must(tokens, index)),
        "may" => may(tokens, index),
        "should" | "ought" => should(tokens, index),
        "cannot" => Some((1, Obligation(80))),
        "can" if tokens.begins(index, "can not") => Some((2, Obligation(80))),
        "need" if tokens.begins(index, "need not") => Some((2, Guidance(80))),
        "is" | "are" | "be" | "been" | "being" | "was" | "were" => passive_modal(tokens, index),
        "recommends" | "recommended" if !tokens.near_before(index, 1, BE) => {
            tokens.begins(index, "recommends that").then_some((2, Guidance(85)))
        }
        "has" | "have" => has_duty(tokens, index),
        "at" | "in" => at_discretion(tokens, index),
        "preferably" => Some((1, Guidance(75))),
        "agrees" if tokens.begins(index, "agrees to") => Some((2, Obligation(65))),
        "declared" => declared_illegal(tokens, index),
        _ => imperative(tokens, index),
    }
}

const BE: &str = "is are be been being was were not hereby";

/// Verbs about the statute itself, its terms or its dates, which prescribe no action.
const NON_PRESCRIPTIVE: &str = "\
    mean|include|apply|take effect|be construed|be deemed|be considered|be interpreted|\
    be known as|be cited|be effective|have the meaning|be treated|be read|expire";

fn shall_or_must(tokens: &Tokens, index: usize) -> (usize, Effect) {
    let negated = tokens.after(index, 1).is_some_and(|token| token.is("not"));
    let length = if negated { 2 } else { 1 };
    let verb = index.saturating_add(length);
    if tokens.first_phrase(verb, NON_PRESCRIPTIVE).is_some()
        || tokens.near_before(index, 10, "nothing")
    {
        return (length, Obligation(50));
    }
    // "If it shall appear" is a condition, not a command.
    if tokens.near_before(index, 3, "if when whenever unless") {
        return (length, Obligation(50));
    }
    (length, Obligation(95))
}

const MONTH_BEFORE: &str = "in of by on until since after before from";

/// Returns the effect of `may`: a permission, a prohibition or a possibility. Returns `None` for the month.
fn may(tokens: &Tokens, index: usize) -> Option<(usize, Effect)> {
    let (token, next) = (tokens.get(index)?, tokens.after(index, 1));
    let is_month = token.is_name()
        && (next.is_some_and(Token::is_numeral)
            || tokens.before(index, 1).is_some_and(|token| token.is_any(MONTH_BEFORE)));
    if is_month || tokens.begins(index, "may or may not") {
        return None;
    }
    if tokens.before(index, 2).is_some_and(|token| token.is("or"))
        && tokens.before(index, 1).is_some_and(|token| token.is("may"))
    {
        return None;
    }
    if next.is_some_and(|token| token.is("not")) {
        let is_possibility = tokens.before(index, 1).is_some_and(|token| token.is_any(RELATIVE));
        return Some((2, Obligation(if is_possibility { 50 } else { 95 })));
    }
    if next.is_some_and(|token| token.is("only")) {
        return Some((2, Obligation(80)));
    }
    if negated_subject(tokens, index) {
        return Some((1, Obligation(90)));
    }
    let is_subordinate = tokens.before(index, 1).is_some_and(|token| token.is_any(RELATIVE))
        || tokens.near_before(index, 5, "as if whether")
        || tokens.near_before(index, 3, RELATIVE);
    Some((1, Guidance(if is_subordinate { 40 } else { permission_confidence(tokens, index) })))
}

const RELATIVE: &str = "that which who whom whatever whoever where";

/// Returns whether the sentence starts with a negated subject: "no person may".
fn negated_subject(tokens: &Tokens, index: usize) -> bool {
    let start = tokens.sentence(index);
    let negation = (start.max(index.saturating_sub(12))..index).find(|position| {
        tokens.get(*position).is_some_and(|token| token.is_any("no neither nobody"))
    });
    negation.is_some_and(|position| {
        !(position..index)
            .any(|other| tokens.get(other).is_some_and(|token| token.is_any("shall must , ;")))
            && (position == start
                || tokens.starts_sentence(position)
                || position.saturating_sub(start) <= 3)
    })
}

const BOUNDS: &str = "\
    a total of|a maximum of|up to|at most|no more than|not more than|no longer than|\
    no later than|not later than|only if|only when|only after";

/// Returns the confidence of a permission. A permission with a limit is mainly a limit.
fn permission_confidence(tokens: &Tokens, index: usize) -> u32 {
    let has_limit =
        (1..=12).any(|offset| tokens.first_phrase(index.saturating_add(offset), BOUNDS).is_some());
    if has_limit { 50 } else { 85 }
}

fn should(tokens: &Tokens, index: usize) -> Option<(usize, Effect)> {
    // "Should the bank fail" is a condition.
    let is_inverted = tokens.starts_sentence(index);
    if is_inverted || tokens.near_before(index, 3, "if lest unless") {
        return None;
    }
    let negated = tokens.after(index, 1).is_some_and(|token| token.is("not"));
    Some((if negated { 2 } else { 1 }, Guidance(90)))
}

/// Phrases after a form of `be`, with their effects: plain and negated.
const PASSIVE_MODALS: &[(&str, Effect, Option<Effect>)] = &[
    ("required to", Obligation(90), Some(Guidance(75))),
    ("required", Obligation(75), Some(Guidance(70))),
    ("obliged to", Obligation(90), Some(Guidance(70))),
    ("obligated to", Obligation(90), Some(Guidance(70))),
    ("bound to", Obligation(75), None),
    ("prohibited", Obligation(90), None),
    ("forbidden", Obligation(90), None),
    ("unlawful", Obligation(95), None),
    ("illegal", Obligation(90), None),
    ("responsible for", Obligation(65), None),
    ("recommended", Guidance(90), None),
    ("encouraged", Guidance(90), None),
    ("urged", Guidance(85), None),
    ("advisable", Guidance(85), None),
    ("advised to", Guidance(80), None),
    ("desirable", Guidance(75), None),
    ("expected to", Guidance(65), None),
    ("permitted to", Guidance(80), Some(Obligation(90))),
    ("permitted", Guidance(65), Some(Obligation(85))),
    ("authorized to", Guidance(80), Some(Obligation(90))),
    ("allowed to", Guidance(80), Some(Obligation(90))),
    ("allowed", Guidance(65), Some(Obligation(85))),
];

/// Returns the effect of a form of `be` and its phrase: "is required to", "are not permitted".
fn passive_modal(tokens: &Tokens, index: usize) -> Option<(usize, Effect)> {
    let is_adverb =
        |position: usize| tokens.get(position).is_some_and(|token| token.is_any(ADVERBS));
    let mut position = index.saturating_add(1);
    while is_adverb(position) {
        position = position.saturating_add(1);
    }
    let is_not = tokens.get(position).is_some_and(|token| token.is("not"));
    if is_not {
        position = position.saturating_add(1);
    }
    // "No person is required to" negates the phrase.
    let negated = is_not || tokens.near_before(index, 3, "no nobody neither");
    while is_adverb(position) {
        position = position.saturating_add(1);
    }
    let (phrase, plain, reversed) =
        PASSIVE_MODALS.iter().find(|(phrase, ..)| tokens.begins(position, phrase))?;
    let length = position.saturating_sub(index).saturating_add(phrase.split(' ').count());
    let effect = if negated { reversed.as_ref()? } else { plain };
    // "May be required", "that are required", "if it is required" and "expected by" only describe.
    let is_descriptive = tokens.near_before(index, 1, "may that which who as not")
        || tokens.near_before(index, 4, "if when where whether unless whose mean")
        || tokens.get(index.saturating_add(length)).is_some_and(|token| token.is("by"));
    Some((
        length,
        match effect {
            Obligation(confidence) => Obligation(if is_descriptive { 50 } else { *confidence }),
            Guidance(confidence) => Guidance(if is_descriptive { 40 } else { *confidence }),
        },
    ))
}

const ADVERBS: &str = "also hereby expressly strictly strongly further therefore generally";

/// Returns the effect of phrases such as "is declared to be illegal" or "are hereby declared unlawful".
fn declared_illegal(tokens: &Tokens, index: usize) -> Option<(usize, Effect)> {
    let phrases =
        "declared to be illegal|declared illegal|declared to be unlawful|declared unlawful";
    Some((tokens.first_phrase(index, phrases)?, Obligation(90)))
}

/// Returns the effect of "has to" and "has a duty to".
fn has_duty(tokens: &Tokens, index: usize) -> Option<(usize, Effect)> {
    let duties =
        "has a duty to|have a duty to|has the duty to|has an obligation to|have an obligation to";
    let duty = tokens.first_phrase(index, duties).map(|length| (length, Obligation(85)));
    duty.or_else(|| Some((tokens.first_phrase(index, "has to|have to")?, Obligation(75))))
}

/// Returns the effect of phrases such as "at its discretion".
fn at_discretion(tokens: &Tokens, index: usize) -> Option<(usize, Effect)> {
    let owner = tokens.after(index, 1)?;
    if !owner.is_any("its his her their the your") {
        return None;
    }
    let has_adjective = tokens.after(index, 2)?.is_any("sole own absolute");
    let length: usize = if has_adjective { 4 } else { 3 };
    let last = tokens.after(index, length.saturating_sub(1))?;
    last.is("discretion").then_some((length, Guidance(80)))
}

const IMPERATIVE_VERBS: &str = "\
    Do Ensure Provide Submit Maintain Obtain Report Retain Notify Verify Implement Establish \
    Identify Limit Keep Record Document Review Use Assign Perform Protect Require Restrict \
    Monitor Develop Conduct Designate Encrypt Disclose Deliver Adopt Control Authenticate";

/// Returns the effect of a sentence that starts with an imperative verb, as in lists of safeguards.
fn imperative(tokens: &Tokens, index: usize) -> Option<(usize, Effect)> {
    let token = tokens.get(index)?;
    if !IMPERATIVE_VERBS.split(' ').any(|verb| token.text == verb) || !tokens.starts_sentence(index)
    {
        return None;
    }
    // In "Use of force is …", "Report, …" and "Record means …", the word is a noun.
    let next = tokens.after(index, 1)?;
    let is_noun = next.is_any("of , . : means is are ) ” and");
    (!is_noun).then_some((1, Obligation(70)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the confidence of the obligation and of the guidance.
    fn read(text: &str) -> (u32, u32) {
        let Modality { obligation, guidance } = Modality::new(&Tokens::new(text));
        let confidence = |marker: Option<Marker>| marker.map_or(0, |marker| marker.confidence);
        (confidence(obligation), confidence(guidance))
    }

    #[test]
    fn context_of_a_modal_verb_determines_its_effect() {
        for (text, is_obligation, is_guidance) in [
            ("The bank shall keep records.", true, false),
            ("The bank is required to keep records.", true, false),
            ("The bank is not required to keep records.", false, true),
            ("No bank is required to keep records.", false, true),
            ("The bank may keep records.", false, true),
            ("The bank may not keep records.", true, false),
            ("No bank may keep records.", true, false),
            ("A bank may only keep records.", true, false),
            ("The bank should keep records.", false, true),
            ("Should the bank fail, records go.", false, false),
            ("Records of May 2024 are kept.", false, false),
            ("Conditions that may affect the bank.", false, false),
            ("Records as the Board may prescribe.", false, false),
            ("The words “no person may” are old.", false, false),
            ("Shall means the imperative.", false, false),
            ("Nothing in this section shall prevent a merger.", false, false),
            ("The term shall mean a bank.", false, false),
            ("It is recommended that banks keep records.", false, true),
            ("The bank decides at its sole discretion.", false, true),
            ("(a) Ensure that records are kept.", true, false),
            ("Use of records is common.", false, false),
        ] {
            let (obligation, guidance) = read(text);
            assert_eq!((obligation >= 60, guidance >= 60), (is_obligation, is_guidance), "{text}");
        }
    }
}
