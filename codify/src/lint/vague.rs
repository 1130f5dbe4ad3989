//! Words that nobody can measure.

use std::collections::BTreeSet;

use super::{Found, word::Words};

/// Phrases and how sure it is that they leave open what is asked for, in percent; longer ones first.
const VAGUE: &[(&str, u32)] = &[
    ("to the extent reasonable and practicable", 95),
    ("to the maximum extent practicable", 95),
    ("to the extent practicable", 95),
    ("to the extent possible", 95),
    ("to the extent feasible", 95),
    ("where practicable", 95),
    ("where appropriate", 95),
    ("when appropriate", 95),
    ("where feasible", 95),
    ("where possible", 95),
    ("where necessary", 85),
    ("if practicable", 95),
    ("if appropriate", 90),
    ("if necessary", 75),
    ("as appropriate", 90),
    ("as necessary", 75),
    ("as needed", 75),
    ("as soon as practicable", 90),
    ("as soon as possible", 90),
    ("as soon as reasonably", 90),
    ("without undue delay", 85),
    ("without unreasonable delay", 85),
    ("from time to time", 75),
    ("best efforts", 90),
    ("good faith", 80),
    ("clearly and conspicuously", 75),
    ("clear and conspicuous", 75),
    ("reasonable", 90),
    ("reasonably", 85),
    ("unreasonable", 85),
    ("unreasonably", 85),
    ("appropriate", 85),
    ("appropriately", 85),
    ("adequate", 90),
    ("adequately", 90),
    ("inadequate", 80),
    ("sufficient", 80),
    ("sufficiently", 80),
    ("suitable", 80),
    ("satisfactory", 80),
    ("practicable", 80),
    ("feasible", 75),
    ("promptly", 85),
    ("prompt", 75),
    ("timely", 80),
    ("properly", 80),
    ("proper", 65),
    ("significant", 75),
    ("significantly", 75),
    ("substantial", 75),
    ("substantially", 75),
    ("material", 70),
    ("materially", 75),
    ("excessive", 80),
    ("undue", 80),
    ("unduly", 80),
    ("unfair", 80),
    ("serious", 65),
    ("effective", 62),
    ("generally", 65),
    ("normally", 70),
    ("ordinarily", 70),
    ("usually", 75),
    ("periodically", 80),
    ("regularly", 70),
    ("frequently", 75),
    ("customary", 70),
    ("minimal", 75),
    ("efficiently", 65),
];

/// Within how many words behind a vague time its bound must stand.
const BOUND_REACH: usize = 14;

const BOUNDED: &[&str] = &[
    "in no case later than",
    "in no event later than",
    "not to exceed",
    "no later than",
    "not later than",
    "and within",
    "but within",
];

/// The first and surest vague words of a clause that no clause defines.
pub(super) fn found(words: &Words, defined: &BTreeSet<String>) -> Option<Found> {
    let mut best: Option<(u32, Vec<String>)> = None;
    let mut end = 0;
    for (place, _) in words.iter() {
        if place < end {
            continue;
        }
        let Some((phrase, confidence)) = VAGUE.iter().find(|(p, _)| words.begins(place, p)) else {
            continue;
        };
        let length = phrase.split(' ').count();
        end = place.saturating_add(length);
        if defined.contains(*phrase) || is_something_else(words, place, phrase) {
            continue;
        }
        let confidence = if is_bounded(words, end, phrase) { 50 } else { *confidence };
        let shown = words.shown(place, length);
        match &mut best {
            Some((surest, all)) if confidence >= super::FLOOR && *surest >= super::FLOOR => {
                *surest = confidence.max(*surest);
                all.push(shown);
            }
            Some((surest, _)) if *surest >= confidence => {}
            _ => best = Some((confidence, vec![shown])),
        }
    }
    let (confidence, mut shown) = best?;
    shown.dedup();
    let quoted: Vec<String> = shown.iter().map(|words| format!("`{words}`")).collect();
    let verb = if quoted.len() == 1 { "has" } else { "have" };
    let message = format!(
        "{} {verb} no measure here: two people may judge the same case differently",
        quoted.join(", ")
    );
    Some(Found { confidence, message })
}

/// A word of time that a bound follows can be measured: "promptly, and not later than 30 days".
fn is_bounded(words: &Words, end: usize, phrase: &str) -> bool {
    let of_time = phrase.contains("delay")
        || phrase.contains("as soon as")
        || ["promptly", "prompt", "timely"].contains(&phrase)
        || phrase == "reasonable" && words.get(end).is_some_and(|w| w.is_any(&["time", "period"]));
    of_time && (0..BOUND_REACH).any(|on| words.any(end.saturating_add(on), BOUNDED).is_some())
}

/// Whether the words are of another sense here.
fn is_something_else(words: &Words, place: usize, phrase: &str) -> bool {
    let next = words.get(place.saturating_add(phrase.split(' ').count()));
    let next_is = |any: &[&str]| next.is_some_and(|word| word.is_any(any));
    let last_is = |any: &[&str]| words.before(place, 1).is_some_and(|word| word.is_any(any));
    match phrase {
        "effective" => {
            next_is(&["date", "as", "on", "upon", "dates", "time"]) || last_is(&["its", "be"])
        }
        "material" => {
            next_is(&[",", ".", "and", "or", "is", "of", "in"]) || last_is(&["raw", "hazardous"])
        }
        "proper" => next_is(&["invoice", "officer", "name"]),
        "serious" => last_is(&["or"]) && !next_is(&["physical", "bodily", "harm", "injury"]),
        "significant" => next_is(&["figures", "digits"]),
        "appropriate" => next_is(&["federal", "committee", "committees", "funds"]),
        "generally" => next_is(&["accepted"]),
        "regularly" => next_is(&["employed", "scheduled"]),
        _ => false,
    }
}

/// How many words before `means` may be what it defines.
const DEFINED_REACH: usize = 8;

/// The words that a clause defines, in lower case: “adequate” means, the term “material” includes.
pub(super) fn defined(clauses: &[Words]) -> BTreeSet<String> {
    let mut defined = BTreeSet::new();
    for words in clauses {
        for (place, _) in words.iter().filter(|(_, word)| word.is_any(&["means", "mean"])) {
            let start = words.sentence(place).max(place.saturating_sub(DEFINED_REACH));
            let lower: Vec<&str> = (start..place)
                .filter_map(|at| words.get(at))
                .map(|word| &*word.lower)
                .filter(|word| !["“", "”", "\"", "the", "term", ",", "a", "an"].contains(word))
                .collect();
            defined.insert(lower.join(" "));
        }
    }
    defined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confidence(text: &str, others: &[&str]) -> u32 {
        let others: Vec<Words> = others.iter().map(|text| Words::of(text)).collect();
        found(&Words::of(text), &defined(&others)).map_or(0, |found| found.confidence)
    }

    #[test]
    fn what_is_defined_or_bounded_can_be_measured() {
        let clause = "The bank shall keep adequate records.";
        assert!(confidence(clause, &[]) >= 60);
        assert_eq!(confidence(clause, &["“Adequate” means kept for five years."]), 0);
        assert!(confidence("It shall answer promptly.", &[]) >= 60);
        assert!(confidence("It shall answer promptly, and no later than 30 days on.", &[]) < 60);
        assert_eq!(confidence("On the effective date of the raw material rule.", &[]), 0);
    }
}
