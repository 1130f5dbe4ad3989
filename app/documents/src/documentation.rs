//! The pages of the documentation: the frame around a text that the server renders from Markdown. They need no scripts.

use page_kit::{prelude::*, ui::font};

/// The path of the start page.
pub const START: &str = "/docs/start";
/// The path of the search.
pub const SEARCH: &str = "/docs/search";
/// The path of the style sheet that these pages use in addition to the console's.
pub const STYLE: &str = "/docs/site.css";

/// The ID of the navigation, which narrow pages show as a popover.
const NAVIGATION_ID: &str = "docs-pages";
/// The ID of the contents, which narrow pages show as a popover.
const CONTENTS_ID: &str = "docs-contents";

/// A context of the console's pages. Without it, the documentation is not served.
#[derive(Clone, Copy, Debug)]
pub struct HasDocumentation;

/// Returns a link to the documentation if it is served. The console's router does not handle it.
pub fn link() -> Option<impl IntoView> {
    use_context::<HasDocumentation>().map(|_| {
        view! {
            <a href=START rel="external">
                "Documentation"
            </a>
        }
    })
}

/// A link to a page or to a heading.
#[derive(Clone, Debug)]
pub struct Link {
    pub url: String,
    pub title: String,
}

/// A group of pages in the navigation.
#[derive(Clone, Debug)]
pub struct Group {
    pub title: String,
    pub pages: Vec<Link>,
}

/// A heading of a page, with its level (2 or 3).
#[derive(Clone, Debug)]
pub struct Heading {
    pub level: u8,
    pub link: Link,
}

/// A section that a search found.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The section, with the title of its page and its own.
    pub link: Link,
    /// A part of the text. Each piece is marked if it matches the search.
    pub excerpt: Vec<(String, bool)>,
}

/// What a page shows.
#[derive(Clone, Debug)]
pub enum Content {
    Text {
        /// HTML without scripts and inline styles.
        body: String,
        headings: Vec<Heading>,
        previous: Option<Link>,
        next: Option<Link>,
    },
    Results {
        query: String,
        hits: Vec<Hit>,
    },
}

/// A page of the documentation.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    pub title: String,
    pub description: String,
    /// The path of the page.
    pub url: &'a str,
    /// The path of the console's style sheet.
    pub style: String,
    /// `light` or `dark`, if the user has chosen one in the console.
    pub theme: Option<&'static str>,
    pub navigation: &'a [Group],
    pub content: Content,
}

impl Page<'_> {
    pub fn render(self) -> String {
        let Self { title, description, url, style, theme, navigation, content } = self;
        let is_search = url == SEARCH;
        let title = if title == messages::PRODUCT { title } else { format!("{title} – Govern") };
        let query = match &content {
            Content::Results { query, .. } => query.clone(),
            Content::Text { .. } => String::new(),
        };
        let contents = match &content {
            Content::Text { headings, .. } => headings.clone(),
            Content::Results { .. } => Vec::new(),
        };
        let groups = navigation.iter().map(|group| navigation_group(group, url)).collect_view();
        let document = view! {
            <!DOCTYPE html>
            <html lang="en" dir="ltr" data-theme=theme>
                <head>
                    <meta charset="utf-8" />
                    <meta name="viewport" content="width=device-width, initial-scale=1" />
                    <meta name="color-scheme" content="light dark" />
                    <meta name="description" content=description />
                    {is_search.then(|| view! { <meta name="robots" content="noindex" /> })}
                    <title inner_html=between_tags(title)></title>
                    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                    {font::preloads()}
                    <link rel="stylesheet" href=style />
                    <link rel="stylesheet" href=STYLE />
                </head>
                <body class="docs">
                    <a class="skip" href="#main">
                        {messages::SKIP}
                    </a>
                    {bar(query, !contents.is_empty())}
                    <div class="docs-columns">
                        <nav
                            id=NAVIGATION_ID
                            class="docs-nav"
                            popover="auto"
                            aria-label="Documentation"
                        >
                            {groups}
                        </nav>
                        {contents_list(contents)}
                        <main id="main" class="docs-main">
                            {main(content)}
                        </main>
                    </div>
                </body>
            </html>
        };
        document.to_html()
    }
}

