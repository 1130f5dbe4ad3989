//! Notes: one sentence with an icon.

use leptos::prelude::*;

use super::icon::{Icon, icon};
use crate::any_view;

/// The tint of a note, which determines its icon.
#[derive(Clone, Copy, Debug)]
pub enum Tone {
    Allow,
    Warn,
    Deny,
    Info,
}

/// Renders the notice of a complete action, with the button that undoes it if there is one. With scripts it is a toast
/// (`public/page.js`); without scripts it stays on the page.
pub fn undo_notice(text: impl IntoView, undo: impl IntoView) -> AnyView {
    any_view! {
        <div class="note allow" role="status" data-toast="">
            {icon(Icon::Allow)}
            <p class="font-semibold">{text}</p>
            {undo}
        </div>
    }
}

/// Renders a note. A screen reader announces it if it has the role `alert` or `status`.
pub fn note(tone: Tone, role: Option<&'static str>, text: impl IntoView) -> AnyView {
    framed(tone, role, view! { <p>{text}</p> })
}

/// Renders a note of several paragraphs.
pub fn long_note(tone: Tone, role: Option<&'static str>, paragraphs: impl IntoView) -> AnyView {
    framed(tone, role, view! { <div>{paragraphs}</div> })
}

fn framed(tone: Tone, role: Option<&'static str>, content: impl IntoView) -> AnyView {
    let (class, drawing) = match tone {
        Tone::Allow => ("note allow", Icon::Allow),
        Tone::Warn => ("note warn", Icon::Warn),
        Tone::Deny => ("note deny", Icon::Deny),
        Tone::Info => ("note blue", Icon::Seal),
    };
    any_view! {
        <div class=class role=role>
            {icon(drawing)}
            {content}
        </div>
    }
}
