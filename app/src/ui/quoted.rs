//! Sentences in which something stands as it is typed.

use leptos::prelude::*;

/// `text` as it is shown: what stands between two backticks is code.
pub(crate) fn quoted(text: &str) -> AnyView {
    if !text.contains('`') {
        return text.to_owned().into_any();
    }
    let piece = |(is_code, piece): (bool, String)| {
        if is_code { view! { <code>{piece}</code> }.into_any() } else { piece.into_any() }
    };
    pieces(text).into_iter().map(piece).collect_view().into_any()
}

/// The parts of `text`, and which of them are code. A backtick without another one stays as it is.
fn pieces(text: &str) -> Vec<(bool, String)> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, behind)) = after.split_once('`') else { break };
        plain.push_str(before);
        if code.is_empty() {
            plain.push_str("``");
        } else {
            if !plain.is_empty() {
                pieces.push((false, std::mem::take(&mut plain)));
            }
            pieces.push((true, code.to_owned()));
        }
        rest = behind;
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
    fn what_stands_between_backticks_is_code() {
        let found = |text: &str| -> Vec<String> {
            let shown = |(is_code, piece): (bool, String)| {
                if is_code { format!("<{piece}>") } else { piece }
            };
            pieces(text).into_iter().map(shown).collect()
        };
        assert_eq!(found("Nothing."), ["Nothing."]);
        assert_eq!(found("`no-id` is no decision id."), ["<no-id>", " is no decision id."]);
        assert_eq!(found("the role `viewer`"), ["the role ", "<viewer>"]);
        assert_eq!(found("`a``b`"), ["<a>", "<b>"]);
        assert_eq!(found("`a` or `b"), ["<a>", " or `b"]);
        assert_eq!(found("``"), ["``"]);
        assert_eq!(found("a ` b"), ["a ` b"]);
    }
}
