//! The number of lines of Rust in each directory of the repository, which may only shrink.
//!
//! A directory over its budget fails the test: a change either removes as much as it adds, or raises the budget here
//! and says in its commit why the project needs more code. A budget that is more than 2 % above the real number fails
//! too, so that what one change removes is not used up by the next ones.

use std::{collections::BTreeMap, fs, path::Path};

use super::{files, root};

/// Lines of Rust by directory, with tests, comments and empty lines.
const BUDGET: &[(&str, usize)] = &[
    ("app", 45_501),
    ("bench", 3_863),
    ("cli", 8_082),
    ("codify", 2_252),
    ("contract", 10_006),
    ("contract-derive", 462),
    ("endpoint-macro", 282),
    ("engine", 6_730),
    ("entity", 2_313),
    ("frontend", 13),
    ("governance", 48_381),
    ("harness", 990),
    ("local-postgres", 1_200),
    ("migration", 1_825),
    ("private-file", 256),
    ("receipt", 8_709),
    ("server", 54_975),
    ("site-builder", 28),
    ("testkit", 324),
    ("torture", 2_472),
    ("verify", 7_114),
    ("verify-wasm", 188),
];

/// Lines of Rust of the whole repository.
const TOTAL: usize = 206_000;

fn lines(directory: &Path) -> usize {
    let sources = files(directory, "rs").into_iter();
    sources
        .map(|path| fs::read_to_string(path).expect("a source can be read").lines().count())
        .sum()
}

/// Returns what is wrong with the budget of a directory that has this number of lines.
fn fault(name: &str, count: usize) -> Option<String> {
    let Some((_, budget)) = BUDGET.iter().find(|(directory, _)| *directory == name) else {
        return Some(format!("{name} has {count} lines and no budget"));
    };
    let is_high = (budget.saturating_sub(count)) * 50 > *budget;
    let advice = if is_high { ": lower it" } else { "" };
    (count > *budget || is_high)
        .then(|| format!("{name} has {count} lines, and a budget of {budget}{advice}"))
}

#[test]
fn no_directory_has_more_lines_than_its_budget() {
    let entries = fs::read_dir(root()).expect("the repository can be read");
    let directories = entries.map(|entry| entry.expect("a directory can be read").path());
    let counts: BTreeMap<String, usize> = directories
        .filter(|path| path.join("Cargo.toml").is_file())
        .map(|path| {
            (path.file_name().expect("a name").to_string_lossy().into_owned(), lines(&path))
        })
        .collect();
    let faults: Vec<String> =
        counts.iter().filter_map(|(name, count)| fault(name, *count)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(counts.len(), BUDGET.len(), "{counts:?}");
    let total: usize = counts.values().sum();
    assert!(total <= TOTAL, "{total} lines");
}
