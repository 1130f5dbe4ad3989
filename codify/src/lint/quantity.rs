//! Detection of numbers in a clause that are missing from its rules.

use super::{
    FLOOR, FindingDraft,
    number::{self, ParsedNumber},
    reference,
    rule::RuleSummary,
    token::Tokens,
};

/// A number with its unit.
#[derive(Debug)]
struct Quantity {
    text: String,
    /// The confidence in percent that a rule should contain the number.
    confidence: u32,
    /// Inclusive ranges of equivalent values: thirty days or 720 hours.
    equivalents: Vec<(f64, f64)>,
    /// The date as `YYYY-MM-DD`, if the number is a date.
    date: Option<String>,
    /// The length in tokens.
    length: usize,
}

impl Quantity {
    fn is_in(&self, rule: &RuleSummary<'_>) -> bool {
        let contains = |(low, high): &(f64, f64)| {
            let slack = 1e-9 * high.abs().max(1.0);
            rule.contains_range(low - slack, high + slack)
        };
        match &self.date {
            Some(date) => rule.mentions_date(date),
            None => self.equivalents.iter().any(contains),
        }
    }
}

/// The maximum number of quantities per clause. A clause with more is a table.
const QUANTITIES_MAX: usize = 200;

/// Reports the numbers of the clause that are missing from its rules.
pub(super) fn missing_from_rules(
    tokens: &Tokens,
    rules: &[&RuleSummary<'_>],
) -> Option<FindingDraft> {
    let missing: Vec<Quantity> = quantities(tokens)
        .into_iter()
        .filter(|quantity| !rules.iter().any(|rule| quantity.is_in(rule)))
        .collect();
    let confidence = missing.iter().map(|quantity| quantity.confidence).max()?;
    let confident = missing.iter().filter(|quantity| quantity.confidence >= FLOOR);
    let mut texts: Vec<String> = confident.map(|quantity| format!("`{}`", quantity.text)).collect();
    texts.dedup();
    let codes: Vec<String> = rules.iter().map(|rule| format!("`{}`", rule.code)).collect();
    let verb = if texts.len() == 1 { "is" } else { "are" };
    let message = format!(
        "{} {verb} in the clause, but not in the condition or the gate of {}",
        texts.join(", "),
        codes.join(", "),
    );
    Some(FindingDraft { confidence, message })
}

fn quantities(tokens: &Tokens) -> Vec<Quantity> {
    let spans = reference::spans(tokens);
    let mut spans = spans.iter().peekable();
    let mut result = Vec::new();
    let mut index = 0;
    while index < tokens.len() && result.len() < QUANTITIES_MAX {
        if let Some((_, end)) = spans.next_if(|(from, _)| *from <= index) {
            index = index.max(*end);
            continue;
        }
        let quantity = date(tokens, index).or_else(|| quantity(tokens, index));
        index = index.saturating_add(quantity.as_ref().map_or(1, |quantity| quantity.length));
        result.extend(quantity);
    }
    result
}

/// Returns the number that starts at `index`, with its unit and a repetition in brackets after it.
fn quantity(tokens: &Tokens, index: usize) -> Option<Quantity> {
    let parsed = number::and_a_half(tokens, index).or_else(|| number::parse_at(tokens, index))?;
    if is_label(tokens, index) {
        return None;
    }
    let money = tokens.before(index, 1).is_some_and(|token| token.is_any("$ € £"));
    let mut length = parsed.length;
    length = length.saturating_add(repetition_len(tokens, index.saturating_add(length), parsed));
    let (unit, token_count) = unit(tokens, index.saturating_add(length));
    length = length.saturating_add(token_count);
    let (mut equivalents, confidence) = equivalent_values(parsed.value, money, unit);
    if unit.is_none() && !money {
        let is_word = !tokens.get(index)?.is_numeral();
        if is_word
            && parsed.value <= 2.0
            && tokens.after(index, parsed.length)?.is_any(NON_COUNTING)
        {
            return None;
        }
    }
    // "6 feet (1.8 m)": the same quantity in another unit.
    let (other, token_count) = bracketed(tokens, index.saturating_add(length));
    equivalents.extend(other);
    let confidence = match unit {
        None if !money && parsed.value < 2.5 && parsed.value.fract() == 0.0 => 45,
        None if !money && is_year(parsed.value) => 40,
        _ => confidence,
    };
    let from = if money { index.saturating_sub(1) } else { index };
    let text = tokens.source_text(from, length.saturating_add(usize::from(money)));
    Some(Quantity {
        text,
        confidence,
        equivalents,
        date: None,
        length: length.saturating_add(token_count),
    })
}

/// Words after "one" or "two" that do not count: "one or more", "one of".
const NON_COUNTING: &str = "or of another such who that";

fn is_year(value: f64) -> bool {
    (1700.0..2200.0).contains(&value) && value.fract() == 0.0
}

const LABEL_WORDS: &str = "\
    title part form no number item table figure step volume page schedule rule act pub";

/// Returns whether the number is a label: an item of a list, "Form 1040", "(2)".
fn is_label(tokens: &Tokens, index: usize) -> bool {
    let before = |back| tokens.before(index, back);
    let bracketed = before(1).is_some_and(|token| token.is("("))
        && tokens.after(index, 1).is_some_and(|token| token.is(")"));
    let is_item = tokens.starts_sentence(index)
        && tokens.after(index, 1).is_some_and(|token| token.is_any(". )"));
    let follows = before(1).is_some_and(|token| token.is_any(LABEL_WORDS))
        || before(2).is_some_and(|token| token.is_any(LABEL_WORDS))
            && before(1).is_some_and(|token| token.is("."));
    bracketed || is_item || follows
}

/// Returns the number of tokens of a repetition, as in "thirty (30) days".
fn repetition_len(tokens: &Tokens, index: usize, parsed: ParsedNumber) -> usize {
    let opens = tokens.get(index).is_some_and(|token| token.is("("));
    let closes = tokens.after(index, 2).is_some_and(|token| token.is(")"));
    let repetition = tokens.after(index, 1).and_then(|token| number::parse_digits(&token.text));
    let is_equal = repetition.is_some_and(|repetition| (repetition - parsed.value).abs() < 1e-9);
    if opens && closes && is_equal { 3 } else { 0 }
}

/// Returns a number in brackets and its length in tokens.
fn bracketed(tokens: &Tokens, index: usize) -> (Option<(f64, f64)>, usize) {
    if !tokens.get(index).is_some_and(|token| token.is("(")) {
        return (None, 0);
    }
    let Some(parsed) = number::parse_at(tokens, index.saturating_add(1)) else { return (None, 0) };
    let close =
        (1..=6).find(|offset| tokens.after(index, *offset).is_some_and(|token| token.is(")")));
    let range = Some((parsed.value, parsed.value));
    close.map_or((None, 0), |close| (range, close.saturating_add(1)))
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

const DAY_QUALIFIERS: &str = "\
    calendar business working consecutive full additional banking federal -";

/// Returns the unit that starts at `index` and its length in tokens.
fn unit(tokens: &Tokens, index: usize) -> (Option<Unit>, usize) {
    let is_qualifier = |offset: usize| {
        tokens.after(index, offset).is_some_and(|token| token.is_any(DAY_QUALIFIERS))
    };
    let mut offset = 0_usize;
    while offset < 3 && is_qualifier(offset) {
        offset = offset.saturating_add(1);
    }
    let begins = |phrase| tokens.begins(index, phrase);
    if begins("a . m") || begins("p . m") {
        return (Some(Unit::Clock { afternoon: begins("p . m") }), 3);
    }
    if begins("per cent") || begins("per centum") || begins("percentage points") {
        return (Some(Unit::Percent), 2);
    }
    if begins("basis points") {
        return (Some(Unit::BasisPoint), 2);
    }
    let unit = tokens.after(index, offset).and_then(|token| match &*token.lower {
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
    let token_count = if unit.is_some() { offset.saturating_add(1) } else { 0 };
    (unit, token_count)
}

/// Returns the values that are equivalent to a number with a unit, and the confidence in percent that a rule
/// should contain it.
fn equivalent_values(n: f64, money: bool, unit: Option<Unit>) -> (Vec<(f64, f64)>, u32) {
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

const MONTHS: &str = "\
    january february march april may june july august september october november december";

/// Returns a date such as "January 31, 2025", "31 January 2025" or "2025-01-31" at `index`.
fn date(tokens: &Tokens, index: usize) -> Option<Quantity> {
    let number = |offset: usize| {
        tokens.after(index, offset).and_then(|token| number::parse_digits(&token.text))
    };
    let month = |offset: usize| number::position_of(MONTHS, &tokens.after(index, offset)?.lower);
    let is_dashed = tokens.after(index, 1).is_some_and(|token| token.is("-"))
        && tokens.after(index, 3).is_some_and(|token| token.is("-"));
    let comma_len = usize::from(tokens.after(index, 2).is_some_and(|token| token.is(",")));
    let (year, month, day, length) = if let (Some(month_index), Some(day)) = (month(0), number(1)) {
        (
            number(comma_len.saturating_add(2))?,
            f64::from(month_index) + 1.0,
            day,
            comma_len.saturating_add(3),
        )
    } else if let (Some(day), Some(month_index)) = (number(0), month(1)) {
        (number(2)?, f64::from(month_index) + 1.0, day, 3)
    } else if is_dashed {
        (number(0)?, number(2)?, number(4)?, 5)
    } else {
        return None;
    };
    if !is_year(year) {
        return None;
    }
    let text = tokens.source_text(index, length);
    let date = Some(format!("{year:04}-{month:02}-{day:02}"));
    Some(Quantity { text, confidence: 90, equivalents: Vec::new(), date, length })
}

#[cfg(test)]
mod tests {
    use contract::json::{Limits, Value};

    use super::*;

    fn finding(text: &str, condition: &str) -> Option<String> {
        let rule = format!(r#"{{"code":"R","severity":"high","condition":{condition}}}"#);
        let rule = Value::parse(rule.as_bytes(), &Limits::REQUEST).unwrap();
        let summary = RuleSummary::from_rule(&rule).unwrap();
        missing_from_rules(&Tokens::new(text), &[&summary])
            .filter(|draft| draft.confidence >= FLOOR)
            .map(|draft| draft.message)
    }

    #[test]
    fn equivalent_value_in_another_unit_is_not_reported() {
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
            assert_eq!(finding(text, condition), None, "{text}");
        }
    }

    #[test]
    fn different_number_is_reported() {
        for (text, condition, expected) in [
            ("within 30 days", r#"{"max_age_days":45}"#, "`30 days`"),
            ("within three business days", r#"{"max":5}"#, "`three business days`"),
            ("more than $10,000", r#"{"max":15000}"#, "`$10,000`"),
            ("not later than January 31, 2025", r#"{"max":31}"#, "`January 31, 2025`"),
            ("43 percent", r#"{"max":0.45}"#, "`43 percent`"),
        ] {
            let message = finding(text, condition).unwrap();
            assert!(message.starts_with(expected), "{message}");
        }
    }
}
