//! What the conditions of each rule type are made of, for the form that edits them.

/// One part of a condition: a field of the form, or a few that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// What it is called in the form.
    pub name: &'static str,
    /// Its label.
    pub label: &'static str,
    /// What to write; empty when the label says it all.
    pub hint: &'static str,
    /// What it holds.
    pub input: Input,
}

/// What a part holds, and the member of the condition that it becomes.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// The name of a field, as the member of the part's name.
    Name,
    /// Names, one a line, as the member of the part's name.
    Names,
    /// A number, as the member of the part's name.
    Number,
    /// A box, as the member of the part's name; what an absent member means.
    Tick(bool),
    /// One of a few words, as the member of the part's name.
    Word(&'static [(&'static str, &'static str)]),
    /// A text, as one of these members.
    Text(&'static [(&'static str, &'static str)]),
    /// Values, one a line, as one of these members.
    Values(&'static [(&'static str, &'static str)]),
    /// A test of a date, with its number of days or its day.
    Date,
    /// `right`, the name of another field, or `right_value`.
    Against,
    /// `min_length`: fields and their least lengths.
    Lengths,
}

/// The tests of a date: those without a limit become `check`, the others are members.
pub const DATE_TESTS: [(&str, &str); 5] = [
    ("not_expired", "has not expired (on or after the decision)"),
    ("not_future", "is not in the future (on or before the decision)"),
    ("max_age_days", "is at most so many days old"),
    ("not_before", "is on this day or later"),
    ("not_after", "is on this day or earlier"),
];

/// Those tests that take no limit.
pub const DATE_CHECKS: [&str; 2] = ["not_expired", "not_future"];

const fn part(name: &'static str, label: &'static str, hint: &'static str, input: Input) -> Part {
    Part { name, label, hint, input }
}

const FIELD: Part = part("field", "Field", "", Input::Name);

pub(super) const PRESENCE: &[Part] = &[
    part("required_fields", "Must be given", "Names of fields, one a line", Input::Names),
    part("forbidden_fields", "Must not be given", "Names of fields, one a line", Input::Names),
    part(
        "min_length",
        "Least length",
        "Characters of a text, or elements of a list",
        Input::Lengths,
    ),
];

pub(super) const THRESHOLD: &[Part] = &[
    FIELD,
    part("min", "At least", "A number, or empty", Input::Number),
    part("exclusive_min", "More than this, not equal", "", Input::Tick(false)),
    part("max", "At most", "A number, or empty", Input::Number),
    part("exclusive_max", "Less than this, not equal", "", Input::Tick(false)),
];

pub(super) const LIST: &[Part] = &[
    FIELD,
    part(
        "values",
        "Values",
        "One a line",
        Input::Values(&[("allowed", "must be one of"), ("forbidden", "must be none of")]),
    ),
    part(
        "case_sensitive",
        "Exact case (off unless ticked, other than in gates)",
        "",
        Input::Tick(false),
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
        Input::Word(&[
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
    part("required_kinds", "Kinds that must be attached", "One a line", Input::Names),
    part("verify_hash", "Data must match their hashes", "", Input::Tick(true)),
];

pub(super) const DISTINCT: &[Part] = &[
    part("fields", "Fields that must differ", "Names, one a line; at least two", Input::Names),
    part("include_actor", "The actor must differ too", "", Input::Tick(false)),
];
