//! Renders the Markdown of a page as HTML, with the anchors that GitHub also has.

use std::collections::{HashMap, HashSet};

use documents::documentation::{Heading, Link};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::catalogue;

/// The maximum number of characters of a description.
const DESCRIPTION_MAX: usize = 155;

/// The maximum number of entries in the contents of a page. A page with more headings lists only level 2.
const CONTENTS_MAX: usize = 40;

/// A rendered page.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    pub(super) title: String,
    /// The first paragraph, shortened.
    pub(super) description: String,
    pub(super) html: String,
    pub(super) headings: Vec<Heading>,
    pub(super) sections: Vec<Section>,
}

/// The text below a heading, for the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    /// The anchor; empty for the start of the page.
    pub(super) id: String,
    pub(super) heading: String,
    pub(super) text: String,
}

/// Renders the page `path`.
pub(super) fn render(path: &str, markdown: &str) -> Text {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let mut renderer = Renderer { path, ..Renderer::default() };
    renderer.text.sections.push(Section::default());
    for event in Parser::new_ext(markdown, options) {
        renderer.add(event);
    }
    renderer.finish()
}

#[derive(Default)]
struct Renderer<'a> {
    path: &'a str,
    text: Text,
    events: Vec<Event<'a>>,
    /// The number of headings with each anchor.
    counts: HashMap<String, u32>,
    /// The anchors of table rows.
    rows: HashSet<String>,
    /// The position of the open heading in `events`, and its text.
    heading: Option<(usize, String)>,
    /// Whether each open link is rendered.
    links: Vec<bool>,
    /// The URL of the open image, and its alternative text.
    image: Option<(String, String)>,
    /// Whether the open table row has its anchor.
    has_row_anchor: bool,
    is_cell_start: bool,
    /// Whether the open HTML block is a comment. Each line of a block is an event.
    is_comment: bool,
}

