//! The number of lines of Rust in each directory of the repository, which may only shrink.
//!
//! A directory over its budget fails the test: a change either removes as much as it adds, or raises the budget here
//! and says in its commit why the project needs more code. A budget that is more than 2 % above the real number fails
//! too, so that what one change removes is not used up by the next ones.

use std::{collections::BTreeMap, fs, path::Path};

use super::{files, root};

/// Lines of Rust by directory, with tests, comments and empty lines.
const BUDGET: [(&str, usize); 20] = [
    ("app", 54_300),
    ("bench", 4_600),
    ("cli", 8_400),
    ("codify", 2_536),
    ("contract", 10_600),
    ("contract-derive", 186),
    ("engine", 7_100),
    ("entity", 2_600),
    ("frontend", 13),
    ("governance", 51_900),
    ("local-postgres", 1_216),
    ("migration", 1_921),
    ("private-file", 256),
    ("receipt", 9_200),
    ("server", 58_300),
    ("site-builder", 28),
    ("testkit", 323),
    ("torture", 3_025),
    ("verify", 8_000),
    ("verify-wasm", 188),
];

/// Lines of Rust of the whole repository.
const TOTAL: usize = 230_000;

fn lines(directory: &Path) -> usize {
    let sources =
        ["src", "tests", "benches", "islands", "kit", "macros"].map(|part| directory.join(part));
    let sources = sources.iter().flat_map(|part| files(part, "rs"));
    sources
        .map(|path| fs::read_to_string(path).expect("a source can be read").lines().count())
        .sum()
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
    for (name, count) in &counts {
        let budget = BUDGET.iter().find(|(directory, _)| directory == name);
        let (_, budget) = budget.unwrap_or_else(|| panic!("{name} has no budget"));
        assert!(count <= budget, "{name} has {count} lines, and a budget of {budget}");
        let spare = (budget - count) * 50;
        assert!(spare <= *budget, "{name} has only {count} lines: lower its budget of {budget}");
    }
    assert_eq!(counts.len(), BUDGET.len(), "{counts:?}");
    let total: usize = counts.values().sum();
    assert!(total <= TOTAL, "{total} lines");
}
