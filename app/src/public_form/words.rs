//! Texts of the public pages of a hosted form, in four languages.
//!
//! A catalogue is a value of [`PublicFormTexts`], so a missing text does not compile.

mod english;
mod french;
mod german;
mod spanish;

use contract::{
    error::FieldError,
    evaluation::{ReasonCode, Verdict},
    form::{BudgetWindow, FieldType, FormField, FormLanguage},
    json::Number,
    time::Timestamp,
};

use super::number::{self, NumberReading};

/// A language of the public pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    German,
    French,
    Spanish,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::French, Self::Spanish];

    /// Returns the language that the form selects, or else the one that the browser prefers, or else English.
    /// `accepted` is the header `Accept-Language`.
    pub fn of(setting: FormLanguage, accepted: Option<&str>) -> Self {
        match setting {
            FormLanguage::English => Self::English,
            FormLanguage::German => Self::German,
            FormLanguage::French => Self::French,
            FormLanguage::Spanish => Self::Spanish,
            FormLanguage::Auto => accepted.and_then(preferred).unwrap_or(Self::English),
        }
    }

    /// Returns the language tag.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
        }
    }

    /// Returns the texts in this language.
    pub const fn texts(self) -> &'static PublicFormTexts {
        match self {
            Self::English => &english::TEXTS,
            Self::German => &german::TEXTS,
            Self::French => &french::TEXTS,
            Self::Spanish => &spanish::TEXTS,
        }
    }

    fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }
}

/// Returns the language of `Accept-Language` with the highest weight. Equal weights count in their order.
fn preferred(accepted: &str) -> Option<Language> {
    let mut best: Option<(Language, f32)> = None;
    for range in accepted.split(',') {
        let mut parts = range.split(';').map(str::trim);
        let Some(language) = parts.next().and_then(Language::from_tag) else { continue };
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        let weight = weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
        if weight > 0.0 && best.is_none_or(|(_, highest)| weight > highest) {
            best = Some((language, weight));
        }
    }
    best.map(|(language, _)| language)
}

