//! The files of the documentation: what the program contains, the order of the pages, and their addresses.

use include_dir::{Dir, include_dir};

/// The directory `docs` of the repository.
static DOCS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../docs");

/// The directory `examples` of the repository, to which pages link.
static EXAMPLES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../examples");

/// Pages outside of `docs`, by their path in the repository.
const OTHER_PAGES: [(&str, &str); 4] = [
    ("README.md", include_str!("../../../README.md")),
    ("ARCHITECTURE.md", include_str!("../../../ARCHITECTURE.md")),
    ("CHANGELOG.md", include_str!("../../../CHANGELOG.md")),
    ("sdk/README.md", include_str!("../../../sdk/README.md")),
];

/// An entry of the navigation.
pub(super) enum Entry {
    /// A file, by its path in the repository, and its title.
    Page(&'static str, &'static str),
    /// The pages of a directory by name, with their headings as titles. `README.md` is first.
    Directory(&'static str),
}

use Entry::{Directory, Page};

/// The groups of the navigation in order.
pub(super) const GROUPS: [(&str, &[Entry]); 6] = [
    (
        "Get started",
        &[
            Page("docs/README.md", "Start page"),
            Page("docs/INSTALL.md", "Install"),
            Page("docs/TUTORIAL.md", "Tutorial"),
            Page("docs/CONCEPTS.md", "Concepts"),
            Page("docs/API_GUIDE.md", "API guide"),
            Page("docs/COOKBOOK.md", "Policy cookbook"),
            Page("docs/COMPARISON.md", "Comparison"),
            Page("docs/INVARIANTS.md", "Guarantees"),
            Page("README.md", "Overview"),
        ],
    ),
    (
        "Guides by role",
        &[
            Page("docs/guide/author.md", "Author"),
            Page("docs/guide/reviewer.md", "Reviewer"),
            Page("docs/guide/ratifier.md", "Ratifier"),
            Page("docs/guide/operator.md", "Operator"),
            Page("docs/guide/auditor.md", "Auditor"),
            Page("docs/guide/admin.md", "Admin"),
            Page("docs/guide/developer.md", "Developer"),
        ],
    ),
    (
        "Features",
        &[
            Page("docs/CODIFICATION.md", "Codification and lint"),
            Page("docs/FORMS.md", "Forms"),
            Page("docs/webhooks.md", "Webhooks"),
            Page("docs/AUDIT.md", "Audit log"),
            Page("docs/LOG.md", "Transparency log"),
            Page("docs/TRUST.md", "Keys, trust registry and bundles"),
            Page("docs/ACCOUNTS.md", "Accounts and mail"),
            Page("docs/SIGN_IN.md", "Sign-in"),
        ],
    ),
    (
        "Reference",
        &[
            Page("docs/API_GUIDELINES.md", "API guidelines"),
            Page("docs/ERRORS.md", "Errors"),
            Page("docs/CLI.md", "Command line"),
            Page("sdk/README.md", "Clients"),
            Page("docs/AUTHZEN.md", "AuthZEN"),
            Page("docs/MCP.md", "Model Context Protocol"),
            Page("docs/FORMAT.md", "Formats"),
            Page("docs/GLOSSARY.md", "Glossary"),
            Page("CHANGELOG.md", "Changelog"),
        ],
    ),
    (
        "Operations",
        &[
            Page("docs/OPERATIONS.md", "Operations"),
            Page("docs/SETTINGS.md", "Settings and limits"),
            Page("docs/DATABASE.md", "Database"),
            Page("docs/SCALE.md", "Scale"),
            Page("docs/PERFORMANCE.md", "Performance"),
            Page("docs/LOGGING.md", "Logging"),
            Page("docs/TRACES.md", "Traces"),
            Page("docs/ADDRESSES.md", "Outbound addresses"),
            Page("docs/SECURITY.md", "Security"),
        ],
    ),
    ("Design", &[Page("ARCHITECTURE.md", "Architecture"), Directory("docs/adr")]),
];

/// A page of the navigation: its path in the repository, and its title if the list has one.
pub(super) type ListedPage = (String, Option<&'static str>);

/// Returns the groups of the navigation with their pages.
pub(super) fn groups() -> impl Iterator<Item = (&'static str, Vec<ListedPage>)> {
    GROUPS.iter().map(|(title, entries)| (*title, entries.iter().flat_map(pages).collect()))
}

fn pages(entry: &Entry) -> Vec<ListedPage> {
    match *entry {
        Page(path, title) => {
            source(path).map(|_| (path.to_owned(), Some(title))).into_iter().collect()
        }
        Directory(path) => {
            let directory = path.strip_prefix("docs/").and_then(|name| DOCS.get_dir(name));
            let files =
                directory.into_iter().flat_map(Dir::files).filter_map(|file| file.path().to_str());
            let mut names: Vec<String> = files
                .filter(|name| has_extension(name, "md"))
                .map(|name| format!("docs/{name}"))
                .collect();
            names.sort_by_key(|name| (!name.ends_with("/README.md"), name.clone()));
            names.into_iter().map(|name| (name, None)).collect()
        }
    }
}

/// Returns the Markdown of a page by its path in the repository.
pub(super) fn source(path: &str) -> Option<&'static str> {
    if !has_extension(path, "md") {
        return None;
    }
    match path.strip_prefix("docs/") {
        Some(name) => DOCS.get_file(name)?.contents_utf8(),
        None => OTHER_PAGES.iter().find(|(other, _)| *other == path).map(|(_, text)| *text),
    }
}

/// Returns the content of a picture or an example by its name on the site: its path in `docs`, or in the repository
/// if it starts with `examples/`.
pub(super) fn file(name: &str) -> Option<&'static [u8]> {
    let file = match name.strip_prefix("examples/") {
        Some(example) => EXAMPLES.get_file(example),
        None => DOCS.get_file(name),
    };
    Some(file.filter(|_| !has_extension(name, "md"))?.contents())
}

