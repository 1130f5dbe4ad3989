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
    paragraphs.map(|paragraph| format!("<p>{}</p>", inline(paragraph))).collect()
}

/// The same within a line.
pub(crate) fn inline(text: &str) -> String {
    let mut html = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index % 2 == 1 {
            html.push_str(&format!("<code>{}</code>", escaped(part)));
            continue;
        }
        for (index, part) in part.split("**").enumerate() {
            let part = escaped(part);
            html.push_str(&if index % 2 == 1 { format!("<strong>{part}</strong>") } else { part });
        }
    }
    html
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
