//! The list of audit actions and the code that records them name the same actions.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The actions of all audit events, one a line. Clients filter by them, so a change of the file needs a review.
const ACTIONS: &str = include_str!("../../../governance/audit_actions.txt");

/// Actions of authoring capabilities, which have the same form.
const CAPABILITY_ACTIONS: [&str; 1] = ["policy.read"];

/// Collects the contents of all Rust files below `folder`.
pub(crate) fn read_sources(folder: PathBuf, sources: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_sources(path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(fs::read_to_string(path).expect("a source file"));
        }
    }
}

/// Returns the string literals of the form of an action, such as `policy_version.ratify`.
fn action_literals(source: &str) -> impl Iterator<Item = &str> {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    source.split('"').filter(move |literal| {
        literal.split_once('.').is_some_and(|(object, action)| is_word(object) && is_word(action))
    })
}

#[test]
fn the_list_of_audit_actions_matches_the_actions_in_the_code() {
    let objects: BTreeSet<&str> =
        ACTIONS.lines().filter_map(|action| Some(action.split_once('.')?.0)).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
    let mut sources = Vec::new();
    read_sources(root.join("governance/src"), &mut sources);
    let recorded: BTreeSet<&str> = sources
        .iter()
        .flat_map(|source| action_literals(source))
        .filter(|literal| literal.split_once('.').is_some_and(|(o, _)| objects.contains(o)))
        .filter(|literal| !CAPABILITY_ACTIONS.contains(literal))
        .collect();
    assert_eq!(ACTIONS.lines().collect::<BTreeSet<_>>(), recorded);
    assert!(ACTIONS.lines().is_sorted_by(|a, b| a < b), "the actions are sorted, each once");
}
