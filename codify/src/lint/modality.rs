//! Whether a clause obliges, or leaves a choice.

use super::word::Words;

/// A word that obliges or leaves a choice.
#[derive(Clone, Debug)]
pub(super) struct Marker {
    /// As a person reads it.
    pub(super) words: String,
    /// How sure it is that the clause does so, in percent.
    pub(super) confidence: u32,
}

/// The strongest marker of each kind in a clause.
#[derive(Clone, Debug, Default)]
pub(super) struct Modality {
    pub(super) obligation: Option<Marker>,
    pub(super) guidance: Option<Marker>,
}

/// What one word, in its place, does.
enum Force {
    Obliges(u32),
    LeavesChoice(u32),
}
use Force::{LeavesChoice, Obliges};

impl Modality {
    pub(super) fn of(words: &Words) -> Self {
        let mut modality = Self::default();
        for (place, _) in words.iter() {
            if let Some((length, force)) = marker(words, place).filter(|_| !mentioned(words, place))
            {
                let (slot, confidence) = match force {
                    Obliges(confidence) => (&mut modality.obligation, confidence),
                    LeavesChoice(confidence) => (&mut modality.guidance, confidence),
                };
                if slot.as_ref().is_none_or(|strongest| strongest.confidence < confidence) {
                    *slot = Some(Marker { words: words.shown(place, length), confidence });
                }
            }
        }
        modality
    }
}

/// Whether the clause is about the word: it stands in quotation marks, or is explained.
fn mentioned(words: &Words, place: usize) -> bool {
    if words.after(place, 1).is_some_and(|word| word.is_any(&["means", "denotes"])) {
        return true;
    }
    let marks = (1..=12).filter_map(|back| words.before(place, back));
    marks.map(|word| &*word.text).find(|text| ["“", "”"].contains(text)) == Some("“")
}

/// The marker that begins at `place`, by its length in words.
fn marker(words: &Words, place: usize) -> Option<(usize, Force)> {
    let word = words.get(place)?;
    match &*word.lower {
        "shall" | "must" => Some(commands(words, place)),
        "may" => permits(words, place),
        "should" | "ought" => advises(words, place),
        "cannot" => Some((1, Obliges(80))),
        "can" if words.begins(place, "can not") => Some((2, Obliges(80))),
        "need" if words.begins(place, "need not") => Some((2, LeavesChoice(80))),
        "is" | "are" | "be" | "been" | "being" | "was" | "were" => is_ruled(words, place),
        "recommends" | "recommended" if !words.near_before(place, 1, BE) => {
            words.begins(place, "recommends that").then_some((2, LeavesChoice(85)))
        }
        "has" | "have" => obligation_held(words, place),
        "at" | "in" => at_discretion(words, place),
        "preferably" => Some((1, LeavesChoice(75))),
        "agrees" if words.begins(place, "agrees to") => Some((2, Obliges(65))),
        "declared" => declared(words, place),
        _ => imperative(words, place),
    }
}

const BE: &[&str] = &["is", "are", "be", "been", "being", "was", "were", "not", "hereby"];

/// What a statute says of itself, of words and of times: true by being written, so nobody does it.
const SAYS_WHAT_HOLDS: &[&str] = &[
    "mean",
    "include",
    "apply",
    "take effect",
    "be construed",
    "be deemed",
    "be considered",
    "be interpreted",
    "be known as",
    "be cited",
    "be effective",
    "have the meaning",
    "be treated",
    "be read",
    "expire",
];

/// `shall` and `must`.
fn commands(words: &Words, place: usize) -> (usize, Force) {
    let negated = words.after(place, 1).is_some_and(|word| word.is("not"));
    let length = if negated { 2 } else { 1 };
    let act = place.saturating_add(length);
    if words.any(act, SAYS_WHAT_HOLDS).is_some() || words.near_before(place, 10, &["nothing"]) {
        return (length, Obliges(50));
    }
    // "If it shall appear": a case, not a command.
    if words.near_before(place, 3, &["if", "when", "whenever", "unless"]) {
        return (length, Obliges(50));
    }
    (length, Obliges(95))
}

const MONTH_BEFORE: &[&str] =
    &["in", "of", "by", "on", "until", "since", "after", "before", "from"];

