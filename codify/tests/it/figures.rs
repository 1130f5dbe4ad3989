//! Precision and recall of the built-in lint on labelled clauses, as the documentation shows them.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use contract::{
    codification::{Clause, Codification, Disposition, FindingCode, LedgerEntry, Source},
    json::{Limits, Value},
};

const CASES: &str = include_str!("../../cases/clauses.json");

/// A clause that a person has labelled.
struct Case {
    is_held_out: bool,
    citation: String,
    expected: BTreeSet<String>,
    found: BTreeSet<String>,
}

fn cases() -> Vec<Case> {
    let cases = Value::parse(CASES.as_bytes(), &Limits::BUNDLE_MEMBER).expect("the cases are JSON");
    cases.as_array().expect("a list of cases").iter().map(case).collect()
}

fn case(case: &Value) -> Case {
    let text =
        |value: &Value, name| value.get(name).and_then(Value::as_str).expect("a text").to_owned();
    let list = |name| case.get(name).and_then(Value::as_array).unwrap_or_default();
    let clause = |place: usize, value: &Value| Clause {
        unit_id: format!("u{place}"),
        locator: text(value, "citation"),
        text: text(value, "text"),
    };
    let beside = list("beside").iter().enumerate().map(|(at, value)| clause(at + 1, value));
    let clauses: Vec<Clause> = [clause(0, case)].into_iter().chain(beside).collect();
    let entry = |unit_id: &str, disposition, rule_code| LedgerEntry {
        unit_id: unit_id.to_owned(),
        disposition,
        rule_code,
        note: None,
    };
    let disposition: Disposition = text(case, "disposition").parse().expect("a disposition");
    let mut ledger: Vec<LedgerEntry> = match disposition {
        Disposition::Mapped => list("rules")
            .iter()
            .map(|rule| entry("u0", disposition, Some(text(rule, "code"))))
            .collect(),
        other => vec![entry("u0", other, None)],
    };
    let others = clauses.iter().skip(1);
    ledger.extend(others.map(|other| entry(&other.unit_id, Disposition::NonNormative, None)));
    let source = Source { document: "United States law".to_owned(), url: None };
    let block = Codification { source, clauses, ledger };
    let codified = codify::codify(&block, list("rules")).expect("each case fits");
    let first = codify::lint::clauses(&block, &codified.rules).swap_remove(0);
    Case {
        is_held_out: text(case, "split") == "held_out",
        citation: text(case, "citation"),
        expected: list("expect")
            .iter()
            .map(|code| code.as_str().expect("a code").to_owned())
            .collect(),
        found: first.findings.into_iter().map(|finding| finding.code).collect(),
    }
}

/// Right, found too much, and missed.
#[derive(Clone, Copy, Default)]
struct Tally {
    right: u32,
    wrong: u32,
    missed: u32,
}

impl Tally {
    fn of<'c>(cases: impl Iterator<Item = &'c Case>, codes: &[&str]) -> Self {
        let mut tally = Self::default();
        for case in cases {
            for code in codes {
                match (case.expected.contains(*code), case.found.contains(*code)) {
                    (true, true) => tally.right += 1,
                    (false, true) => tally.wrong += 1,
                    (true, false) => tally.missed += 1,
                    (false, false) => {}
                }
            }
        }
        tally
    }

    fn row(self) -> String {
        let share = |of: u32| match self.right + of {
            0 => "–".to_owned(),
            all => format!("{:.2} ({}/{all})", f64::from(self.right) / f64::from(all), self.right),
        };
        format!("{} | {}", share(self.wrong), share(self.missed))
    }
}

/// The table of the documentation.
fn table(cases: &[Case]) -> String {
    let mut table = "\
| Finding | Tuning: precision | recall | Held out: precision | recall |
|---|---|---|---|---|
"
    .to_owned();
    let mut row = |name: &str, codes: &[&str]| {
        let tally = |held_out| {
            Tally::of(cases.iter().filter(|case| case.is_held_out == held_out), codes).row()
        };
        writeln!(table, "| {name} | {} | {} |", tally(false), tally(true))
            .expect("a text takes all");
    };
    for code in FindingCode::WORDS {
        row(&format!("`{code}`"), &[code]);
    }
    row("all", &FindingCode::WORDS);
    table
}

#[test]
fn the_documentation_shows_the_figures_that_come_out() {
    let cases = cases();
    assert!(cases.len() >= 60, "{}", cases.len());
    let mut differing = String::new();
    for case in &cases {
        let differ: Vec<&String> = case.expected.symmetric_difference(&case.found).collect();
        if !differ.is_empty() {
            let (cite, found) = (&case.citation, &case.found);
            let part = if case.is_held_out { "held out" } else { "tuning" };
            let labelled = &case.expected;
            writeln!(differing, "{part}: {cite}: labelled {labelled:?}, found {found:?}")
                .expect("a text takes all");
        }
    }
    let table = table(&cases);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/CODIFICATION.md");
    let page = fs::read_to_string(page).unwrap_or_default();
    assert!(
        page.contains(&table),
        "docs/CODIFICATION.md shows another table than this:\n{table}\n{differing}"
    );
}

#[test]
fn every_label_is_a_finding_of_the_lint() {
    for case in cases() {
        for label in &case.expected {
            assert!(FindingCode::WORDS.contains(&&**label), "{}: {label}", case.citation);
        }
    }
}