/// The texts of the public pages in one language. Functions take the values that a sentence contains.
#[derive(Debug)]
pub struct PublicFormTexts {
    /// The description of the page for previews of links.
    pub description: &'static str,
    pub skip: &'static str,
    pub help: &'static str,
    /// The sentence with the name of the organization.
    pub requested_by: fn(&str) -> String,
    /// The note under it.
    pub requester_note: &'static str,
    /// The note next to the button that submits the form.
    pub data_notice: &'static str,
    pub submit: &'static str,
    pub required: &'static str,
    /// The first choice of a list.
    pub choose: &'static str,
    pub yes: &'static str,
    pub no: &'static str,
    /// The hint of a date with time.
    pub utc: &'static str,
    /// The decimal separator of numbers.
    pub decimal: char,
    /// The legend of the readings of a number.
    pub which_number: &'static str,
    /// The prefix of the page title when answers contain errors.
    pub error: &'static str,
    pub token_title: &'static str,
    pub token_help: &'static str,
    pub token: &'static str,
    pub wrong_token: &'static str,
    pub password_title: &'static str,
    pub password_help: &'static str,
    pub password: &'static str,
    pub wrong_password: &'static str,
    pub sign_in_title: &'static str,
    pub sign_in_help: &'static str,
    pub sign_in: &'static str,
    pub not_a_member: &'static str,
    /// The sentence under an access prompt that has answers.
    pub answers_saved: &'static str,
    /// The button that submits a token or password.
    pub continue_button: &'static str,
    /// The notice above answers that were rejected for a limited time.
    pub answers_preserved: &'static str,
    pub already_submitted: &'static str,
    /// The message when no active policy can decide.
    pub closed: &'static str,
    pub too_many_requests: &'static str,
    pub unavailable: &'static str,
    pub internal_error: &'static str,
    /// The title of the page for answers that are too long together.
    pub too_large: &'static str,
    pub too_large_help: &'static str,
    /// The title of the page for a body that is no readable form.
    pub unreadable: &'static str,
    pub unreadable_help: &'static str,
    pub not_found: &'static str,
    pub not_found_help: &'static str,
    pub unavailable_help: &'static str,
    pub internal_error_help: &'static str,
    pub correlation_id: &'static str,
    pub exhausted: fn(BudgetWindow) -> &'static str,
    pub fields_need_attention: fn(usize) -> String,
    pub wait: fn(Wait) -> String,
    pub answer_error: fn(&AnswerError) -> String,
    /// The title of the result page.
    pub result: &'static str,
    /// One sentence that says what the verdict means for the person.
    pub verdict: fn(Verdict) -> &'static str,
    /// The heading of the numbers of a submission.
    pub numbers_read: &'static str,
    /// The heading of the violations that led to the verdict.
    pub reasons: &'static str,
    /// The heading of violations that do not prevent the verdict `ALLOW`.
    pub notes: &'static str,
    pub violation: fn(ReasonCode) -> &'static str,
    pub maximum: &'static str,
    pub minimum: &'static str,
    pub save_link: &'static str,
    pub check: &'static str,
    pub bundle: &'static str,
    pub print: &'static str,
    pub proof: &'static str,
    pub verdict_label: &'static str,
    pub decided: &'static str,
    pub policy: &'static str,
    /// The policy of the decision with its version.
    pub policy_version: fn(&str, u32) -> String,
    pub redacted: &'static str,
    pub decision_id: &'static str,
    pub integrity_digest: &'static str,
    pub context_digest: &'static str,
    pub snapshot_digest: &'static str,
    pub rules_digest: &'static str,
    pub signature: &'static str,
    pub unsigned: &'static str,
    pub key: &'static str,
    pub log: &'static str,
    pub anchored: &'static str,
    pub not_anchored: &'static str,
    pub statement: &'static str,
    /// The line at the foot of each page.
    pub recorded_with: &'static str,
    /// The name of the navigation at the foot.
    pub about: &'static str,
    pub verify: &'static str,
    pub signing_keys: &'static str,
    pub months: [&'static str; 12],
    /// Formats a date from the day, the name of the month, the year, and the time of day.
    pub date: fn(&str, &str, &str, &str) -> String,
}

impl PublicFormTexts {
    /// Formats a time to the minute, in UTC.
    pub fn minute(&self, at: Timestamp) -> String {
        let text = at.to_string();
        let (date, clock) = text.split_once('T').unwrap_or_default();
        let mut numbers = date.splitn(3, '-');
        let year = numbers.next().unwrap_or_default();
        let month = numbers.next().and_then(|month| month.parse::<usize>().ok()).unwrap_or(1);
        let day = numbers.next().unwrap_or_default().trim_start_matches('0');
        let month = self.months.get(month.saturating_sub(1)).copied().unwrap_or_default();
        (self.date)(day, month, year, clock.get(..5).unwrap_or_default())
    }
}

/// A time to wait, in the unit in which it is displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    Seconds(u32),
    Minutes(u32),
    Hours(u32),
}

impl Wait {
    /// Returns the displayed time for a number of seconds.
    pub fn from_seconds(seconds: u32) -> Self {
        match seconds {
            0..=119 => Self::Seconds(seconds.max(1)),
            120..=7_199 => Self::Minutes(seconds.div_ceil(60)),
            _ => Self::Hours(seconds.div_ceil(3_600)),
        }
    }
}

/// Why an answer is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerError {
    Missing,
    NotNumber,
    /// The number has two readings, and none is chosen.
    AmbiguousNumber,
    NotAllowed,
    NotDate,
    NotDateTime,
    NotEmail,
    NotUrl,
    /// The number is outside these bounds.
    Range {
        min: Option<String>,
        max: Option<String>,
    },
    /// The text has fewer characters.
    TooShort(u32),
    /// The text has more characters, if the field has a maximum.
    TooLong(Option<u32>),
    Pattern,
    /// The form has no such field any more.
    Unknown,
    Invalid,
}

