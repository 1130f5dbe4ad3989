//! `docs/INVARIANTS.md`: the paths and the tests that it names exist.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{linked_paths, root};

/// Returns whether a source contains a test with this name.
fn has_test(source: &str, file: &Path, name: &str) -> bool {
    if file.extension().is_some_and(|extension| extension == "ts") {
        return source.contains(&format!("test('{name}'"));
    }
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
    position
        .is_some_and(|at| lines[at.saturating_sub(4)..at].iter().any(|line| line.contains("test")))
}

/// Returns the tests that a line names: after the path of a file and a colon, names in backticks with commas between.
fn named_tests(line: &str) -> Vec<(PathBuf, &str)> {
    let mut paths = linked_paths(line).into_iter().peekable();
    let words: Vec<&str> = line.split('`').collect();
    let (mut file, mut is_list, mut tests) = (None, false, Vec::new());
    for word in words.chunks_exact(2) {
        let [before, word] = [word[0], word[1]];
        is_list = before == ": " || is_list && before == ", ";
        if let Some((_, path)) = paths.next_if(|(name, _)| *name == word) {
            (file, is_list) = (path, false);
        } else if is_list {
            tests.extend(file.clone().map(|file| (file, word)));
        }
    }
    tests
}

#[test]
fn every_path_and_test_in_the_guarantees_exists() {
    let page = fs::read_to_string(root().join("docs/INVARIANTS.md")).expect("the page exists");
    let (mut paths, mut tests) = (0, 0);
    for (number, line) in page.lines().enumerate() {
        let place = format!("docs/INVARIANTS.md:{}", number + 1);
        for (name, path) in linked_paths(line) {
            assert!(path.is_some(), "{place}: `{name}`");
            paths += 1;
        }
        for (file, name) in named_tests(line) {
            let source = fs::read_to_string(root().join(&file)).expect("a source can be read");
            assert!(has_test(&source, &file, name), "{place}: `{name}` in {}", file.display());
            tests += 1;
        }
    }
    assert!(paths > 150 && tests > 60, "{paths} paths, {tests} tests");
}

#[test]
fn a_name_that_is_no_test_is_found() {
    let source = "#[tokio::test]\nasync fn first() {}\n\n\n\n\nfn second() {}\n";
    assert!(has_test(source, Path::new("a.rs"), "first"));
    for name in ["second", "third", "firs"] {
        assert!(!has_test(source, Path::new("a.rs"), name), "{name}");
    }
    assert!(has_test("test('a page', async () => {});", Path::new("a.ts"), "a page"));
    assert!(!has_test("test('a page', async () => {});", Path::new("a.ts"), "page"));
}