impl<'a> Renderer<'a> {
    fn add(&mut self, event: Event<'a>) {
        if let Some((_, alternative)) = &mut self.image {
            match &event {
                Event::Text(text) | Event::Code(text) => alternative.push_str(text),
                Event::End(TagEnd::Image) => self.end_image(),
                _ => {}
            }
            return;
        }
        let is_cell_start = std::mem::take(&mut self.is_cell_start);
        match event {
            Event::Start(Tag::Heading { .. }) => {
                self.heading = Some((self.events.len(), String::new()));
                self.push_html("");
                self.events.push(event);
            }
            Event::End(TagEnd::Heading(level)) => self.end_heading(level),
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let url = catalogue::resolve(self.path, &dest_url);
                self.links.push(url.is_some());
                if let Some(url) = url {
                    let dest_url = CowStr::from(url);
                    self.events.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                }
            }
            Event::End(TagEnd::Link) => {
                if self.links.pop() == Some(true) {
                    self.events.push(event);
                }
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                self.image = Some((dest_url.to_string(), String::new()));
            }
            Event::Start(Tag::Table(_)) => {
                self.push_html(
                    "<div class=\"docs-table\" role=\"group\" aria-label=\"Table\" tabindex=\"0\">",
                );
                self.events.push(event);
            }
            Event::End(TagEnd::Table) => {
                self.events.push(event);
                self.push_html("</div>");
            }
            Event::Start(Tag::TableRow) => {
                self.has_row_anchor = false;
                self.events.push(event);
            }
            Event::Start(Tag::TableCell) => {
                self.is_cell_start = true;
                self.events.push(event);
            }
            Event::Start(Tag::CodeBlock(_)) => {
                self.push_html("<pre tabindex=\"0\"><code>");
            }
            Event::End(TagEnd::CodeBlock) => self.push_html("</code></pre>\n"),
            Event::Code(ref code) => {
                let needs_anchor = is_cell_start && !self.has_row_anchor && is_code_name(code);
                if needs_anchor && self.rows.insert(code.to_string()) {
                    self.has_row_anchor = true;
                    self.push_html(&format!("<span id=\"{code}\"></span>"));
                }
                self.add_text(code);
                self.events.push(event);
            }
            Event::Text(ref text) => {
                self.add_text(text);
                self.events.push(event);
            }
            Event::End(TagEnd::TableCell) | Event::SoftBreak | Event::HardBreak => {
                self.add_text(" ");
                self.events.push(event);
            }
            Event::End(TagEnd::Paragraph | TagEnd::Item) => {
                self.add_text(" ");
                self.events.push(event);
                self.end_paragraph();
            }
            Event::Html(ref html) => {
                self.is_comment |= html.trim_start().starts_with("<!--");
                if !self.is_comment {
                    self.events.push(event);
                }
            }
            Event::End(TagEnd::HtmlBlock) => {
                self.is_comment = false;
                self.events.push(event);
            }
            event => self.events.push(event),
        }
    }

    fn push_html(&mut self, html: &str) {
        self.events.push(Event::Html(html.to_owned().into()));
    }

    /// Adds text to the open heading, or to the section.
    fn add_text(&mut self, text: &str) {
        match (&mut self.heading, self.text.sections.last_mut()) {
            (Some((_, heading)), _) => heading.push_str(text),
            (None, Some(section)) => section.text.push_str(text),
            (None, None) => {}
        }
    }

    /// Stores the first paragraph as the description.
    fn end_paragraph(&mut self) {
        let Some(section) = self.text.sections.last() else { return };
        if self.text.description.is_empty() && !self.text.title.is_empty() {
            self.text.description = shortened(section.text.trim());
        }
    }

    /// Adds the anchor of a heading and, below level 1, a link to it.
    fn end_heading(&mut self, level: HeadingLevel) {
        let Some((index, title)) = self.heading.take() else { return };
        let id = self.anchor(&title);
        let start = Tag::Heading {
            level,
            id: Some(id.clone().into()),
            classes: Vec::new(),
            attrs: Vec::new(),
        };
        self.events[index + 1] = Event::Start(start);
        self.events.push(Event::End(TagEnd::Heading(level)));
        if level == HeadingLevel::H1 {
            self.text.title.clone_from(&title);
            return;
        }
        self.events[index] = Event::Html("<div class=\"heading\">".into());
        let label = escaped(&title);
        self.push_html(&format!("<a href=\"#{id}\" aria-label=\"Link to {label}\">#</a></div>\n"));
        let section = Section { id: id.clone(), heading: title.clone(), text: String::new() };
        self.text.sections.push(section);
        if level <= HeadingLevel::H3 {
            let link = Link { url: format!("#{id}"), title };
            let level = if level == HeadingLevel::H2 { 2 } else { 3 };
            self.text.headings.push(Heading { level, link });
        }
    }

    /// Returns the anchor of a heading, which GitHub derives in the same way.
    fn anchor(&mut self, title: &str) -> String {
        let is_part = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let lower = title.trim().to_lowercase();
        let name: String = lower.chars().filter(is_part).collect::<String>().replace(' ', "-");
        let count = self.counts.entry(name.clone()).or_default();
        let id = if *count == 0 { name } else { format!("{name}-{count}") };
        *count += 1;
        id
    }

    /// Adds an image. A drawing becomes part of the page, so that it has the colors of the theme.
    fn end_image(&mut self) {
        let Some((target, alternative)) = self.image.take() else { return };
        let label = escaped(&alternative);
        let drawing = drawing(self.path, &target);
        let html = match (drawing, catalogue::resolve(self.path, &target)) {
            (Some(svg), _) => {
                // Narrow pages scroll it, so it receives the focus.
                format!(
                    "<span class=\"drawing\" role=\"img\" aria-label=\"{label}\" tabindex=\"0\">{svg}</span>"
                )
            }
            (None, Some(url)) => {
                let size = picture_size(&url);
                format!("<img src=\"{}\" alt=\"{label}\"{size} loading=\"lazy\">", escaped(&url))
            }
            (None, None) => label,
        };
        self.events.push(Event::InlineHtml(html.into()));
    }

    fn finish(mut self) -> Text {
        html::push_html(&mut self.text.html, self.events.into_iter());
        if self.text.headings.len() > CONTENTS_MAX {
            self.text.headings.retain(|heading| heading.level == 2);
        }
        self.text
    }
}

