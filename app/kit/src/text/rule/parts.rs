//! The parts of the conditions of each rule type, for the form that edits them.

/// A part of a condition: one form field, or several that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub name: &'static str,
    pub label: &'static str,
    /// The hint; empty if the label is sufficient.
    pub hint: &'static str,
    pub input: Input,
}

/// The input of a part, and the members of the condition that store it: by default the one with the name of the
/// part.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// The name of a field.
    Name,
    /// Names, one per line.
    Names,
    Number,
    /// A checkbox, with its default.
    Checkbox(bool),
    /// One of several choices, as values and labels.
    Choice(&'static [(&'static str, &'static str)]),
    /// A text. One of these members stores it.
    Text(&'static [(&'static str, &'static str)]),
    /// Values, one per line. One of these members stores them.
    Values(&'static [(&'static str, &'static str)]),
    /// A test of a date, with its number of days or its day.
    Date,
    /// `right`, the name of another field, or `right_value`.
    Against,
    /// `min_length`: fields and their minimum lengths.
    Lengths,
}

/// The tests of a date. Tests without a limit are stored as `check`, the others as members.
pub const DATE_TESTS: [(&str, &str); 5] = [
    ("not_expired", "has not expired (on or after the decision)"),
    ("not_future", "is not in the future (on or before the decision)"),
    ("max_age_days", "is at most this many days old"),
    ("not_before", "is on this day or later"),
    ("not_after", "is on this day or earlier"),
];

/// The tests without a limit.
pub const DATE_CHECKS: [&str; 2] = ["not_expired", "not_future"];

const fn part(name: &'static str, label: &'static str, hint: &'static str, input: Input) -> Part {
    Part { name, label, hint, input }
}

const FIELD: Part = part("field", "Field", "", Input::Name);

pub(super) const PRESENCE: &[Part] = &[
    part("required_fields", "Required", "Field names, one per line", Input::Names),
    part("forbidden_fields", "Forbidden", "Field names, one per line", Input::Names),
    part(
        "min_length",
        "Minimum length",
        "Characters of a text, or elements of a list",
        Input::Lengths,
    ),
];

pub(super) const THRESHOLD: &[Part] = &[
    FIELD,
    part("min", "At least", "A number, or empty", Input::Number),
    part("exclusive_min", "More than this, not equal", "", Input::Checkbox(false)),
    part("max", "At most", "A number, or empty", Input::Number),
    part("exclusive_max", "Less than this, not equal", "", Input::Checkbox(false)),
];

pub(super) const LIST: &[Part] = &[
    FIELD,
    part(
        "values",
        "Values",
        "One per line",
        Input::Values(&[("allowed", "must be one of"), ("forbidden", "must be none of")]),
    ),
    part(
        "case_sensitive",
        "Case-sensitive (off by default; gates default to on)",
        "",
        Input::Checkbox(false),
    ),
];

pub(super) const TEMPORAL: &[Part] = &[
    FIELD,
    part("date", "The date", "A number of days, or a day such as 2026-01-31", Input::Date),
];

pub(super) const PATTERN: &[Part] = &[
    FIELD,
    part(
        "pattern",
        "Pattern",
        "A regular expression; ^ and $ mark start and end",
        Input::Text(&[("matches", "must match"), ("forbids", "must not match")]),
    ),
];

pub(super) const COMPARISON: &[Part] = &[
    part("left", "Field", "", Input::Name),
    part(
        "operator",
        "Comparison",
        "",
        Input::Choice(&[
            ("eq", "equals"),
            ("ne", "differs from"),
            ("lt", "is less than"),
            ("lte", "is at most"),
            ("gt", "is more than"),
            ("gte", "is at least"),
        ]),
    ),
    part("other", "Compared with", "", Input::Against),
];

pub(super) const EVIDENCE: &[Part] = &[
    part("required_kinds", "Kinds that must be attached", "One per line", Input::Names),
    part("verify_hash", "Data must match their hashes", "", Input::Checkbox(true)),
];

pub(super) const DISTINCT: &[Part] = &[
    part("fields", "Fields that must differ", "Names, one per line; at least two", Input::Names),
    part("include_actor", "The actor must differ too", "", Input::Checkbox(false)),
];
