//! Rules of the repository: dependencies of crates and modules, README files, module names and evidence in
//! `docs`.

mod guarantees;
mod line_budget;
mod module_references;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::prelude::*;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace root").to_owned()
}

/// Runs cargo offline and returns its output.
fn cargo(arguments: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).current_dir(root()).args(arguments).arg("--offline").output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo writes UTF-8")
}

/// The metadata of each crate of the workspace, by crate name. Crates that contain only tests are omitted.
fn packages() -> BTreeMap<String, Value> {
    let metadata = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).expect("metadata is JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages").iter();
    let by_name = packages.map(|package| (text(&package["name"]).to_owned(), package.clone()));
    by_name.filter(|(name, _)| !name.ends_with("-tests")).collect()
}

/// The direct normal dependencies of each crate, by crate name.
fn dependencies_by_crate() -> BTreeMap<String, Vec<String>> {
    let names = |package: Value| {
        let dependencies = package["dependencies"].as_array().expect("a list").iter();
        let mut names: Vec<String> = dependencies
            .filter(|dependency| dependency["kind"].is_null())
            .map(|dependency| text(&dependency["name"]).to_owned())
            .collect();
        names.sort();
        names
    };
    packages().into_iter().map(|(name, package)| (name, names(package))).collect()
}

/// The directories of the crates, by crate name.
fn crates() -> BTreeMap<String, PathBuf> {
    let directory = |package: Value| {
        let manifest = Path::new(text(&package["manifest_path"]));
        manifest.parent().expect("a manifest is in a directory").to_owned()
    };
    packages().into_iter().map(|(name, package)| (name, directory(package))).collect()
}

/// The files with this extension in a directory and its subdirectories, without those of builds and installations.
fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.expect("a directory can be read").path();
        if path.ends_with("target") || path.ends_with("node_modules") {
            continue;
        }
        if path.is_dir() {
            paths.extend(files(&path, extension));
        } else if path.extension().is_some_and(|other| other == extension) {
            paths.push(path);
        }
    }
    paths.sort();
    paths
}

fn sources() -> Vec<PathBuf> {
    let directories = crates().into_values();
    let directories = directories.flat_map(|crate_directory| {
        ["src", "tests", "benches"].map(|name| crate_directory.join(name))
    });
    directories.flat_map(|directory| files(&directory, "rs")).collect()
}

#[test]
fn frontend_does_not_depend_on_database_or_network_crates() {
    let tree = cargo(&[
        "tree",
        "--package=frontend",
        "--target=wasm32-unknown-unknown",
        "--edges=normal,no-proc-macro",
        "--prefix=none",
        "--format={lib}",
    ]);
    assert!(tree.lines().any(|name| name == "islands"), "{tree}");
    for name in tree.lines() {
        let forbidden =
            ["app", "sea_orm", "sqlx", "tokio", "axum", "governance", "getrandom", "mio"];
        let dependency = forbidden.iter().find(|part| name == **part || name.starts_with("sqlx"));
        assert_eq!(dependency, None, "{name}");
    }
}