/// Returns whether a file name has an extension, which is lower case.
pub(super) fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, other)| other == extension)
}

/// Returns the path on the site of a page, such as `/docs/api-guidelines` for `docs/API_GUIDELINES.md`.
pub(super) fn url(path: &str) -> String {
    let name = path.strip_prefix("docs/").unwrap_or(path).trim_end_matches(".md");
    let name = match name.strip_suffix("README") {
        Some("") if path == "README.md" => "overview",
        Some("") => "start",
        Some(directory) => directory.trim_end_matches('/'),
        None => name,
    };
    format!("/docs/{}", name.to_lowercase().replace('_', "-"))
}

/// Returns the URL on the site of a link in the page `path`. Returns `None` if the site does not have its target.
pub(super) fn resolve(path: &str, target: &str) -> Option<String> {
    let is_absolute =
        ["https://", "http://", "mailto:", "#"].iter().any(|start| target.starts_with(start));
    if is_absolute {
        return Some(target.to_owned());
    }
    let (file_name, fragment) = match target.split_once('#') {
        Some((file_name, fragment)) => (file_name, format!("#{fragment}")),
        None => (target, String::new()),
    };
    let linked = join(path, file_name);
    let start_page = format!("{linked}/README.md");
    let url = if source(&linked).is_some() {
        url(&linked)
    } else if source(&start_page).is_some() {
        url(&start_page)
    } else {
        let name = linked.strip_prefix("docs/").unwrap_or(&linked);
        file(name)?;
        format!("/docs/{name}")
    };
    Some(url + &fragment)
}

/// Returns the path in the repository of a link in the file `path`. A link that starts with `/` is relative to the
/// repository.
pub(super) fn join(path: &str, target: &str) -> String {
    let mut parts: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => path.split('/').collect(),
    };
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_lower_case_names() {
        for (path, expected) in [
            ("docs/README.md", "/docs/start"),
            ("README.md", "/docs/overview"),
            ("ARCHITECTURE.md", "/docs/architecture"),
            ("sdk/README.md", "/docs/sdk"),
            ("docs/API_GUIDELINES.md", "/docs/api-guidelines"),
            ("docs/adr/README.md", "/docs/adr"),
            ("docs/adr/0001-canonical-json.md", "/docs/adr/0001-canonical-json"),
        ] {
            assert_eq!(url(path), expected, "{path}");
        }
    }

    #[test]
    fn links_of_files_become_links_of_the_site() {
        for (path, target, expected) in [
            ("docs/CLI.md", "TRUST.md", Some("/docs/trust")),
            ("docs/CLI.md", "TRUST.md#trust-document", Some("/docs/trust#trust-document")),
            ("docs/CLI.md", "../README.md", Some("/docs/overview")),
            ("docs/adr/README.md", "../INVARIANTS.md", Some("/docs/invariants")),
            ("README.md", "docs/adr/README.md", Some("/docs/adr")),
            ("README.md", "docs/adr", Some("/docs/adr")),
            ("docs/webhooks.md", "webhooks/receiver.py", Some("/docs/webhooks/receiver.py")),
            ("docs/CLI.md", "#profiles", Some("#profiles")),
            ("docs/CLI.md", "https://rekor.example/log", Some("https://rekor.example/log")),
            (
                "docs/CLI.md",
                "../examples/policies/payments.json",
                Some("/docs/examples/policies/payments.json"),
            ),
            ("docs/CLI.md", "../examples/policies-in-git", None),
            ("docs/CLI.md", "../deploy/README.md", None),
        ] {
            assert_eq!(resolve(path, target).as_deref(), expected, "{path}: {target}");
        }
    }
    #[test]
    fn every_listed_page_and_directory_exists() {
        for entry in GROUPS.iter().flat_map(|(_, entries)| *entries) {
            match entry {
                Page(path, _) => assert!(source(path).is_some(), "{path}"),
                Directory(path) => assert!(!pages(entry).is_empty(), "{path}"),
            }
        }
    }
}
