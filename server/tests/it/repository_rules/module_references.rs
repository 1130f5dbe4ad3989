//! References between the modules of a crate: no cycles, and the layers of `governance`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use super::{crates, files, root};

/// The groups of modules of `governance`, lowest first. Groups of one level do not refer to each other.
const GOVERNANCE_LEVELS: [&[&str]; 6] = [
    &["base"],
    &["access"],
    &["notify", "proof"],
    &["authoring"],
    &["deciding"],
    &["bundle", "insight"],
];

#[test]
fn groups_of_governance_refer_only_to_lower_groups() {
    let group = |module: &str| module.split("::").next().unwrap_or_default().to_owned();
    let level = |group: &str| GOVERNANCE_LEVELS.iter().position(|level| level.contains(&group));
    for (module, targets) in module_references(&root().join("governance/src")) {
        let from = group(&module);
        // They combine the groups.
        if ["lib", "demo", "verification"].contains(&&*from) {
            continue;
        }
        for target in targets {
            let to = group(&target);
            let is_lower = level(&to).is_some_and(|lower| Some(lower) < level(&from));
            assert!(from == to || is_lower, "{module} refers to {target}");
        }
    }
}

/// The paths in a Rust source that begin with `crate`, `super` or `self`, one for each name of a `use` tree.
fn source_paths(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = code.flat_map(|line| [line.trim(), " "]).collect();
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let roots =
        ["crate::", "super::", "self::"].into_iter().flat_map(|root| code.match_indices(root));
    let starts = roots.map(|(start, _)| start).filter(|start| !code[..*start].ends_with(is_path));
    let mut paths = Vec::new();
    for start in starts {
        let (mut path, mut prefixes) = (String::new(), Vec::new());
        for c in code[start..].chars() {
            match c {
                '{' if path.ends_with("::") => prefixes.push(path.clone()),
                ',' | '}' if !prefixes.is_empty() => {
                    if prefixes.last() != Some(&path) {
                        paths.push(path);
                    }
                    if c == '}' {
                        prefixes.pop();
                    }
                    path = prefixes.last().cloned().unwrap_or_default();
                }
                c if is_path(c) => path.push(c),
                ' ' if !prefixes.is_empty() => {}
                _ => break,
            }
        }
        paths.push(path);
    }
    paths
}

/// Removes the `use` declarations that only pass on names, because a module that re-exports a child does not depend on it.
fn without_reexports(source: &str) -> String {
    let mut is_reexport = false;
    let lines = source.split_inclusive('\n').filter(|line| {
        let begins =
            line.starts_with("pub use ") || line.starts_with("pub(") && line.contains(") use ");
        is_reexport |= begins;
        let is_omitted = is_reexport;
        is_reexport &= !line.trim_end().ends_with(';');
        !is_omitted
    });
    lines.collect()
}

/// The children of a module whose names occur in paths of its source, such as `child::item`.
fn used_children(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code: Vec<&str> =
        code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let declared = code.iter().filter_map(|line| {
        let line = line.split_once(") ").map_or(*line, |(_, rest)| rest);
        line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')
    });
    let is_used = |name: &&str| {
        let path = format!("{name}::");
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        code.iter().any(|line| {
            line.match_indices(&path).any(|(start, _)| !line[..start].ends_with(is_name))
        })
    };
    declared.filter(is_used).map(|name| format!("self::{name}")).collect()
}

/// The modules of a crate with the modules that each refers to, other than itself.
///
/// A module and its child may refer to each other: the child is the inside of the module. Of such a pair only the reference
/// to the child counts. All other references between parents and children count, so a cycle of three is found.
fn module_references(src: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let name = |file: &Path| {
        let path = file.strip_prefix(src).expect("a file of the crate").with_extension("");
        path.to_str().expect("a path is UTF-8").replace('/', "::")
    };
    let sources = files(src, "rs");
    let modules: BTreeSet<String> = sources.iter().map(|file| name(file)).collect();
    let resolve = |module: &str, path: &str| {
        let mut names: Vec<&str> = module.split("::").collect();
        for segment in path.split("::") {
            match segment {
                "crate" => names.clear(),
                "super" => drop(names.pop()),
                "self" | "" => {}
                name => names.push(name),
            }
        }
        let prefixes = (1..=names.len()).rev().map(|length| names[..length].join("::"));
        prefixes.into_iter().find(|prefix| modules.contains(prefix))
    };
    let references = |file: &PathBuf| {
        let module = name(file);
        let source = fs::read_to_string(file).expect("a source can be read");
        let source = without_reexports(&source);
        let paths = source_paths(&source).into_iter().chain(used_children(&source));
        let targets = paths.filter_map(|path| resolve(&module, &path));
        let targets: BTreeSet<String> = targets.filter(|to| *to != module).collect();
        (module, targets)
    };
    let mut references: BTreeMap<_, _> = sources.iter().map(references).collect();
    let parents: Vec<(String, String)> = references
        .iter()
        .flat_map(|(parent, targets)| targets.iter().map(move |child| (parent, child)))
        .filter(|(parent, child)| child.rsplit_once("::").is_some_and(|(of, _)| of == *parent))
        .map(|(parent, child)| (parent.clone(), child.clone()))
        .collect();
    for (parent, child) in parents {
        references.get_mut(&child).map(|targets| targets.remove(&parent));
    }
    references
}

/// Returns a cycle of modules, each of which refers to the next, and removes the reference that closes it.
fn take_cycle(references: &mut BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    // A module that refers to no other module cannot be part of a cycle.
    while let Some(leaf) =
        references.iter().find(|(_, to)| to.is_empty()).map(|(name, _)| name.clone())
    {
        references.remove(&leaf);
        for targets in references.values_mut() {
            targets.remove(&leaf);
        }
    }
    // All other modules refer to one of them, so a path along the first references returns to itself.
    let mut path = vec![references.keys().next()?.clone()];
    loop {
        let targets = references.get_mut(path.last()?)?;
        let next = targets.first()?.clone();
        if let Some(start) = path.iter().position(|module| *module == next) {
            targets.remove(&next);
            return Some(path.split_off(start));
        }
        path.push(next);
    }
}

#[test]
fn modules_of_each_crate_do_not_form_cycles() {
    let (mut count, mut cycles) = (0, String::new());
    for (name, directory) in crates() {
        let mut references = module_references(&directory.join("src"));
        count += references.len();
        while let Some(modules) = take_cycle(&mut references) {
            let files = modules.iter().chain(modules.first());
            let files: Vec<String> =
                files.map(|module| format!("{}.rs", module.replace("::", "/"))).collect();
            writeln!(cycles, "{name}/src: {}", files.join(" -> ")).unwrap();
        }
    }
    assert!(count > 700, "{count}");
    assert!(cycles.is_empty(), "files that refer to each other in a cycle:\n{cycles}");
}
