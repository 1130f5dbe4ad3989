//! Notes: one sentence with an icon.

use leptos::prelude::*;

use super::icon::{Icon, icon};

/// The tint of a note, which determines its icon.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tone {
    Allow,
    Warn,
    Deny,
    Info,
}

/// Renders a note. A screen reader announces it if it has the role `alert` or `status`.
pub(crate) fn note(tone: Tone, role: Option<&'static str>, text: impl IntoView) -> AnyView {
    let (class, drawing) = match tone {
        Tone::Allow => ("note allow", Icon::Allow),
        Tone::Warn => ("note warn", Icon::Warn),
        Tone::Deny => ("note deny", Icon::Deny),
        Tone::Info => ("note blue", Icon::Seal),
    };
    view! {
        <div class=class role=role>
            {icon(drawing)}
            <p>{text}</p>
        </div>
    }
    .into_any()
}
