//! Digests, IDs and code blocks in a monospaced font.

use leptos::prelude::*;

use super::copy::CopyButton;

/// A digest in groups of eight characters. Selecting or copying it returns the digest without gaps.
#[component]
#[expect(clippy::needless_pass_by_value, reason = "a component owns its properties")]
pub fn Digest(#[prop(into)] digest: String, what: &'static str) -> impl IntoView {
    let letters: Vec<char> = digest.chars().collect();
    let groups = letters.chunks(8).map(|group| {
        let group: String = group.iter().collect();
        view! { <span>{group}</span> }
    });
    view! {
        <span class="digest">
            <code>{groups.collect_view()}</code>
            <CopyButton what />
        </span>
    }
}

/// The start and the end of a digest or an ID. The button copies the whole value.
#[component]
pub fn ShortDigest(#[prop(into)] digest: String, what: &'static str) -> impl IntoView {
    view! {
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

#[component]
pub fn Id(#[prop(into)] id: String, what: &'static str) -> impl IntoView {
    view! {
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
#[component]
pub fn CodeBlock(#[prop(into)] text: String, label: &'static str) -> impl IntoView {
    view! {
        <div class="code-block">
            <CopyButton what=label />
            <pre tabindex="0" role="region" aria-label=label>
                <code>{text}</code>
            </pre>
        </div>
    }
}
