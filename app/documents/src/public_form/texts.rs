//! Texts of the public pages of a hosted form, in four languages.
//!
//! A language is a file with one text per line. The compiler reads it, so a missing text does not compile. A name in
//! braces is a placeholder for a value.

use contract::{
    evaluation::ReasonCode,
    form::{BudgetWindow, FormLanguage},
};
use page_kit::prelude::*;

use super::number::{self, NumberReading};

macro_rules! texts {
    ($($name:ident)*) => {
        /// The texts of the public pages in one language. Comments in `texts/en.txt` say where they are used.
        #[derive(Debug)]
        pub struct Texts {
            $(pub $name: &'static str,)*
            /// The sentences of [`ReasonCode::ALL`].
            violations: [&'static str; ReasonCode::ALL.len()],
        }

        impl Texts {
            /// Reads a file, whose texts have the order of the members.
            const fn read(mut file: &'static str) -> Self {
                $(let $name; ($name, file) = next_text(file, stringify!($name));)*
                let mut violations = [""; ReasonCode::ALL.len()];
                let mut index = 0;
                while index < violations.len() {
                    let code = ReasonCode::ALL[index].as_str();
                    (violations[index], file) = next_text(file, code);
                    index += 1;
                }
                assert!(file.is_empty(), "a text is unknown");
                Self { $($name,)* violations }
            }

            #[cfg(test)]
            fn all(&self) -> Vec<&'static str> {
                [$(self.$name),*].into_iter().chain(self.violations).collect()
            }
        }
    };
}

texts! {
    language description skip help requested_by requester_note correlation_id recorded_with
    about verify signing_keys data_notice submit required choose yes no utc decimal which_number
    error field_needs_attention fields_need_attention token_title token_help token wrong_token
    password_title password_help password wrong_password sign_in_title sign_in_help sign_in
    not_a_member answers_saved continue_button answers_preserved already_submitted closed
    too_many_requests exhausted_hour exhausted_day exhausted_total wait_second wait_seconds
    wait_minutes wait_hours unavailable unavailable_help internal_error internal_error_help
    too_large too_large_help unreadable unreadable_help not_found not_found_help missing
    not_number ambiguous_number not_an_option not_date not_datetime not_email not_url between
    at_least at_most out_of_range too_short too_long too_many_bytes wrong_pattern unknown_answer
    invalid_answer result verdict_allow verdict_review verdict_deny numbers_read reasons notes
    maximum minimum save_link check bundle print proof verdict_label decided policy
    policy_version redacted decision_id integrity_digest context_digest snapshot_digest
    rules_digest signature unsigned key log anchored not_anchored statement months date
}

/// All languages. The first one is that of browsers without any of them.
static LANGUAGES: [Texts; 4] = [
    Texts::read(include_str!("texts/en.txt")),
    Texts::read(include_str!("texts/de.txt")),
    Texts::read(include_str!("texts/fr.txt")),
    Texts::read(include_str!("texts/es.txt")),
];

/// Returns the text of the first line `key = text`, and the lines after it. Comments and empty lines are skipped.
const fn next_text(mut file: &'static str, key: &str) -> (&'static str, &'static str) {
    loop {
        assert!(!file.is_empty(), "a text is missing");
        let (line, rest) = split_once(file, b'\n');
        file = rest;
        if !matches!(line.as_bytes(), [] | [b'#', ..]) {
            let (name, text) = split_once(line, b'=');
            let is_named = are_equal(name.trim_ascii().as_bytes(), key.as_bytes());
            assert!(is_named, "a text is missing, unknown, or not in the order of the members");
            return (text.trim_ascii(), file);
        }
    }
}

const fn split_once(text: &str, separator: u8) -> (&str, &str) {
    let (mut end, mut bytes) = (0, text.as_bytes());
    while let [byte, rest @ ..] = bytes {
        if *byte == separator {
            let (first, second) = text.split_at(end);
            return (first, second.split_at(1).1);
        }
        (end, bytes) = (end + 1, rest);
    }
    (text, "")
}

const fn are_equal(a: &[u8], b: &[u8]) -> bool {
    match (a, b) {
        ([], []) => true,
        ([first, a @ ..], [second, b @ ..]) => *first == *second && are_equal(a, b),
        _ => false,
    }
}

/// Returns a text with the values of the names in braces.
pub(super) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let value = |name: &str| values.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
    // The parts alternate: text, name, text. A value is not searched for names.
    let parts = text.split(['{', '}']).enumerate();
    parts
        .map(|(index, part)| if index % 2 == 0 { Some(part) } else { value(part) })
        .map(Option::unwrap_or_default)
        .collect()
}

