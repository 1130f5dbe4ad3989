//! Sentences with their names and values marked.

use leptos::prelude::*;

use crate::text::sentence::{Piece, Sentence};

/// A sentence. Stored text is isolated, so that its writing direction cannot spill over.
pub(crate) fn sentence(sentence: Sentence) -> impl IntoView {
    let piece = |piece| match piece {
        Piece::Words(text) => text.into_any(),
        Piece::Field(text) => view! { <bdi class="field-name">{text}</bdi> }.into_any(),
        Piece::Value(text) => view! { <bdi class="value">{text}</bdi> }.into_any(),
    };
    sentence.0.into_iter().map(piece).collect_view()
}
