//! `docs/CLAIMS.md`: each claim names tests, and each named test exists.

use std::{fs, path::Path};

/// A row of a table of claims: the claim, and its tests with their files.
struct Claim<'a> {
    text: &'a str,
    tests: Vec<(&'a str, &'a str)>,
}

/// Returns the claims of the page. In the cell of the tests, a file in backticks applies to the names in backticks
/// after it, up to the next file. Other code, such as `make torture`, ends the list of names.
fn claims(page: &str) -> Vec<Claim<'_>> {
    let rows = page.lines().filter_map(|line| {
        let (text, tests) = line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")?;
        tests.contains('`').then_some((text, tests))
    });
    rows.map(|(text, cell)| {
        let (mut file, mut tests) = (None, Vec::new());
        for code in cell.split('`').skip(1).step_by(2) {
            if [".rs", ".ts"].iter().any(|extension| code.ends_with(extension)) {
                file = Some(code);
            } else if code.starts_with("make ") {
                file = None;
            } else if let Some(file) = file {
                tests.push((file, code));
            }
        }
        Claim { text, tests }
    })
    .collect()
}

/// Returns whether a source contains a test with this name.
fn has_test(source: &str, file: &str, name: &str) -> bool {
    if file.rsplit('.').next() == Some("rs") {
        let is_start = |line: &str| {
            let line = line.trim_start();
            let line = line.strip_prefix("async ").unwrap_or(line);
            line.strip_prefix("fn ")
                .and_then(|rest| rest.strip_prefix(name))
                .is_some_and(|rest| rest.starts_with('('))
        };
        let lines: Vec<&str> = source.lines().collect();
        let position = lines.iter().position(|line| is_start(line));
        // The attribute of a test is a few lines before its name.
        return position.is_some_and(|at| {
            lines[at.saturating_sub(4)..at].iter().any(|line| line.contains("test"))
        });
    }
    source.contains(&format!("test('{name}'"))
}

#[test]
fn every_claim_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/CLAIMS.md")).expect("the page exists");
    let claims = claims(&page);
    assert!(claims.len() >= 30, "{}", claims.len());
    for Claim { text, tests } in claims {
        assert!(!tests.is_empty(), "no test: {text}");
        for (file, name) in tests {
            let source = fs::read_to_string(root.join(file)).unwrap_or_default();
            assert!(has_test(&source, file, name), "{text}: `{file}`: `{name}`");
        }
    }
}

#[test]
fn a_name_that_is_no_test_is_found() {
    let source = "#[tokio::test]\nasync fn first() {}\n\n\n\n\nfn second() {}\n";
    assert!(has_test(source, "a.rs", "first"));
    for name in ["second", "third", "firs"] {
        assert!(!has_test(source, "a.rs", name), "{name}");
    }
    assert!(has_test("test('a page', async () => {});", "a.ts", "a page"));
    assert!(!has_test("test('a page', async () => {});", "a.ts", "page"));
}
