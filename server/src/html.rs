//! HTML escaping and simple Markdown.

/// Escapes text for HTML, for use between tags and in quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            _ => html.push(character),
        }
    }
    html
}

/// Renders paragraphs with `code` and **bold**, the only Markdown that the descriptions use.
pub(crate) fn paragraphs(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    let paragraphs = paragraphs.map(|paragraph| format!("<p>{}</p>", inline(paragraph)));
    paragraphs.collect::<Vec<_>>().concat()
}

/// Renders the same Markdown within a line.
pub(crate) fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| match index % 2 {
        0 => bold(part),
        _ => format!("<code>{}</code>", escape(part)),
    });
    parts.collect::<Vec<_>>().concat()
}

fn bold(text: &str) -> String {
    let parts = text.split("**").enumerate().map(|(index, part)| match index % 2 {
        0 => escape(part),
        _ => format!("<strong>{}</strong>", escape(part)),
    });
    parts.collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_html_escaped() {
        assert_eq!(escape(r#"<a href="x">&'"#), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
        assert_eq!(
            paragraphs("One **<b>** and `<i>`.\n\nTwo."),
            "<p>One <strong>&lt;b&gt;</strong> and <code>&lt;i&gt;</code>.</p><p>Two.</p>"
        );
    }
}
