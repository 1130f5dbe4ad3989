//! Tests of patterns: ASCII classes, limits, and their form in a JSON Schema.

use contract::{
    form::{FieldType, FormField},
    read::{FieldErrors, JsonPath},
};
use engine::{form, parse};
use serde_json::{Value as Json, json};

use crate::fixtures::{self, Context, Policy};

fn rule(index: usize, pattern: &str) -> Json {
    json!({"code": format!("R{index}"), "rule_type": "pattern", "severity": "low",
           "condition": {"field": "a", "matches": pattern}})
}

/// Returns whether a rule with this pattern accepts the text.
fn is_match(pattern: &str, text: &str) -> bool {
    let policy = Policy::new(1, false, vec![fixtures::rule(rule(0, pattern))]);
    let context = Context::new(fixtures::fields(&json!({"a": text})));
    fixtures::run(&fixtures::program(&[policy]), &context).violations.is_empty()
}

fn field(pattern: &str) -> FormField {
    FormField { pattern: Some(pattern.to_owned()), ..FormField::new("a", "A", FieldType::Text) }
}

/// The errors of rules and of a form that are valid.
const NO_ERRORS: [Vec<String>; 2] = [Vec::new(), Vec::new()];

/// Returns the errors of rules with these patterns, and of a form whose fields have them.
fn errors_of<'a>(patterns: impl IntoIterator<Item = &'a str> + Clone) -> [Vec<String>; 2] {
    let rules = patterns.clone().into_iter().enumerate();
    let rules: Json = rules.map(|(index, pattern)| rule(index, pattern)).collect();
    let mut errors = FieldErrors::default();
    parse::read_rules(&fixtures::value(&rules), &JsonPath::ROOT.name("rules"), &mut errors);
    let fields: Vec<FormField> = patterns.into_iter().map(field).collect();
    [errors.into_vec(), form::check_patterns(&fields)].map(|errors| {
        errors.into_iter().map(|error| format!("{} {}", error.path, error.code)).collect()
    })
}

#[test]
fn classes_are_ascii_and_other_characters_are_unicode() {
    for (pattern, matches, mismatches) in [
        (r"^\d$", &["0", "9"][..], &["\u{663}", "\u{ff11}", "\u{1d7d8}", "a"][..]),
        (r"^\D$", &["\u{663}", "é", "\u{1F600}"], &["5"]),
        (r"^\w$", &["a", "Z", "_", "7"], &["é", "ß", "中", "\u{212A}", "-"]),
        (r"^\W$", &["é", "中", "\u{1F600}", "-"], &["a", "_"]),
        (
            r"^a\sb$",
            &["a b", "a\tb", "a\nb", "a\rb", "a\u{c}b"],
            &["a\u{a0}b", "a\u{2003}b", "a\u{b}b"],
        ),
        (r"^a\Sb$", &["a\u{a0}b", "a\u{3000}b", "axb"], &["a b"]),
        (r"\bann\b", &["ann", "éann", "annü"], &["_ann", "ann1"]),
        (r"^\Bé", &["éa"], &["aé"]),
        // The classes keep their meaning within brackets, with other classes and with flags.
        (r"^[\d.]+$", &["1.5"], &["\u{663}.5"]),
        (r"^[^\s,]+$", &["a\u{a0}b"], &["a b"]),
        (r"^[^\W_]$", &["a", "k"], &["_", "é"]),
        (r"^[\w&&[^_]]$", &["a"], &["_", "é"]),
        (r"^[\d--5]$", &["4"], &["5", "\u{663}"]),
        (r"(?i)^\w$", &["K", "k"], &["\u{212A}", "ſ"]),
        (r"(?i)^[^\W_]+$", &["Kiss"], &["é"]),
        (r"(?i)^\W$", &["\u{212A}"], &["k", "K"]),
        (r"(?x) ^ \d{2} # two digits", &["12"], &["\u{663}\u{663}"]),
        (r"^\p{L}+$", &["éß中"], &["1"]),
        (r"^.$", &["é", "\u{1F600}"], &["\n", "e\u{301}"]),
        (r"(?i)^ü$", &["Ü"], &["u"]),
        (r"^\\d$", &[r"\d"], &["1"]),
    ] {
        for text in matches {
            assert!(is_match(pattern, text), "{pattern} {text:?}");
        }
        for text in mismatches {
            assert!(!is_match(pattern, text), "{pattern} {text:?}");
        }
        assert_eq!(errors_of([pattern]), NO_ERRORS, "{pattern}");
        let accepts = |text: &str| {
            form::check(&[field(pattern)], &fixtures::fields(&json!({"a": text}))).is_empty()
        };
        assert!(matches.iter().all(|text| accepts(text)), "{pattern}");
        assert!(!mismatches.iter().any(|text| accepts(text)), "{pattern}");
    }
}

