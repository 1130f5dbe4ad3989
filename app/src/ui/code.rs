//! Digests, ids and longer texts in a fixed-width face.

use leptos::prelude::*;

use super::copy::CopyButton;

/// A digest in groups of eight; selecting or copying it gives the whole without gaps.
#[component]
#[expect(clippy::needless_pass_by_value, reason = "a component owns what it is given")]
pub(crate) fn Digest(#[prop(into)] digest: String, what: &'static str) -> impl IntoView {
    let letters: Vec<char> = digest.chars().collect();
    let groups = letters.chunks(8).map(|group| {
        let group: String = group.iter().collect();
        view! { <span>{group}</span> }
    });
    view! {
        <span class="digest">
            <code>{groups.collect_view()}</code>
            <CopyButton what/>
        </span>
    }
}

/// An id, whole.
#[component]
pub(crate) fn Id(#[prop(into)] id: String, what: &'static str) -> impl IntoView {
    view! {
        <span class="digest">
            <code>{id}</code>
            <CopyButton what/>
        </span>
    }
}

/// A word of the machine, such as `policy_version.ratify` or `policies:read`, which may break after a
/// dot, a colon or an underscore and nowhere else.
pub(crate) fn dotted(word: &str) -> impl IntoView + use<> {
    let part = |part: &str| view! { {part.to_owned()} <wbr/> };
    word.split_inclusive(['.', ':', '_']).map(part).collect_view()
}

/// A longer text as it is; it wraps, and scrolls by keyboard where it cannot.
#[component]
pub(crate) fn CodeBlock(#[prop(into)] text: String, label: &'static str) -> impl IntoView {
    view! {
        <div class="code-block">
            <CopyButton what=label/>
            <pre tabindex="0" role="region" aria-label=label>
                <code>{text}</code>
            </pre>
        </div>
    }
}