/// Returns the drawing that an image of the page `path` names. Its style sheet is omitted: it is for other viewers,
/// and the style sheet of the site has the same classes.
fn drawing(path: &str, target: &str) -> Option<String> {
    let linked = catalogue::join(path, target);
    let name = linked.strip_prefix("docs/").filter(|name| catalogue::has_extension(name, "svg"))?;
    let svg = std::str::from_utf8(catalogue::file(name)?).ok()?;
    let (before, rest) = svg.split_once("<style>")?;
    let (_, after) = rest.split_once("</style>")?;
    // A blank line would end the HTML block.
    Some(format!("{}{}", before.trim_end(), after.trim()).replace("\n\n", "\n"))
}

/// Returns the attributes with the size of a PNG file of the site, so that the text does not move when it loads.
fn picture_size(url: &str) -> String {
    let content = url.strip_prefix("/docs/").and_then(catalogue::file);
    // The first chunk of a PNG file starts at byte 8. Its data starts with the width and the height.
    let number = |range: std::ops::Range<usize>| {
        let bytes = content?.get(range)?.try_into().ok()?;
        Some(u32::from_be_bytes(bytes))
    };
    match (number(16..20), number(20..24)) {
        (Some(width), Some(height)) => format!(" width=\"{width}\" height=\"{height}\""),
        _ => String::new(),
    }
}

/// Returns whether a code is the name of a table row, such as `NOT_FOUND` or `GOVERN_ADDR`. Anchors of headings are
/// lower case, so they differ from these.
fn is_code_name(code: &str) -> bool {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    code.starts_with(|c: char| c.is_ascii_uppercase()) && code.chars().all(is_part)
}

/// Returns the start of a text, without a part of a word.
fn shortened(text: &str) -> String {
    if text.len() <= DESCRIPTION_MAX {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(DESCRIPTION_MAX - '…'.len_utf8());
    let end = text[..end].rfind(' ').unwrap_or(end);
    format!("{}…", text[..end].trim_end_matches([',', ':', ';', '.']))
}

/// Escapes text for an attribute or an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_the_anchors_that_github_derives() {
        let text = render(
            "docs/X.md",
            "# A title\n\nFirst.\n\n## `POST …/seal`: seal\n\n## Notes\n\n## Notes\n",
        );
        let anchors: Vec<&str> = text.sections.iter().map(|section| section.id.as_str()).collect();
        assert_eq!(anchors, ["", "post-seal-seal", "notes", "notes-1"]);
        assert_eq!((text.title.as_str(), text.description.as_str()), ("A title", "First."));
        assert!(text.html.contains("<h2 id=\"notes-1\">Notes</h2>"), "{}", text.html);
    }

    #[test]
    fn rows_of_codes_have_anchors() {
        let table = "# T\n\n| Status | Code | |\n|---|---|---|\n| 404 | `NOT_FOUND` | `X` |\n| `deny` | | |\n";
        let html = render("docs/X.md", table).html;
        assert!(
            html.contains("<td><span id=\"NOT_FOUND\"></span><code>NOT_FOUND</code></td>"),
            "{html}"
        );
        assert_eq!(html.matches("<span id=").count(), 1, "{html}");
    }

    #[test]
    fn links_to_files_that_the_site_does_not_have_become_text() {
        let markdown =
            "# T\n\n[guide](CLI.md) [deploy](../deploy/README.md) [site](https://a.example)\n";
        let html = render("docs/X.md", markdown).html;
        let expected =
            "<a href=\"/docs/cli\">guide</a> deploy <a href=\"https://a.example\">site</a>";
        assert!(html.contains(expected), "{html}");
    }

    #[test]
    fn code_is_escaped_and_comments_are_omitted() {
        let html =
            render("docs/X.md", "# T\n\n<!-- begin\n     end -->\n\n```html\n<b> & \"c\"\n```\n")
                .html;
        assert!(
            html.contains("<pre tabindex=\"0\"><code>&lt;b&gt; &amp; \"c\"\n</code></pre>"),
            "{html}"
        );
        assert!(!html.contains("begin") && !html.contains("end --"), "{html}");
    }

    #[test]
    fn descriptions_end_with_a_word() {
        let description = shortened(&"word ".repeat(60));
        assert!(
            description.len() <= DESCRIPTION_MAX && description.ends_with("word…"),
            "{description}"
        );
    }
}