impl Texts {
    /// Returns the texts in the language that the form selects, or else the one that the browser prefers, or else
    /// English. `accepted` is the header `Accept-Language`.
    pub fn of(setting: FormLanguage, accepted: Option<&str>) -> &'static Self {
        let texts = match setting {
            FormLanguage::Auto => accepted.and_then(preferred),
            language => with_tag(language.as_str()),
        };
        texts.unwrap_or(&LANGUAGES[0])
    }

    /// Returns why a form accepts no submissions in a window of its budget.
    pub const fn exhausted(&self, window: BudgetWindow) -> &'static str {
        match window {
            BudgetWindow::Hour => self.exhausted_hour,
            BudgetWindow::Day => self.exhausted_day,
            BudgetWindow::Total => self.exhausted_total,
        }
    }

    /// Returns when to try again, in the unit that suits the number of seconds.
    pub fn wait(&self, seconds: u32) -> String {
        let (text, number) = match seconds {
            0..=1 => (self.wait_second, 1),
            2..=119 => (self.wait_seconds, seconds),
            120..=7_199 => (self.wait_minutes, seconds.div_ceil(60)),
            _ => (self.wait_hours, seconds.div_ceil(3_600)),
        };
        fill(text, &[("number", &number.to_string())])
    }

    /// Returns what a verdict means for the person.
    pub(super) const fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Allow | Verdict::Alert => self.verdict_allow,
            Verdict::Review => self.verdict_review,
            Verdict::Deny => self.verdict_deny,
        }
    }

    pub(super) fn violation(&self, code: ReasonCode) -> &'static str {
        let index = ReasonCode::ALL.iter().position(|own| *own == code);
        index.and_then(|index| self.violations.get(index)).copied().unwrap_or_default()
    }

    /// Returns why an answer is rejected, for an error of the service. `field` is absent if the form has no such question
    /// any more.
    pub(super) fn answer_error(
        &self,
        field: Option<&FormField>,
        error: &FieldError,
        answer: &str,
    ) -> String {
        let Some(field) = field else { return self.unknown_answer.to_owned() };
        let is_longer = |max| usize::try_from(max).is_ok_and(|max| answer.chars().count() > max);
        let text = match (error.code.as_str(), field.kind) {
            ("required", _) => self.missing,
            ("type", FieldType::Number) => match number::read(answer, self.decimal) {
                NumberReading::Two(_) => self.ambiguous_number,
                _ => self.not_number,
            },
            ("enum" | "duplicate", _) | ("type", FieldType::Boolean) => self.not_an_option,
            ("format", FieldType::Date) => self.not_date,
            ("format", FieldType::Datetime) => self.not_datetime,
            ("format", FieldType::Email) => self.not_email,
            ("format", FieldType::Url) => self.not_url,
            ("range", _) => match (field.min, field.max) {
                (Some(_), Some(_)) => self.between,
                (Some(_), None) => self.at_least,
                (None, Some(_)) => self.at_most,
                (None, None) => self.out_of_range,
            },
            ("too_short", _) => self.too_short,
            ("too_long", _) if field.max_length.is_some_and(is_longer) => self.too_long,
            // A text with fewer characters can have too many bytes.
            ("too_long", _) => self.too_many_bytes,
            ("pattern", _) => self.wrong_pattern,
            _ => self.invalid_answer,
        };
        let bound =
            |number: Option<Number>| number.map(|number| number::write(number, self.decimal));
        let length = |length: Option<u32>| length.unwrap_or(1).to_string();
        let values = [
            ("min", &*bound(field.min).unwrap_or_default()),
            ("max", &*bound(field.max).unwrap_or_default()),
            ("min_length", &*length(field.min_length)),
            ("max_length", &*length(field.max_length)),
        ];
        fill(text, &values)
    }

    /// Formats a time to the minute, in UTC.
    pub(super) fn minute(&self, at: Timestamp) -> String {
        let text = at.to_string();
        let mut parts = text.split(['-', 'T']);
        let mut next = || parts.next().unwrap_or_default();
        let (year, month, day, time) = (next(), next(), next(), next());
        let month = month.parse::<usize>().ok().and_then(|month| month.checked_sub(1));
        let month = month.and_then(|index| self.months.split(' ').nth(index)).unwrap_or_default();
        let (day, time) = (day.trim_start_matches('0'), time.get(..5).unwrap_or_default());
        fill(self.date, &[("day", day), ("month", month), ("year", year), ("time", time)])
    }
}

fn with_tag(tag: &str) -> Option<&'static Texts> {
    LANGUAGES.iter().find(|texts| texts.language.eq_ignore_ascii_case(tag))
}

