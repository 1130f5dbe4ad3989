//! Digests, IDs and code blocks in a monospaced font.

use leptos::prelude::*;

use super::copy::CopyButton;
use crate::any_view;

/// A digest in groups of eight characters. Selecting or copying it returns the digest without gaps.
pub fn digest_code(digest: impl Into<String>, what: &'static str) -> AnyView {
    let digest = digest.into();
    let letters: Vec<char> = digest.chars().collect();
    let groups = letters.chunks(8).map(|group| {
        let group: String = group.iter().collect();
        view! { <span>{group}</span> }
    });
    any_view! {
        <span class="digest">
            <code>{groups.collect_view()}</code>
            <CopyButton what />
        </span>
    }
}

/// The start and the end of a digest or an ID. The button copies the whole value.
pub fn short_digest(digest: impl Into<String>, what: &'static str) -> AnyView {
    let digest = digest.into();
    any_view! {
        <span class="digest">
            <code dir="auto" title=digest.clone()>
                {shortened(&digest)}
            </code>
            <CopyButton what value=digest />
        </span>
    }
}

/// Returns the first eight and the last four characters of a long value.
fn shortened(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    match (letters.get(..8), letters.len().checked_sub(4).and_then(|end| letters.get(end..))) {
        (Some(start), Some(end)) if letters.len() > 16 => {
            format!("{}…{}", start.iter().collect::<String>(), end.iter().collect::<String>())
        }
        _ => text.to_owned(),
    }
}

pub fn id_code(id: impl Into<String>, what: &'static str) -> AnyView {
    let id = id.into();
    any_view! {
        <span class="digest">
            <code dir="auto">{id}</code>
            <CopyButton what />
        </span>
    }
}

/// Returns an identifier such as `policy_version.ratify` or `policies:read`. It may wrap only after a dot,
/// a colon or an underscore.
pub fn dotted(word: &str) -> AnyView {
    let part = |part: &str| {
        view! {
            {part.to_owned()}
            <wbr />
        }
    };
    word.split_inclusive(['.', ':', '_']).map(part).collect_view().into_any()
}

/// A preformatted text. It wraps, and can be scrolled with the keyboard where it cannot wrap.
pub fn code_block(text: impl Into<String>, label: &'static str) -> AnyView {
    let text = text.into();
    any_view! {
        <div class="code-block">
            <CopyButton what=label />
            <pre tabindex="0" role="region" aria-label=label>
                <code>{text}</code>
            </pre>
        </div>
    }
}
