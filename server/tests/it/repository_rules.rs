//! Rules of the repository: which crates depend on which, README files, module names.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use insta::assert_snapshot;
use serde_json::Value;

use crate::client::text;

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the workspace's root")
        .to_owned()
}

/// What cargo says, without asking anybody.
fn cargo(arguments: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).current_dir(root()).args(arguments).arg("--offline").output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo speaks UTF-8")
}

/// The names of what each of our crates uses, as its manifest says: `kind` is `null` for what
/// ships, and `"dev"` for what only tests use. Crates that are nothing but tests are left out.
fn uses(kind: &Value) -> BTreeMap<String, Vec<String>> {
    let metadata = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).expect("metadata is JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let names = |package: &Value| {
        let dependencies = package["dependencies"].as_array().expect("a list").iter();
        let mut names: Vec<String> = dependencies
            .filter(|dependency| dependency["kind"] == *kind)
            .map(|dependency| text(&dependency["name"]).to_owned())
            .collect();
        names.sort();
        names
    };
    let named = packages.iter().map(|package| (text(&package["name"]).to_owned(), names(package)));
    named.filter(|(name, _)| !name.ends_with("-tests")).collect()
}

/// Our crates.
fn crates() -> Vec<String> {
    uses(&Value::Null).into_keys().collect()
}

/// Every file with this ending below a folder of ours.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("a folder can be read").path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Every source of ours.
fn sources() -> Vec<PathBuf> {
    let folders = crates()
        .into_iter()
        .flat_map(|name| ["src", "tests", "benches"].map(|folder| root().join(&name).join(folder)));
    folders.flat_map(|folder| files(&folder, "rs")).collect()
}

#[test]
fn the_browser_s_half_reaches_neither_the_store_nor_the_socket() {
    let tree = cargo(&[
        "tree",
        "--package=frontend",
        "--target=wasm32-unknown-unknown",
        "--edges=normal,no-proc-macro",
        "--prefix=none",
        "--format={lib}",
    ]);
    assert!(tree.lines().any(|name| name == "app"), "{tree}");
    for name in tree.lines() {
        let store = ["sea_orm", "sqlx", "tokio", "axum", "governance", "getrandom", "mio"];
        let reached = store.iter().find(|part| name == **part || name.starts_with("sqlx"));
        assert_eq!(reached, None, "{name}");
    }
}

#[test]
fn the_pure_crates_use_nothing_that_reads_the_world() {
    let uses = uses(&Value::Null);
    let mut table = String::new();
    for name in ["contract", "engine", "codify", "receipt", "verify"] {
        writeln!(table, "{name}: {}", uses[name].join(" ")).unwrap();
    }
    assert_snapshot!(table, @"
    contract: chrono ryu-js serde utoipa uuid
    engine: contract foldhash regex regex-syntax unicode-case-mapping
    codify: contract
    receipt: base64 contract ed25519-dalek hex serde sha2 thiserror uuid zeroize
    verify: clap contract engine receipt thiserror
    ");
}

#[test]
fn a_crate_uses_only_crates_above_it() {
    let (ours, mut table) = (crates(), String::new());
    for (name, uses) in uses(&Value::Null) {
        let above: Vec<String> = uses.into_iter().filter(|used| ours.contains(used)).collect();
        writeln!(table, "{}", format!("{name}: {}", above.join(" ")).trim_end()).unwrap();
    }
    assert_snapshot!(table, @"
    app: contract governance verify
    codify: contract
    contract:
    engine: contract
    entity: contract
    frontend: app
    governance: codify contract engine entity receipt
    local-postgres: migration
    migration:
    receipt: contract
    server: app contract governance local-postgres migration receipt
    testkit: contract migration
    verify: contract engine receipt
    verify-wasm: verify
    ");
}

#[test]
fn only_governance_speaks_to_the_store() {
    for (name, uses) in uses(&Value::Null) {
        let store: Vec<&String> = uses
            .iter()
            .filter(|used| used.starts_with("sea-orm") || used.starts_with("sqlx"))
            .collect();
        let may = ["entity", "governance", "migration", "testkit"].contains(&&*name);
        assert!(may || store.is_empty(), "{name} uses {store:?}");
    }
}

#[test]
fn only_the_process_calls_others() {
    for (name, uses) in uses(&Value::Null) {
        let calls = uses.iter().any(|used| used == "reqwest");
        assert_eq!(calls, name == "server", "{name}");
    }
}

#[test]
fn what_tests_stand_on_does_not_ship() {
    for (name, uses) in uses(&Value::Null) {
        for tool in ["testkit", "insta", "proptest", "criterion"] {
            assert!(!uses.iter().any(|used| used == tool), "{name} ships {tool}");
        }
    }
}

#[test]
fn every_crate_begins_with_its_readme() {
    for name in crates() {
        let folder = root().join(&name);
        let readme = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        assert!(readme.starts_with(&format!("# {name}\n")), "{name}/README.md");
        let library = fs::read_to_string(folder.join("src/lib.rs")).unwrap_or_default();
        let includes = "doc = include_str!(\"../README.md\")";
        assert!(library.contains(includes), "{name}/src/lib.rs");
    }
}

#[test]
fn modules_are_called_by_what_they_are() {
    for path in sources() {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let vague = ["mod", "util", "utils", "helper", "helpers", "common", "manager"];
        assert!(!vague.contains(&stem), "{}", path.display());
    }
}

#[test]
fn every_module_begins_with_a_sentence() {
    for path in sources() {
        let source = fs::read_to_string(&path).expect("a source can be read");
        let first = source.lines().next().unwrap_or_default();
        let begins = first.starts_with("//! ") || first.starts_with("#![");
        assert!(begins, "{}: {first}", path.display());
    }
}

#[test]
fn open_points_are_issues_and_not_comments() {
    // Spelt so that this file is not found.
    let marks =
        [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X:"), concat!("HA", "CK")];
    for path in sources() {
        let source = fs::read_to_string(&path).expect("a source can be read");
        for (number, line) in source.lines().enumerate() {
            let mark = marks.iter().find(|mark| line.contains(**mark));
            assert_eq!(mark, None, "{}:{}", path.display(), number + 1);
        }
    }
}

#[test]
fn no_test_is_ignored() {
    let mark = concat!("#[ig", "nore");
    for path in sources() {
        let source = fs::read_to_string(&path).expect("a source can be read");
        assert!(!source.contains(mark), "{}", path.display());
    }
}

#[test]
fn both_readers_of_the_console_s_settings_read_the_same() {
    let built = settings("Cargo.toml");
    let served = settings("Leptos.toml");
    assert!(served.len() >= 5, "{served:?}");
    for (name, value) in &served {
        // cargo-leptos calls the output after the project.
        let built_name = if name == "output-name" { "name" } else { name };
        assert_eq!(built.get(built_name), Some(value), "{name}");
    }
}

/// The settings under `[[workspace.metadata.leptos]]`.
fn settings(file: &str) -> BTreeMap<String, String> {
    let text = fs::read_to_string(root().join(file)).expect("the file is there");
    let section =
        text.split("[[workspace.metadata.leptos]]\n").nth(1).expect("the section is there");
    section
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split('#').next()?.split_once('='))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .collect()
}
