//! Precision and recall of the built-in lint on labelled clauses, as shown in the documentation.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use contract::{
    codification::{Clause, Codification, Disposition, FindingCode, LedgerEntry, SourceDocument},
    json::{Limits, Value},
};

const CASES: &str = include_str!("../../cases/clauses.json");

/// A clause with human labels, and the findings of the lint.
struct Case {
    is_held_out: bool,
    citation: String,
    expected: BTreeSet<String>,
    findings: BTreeSet<String>,
}

fn cases() -> Vec<Case> {
    let cases = Value::parse(CASES.as_bytes(), &Limits::BUNDLE_FILE).expect("the cases are JSON");
    cases.as_array().expect("a list of cases").iter().map(case).collect()
}

fn case(case: &Value) -> Case {
    let text =
        |value: &Value, name| value.get(name).and_then(Value::as_str).expect("a text").to_owned();
    let list = |name| case.get(name).and_then(Value::as_array).unwrap_or_default();
    let clause = |index: usize, value: &Value| Clause {
        unit_id: format!("u{index}"),
        locator: text(value, "citation"),
        text: text(value, "text"),
    };
    let others =
        list("other_clauses").iter().enumerate().map(|(index, value)| clause(index + 1, value));
    let clauses: Vec<Clause> = [clause(0, case)].into_iter().chain(others).collect();
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
    let source = SourceDocument { document: "United States law".to_owned(), url: None };
    let block = Codification { source, clauses, ledger };
    let codified = codify::codify(&block, list("rules")).expect("the rules of each case match");
    let first = codify::lint::clauses(&block, &codified.rules).swap_remove(0);
    Case {
        is_held_out: text(case, "split") == "held_out",
        citation: text(case, "citation"),
        expected: list("expect")
            .iter()
            .map(|code| code.as_str().expect("a code").to_owned())
            .collect(),
        findings: first.findings.into_iter().map(|finding| finding.code).collect(),
    }
}

/// The numbers of correct, incorrect and missed findings.
#[derive(Clone, Copy, Default)]
struct Tally {
    correct: u32,
    incorrect: u32,
    missed: u32,
}

impl Tally {
    fn count<'c>(cases: impl Iterator<Item = &'c Case>, codes: &[&str]) -> Self {
        let mut tally = Self::default();
        for case in cases {
            for code in codes {
                match (case.expected.contains(*code), case.findings.contains(*code)) {
                    (true, true) => tally.correct += 1,
                    (false, true) => tally.incorrect += 1,
                    (true, false) => tally.missed += 1,
                    (false, false) => {}
                }
            }
        }
        tally
    }

    fn row(self) -> String {
        let ratio = |errors: u32| match self.correct + errors {
            0 => "–".to_owned(),
            all => {
                format!("{:.2} ({}/{all})", f64::from(self.correct) / f64::from(all), self.correct)
            }
        };
        format!("{} | {}", ratio(self.incorrect), ratio(self.missed))
    }
}

/// Returns the table for the documentation.
fn table(cases: &[Case]) -> String {
    let mut table = "\
| Finding | Tuning: precision | recall | Held out: precision | recall |
|---|---|---|---|---|
"
    .to_owned();
    let mut row = |name: &str, codes: &[&str]| {
        let tally = |held_out| {
            Tally::count(cases.iter().filter(|case| case.is_held_out == held_out), codes).row()
        };
        writeln!(table, "| {name} | {} | {} |", tally(false), tally(true))
            .expect("writing to a string succeeds");
    };
    for code in FindingCode::NAMES {
        row(&format!("`{code}`"), &[code]);
    }
    row("all", &FindingCode::NAMES);
    table
}

#[test]
fn documentation_shows_current_accuracy() {
    let cases = cases();
    assert!(cases.len() >= 60, "{}", cases.len());
    let mut differences = String::new();
    for case in &cases {
        let difference: Vec<&String> = case.expected.symmetric_difference(&case.findings).collect();
        if !difference.is_empty() {
            let (cite, findings) = (&case.citation, &case.findings);
            let part = if case.is_held_out { "held out" } else { "tuning" };
            let labelled = &case.expected;
            writeln!(differences, "{part}: {cite}: labelled {labelled:?}, found {findings:?}")
                .expect("writing to a string succeeds");
        }
    }
    let table = table(&cases);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/CODIFICATION.md");
    let page = fs::read_to_string(page).unwrap_or_default();
    assert!(
        page.contains(&table),
        "docs/CODIFICATION.md shows another table than this:\n{table}\n{differences}"
    );
}

#[test]
fn every_label_is_a_known_finding_code() {
    for case in cases() {
        for label in &case.expected {
            assert!(FindingCode::NAMES.contains(&&**label), "{}: {label}", case.citation);
        }
    }
}
