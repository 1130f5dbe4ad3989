//! Text on its way into a page.

/// Text as HTML shows it, between tags and within quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
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

/// Paragraphs with `code` and **weight**, the little that our descriptions use of Markdown.
pub(crate) fn prose(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    let paragraphs = paragraphs.map(|paragraph| format!("<p>{}</p>", inline(paragraph)));
    paragraphs.collect::<Vec<_>>().concat()
}

/// The same within a line.
pub(crate) fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| match index % 2 {
        0 => weighted(part),
        _ => format!("<code>{}</code>", escaped(part)),
    });
    parts.collect::<Vec<_>>().concat()
}

fn weighted(text: &str) -> String {
    let parts = text.split("**").enumerate().map(|(index, part)| match index % 2 {
        0 => escaped(part),
        _ => format!("<strong>{}</strong>", escaped(part)),
    });
    parts.collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escaped(r#"<a href="x">&'"#), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
        assert_eq!(
            prose("One **<b>** and `<i>`.\n\nTwo."),
            "<p>One <strong>&lt;b&gt;</strong> and <code>&lt;i&gt;</code>.</p><p>Two.</p>"
        );
    }
}