#[test]
fn pure_crates_have_no_io_dependencies() {
    let dependencies = dependencies_by_crate();
    let mut table = String::new();
    for name in ["contract", "engine", "codify", "receipt", "verify"] {
        writeln!(table, "{name}: {}", dependencies[name].join(" ")).unwrap();
    }
    assert_snapshot!(table, @"
    contract: chrono contract-derive derive_more ryu-js serde strsim thiserror unicode-case-mapping unicode-normalization utoipa uuid
    engine: contract foldhash regex-automata regex-syntax thiserror
    codify: contract
    receipt: base64 contract ed25519-dalek hex serde sha2 thiserror uuid zeroize
    verify: clap contract engine receipt thiserror
    ");
}

#[test]
fn crates_depend_only_on_the_allowed_crates() {
    let (crates, mut table) = (crates(), String::new());
    for (name, mut dependencies) in dependencies_by_crate() {
        dependencies.retain(|dependency| crates.contains_key(dependency));
        writeln!(table, "{}", format!("{name}: {}", dependencies.join(" ")).trim_end()).unwrap();
    }
    assert_snapshot!(table, @"
    accounts: contract governance kit page-kit
    app: accounts contract decisions documents governance kit page-kit policies rules
    cli: contract engine private-file receipt verify
    codify: contract
    contract: contract-derive
    contract-derive:
    decisions: contract governance islands kit page-kit rules verify
    documents: contract page-kit
    endpoint-macro:
    engine: contract
    entity: contract
    frontend: islands
    govern: app cli server
    governance: codify contract engine entity receipt
    harness:
    islands: contract governance kit
    kit: contract governance
    local-postgres: migration private-file
    migration:
    page-kit: contract governance kit
    policies: contract governance islands page-kit rules
    private-file:
    receipt: contract
    rules: contract governance islands page-kit
    server: cli contract documents endpoint-macro governance kit local-postgres migration private-file receipt
    testkit: contract entity migration testkit-macros
    testkit-macros:
    torture: contract harness receipt verify
    verify: contract engine receipt
    verify-wasm: verify
    ");
}

/// External crates, by the start of their names, and the only crates that may use them.
const RESTRICTED: [(&str, &[&str]); 6] = [
    ("sea-orm", &["entity", "governance", "migration", "testkit"]),
    ("sqlx", &["entity", "governance", "migration", "testkit"]),
    ("reqwest", &["cli", "server"]),
    ("testkit", &[]),
    ("insta", &[]),
    ("proptest", &[]),
];

#[test]
fn database_network_and_test_crates_are_used_only_where_allowed() {
    for (name, dependencies) in dependencies_by_crate() {
        for (restricted, users) in RESTRICTED {
            let mut used = dependencies.iter().filter(|used| *used != "testkit-macros");
            let is_used = used.any(|used| used.starts_with(restricted));
            assert!(!is_used || users.contains(&&*name), "{name} uses {restricted}");
        }
    }
}

#[test]
fn every_crate_includes_its_readme() {
    for (name, directory) in crates() {
        let readme = fs::read_to_string(directory.join("README.md")).unwrap_or_default();
        assert!(readme.starts_with(&format!("# {name}\n")), "{name}/README.md");
        let roots = ["src/lib.rs", "src/main.rs"].map(|path| directory.join(path));
        let root = roots.iter().find_map(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        assert!(root.contains("doc = include_str!(\"../README.md\")"), "{name}");
    }
}

#[test]
fn sources_have_a_specific_name_and_a_doc_comment_and_no_task_comment_or_ignored_test() {
    let vague = ["mod", "util", "utils", "helper", "helpers", "common", "manager"];
    // The marks are split so that this file does not match.
    let marks = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X:"),
        concat!("HA", "CK"),
        concat!("#[ig", "nore"),
    ];
    for path in sources() {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        assert!(!vague.contains(&stem), "{}", path.display());
        let source = fs::read_to_string(&path).expect("a source can be read");
        let first = source.lines().next().unwrap_or_default();
        let has_doc = first.starts_with("//! ") || first.starts_with("#![");
        assert!(has_doc, "{}: {first}", path.display());
        let mark = marks.iter().find(|mark| source.contains(**mark));
        assert_eq!(mark, None, "{}", path.display());
    }
}

#[test]
fn leptos_settings_agree_in_both_files() {
    let built = settings("Cargo.toml");
    let served = settings("Leptos.toml");
    assert!(served.len() >= 5, "{served:?}");
    for (name, value) in &served {
        // In `Cargo.toml`, cargo-leptos takes the output name from `name`.
        let built_name = if name == "output-name" { "name" } else { name };
        assert_eq!(built.get(built_name), Some(value), "{name}");
    }
}

/// The settings under `[[workspace.metadata.leptos]]`.
fn settings(file: &str) -> BTreeMap<String, String> {
    let text = fs::read_to_string(root().join(file)).expect("the file exists");
    let section = text.split("[[workspace.metadata.leptos]]\n").nth(1).expect("the section exists");
    section
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split('#').next()?.split_once('='))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .collect()
}

/// A row of the table of requirements in `docs/SECURITY.md`.
struct Requirement<'d> {
    number: &'d str,
    state: &'d str,
    evidence: &'d str,
}

/// Returns the requirements in a document, in order.
fn requirements(document: &str) -> Vec<Requirement<'_>> {
    let rows = document.lines().filter_map(|line| {
        let row = line.strip_prefix("| ")?.strip_suffix(" |")?;
        let [number, _, state, evidence] = *row.split(" | ").collect::<Vec<_>>() else {
            return None;
        };
        let is_requirement = number.starts_with(|c: char| c.is_ascii_digit());
        is_requirement.then_some(Requirement { number, state, evidence })
    });
    rows.collect()
}