/// `may`: a permission, a prohibition, a mere possibility, or a month.
fn permits(words: &Words, place: usize) -> Option<(usize, Force)> {
    let (word, next) = (words.get(place)?, words.after(place, 1));
    let is_month = word.is_name()
        && (next.is_some_and(super::word::Word::is_numeral)
            || words.before(place, 1).is_some_and(|word| word.is_any(MONTH_BEFORE)));
    if is_month || words.begins(place, "may or may not") {
        return None;
    }
    if words.before(place, 2).is_some_and(|word| word.is("or"))
        && words.before(place, 1).is_some_and(|word| word.is("may"))
    {
        return None;
    }
    if next.is_some_and(|word| word.is("not")) {
        let is_possibility = words.before(place, 1).is_some_and(|word| word.is_any(RELATIVE));
        return Some((2, Obliges(if is_possibility { 50 } else { 95 })));
    }
    if next.is_some_and(|word| word.is("only")) {
        return Some((2, Obliges(80)));
    }
    if nobody(words, place) {
        return Some((1, Obliges(90)));
    }
    let is_subordinate = words.before(place, 1).is_some_and(|word| word.is_any(RELATIVE))
        || words.near_before(place, 5, &["as", "if", "whether"])
        || words.near_before(place, 3, RELATIVE);
    Some((1, LeavesChoice(if is_subordinate { 40 } else { limited(words, place) })))
}

const RELATIVE: &[&str] = &["that", "which", "who", "whom", "whatever", "whoever", "where"];

/// Whether the sentence begins with nobody as its subject: "no person may".
fn nobody(words: &Words, place: usize) -> bool {
    let start = words.sentence(place);
    let begins = (start.max(place.saturating_sub(12))..place)
        .find(|at| words.get(*at).is_some_and(|word| word.is_any(&["no", "neither", "nobody"])));
    begins.is_some_and(|at| {
        !(at..place).any(|between| {
            words.get(between).is_some_and(|word| word.is_any(&["shall", "must", ",", ";"]))
        }) && (at == start || words.starts_sentence(at) || at.saturating_sub(start) <= 3)
    })
}

const BOUNDS: &[&str] = &[
    "a total of",
    "a maximum of",
    "up to",
    "at most",
    "no more than",
    "not more than",
    "no longer than",
    "no later than",
    "not later than",
    "only if",
    "only when",
    "only after",
];

/// A permission that names its bound is a limit to what lies beyond.
fn limited(words: &Words, place: usize) -> u32 {
    let bounded = (1..=12).any(|on| words.any(place.saturating_add(on), BOUNDS).is_some());
    if bounded { 50 } else { 85 }
}

/// `should` and `ought to`.
fn advises(words: &Words, place: usize) -> Option<(usize, Force)> {
    // "Should the bank fail": a case.
    let is_inverted = words.starts_sentence(place);
    if is_inverted || words.near_before(place, 3, &["if", "lest", "unless"]) {
        return None;
    }
    let negated = words.after(place, 1).is_some_and(|word| word.is("not"));
    Some((if negated { 2 } else { 1 }, LeavesChoice(90)))
}

/// Participles after a form of `be`, and what they do: alone, and negated.
const RULED: &[(&str, Force, Option<Force>)] = &[
    ("required to", Obliges(90), Some(LeavesChoice(75))),
    ("required", Obliges(75), Some(LeavesChoice(70))),
    ("obliged to", Obliges(90), Some(LeavesChoice(70))),
    ("obligated to", Obliges(90), Some(LeavesChoice(70))),
    ("bound to", Obliges(75), None),
    ("prohibited", Obliges(90), None),
    ("forbidden", Obliges(90), None),
    ("unlawful", Obliges(95), None),
    ("illegal", Obliges(90), None),
    ("responsible for", Obliges(65), None),
    ("recommended", LeavesChoice(90), None),
    ("encouraged", LeavesChoice(90), None),
    ("urged", LeavesChoice(85), None),
    ("advisable", LeavesChoice(85), None),
    ("advised to", LeavesChoice(80), None),
    ("desirable", LeavesChoice(75), None),
    ("expected to", LeavesChoice(65), None),
    ("permitted to", LeavesChoice(80), Some(Obliges(90))),
    ("permitted", LeavesChoice(65), Some(Obliges(85))),
    ("authorized to", LeavesChoice(80), Some(Obliges(90))),
    ("allowed to", LeavesChoice(80), Some(Obliges(90))),
    ("allowed", LeavesChoice(65), Some(Obliges(85))),
];

