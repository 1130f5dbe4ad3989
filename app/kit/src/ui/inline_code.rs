//! Sentences with inline code.

use leptos::prelude::*;

use crate::any_view;

/// Renders `text` with the parts between two backticks as code.
pub fn quoted(text: &str) -> AnyView {
    if !text.contains('`') {
        return text.to_owned().into_any();
    }
    let piece = |(is_code, piece): (bool, String)| {
        if !is_code {
            return piece.into_any();
        }
        any_view! {
            <bdi>
                <code>{piece}</code>
            </bdi>
        }
    };
    pieces(text).into_iter().map(piece).collect_view().into_any()
}

/// Splits `text` into parts and marks those that are code. A backtick without a partner is plain text.
fn pieces(text: &str) -> Vec<(bool, String)> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, remaining)) = after.split_once('`') else { break };
        plain.push_str(before);
        if code.is_empty() {
            plain.push_str("``");
        } else {
            if !plain.is_empty() {
                pieces.push((false, std::mem::take(&mut plain)));
            }
            pieces.push((true, code.to_owned()));
        }
        rest = remaining;
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push((false, plain));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_between_backticks_is_code() {
        let rendered = |text: &str| -> Vec<String> {
            let render = |(is_code, piece): (bool, String)| {
                if is_code { format!("<{piece}>") } else { piece }
            };
            pieces(text).into_iter().map(render).collect()
        };
        assert_eq!(rendered("Nothing."), ["Nothing."]);
        assert_eq!(
            rendered("`no-id` is not a valid decision ID."),
            ["<no-id>", " is not a valid decision ID."]
        );
        assert_eq!(rendered("the role `viewer`"), ["the role ", "<viewer>"]);
        assert_eq!(rendered("`a``b`"), ["<a>", "<b>"]);
        assert_eq!(rendered("`a` or `b"), ["<a>", " or `b"]);
        assert_eq!(rendered("``"), ["``"]);
        assert_eq!(rendered("a ` b"), ["a ` b"]);
    }
}