/// Returns the files and directories in backticks, each with its path in the repository; `None` if it does not
/// exist. A path without a directory is in the directory of the path before it, or in `server/tests/it`.
fn linked_paths(text: &str) -> Vec<(&str, Option<PathBuf>)> {
    let root = root();
    let is_path = |word: &&str| {
        let extensions = [".rs", ".ts", ".md", ".toml", ".json", ".lock"];
        let is_file = extensions.iter().any(|extension| word.ends_with(extension));
        let directory = word.split_once('/').map_or("", |(directory, _)| directory);
        !word.starts_with('/')
            && (is_file || !directory.is_empty() && root.join(directory).is_dir())
    };
    let mut previous = PathBuf::new();
    let mut paths = Vec::new();
    for word in text.split('`').skip(1).step_by(2).filter(is_path) {
        let directories = [Path::new(""), previous.as_path(), Path::new("server/tests/it")];
        let candidates = directories.map(|directory| directory.join(word));
        let path = candidates.into_iter().find(|path| root.join(path).exists());
        if let Some(path) = &path {
            let directory =
                if root.join(path).is_dir() { Some(path.as_path()) } else { path.parent() };
            previous = directory.map(Path::to_owned).unwrap_or_default();
        }
        paths.push((word, path));
    }
    paths
}

/// Returns whether a file or directory contains tests, or is a page of the documentation.
fn is_evidence(path: &Path) -> bool {
    let name = path.to_str().expect("a path is UTF-8");
    let is_test = path.iter().any(|part| part == "tests") || name.ends_with("tests.rs");
    let has_tests = |source: String| source.contains("#[cfg(test)]");
    let is_page = path.extension().is_some_and(|extension| extension == "md");
    is_test || is_page || fs::read_to_string(root().join(path)).is_ok_and(has_tests)
}

#[test]
fn every_path_in_the_documents_exists() {
    let pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];
    let pages = pages.map(|page| root().join(page)).into_iter();
    let mut count = 0;
    for page in pages.chain(files(&root().join("docs"), "md")) {
        let text = fs::read_to_string(&page).expect("a page can be read");
        for word in text.split('`').skip(1).step_by(2) {
            // A path begins with a directory of the sources. A placeholder, as `<topic>`, matches any name.
            let Some((directory, _)) = word.split_once('/') else { continue };
            let is_source = !["", ".", "target", "data"].contains(&directory)
                && root().join(directory).is_dir()
                && !word.contains(['<', '*', ' ', '\n']);
            if is_source {
                assert!(root().join(word).exists(), "{}: `{word}`", page.display());
                count += 1;
            }
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn every_met_security_requirement_names_a_test_or_a_page() {
    let page = fs::read_to_string(root().join("docs/SECURITY.md")).expect("the page exists");
    let requirements = requirements(&page);
    for Requirement { number, state, evidence } in &requirements {
        let paths = linked_paths(evidence);
        for (name, path) in &paths {
            assert!(path.is_some(), "{number}: `{name}` does not exist");
        }
        let sections = evidence.split("this page, \"").skip(1);
        let sections: Vec<&str> = sections.filter_map(|rest| rest.split('"').next()).collect();
        for section in &sections {
            let heading = ["\n## ", "\n### "].map(|level| format!("{level}{section}\n"));
            assert!(heading.iter().any(|line| page.contains(line)), "{number}: {section}");
        }
        let names_evidence = paths.iter().any(|(_, path)| path.as_deref().is_some_and(is_evidence));
        let is_shown = names_evidence || !sections.is_empty();
        assert!(*state != "met" || is_shown, "{number}: {evidence}");
    }
    let count = |state: &str| requirements.iter().filter(|row| row.state == state).count();
    let summary = format!(
        "{} requirements: {} met, {} not applicable, {} not met.",
        requirements.len(),
        count("met"),
        count("not applicable"),
        count("**not met**")
    );
    assert!(page.contains(&summary), "{summary}");
}

#[test]
fn unsafe_code_and_unchecked_arithmetic_are_forbidden() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).expect("the file exists");
    assert!(workspace.contains("\nunsafe_code = \"forbid\"\n"));
    assert!(workspace.contains("\n[profile.release]\noverflow-checks = true"));
    for name in ["contract", "engine", "receipt", "verify", "verify-wasm"] {
        assert!(
            workspace.contains(&format!("\n{name} = {{ overflow-checks = true }}\n")),
            "{name}"
        );
    }
    for (name, directory) in crates() {
        let manifest = fs::read_to_string(directory.join("Cargo.toml"));
        let manifest = manifest.expect("each crate has a manifest");
        assert!(manifest.contains("\n[lints]\nworkspace = true\n"), "{name}");
    }
}