/// A form of `be` with what it rules: "is required to", "are not permitted".
fn is_ruled(words: &Words, place: usize) -> Option<(usize, Force)> {
    let skips = |at: usize| words.get(at).is_some_and(|word| word.is_any(ADVERBS));
    let mut at = place.saturating_add(1);
    while skips(at) {
        at = at.saturating_add(1);
    }
    let is_not = words.get(at).is_some_and(|word| word.is("not"));
    if is_not {
        at = at.saturating_add(1);
    }
    // "No person is required to": nobody is.
    let negated = is_not || words.near_before(place, 3, &["no", "nobody", "neither"]);
    while skips(at) {
        at = at.saturating_add(1);
    }
    let (phrase, plain, reversed) = RULED.iter().find(|(phrase, ..)| words.begins(at, phrase))?;
    let length = at.saturating_sub(place).saturating_add(phrase.split(' ').count());
    let force = if negated { reversed.as_ref()? } else { plain };
    // "May be required", "that are required", "if it is required", "expected by": told, not ruled.
    let is_told = words.near_before(place, 1, &["may", "that", "which", "who", "as", "not"])
        || words.near_before(
            place,
            4,
            &["if", "when", "where", "whether", "unless", "whose", "mean"],
        )
        || words.get(place.saturating_add(length)).is_some_and(|word| word.is("by"));
    Some((
        length,
        match force {
            Obliges(confidence) => Obliges(if is_told { 50 } else { *confidence }),
            LeavesChoice(confidence) => LeavesChoice(if is_told { 40 } else { *confidence }),
        },
    ))
}

const ADVERBS: &[&str] =
    &["also", "hereby", "expressly", "strictly", "strongly", "further", "therefore", "generally"];

/// "Is declared to be illegal", "are hereby declared unlawful".
fn declared(words: &Words, place: usize) -> Option<(usize, Force)> {
    let phrases = [
        "declared to be illegal",
        "declared illegal",
        "declared to be unlawful",
        "declared unlawful",
    ];
    let phrase = words.any(place, &phrases)?;
    Some((phrase.split(' ').count(), Obliges(90)))
}

/// "Has to", "has a duty to".
fn obligation_held(words: &Words, place: usize) -> Option<(usize, Force)> {
    let duties = [
        "has a duty to",
        "have a duty to",
        "has the duty to",
        "has an obligation to",
        "have an obligation to",
    ];
    if let Some(phrase) = words.any(place, &duties) {
        return Some((phrase.split(' ').count(), Obliges(85)));
    }
    words.any(place, &["has to", "have to"]).map(|_| (2, Obliges(75)))
}

/// "At its discretion".
fn at_discretion(words: &Words, place: usize) -> Option<(usize, Force)> {
    let owner = words.after(place, 1)?;
    if !owner.is_any(&["its", "his", "her", "their", "the", "your"]) {
        return None;
    }
    let length = if words.after(place, 2)?.is_any(&["sole", "own", "absolute"]) { 4 } else { 3 };
    let last = words.after(place, usize::saturating_sub(length, 1))?;
    last.is("discretion").then_some((length, LeavesChoice(80)))
}

const COMMANDED: &[&str] = &[
    "Do",
    "Ensure",
    "Provide",
    "Submit",
    "Maintain",
    "Obtain",
    "Report",
    "Retain",
    "Notify",
    "Verify",
    "Implement",
    "Establish",
    "Identify",
    "Limit",
    "Keep",
    "Record",
    "Document",
    "Review",
    "Use",
    "Assign",
    "Perform",
    "Protect",
    "Require",
    "Restrict",
    "Monitor",
    "Develop",
    "Conduct",
    "Designate",
    "Encrypt",
    "Disclose",
    "Deliver",
    "Adopt",
    "Control",
    "Authenticate",
];

/// A sentence that begins with a verb that commands, as lists of safeguards do.
fn imperative(words: &Words, place: usize) -> Option<(usize, Force)> {
    let word = words.get(place)?;
    if !COMMANDED.contains(&&*word.text) || !words.starts_sentence(place) {
        return None;
    }
    // "Use of force is …", "Report, …", "Record means …": a noun.
    let next = words.after(place, 1)?;
    let is_noun = next.is_any(&["of", ",", ".", ":", "means", "is", "are", ")", "”", "and"]);
    (!is_noun).then_some((1, Obliges(70)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The confidence of obligation and of guidance.
    fn read(text: &str) -> (u32, u32) {
        let Modality { obligation, guidance } = Modality::of(&Words::of(text));
        let confidence = |marker: Option<Marker>| marker.map_or(0, |marker| marker.confidence);
        (confidence(obligation), confidence(guidance))
    }

    #[test]
    fn the_place_of_a_word_decides_what_it_does() {
        for (text, obliges, leaves_choice) in [
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
            assert_eq!((obligation >= 60, guidance >= 60), (obliges, leaves_choice), "{text}");
        }
    }
}
