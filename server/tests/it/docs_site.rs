//! The documentation at `/docs/start`: pages, links, search and headers.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use server::config::edge::{EdgeConfig, Rates};

use crate::prelude::*;

/// The limits of pictures in bytes: of one, and of all together.
const PICTURE_BYTES_MAX: usize = 150_000;
const PICTURES_BYTES_MAX: usize = 2_000_000;

/// Returns the files in a directory and its subdirectories.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory can be read");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|other| other == extension)
}

/// Returns the directory `docs` and its Markdown files.
fn documentation() -> (PathBuf, Vec<PathBuf>) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let pages = files(&docs).into_iter().filter(|path| has_extension(path, "md")).collect();
    (docs, pages)
}

/// Returns the values of an attribute in a page.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    let values = page.split(start.as_str()).skip(1);
    values.filter_map(|rest| rest.split('"').next()).collect()
}

/// Returns all pages that links lead to, by their paths, starting with the start page.
async fn pages(client: &Client) -> BTreeMap<String, TestResponse> {
    let mut found = BTreeMap::new();
    let mut open = vec!["/docs/start".to_owned()];
    while let Some(path) = open.pop() {
        if found.contains_key(&path) {
            continue;
        }
        let page = client.get(&path).await;
        assert_eq!(page.status, 200, "{path}");
        if page.header("content-type") == Some("text/html; charset=utf-8") && path != "/docs" {
            let links =
                attributes(&page.text, "href").into_iter().chain(attributes(&page.text, "src"));
            let paths = links.map(|link| link.split('#').next().unwrap_or_default());
            open.extend(paths.filter(|path| path.starts_with("/docs")).map(str::to_owned));
        }
        found.insert(path, page);
    }
    found
}

fn is_page(page: &TestResponse) -> bool {
    page.header("content-type").is_some_and(|kind| kind.starts_with("text/html"))
}

#[testkit::test]
async fn pages_have_one_address_with_and_without_a_slash(service: TestService) {
    for path in ["/docs", "/docs/start", "/docs/guide/author"] {
        let redirect = service.public.get(format!("{path}/")).await;
        assert_eq!((redirect.status, redirect.header("location")), (308, Some(path)));
        assert_eq!(service.public.get(path).await.status, 200);
    }
    assert_eq!(service.public.get("/docs/no-such-page/").await.status, 404);
}

#[testkit::test]
async fn every_file_of_the_documentation_is_a_page_of_the_navigation(service: TestService) {
    let start = service.public.get("/docs/start").await;
    let listed: BTreeSet<&str> = attributes(&start.text, "href").into_iter().collect();
    let (docs, pages) = documentation();
    assert!(pages.len() > 40, "{}", pages.len());
    for file in pages {
        let name = file.strip_prefix(&docs).expect("a file in the directory").with_extension("");
        let name = name.to_str().expect("a name is UTF-8").to_lowercase().replace('_', "-");
        let name = name.trim_end_matches("readme").trim_end_matches('/');
        let url = format!("/docs/{}", if name.is_empty() { "start" } else { name });
        assert!(listed.contains(url.as_str()), "{url} is not in the navigation");
    }
}

#[test]
fn every_picture_is_used_and_within_its_size_limit() {
    let (docs, pages) = documentation();
    let texts: String =
        pages.iter().map(|page| fs::read_to_string(page).expect("a page can be read")).collect();
    let pictures = files(&docs.join("images"));
    assert!(pictures.len() > 15, "{}", pictures.len());
    let mut total = 0;
    for picture in pictures {
        let name = picture.strip_prefix(&docs).expect("a file in the directory");
        let name = name.to_str().expect("a name is UTF-8");
        assert!(texts.contains(&format!("{name})")), "no page shows {name}");
        let size = fs::read(&picture).expect("a picture can be read").len();
        assert!(size <= PICTURE_BYTES_MAX, "{name}: {size}");
        total += size;
    }
    assert!(total <= PICTURES_BYTES_MAX, "{total}");
}

#[testkit::test]
async fn links_of_all_pages_have_targets_and_pages_load_nothing_from_other_hosts(
    service: TestService,
) {
    let pages = pages(&service.public).await;
    assert!(pages.len() > 60, "{}", pages.len());
    for (path, page) in pages.iter().filter(|(path, page)| is_page(page) && *path != "/docs") {
        let ids: Vec<&str> = attributes(&page.text, "id");
        let distinct: BTreeSet<&&str> = ids.iter().collect();
        assert_eq!(ids.len(), distinct.len(), "an ID of {path} occurs twice");
        for link in attributes(&page.text, "href") {
            let Some((target, fragment)) = link.split_once('#') else { continue };
            let target = if target.is_empty() { path.as_str() } else { target };
            let Some(linked) = pages.get(target) else { continue };
            let has_target = attributes(&linked.text, "id").contains(&fragment);
            assert!(has_target, "{path}: {link}");
        }
        for forbidden in ["<script", "<style", " style=", "src=\"http", "srcset=", " onclick="] {
            assert!(!page.text.contains(forbidden), "{path}: {forbidden}");
        }
        let policy = page.header("content-security-policy").expect("a page has a policy");
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        assert_eq!(page.header("referrer-policy"), Some("same-origin"), "{path}");
        for stylesheet in page.text.split("rel=\"stylesheet\" href=\"").skip(1) {
            assert!(stylesheet.starts_with('/'), "{path}");
        }
    }
    let style = service.public.get("/docs/site.css").await;
    assert_eq!(style.header("content-type"), Some("text/css; charset=utf-8"));
    assert!(!style.text.contains("url("), "the style sheet loads nothing");
}