/// Returns the language of `Accept-Language` with the highest weight. Equal weights count in their order.
fn preferred(accepted: &str) -> Option<&'static Texts> {
    let mut best: Option<(&Texts, f32)> = None;
    for range in accepted.split(',') {
        let mut parts = range.split(';').map(str::trim);
        let tag = parts.next().and_then(|tag| tag.split('-').next());
        let Some(texts) = tag.and_then(with_tag) else { continue };
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        let weight = weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
        if weight > 0.0 && best.is_none_or(|(_, highest)| weight > highest) {
            best = Some((texts, weight));
        }
    }
    best.map(|(texts, _)| texts)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_setting_of_the_form_comes_before_the_language_of_the_browser() {
        for (setting, accepted, expected) in [
            (FormLanguage::French, Some("de"), "fr"),
            (FormLanguage::Auto, Some("de-CH, en;q=0.9"), "de"),
            (FormLanguage::Auto, Some("pt, ES-mx;q=0.4, fr;q=0.8"), "fr"),
            (FormLanguage::Auto, Some("en, de"), "en"),
            (FormLanguage::Auto, Some("de;q=0, it"), "en"),
            (FormLanguage::Auto, Some("de;q=x,*"), "en"),
            (FormLanguage::Auto, None, "en"),
        ] {
            assert_eq!(Texts::of(setting, accepted).language, expected, "{accepted:?}");
        }
        for setting in FormLanguage::ALL.into_iter().filter(|it| *it != FormLanguage::Auto) {
            assert_eq!(Texts::of(setting, None).language, setting.as_str());
        }
    }

    #[test]
    fn every_language_has_its_own_sentences() {
        let [english, others @ ..] = &LANGUAGES;
        for texts in &LANGUAGES {
            let verdicts = Verdict::ALL.map(|verdict| texts.verdict(verdict).to_owned());
            let budgets = BudgetWindow::ALL.map(|window| texts.exhausted(window).to_owned());
            let violations = ReasonCode::ALL.map(|code| texts.violation(code).to_owned());
            let waits = [1, 5, 120, 7_200].map(|seconds| texts.wait(seconds));
            let sentences = verdicts.iter().chain(&budgets).chain(&violations).chain(&waits);
            assert!(sentences.into_iter().all(|sentence| sentence.ends_with('.')));
            assert_eq!(BTreeSet::from(violations).len(), ReasonCode::ALL.len());
        }
        for texts in others {
            assert!(texts.violations.iter().all(|text| !english.violations.contains(text)));
            assert!(texts.submit != english.submit && texts.data_notice != english.data_notice);
        }
    }

    #[test]
    fn the_same_values_stand_in_every_language() {
        let names = |text: &'static str| text.split(['{', '}']).skip(1).step_by(2);
        let [english, others @ ..] = &LANGUAGES;
        for texts in others {
            for (text, own) in english.all().into_iter().zip(texts.all()) {
                let [own_names, english_names] =
                    [own, text].map(|text| names(text).collect::<BTreeSet<_>>());
                assert_eq!(own_names, english_names, "{own}");
            }
        }
    }

    #[test]
    fn a_value_is_not_searched_for_names() {
        let text = fill("{name}, version {version}.", &[("name", "a {version}"), ("version", "3")]);
        assert_eq!(text, "a {version}, version 3.");
    }

    #[test]
    fn a_time_is_written_as_in_the_language() {
        let at = "2026-03-02T23:04:11Z".parse().unwrap();
        let times = LANGUAGES.each_ref().map(|texts| texts.minute(at));
        let [english, german, french, spanish] = times.each_ref().map(String::as_str);
        assert_eq!(english, "2 March 2026, 23:04 UTC");
        assert_eq!(german, "2. März 2026, 23:04 UTC");
        assert_eq!(french, "2 mars 2026 à 23:04 UTC");
        assert_eq!(spanish, "2 de marzo de 2026, 23:04 UTC");
    }

    #[test]
    fn a_range_names_the_bounds_of_the_field() {
        let (path, message) = ("/values/a".to_owned(), String::new());
        let error = FieldError { path, code: "range".to_owned(), message };
        let mut field = FormField::new("a", "A", FieldType::Number);
        field.max = serde_json::from_str("10.5").ok();
        let [english, german, ..] = &LANGUAGES;
        assert_eq!(english.answer_error(Some(&field), &error, ""), "Enter at most 10.5.");
        assert_eq!(german.answer_error(Some(&field), &error, ""), "Geben Sie höchstens 10,5 ein.");
        assert_eq!(english.answer_error(None, &error, ""), english.unknown_answer);
    }
}
