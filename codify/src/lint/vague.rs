//! Detection of vague terms, which cannot be measured.

use std::collections::BTreeSet;

use super::{FindingDraft, token::Tokens};

/// Vague phrases by the confidence in percent that they leave the requirement open. None begins with another.
const VAGUE: &[(u32, &str)] = &[
    (
        95,
        "to the extent reasonable and practicable|to the maximum extent practicable|\
         to the extent practicable|to the extent possible|to the extent feasible|\
         where practicable|where appropriate|when appropriate|where feasible|where possible|\
         if practicable",
    ),
    (
        90,
        "if appropriate|as appropriate|as soon as practicable|as soon as possible|\
         as soon as reasonably|best efforts|reasonable|adequate|adequately",
    ),
    (
        85,
        "where necessary|without undue delay|without unreasonable delay|reasonably|\
         unreasonable|unreasonably|appropriate|appropriately|promptly",
    ),
    (
        80,
        "good faith|inadequate|sufficient|sufficiently|suitable|satisfactory|practicable|\
         timely|properly|excessive|undue|unduly|unfair|periodically",
    ),
    (
        75,
        "if necessary|as necessary|as needed|from time to time|clearly and conspicuously|\
         clear and conspicuous|feasible|prompt|significant|significantly|substantial|\
         substantially|materially|usually|frequently|minimal",
    ),
    (70, "material|normally|ordinarily|regularly|customary"),
    (65, "proper|serious|generally|efficiently"),
    (62, "effective"),
];

/// The maximum distance in tokens between a vague time and its limit.
const BOUND_REACH: usize = 14;

const BOUNDED: &str = "\
    in no case later than|in no event later than|not to exceed|no later than|not later than|\
    and within|but within";

/// Reports the vague terms of a clause that no clause defines. Without terms above the threshold, only the
/// one with the highest confidence counts.
pub(super) fn find_vague_terms(
    tokens: &Tokens,
    defined_terms: &BTreeSet<String>,
) -> Option<FindingDraft> {
    let mut best: Option<(u32, Vec<String>)> = None;
    let mut end = 0;
    for (index, _) in tokens.iter() {
        if index < end {
            continue;
        }
        let starts = |(confidence, phrases): &(u32, &'static str)| {
            let phrase = phrases.split('|').find(|phrase| tokens.begins(index, phrase))?;
            Some((*confidence, phrase))
        };
        let Some((confidence, phrase)) = VAGUE.iter().find_map(starts) else { continue };
        let length = phrase.split(' ').count();
        end = index.saturating_add(length);
        if defined_terms.contains(phrase) || has_other_meaning(tokens, index, phrase) {
            continue;
        }
        let confidence = if is_bounded(tokens, end, phrase) { 50 } else { confidence };
        let term = tokens.source_text(index, length);
        match &mut best {
            Some((max_confidence, all))
                if confidence >= super::FLOOR && *max_confidence >= super::FLOOR =>
            {
                *max_confidence = confidence.max(*max_confidence);
                all.push(term);
            }
            Some((max_confidence, _)) if *max_confidence >= confidence => {}
            _ => best = Some((confidence, vec![term])),
        }
    }
    let (confidence, mut terms) = best?;
    terms.dedup();
    let quoted: Vec<String> = terms.iter().map(|term| format!("`{term}`")).collect();
    let verb = if quoted.len() == 1 { "has" } else { "have" };
    let message = format!(
        "{} {verb} no measurable meaning here: two people may decide the same case differently",
        quoted.join(", ")
    );
    Some(FindingDraft { confidence, message })
}

/// Returns whether a vague time is followed by a limit: "promptly, and not later than 30 days".
fn is_bounded(tokens: &Tokens, end: usize, phrase: &str) -> bool {
    let is_time = phrase.contains("delay")
        || phrase.contains("as soon as")
        || ["promptly", "prompt", "timely"].contains(&phrase)
        || phrase == "reasonable" && tokens.get(end).is_some_and(|w| w.is_any("time period"));
    is_time
        && (0..BOUND_REACH)
            .any(|offset| tokens.first_phrase(end.saturating_add(offset), BOUNDED).is_some())
}

/// Returns whether the phrase has a different meaning here.
fn has_other_meaning(tokens: &Tokens, index: usize, phrase: &str) -> bool {
    let next = tokens.get(index.saturating_add(phrase.split(' ').count()));
    let next_is = |any: &str| next.is_some_and(|token| token.is_any(any));
    let last_is = |any: &str| tokens.before(index, 1).is_some_and(|token| token.is_any(any));
    match phrase {
        "effective" => next_is("date as on upon dates time") || last_is("its be"),
        "material" => next_is(", . and or is of in") || last_is("raw hazardous"),
        "proper" => next_is("invoice officer name"),
        "serious" => last_is("or") && !next_is("physical bodily harm injury"),
        "significant" => next_is("figures digits"),
        "appropriate" => next_is("federal committee committees funds"),
        "generally" => next_is("accepted"),
        "regularly" => next_is("employed scheduled"),
        _ => false,
    }
}

/// The maximum number of tokens before `means` that belong to the defined term.
const DEFINED_REACH: usize = 8;

/// Returns the terms that clauses define, in lower case: “adequate” means, the term “material” includes.
pub(super) fn defined_terms(clauses: &[Tokens]) -> BTreeSet<String> {
    let mut defined_terms = BTreeSet::new();
    for tokens in clauses {
        for (index, _) in tokens.iter().filter(|(_, token)| token.is_any("means mean")) {
            let start = tokens.sentence(index).max(index.saturating_sub(DEFINED_REACH));
            let lower: Vec<&str> = (start..index)
                .filter_map(|position| tokens.get(position))
                .map(|token| &*token.lower)
                .filter(|token| !["“", "”", "\"", "the", "term", ",", "a", "an"].contains(token))
                .collect();
            defined_terms.insert(lower.join(" "));
        }
    }
    defined_terms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confidence(text: &str, others: &[&str]) -> u32 {
        let others: Vec<Tokens> = others.iter().map(|text| Tokens::new(text)).collect();
        find_vague_terms(&Tokens::new(text), &defined_terms(&others))
            .map_or(0, |draft| draft.confidence)
    }

    #[test]
    fn defined_or_bounded_terms_are_not_vague() {
        let clause = "The bank shall keep adequate records.";
        assert!(confidence(clause, &[]) >= 60);
        assert_eq!(confidence(clause, &["“Adequate” means kept for five years."]), 0);
        assert!(confidence("It shall answer promptly.", &[]) >= 60);
        assert!(confidence("It shall answer promptly, and no later than 30 days on.", &[]) < 60);
        assert_eq!(confidence("On the effective date of the raw material rule.", &[]), 0);
    }
}