#[test]
fn a_pattern_has_at_most_1000_states() {
    for pattern in [
        "[01]*1[01]{2900}[a-z]",
        "^[01]{1001}$",
        r"\p{L}{50}",
        "(?:a{40}){40}",
        "((a{100}){100}){100}",
    ] {
        let expected = [["/rules/0/condition/matches value"], ["/fields/0/pattern value"]];
        assert_eq!(errors_of([pattern]), expected, "{pattern}");
    }
    for pattern in ["^[01]{990}$", r"^\w{1,64}@\w{1,63}(\.\w{1,63}){1,3}$", r"^\p{Greek}+$"] {
        assert_eq!(errors_of([pattern]), NO_ERRORS, "{pattern}");
    }
}

#[test]
fn patterns_that_are_saved_together_have_at_most_10000_states() {
    let pattern = "^[01]{900}$";
    assert_eq!(errors_of([pattern; 11]), NO_ERRORS);
    let expected = [["/rules/11/condition/matches value"], ["/fields/11/pattern value"]];
    assert_eq!(errors_of([pattern; 13]), expected, "only the one that exceeds the sum");
}

#[test]
fn a_stored_pattern_can_have_more_states() {
    assert!(is_match("^[01]{2000}$", &"01".repeat(1_000)));
    assert!(!is_match("^[01]{2000}$", &"01".repeat(999)));
}

#[test]
fn steps_grow_with_states_and_with_the_longest_text() {
    let steps = |pattern: &str, text: &str| {
        let policy = Policy::new(1, false, vec![fixtures::rule(rule(0, pattern))]);
        let fields = fixtures::fields(&json!({"a": "b", "c": {"d": [text]}}));
        fixtures::program(&[policy]).steps(&fields)
    };
    let long = "x".repeat(65_536);
    assert!(steps("^a$", &long) < 1_000_000);
    assert!(steps("^[01]{900}$", &long) > 900 * 65_536);
    assert!(steps("^[01]{900}$", "x") < 10_000);
}

#[test]
fn published_patterns_are_those_of_ecma_262() {
    for (pattern, expected) in [
        ("^[A-Z]{2}$", "^[A-Z]{2}$"),
        (r"^INV-\d{4,6}$", "^INV-[0-9]{4,6}$"),
        (r"\w+@acme\.com", r"[0-9A-Z_a-z]+@acme\.com"),
        (r"^\s*\S+?$", r"^[\t-\n\u000c-\r ]*[^\t-\n\u000c-\r ]+$"),
        (r"\bann\B", r"\bann(?:(?<=\w)(?=\w)|(?:^|(?<=\W))(?:$|(?=\W)))"),
        ("^(GB|DE)?[^0-9]$", "^(?:GB|DE)?[^0-9]$"),
        ("(a+(bc)*)?", "(?:a+(?:bc)*)?"),
        ("(?P<code>a|bc)|", "(?:(?:a|bc)|)"),
        (r"\Aab\z", "^ab$"),
        ("(?m)^a$", r"(?:^|(?<=\n))a(?:$|(?=\n))"),
        ("(?i)ab", "[Aa][Bb]"),
        ("(?i)k", "[Kk\u{212A}]"),
        ("(?s).a.", r"[\s\S]a[\s\S]"),
        (".", r"[^\n]"),
        (r"[\]\-/^]", r"[\-\/\]-\^]"),
        (r"\.\*\{\}", r"\.\*\{\}"),
        ("[😀-😂]é", r"[\u{1f600}-\u{1f602}]é"),
        ("(?x)a b # c", "ab"),
        ("[[:alpha:]&&[^a-y]]", "[A-Zz]"),
        (r"\x{41}\u{42}", "AB"),
        ("a[b&&c]*", r"a[^\s\S]*"),
        (r"\b{start-half}a\b{end-half}", r"(?:^|(?<=\W))a(?:$|(?=\W))"),
        (r"\<a\>", r"\b(?=\w)a\b(?<=\w)"),
    ] {
        let published = form::published(&[field(pattern)]);
        assert_eq!(published[0].pattern.as_deref(), Some(expected), "{pattern}");
    }
    // A line end of two characters has no equivalent.
    assert_eq!(form::published(&[field("(?Rm)a$")])[0].pattern, None);
    assert_eq!(errors_of(["(?Rm)a$"]), [vec![], vec!["/fields/0/pattern value".to_owned()]]);
}
