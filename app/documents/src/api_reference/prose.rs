//! Paragraphs with `code` and **bold**, the only Markdown that the descriptions use.

use page_kit::prelude::*;

/// Renders the paragraphs of a text.
pub(super) fn paragraphs(text: &str) -> Vec<AnyView> {
    let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    paragraphs.map(|paragraph| any_view! { <p>{inline(paragraph)}</p> }).collect()
}

/// Renders the same Markdown within a line.
pub(super) fn inline(text: &str) -> Vec<AnyView> {
    let parts = text.split('`').enumerate().flat_map(|(index, part)| match index % 2 {
        0 => bold(part),
        _ => vec![any_view! { <code>{part.to_owned()}</code> }],
    });
    parts.collect()
}

fn bold(text: &str) -> Vec<AnyView> {
    let parts = text.split("**").enumerate().filter(|(_, part)| !part.is_empty());
    let part = |(index, part): (usize, &str)| match index % 2 {
        0 => part.to_owned().into_any(),
        _ => any_view! { <strong>{part.to_owned()}</strong> },
    };
    parts.map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_html_escaped() {
        let html = paragraphs("One **<b>** and `<i>`.\n\nTwo.").to_html().replace("<!>", "");
        assert_eq!(
            html,
            "<p>One <strong>&lt;b&gt;</strong> and <code>&lt;i&gt;</code>.</p><p>Two.</p>"
        );
    }
}
