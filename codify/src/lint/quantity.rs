//! Numbers of a clause that its rules do not have.

use super::{
    Found,
    number::{self, Spelt},
    reference,
    rule::Facts,
    word::Words,
};

/// A number with its unit.
#[derive(Debug)]
struct Quantity {
    /// As it stands in the clause.
    shown: String,
    /// How sure it is that a rule should hold it, in percent.
    confidence: u32,
    /// Ranges of values, both ends within, that say the same: thirty days, or 720 hours.
    same: Vec<(f64, f64)>,
    /// The day, when it is a date.
    date: Option<String>,
    /// How many words it takes.
    length: usize,
}

impl Quantity {
    fn is_in(&self, rule: &Facts<'_>) -> bool {
        let close = |(low, high): &(f64, f64)| {
            let slack = 1e-9 * high.abs().max(1.0);
            rule.holds(low - slack, high + slack)
        };
        match &self.date {
            Some(date) => rule.names(date),
            None => self.same.iter().any(close),
        }
    }
}

/// How many numbers of one clause are looked for; a clause with more of them is a table.
const QUANTITIES_MAX: usize = 200;

/// The numbers of the clause that stand in none of its rules.
pub(super) fn missing(words: &Words, rules: &[&Facts<'_>]) -> Option<Found> {
    let missing: Vec<Quantity> = quantities(words)
        .into_iter()
        .filter(|quantity| !rules.iter().any(|rule| quantity.is_in(rule)))
        .collect();
    let confidence = missing.iter().map(|quantity| quantity.confidence).max()?;
    let sure = missing.iter().filter(|quantity| quantity.confidence >= super::FLOOR);
    let mut shown: Vec<String> = sure.map(|quantity| format!("`{}`", quantity.shown)).collect();
    shown.dedup();
    let codes: Vec<String> = rules.iter().map(|rule| format!("`{}`", rule.code)).collect();
    let (stands, holds) =
        if shown.len() == 1 { ("stands", "hold it") } else { ("stand", "hold them") };
    let message = format!(
        "{} {stands} in the clause, but neither condition nor gate of {} {holds}",
        shown.join(", "),
        codes.join(", "),
    );
    Some(Found { confidence, message })
}

fn quantities(words: &Words) -> Vec<Quantity> {
    let taken = reference::spans(words);
    let mut taken = taken.iter().peekable();
    let mut found = Vec::new();
    let mut place = 0;
    while place < words.len() && found.len() < QUANTITIES_MAX {
        if let Some((_, end)) = taken.next_if(|(from, _)| *from <= place) {
            place = place.max(*end);
            continue;
        }
        let quantity = date(words, place).or_else(|| quantity(words, place));
        place = place.saturating_add(quantity.as_ref().map_or(1, |quantity| quantity.length));
        found.extend(quantity);
    }
    found
}

/// The number that begins at `place`, with its unit and what stands in brackets behind it.
fn quantity(words: &Words, place: usize) -> Option<Quantity> {
    let spelt = number::and_a_half(words, place).or_else(|| number::at(words, place))?;
    if is_label(words, place) {
        return None;
    }
    let money = words.before(place, 1).is_some_and(|word| word.is_any(&["$", "€", "£"]));
    let mut length = spelt.length;
    length = length.saturating_add(repeated(words, place.saturating_add(length), spelt));
    let (unit, taken) = unit(words, place.saturating_add(length));
    length = length.saturating_add(taken);
    let (mut same, confidence) = meaning(spelt.value, money, unit);
    if unit.is_none() && !money {
        let is_word = !words.get(place)?.is_numeral();
        if is_word && spelt.value <= 2.0 && words.after(place, spelt.length)?.is_any(&OF_ONE) {
            return None;
        }
    }
    // "6 feet (1.8 m)": the same again in other units.
    let (other, taken) = bracketed(words, place.saturating_add(length));
    same.extend(other);
    let confidence = match unit {
        None if !money && spelt.value < 2.5 && spelt.value.fract() == 0.0 => 45,
        None if !money && is_year(spelt.value) => 40,
        _ => confidence,
    };
    let from = if money { place.saturating_sub(1) } else { place };
    let shown = words.shown(from, length.saturating_add(usize::from(money)));
    Some(Quantity { shown, confidence, same, date: None, length: length.saturating_add(taken) })
}

/// "One or more", "one of": counted by nobody.
const OF_ONE: [&str; 6] = ["or", "of", "another", "such", "who", "that"];

fn is_year(value: f64) -> bool {
    (1700.0..2200.0).contains(&value) && value.fract() == 0.0
}

const LABELLED: [&str; 15] = [
    "title", "part", "form", "no", "number", "item", "table", "figure", "step", "volume", "page",
    "schedule", "rule", "act", "pub",
];

/// Whether the number names something: an item of a list, "Form 1040", "(2)".
fn is_label(words: &Words, place: usize) -> bool {
    let before = |back| words.before(place, back);
    let bracketed = before(1).is_some_and(|word| word.is("("))
        && words.after(place, 1).is_some_and(|word| word.is(")"));
    let is_item = words.starts_sentence(place)
        && words.after(place, 1).is_some_and(|word| word.is_any(&[".", ")"]));
    let follows = before(1).is_some_and(|word| word.is_any(&LABELLED))
        || before(2).is_some_and(|word| word.is_any(&LABELLED))
            && before(1).is_some_and(|word| word.is("."));
    bracketed || is_item || follows
}

/// "Thirty (30) days": how many words the repetition takes.
fn repeated(words: &Words, place: usize, spelt: Spelt) -> usize {
    let opens = words.get(place).is_some_and(|word| word.is("("));
    let closes = words.after(place, 2).is_some_and(|word| word.is(")"));
    let again = words.after(place, 1).and_then(|word| number::figures(&word.text));
    let same = again.is_some_and(|again| (again - spelt.value).abs() < 1e-9);
    if opens && closes && same { 3 } else { 0 }
}

/// A number in brackets, and how many words they take.
fn bracketed(words: &Words, place: usize) -> (Option<(f64, f64)>, usize) {
    if !words.get(place).is_some_and(|word| word.is("(")) {
        return (None, 0);
    }
    let Some(spelt) = number::at(words, place.saturating_add(1)) else { return (None, 0) };
    let close = (1..=6).find(|on| words.after(place, *on).is_some_and(|word| word.is(")")));
    let same = Some((spelt.value, spelt.value));
    close.map_or((None, 0), |close| (same, close.saturating_add(1)))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
    Percent,
    BasisPoint,
    Money,
    Clock { afternoon: bool },
    Other,
}

const KINDS_OF_DAY: [&str; 9] = [
    "calendar",
    "business",
    "working",
    "consecutive",
    "full",
    "additional",
    "banking",
    "federal",
    "-",
];

/// The unit that begins at `place`, and how many words it takes.
fn unit(words: &Words, place: usize) -> (Option<Unit>, usize) {
    let skips = |at: usize| words.after(place, at).is_some_and(|word| word.is_any(&KINDS_OF_DAY));
    let mut at = 0_usize;
    while at < 3 && skips(at) {
        at = at.saturating_add(1);
    }
    let clock = |phrase| words.begins(place, phrase);
    if clock("a . m") || clock("p . m") {
        return (Some(Unit::Clock { afternoon: clock("p . m") }), 3);
    }
    if clock("per cent") || clock("per centum") || clock("percentage points") {
        return (Some(Unit::Percent), 2);
    }
    if clock("basis points") {
        return (Some(Unit::BasisPoint), 2);
    }
    let unit = words.after(place, at).and_then(|word| match &*word.lower {
        "second" | "seconds" => Some(Unit::Second),
        "minute" | "minutes" => Some(Unit::Minute),
        "hour" | "hours" => Some(Unit::Hour),
        "day" | "days" => Some(Unit::Day),
        "week" | "weeks" | "workweek" | "workweeks" => Some(Unit::Week),
        "month" | "months" => Some(Unit::Month),
        "year" | "years" => Some(Unit::Year),
        "percent" | "%" | "percentum" => Some(Unit::Percent),
        "dollars" | "euros" | "usd" | "eur" | "gbp" | "cents" => Some(Unit::Money),
        "feet" | "foot" | "meters" | "metres" | "miles" | "knots" | "decibels" | "degrees"
        | "characters" | "times" | "percentile" | "acres" | "pounds" | "tons" | "kilograms" => {
            Some(Unit::Other)
        }
        _ => None,
    });
    let taken = if unit.is_some() { at.saturating_add(1) } else { 0 };
    (unit, taken)
}

/// What says the same as a number of a unit, and how sure it is that a rule should hold it.
fn meaning(n: f64, money: bool, unit: Option<Unit>) -> (Vec<(f64, f64)>, u32) {
    let exact = |values: &[f64]| values.iter().map(|value| (*value, *value)).collect::<Vec<_>>();
    if money {
        return (exact(&[n, n * 100.0, n / 1000.0]), 90);
    }
    match unit {
        Some(Unit::Second) => (exact(&[n, n * 1000.0, n / 60.0]), 90),
        Some(Unit::Minute) => (exact(&[n, n * 60.0, n / 60.0]), 90),
        Some(Unit::Hour) => (exact(&[n, n * 60.0, n * 3600.0, n / 24.0]), 90),
        Some(Unit::Day) => (exact(&[n, n * 24.0, n / 7.0]), 90),
        Some(Unit::Week) => (exact(&[n, n * 7.0]), 90),
        Some(Unit::Month) => ([exact(&[n, n / 12.0]), vec![(n * 28.0, n * 31.0)]].concat(), 90),
        Some(Unit::Year) => {
            ([exact(&[n, n * 12.0, n * 52.0]), vec![(n * 360.0, n * 366.0)]].concat(), 90)
        }
        Some(Unit::Percent) => (exact(&[n, n / 100.0, n * 100.0, 1.0 + n / 100.0]), 90),
        Some(Unit::BasisPoint) => (exact(&[n, n / 100.0, n / 10_000.0]), 90),
        Some(Unit::Money) => (exact(&[n, n * 100.0, n / 1000.0]), 90),
        Some(Unit::Clock { afternoon }) => {
            (exact(&[n, if afternoon && n < 12.0 { n + 12.0 } else { n }]), 80)
        }
        Some(Unit::Other) => (exact(&[n]), 80),
        None => (exact(&[n]), 65),
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// "January 31, 2025", "31 January 2025" or "2025-01-31" at `place`.
fn date(words: &Words, place: usize) -> Option<Quantity> {
    let number = |on: usize| words.after(place, on).and_then(|word| number::figures(&word.text));
    let month = |on: usize| {
        let name = &words.after(place, on)?.lower;
        MONTHS.iter().position(|known| known == name).and_then(|at| u32::try_from(at).ok())
    };
    let dashed = words.after(place, 1).is_some_and(|word| word.is("-"))
        && words.after(place, 3).is_some_and(|word| word.is("-"));
    let comma = usize::from(words.after(place, 2).is_some_and(|word| word.is(",")));
    let (year, month, day, length) = if let (Some(at), Some(day)) = (month(0), number(1)) {
        (number(comma.saturating_add(2))?, f64::from(at) + 1.0, day, comma.saturating_add(3))
    } else if let (Some(day), Some(at)) = (number(0), month(1)) {
        (number(2)?, f64::from(at) + 1.0, day, 3)
    } else if dashed {
        (number(0)?, number(2)?, number(4)?, 5)
    } else {
        return None;
    };
    if !is_year(year) {
        return None;
    }
    let shown = words.shown(place, length);
    let date = Some(format!("{year:04}-{month:02}-{day:02}"));
    Some(Quantity { shown, confidence: 90, same: Vec::new(), date, length })
}

#[cfg(test)]
mod tests {
    use contract::json::{Limits, Value};

    use super::*;

    fn found(text: &str, condition: &str) -> Option<String> {
        let rule = format!(r#"{{"code":"R","severity":"high","condition":{condition}}}"#);
        let rule = Value::parse(rule.as_bytes(), &Limits::REQUEST).unwrap();
        let facts = Facts::of(&rule).unwrap();
        missing(&Words::of(text), &[&facts])
            .filter(|found| found.confidence >= super::super::FLOOR)
            .map(|found| found.message)
    }

    #[test]
    fn the_same_in_another_unit_is_no_finding() {
        for (text, condition) in [
            ("within thirty (30) days", r#"{"max_age_days":30}"#),
            ("within 24 hours", r#"{"max":1440}"#),
            ("for six years", r#"{"min":2192}"#),
            ("for 18 months", r#"{"min":1.5}"#),
            ("up to 45 percent", r#"{"max":0.45}"#),
            ("50 basis points", r#"{"max":0.005}"#),
            ("more than $1.5 million", r#"{"max":1500000}"#),
            ("after January 31, 2025", r#"{"not_after":"2025-01-31"}"#),
            ("at least 18 years of age", r#"{"field":"applicant.eighteenth_birthday"}"#),
            ("two different people", r#"{"fields":["a","b"]}"#),
            ("under section 12(3), form 1040 and 12 CFR 30", "{}"),
            ("under the Act of 1974, one or more banks", "{}"),
            ("of 6 feet (1.8 m)", r#"{"min":1.8}"#),
        ] {
            assert_eq!(found(text, condition), None, "{text}");
        }
    }

    #[test]
    fn another_number_is_a_finding() {
        for (text, condition, shown) in [
            ("within 30 days", r#"{"max_age_days":45}"#, "`30 days`"),
            ("within three business days", r#"{"max":5}"#, "`three business days`"),
            ("more than $10,000", r#"{"max":15000}"#, "`$10,000`"),
            ("not later than January 31, 2025", r#"{"max":31}"#, "`January 31, 2025`"),
            ("43 percent", r#"{"max":0.45}"#, "`43 percent`"),
        ] {
            let message = found(text, condition).unwrap();
            assert!(message.starts_with(shown), "{message}");
        }
    }
}