#[testkit::test]
async fn pages_have_a_title_a_description_and_links_to_their_neighbors(service: TestService) {
    let page = service.public.get("/docs/concepts").await.html();
    assert_contains(
        &page,
        [
            "<title>Concepts – Govern</title>",
            "<meta name=\"description\" content=\"The terms of Govern",
            "<h1 id=\"concepts\">Concepts</h1>",
            "<a href=\"#from-context-to-verdict\">From context to verdict</a>",
            "<a href=\"/docs/concepts\" aria-current=\"page\">",
            "rel=\"prev\"",
            "rel=\"next\"",
            "<span class=\"drawing\" role=\"img\" aria-label=\"",
        ],
    );
    assert_eq!(page.matches("<h1").count(), 1);
}

#[testkit::test]
async fn search_lists_sections_with_all_words_and_escapes_the_query(service: TestService) {
    let result = |query: &'static str| {
        let call = service.public.get(format!("/docs/search?q={query}"));
        async move { call.await }
    };
    let page = result("EQUAL+contexts+snapshot").await;
    assert_eq!((page.status, page.header("x-robots-tag")), (200, None));
    let found = ["href=\"/docs/concepts#from-context-to-verdict\"", "<mark>Equal</mark>"];
    assert_contains(&page.html(), found);
    let page = result("%3Cscript%3E%22").await.html();
    assert!(!page.contains("<script>") && page.contains("&lt;script"), "{page}");
    let page = result("").await.html();
    assert!(page.contains("Enter one or more words."), "{page}");
    assert_eq!(service.public.get("/docs/search?utm_source=x").await.status, 200);
}

#[testkit::test]
async fn pages_are_compressed_and_have_an_etag(service: TestService) {
    for path in ["/docs/start", "/docs/glossary", "/docs/site.css"] {
        let page = service.public.get(path).header("accept-encoding", "br").await;
        assert_eq!(page.header("content-encoding"), Some("br"), "{path}");
        assert!(page.encoded_size < 60_000, "{path}: {}", page.encoded_size);
        let etag = page.header("etag").expect("a page has an ETag");
        assert!(etag.starts_with("W/\""), "{etag}");
        let again = service.public.get(path).header("if-none-match", etag).await;
        assert_eq!((again.status, again.bytes.len()), (304, 0), "{path}");
    }
    let picture = service.public.get("/docs/images/screens/author-editor.png").await;
    assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/png")));
    let drawing = service.public.get("/docs/images/lifecycle.svg").await;
    assert_eq!((drawing.status, drawing.header("content-type")), (200, Some("image/svg+xml")));
    let example = service.public.get("/docs/webhooks/receiver.py").await;
    assert_eq!(example.header("content-type"), Some("text/plain; charset=utf-8"));
}

#[testkit::test]
async fn pages_have_the_theme_that_the_user_chose(service: TestService) {
    for (cookie, expected) in [
        ("theme=dark", Some("data-theme=\"dark\"")),
        ("density=compact; theme=light", Some("data-theme=\"light\"")),
        ("theme=\"><b>", None),
        ("other=dark", None),
    ] {
        let page = service.public.get("/docs/start").header("cookie", cookie).await;
        let vary: Vec<_> = page.headers.get_all("vary").iter().collect();
        assert!(vary.iter().any(|value| *value == "cookie"), "{vary:?}");
        assert!(expected.is_none_or(|theme| page.text.contains(theme)), "{cookie}");
        assert_eq!(page.text.contains("data-theme"), expected.is_some(), "{cookie}");
    }
}

#[testkit::test]
async fn unknown_pages_return_not_found(service: TestService) {
    for path in ["/docs/nothing", "/docs/CONCEPTS.md", "/docs/../Cargo.toml", "/docs/nothing/"] {
        assert_eq!(service.public.get(path).await.to_string(), "404 NOT_FOUND", "{path}");
    }
    let page = service.public.get("/docs/nothing").header("accept", "text/html").await;
    assert_eq!(page.status, 404);
    assert!(page.text.contains("Page not found"), "{}", page.text);
}

#[testkit::test]
async fn the_console_links_to_the_documentation_only_if_it_is_served(service: TestService) {
    let help = service.public.get("/help").header("accept", "text/html").await.text;
    assert!(help.contains("href=\"/docs/concepts\""), "{help}");
    let edge = EdgeConfig { docs: false, rates: Rates::UNLIMITED, ..EdgeConfig::default() };
    let service = TestServiceBuilder { edge, ..TestServiceBuilder::default() }.start().await;
    let help = service.public.get("/help").header("accept", "text/html").await.text;
    assert!(!help.contains("/docs"), "{help}");
    let reference = ["/docs", "/docs/docs.css", "/docs/docs.js", "/openapi.json"];
    let site = ["/docs/start", "/docs/concepts", "/docs/search", "/docs/site.css"];
    for path in reference.into_iter().chain(site) {
        assert_eq!(service.public.get(path).await.to_string(), "404 NOT_FOUND", "{path}");
    }
}