impl AnswerError {
    /// Returns the reason for an error of the service; `field` is absent if the form has no such field. `answer` is
    /// the text that was entered, and `decimal` the decimal separator of the page.
    pub fn of(
        field: Option<&FormField>,
        error: &FieldError,
        answer: Option<&str>,
        decimal: char,
    ) -> Self {
        let Some(field) = field else { return Self::Unknown };
        let bound = |number: Option<Number>| number.map(|number| number::write(number, decimal));
        match (error.code.as_str(), field.kind) {
            ("required", _) => Self::Missing,
            ("type", FieldType::Number) => {
                match number::read(answer.unwrap_or_default(), decimal) {
                    NumberReading::Two(_) => Self::AmbiguousNumber,
                    _ => Self::NotNumber,
                }
            }
            ("enum" | "duplicate", _) | ("type", FieldType::Boolean) => Self::NotAllowed,
            ("format", FieldType::Date) => Self::NotDate,
            ("format", FieldType::Datetime) => Self::NotDateTime,
            ("format", FieldType::Email) => Self::NotEmail,
            ("format", FieldType::Url) => Self::NotUrl,
            ("range", _) => Self::Range { min: bound(field.min), max: bound(field.max) },
            ("too_short", _) => Self::TooShort(field.min_length.unwrap_or(1)),
            ("too_long", _) => {
                Self::TooLong(field.max_length.filter(|max| is_longer(answer, *max)))
            }
            ("pattern", _) => Self::Pattern,
            _ => Self::Invalid,
        }
    }
}

/// Returns whether an answer has more than `max` characters. A shorter one can have too many bytes.
fn is_longer(answer: Option<&str>, max: u32) -> bool {
    let length = answer.unwrap_or_default().chars().count();
    usize::try_from(max).is_ok_and(|max| length > max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_of_the_form_comes_before_the_language_of_the_browser() {
        let of = |accepted| Language::of(FormLanguage::Auto, accepted);
        assert_eq!(Language::of(FormLanguage::French, Some("de")), Language::French);
        assert_eq!(of(Some("de-CH, en;q=0.9")), Language::German);
        assert_eq!(of(Some("pt, ES-mx;q=0.4, fr;q=0.8")), Language::French);
        assert_eq!(of(Some("en, de")), Language::English);
        assert_eq!(of(Some("de;q=0, it")), Language::English);
        assert_eq!(of(Some("de;q=x,*")), Language::English);
        assert_eq!(of(None), Language::English);
    }

    #[test]
    fn every_language_has_its_own_sentences() {
        let at: Timestamp = "2026-03-02T23:04:11Z".parse().unwrap();
        let english = Language::English.texts();
        for language in Language::ALL {
            let texts = language.texts();
            let sentences = ReasonCode::ALL.map(texts.violation);
            for (index, sentence) in sentences.iter().enumerate() {
                assert!(
                    sentence.ends_with('.') && !sentences[..index].contains(sentence),
                    "{sentence}"
                );
            }
            for verdict in Verdict::ALL {
                assert!((texts.verdict)(verdict).ends_with('.'));
            }
            for window in BudgetWindow::ALL {
                assert!((texts.exhausted)(window).ends_with('.'));
            }
            if language != Language::English {
                assert!(
                    ReasonCode::ALL
                        .iter()
                        .all(|c| (texts.violation)(*c) != (english.violation)(*c))
                );
                assert!(texts.submit != english.submit && texts.data_notice != english.data_notice);
            }
            let plain = [Wait::Seconds(1), Wait::Seconds(5), Wait::Minutes(2), Wait::Hours(3)];
            assert!(plain.into_iter().all(|wait| (texts.wait)(wait).ends_with('.')));
            assert!((texts.requested_by)("Acme").ends_with(" Acme."));
            assert_ne!((texts.fields_need_attention)(1), (texts.fields_need_attention)(2));
            assert!(texts.minute(at).contains("23:04"));
        }
        assert_eq!(english.minute(at), "2 March 2026, 23:04 UTC");
        assert_eq!(Language::French.texts().minute(at), "2 mars 2026 à 23:04 UTC");
    }

    #[test]
    fn a_range_names_the_bounds_of_the_field() {
        let error = FieldError {
            path: "/values/a".to_owned(),
            code: "range".to_owned(),
            message: String::new(),
        };
        let mut field = FormField::new("a", "A", FieldType::Number);
        field.max = serde_json::from_str("10.5").ok();
        let message = |language: Language| {
            let texts = language.texts();
            (texts.answer_error)(&AnswerError::of(Some(&field), &error, None, texts.decimal))
        };
        assert_eq!(message(Language::English), "Enter at most 10.5.");
        assert_eq!(message(Language::German), "Geben Sie höchstens 10,5 ein.");
        assert_eq!(AnswerError::of(None, &error, None, '.'), AnswerError::Unknown);
    }
}
