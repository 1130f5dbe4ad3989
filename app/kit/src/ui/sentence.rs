//! Sentences with marked field names and values.

use leptos::prelude::*;

use crate::text::sentence::{Piece, Sentence};

/// Renders a sentence. Stored text is isolated, so that its writing direction does not affect the sentence.
pub fn sentence(sentence: Sentence) -> impl IntoView {
    let piece = |piece| match piece {
        Piece::Words(text) => text.into_any(),
        Piece::Field(text) => view! { <bdi class="field-name">{text}</bdi> }.into_any(),
        Piece::Value(text) => view! { <bdi class="value">{text}</bdi> }.into_any(),
    };
    sentence.0.into_iter().map(piece).collect_view()
}