/// The bar at the top: the start page, the search, and the buttons that open the popovers on narrow pages.
fn bar(query: String, has_contents: bool) -> AnyView {
    let contents = has_contents.then(|| {
        view! {
            <button type="button" class="docs-toggle" popovertarget=CONTENTS_ID>
                "On this page"
            </button>
        }
    });
    any_view! {
        <header class="docs-bar">
            <a href=START class="brand">
                {logo()}
                {messages::PRODUCT}
                <span class="docs-brand">"Documentation"</span>
            </a>
            <form method="get" action=SEARCH class="docs-search" role="search">
                {icon(Icon::Search)}
                <input
                    type="search"
                    name="q"
                    value=query
                    maxlength="200"
                    placeholder="Search"
                    aria-label="Search the documentation"
                    autocomplete="off"
                />
            </form>
            <nav class="docs-links" aria-label="Govern">
                <a href="/docs">"API reference"</a>
                <a href="/">"Console"</a>
            </nav>
            <div class="docs-toggles">
                <button type="button" class="docs-toggle" popovertarget=NAVIGATION_ID>
                    {icon(Icon::Menu)}
                    "Pages"
                </button>
                {contents}
            </div>
        </header>
    }
}

/// Renders a group of the navigation. The group of the current page is open.
fn navigation_group(group: &Group, current: &str) -> AnyView {
    let is_open = group.pages.iter().any(|page| page.url == current);
    let items = group.pages.iter().map(|page| {
        let is_current = (page.url == current).then_some("page");
        view! {
            <li>
                <a href=page.url.clone() aria-current=is_current>
                    {page.title.clone()}
                </a>
            </li>
        }
    });
    any_view! {
        <details open=is_open>
            <summary>{group.title.clone()}</summary>
            <ul>{items.collect_view()}</ul>
        </details>
    }
}

/// Renders the headings of the page, if it has more than one.
fn contents_list(headings: Vec<Heading>) -> Option<AnyView> {
    if headings.is_empty() {
        return None;
    }
    let item = |heading: Heading| {
        let class = (heading.level > 2).then_some("deep");
        view! {
            <li class=class>
                <a href=heading.link.url>{heading.link.title}</a>
            </li>
        }
    };
    Some(any_view! {
        <nav id=CONTENTS_ID class="docs-contents" popover="auto" aria-label="On this page">
            <p>"On this page"</p>
            <ul>{headings.into_iter().map(item).collect_view()}</ul>
        </nav>
    })
}

fn main(content: Content) -> AnyView {
    match content {
        Content::Text { body, previous, next, .. } => {
            let previous = previous.map(|link| step(link, "Previous", "prev"));
            let next = next.map(|link| step(link, "Next", "next"));
            any_view! {
                <article class="docs-text" inner_html=body></article>
                <nav class="docs-steps" aria-label="Previous and next page">
                    {previous}
                    {next}
                </nav>
            }
        }
        Content::Results { query, hits } => results(&query, hits),
    }
}

/// Renders the link to the previous or the next page.
fn step(link: Link, label: &'static str, rel: &'static str) -> AnyView {
    any_view! {
        <a href=link.url rel=rel class=rel>
            <small>{label}</small>
            {link.title}
        </a>
    }
}

fn results(query: &str, hits: Vec<Hit>) -> AnyView {
    let summary = match (query.is_empty(), hits.len()) {
        (true, _) => "Enter one or more words.".to_owned(),
        (false, 0) => format!("No section contains “{query}”. Try fewer or other words."),
        (false, 1) => "1 section".to_owned(),
        (false, count) => format!("{count} sections"),
    };
    let items = hits.into_iter().map(|Hit { link, excerpt }| {
        let pieces = excerpt.into_iter().map(|(piece, is_match)| {
            if is_match {
                any_view! { <mark>{piece}</mark> }
            } else {
                piece.into_any()
            }
        });
        view! {
            <li>
                <a href=link.url>{link.title}</a>
                <p>{pieces.collect_view()}</p>
            </li>
        }
    });
    any_view! {
        <h1>"Search"</h1>
        <p role="status">{summary}</p>
        <ol class="docs-results">{items.collect_view()}</ol>
    }
}
